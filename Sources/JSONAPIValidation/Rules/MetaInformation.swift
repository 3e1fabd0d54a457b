import JSONAPIRules
import JSONText

// Meta information: https://jsonapi.org/format/1.1/#document-meta

extension DocumentCheck {
    /// Checks a meta object. Its members are not restricted, but whether their names are is contested.
    mutating func checkMeta(_ meta: Int, of place: MetaPlace, _ rule: ValidationRule? = nil) {
        guard view.isObject(meta) else { return reportKind(rule ?? ValidationRule(.metaObject), at: meta, "`meta`", "an object") }
        check { $0.checkMetaNames(meta) }
        let page = member("page", of: meta)
        if appliesCursorPagination, page != 0 { checkPage(page, of: place) }
    }
}

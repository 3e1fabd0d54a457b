import JSONAPIRules
import JSONText

// Meta information and the JSON:API object: https://jsonapi.org/format/1.1/#document-meta

extension ValidationRule {
    static let metaObject = ValidationRule("document-structure/meta/object", .must, "document-meta", "`meta` is an object.")
    static let jsonapiObject = ValidationRule(
        "document-structure/jsonapi-object/object", .must, "document-jsonapi-object", "`jsonapi` is an object.")
    static let versionString = ValidationRule(.versionString)
    static let extensionURIs = ValidationRule(.extensionURIs)
    static let profileURIs = ValidationRule(.profileURIs)

    static let metaAndVersion = [metaObject, jsonapiObject, versionString, extensionURIs, profileURIs]
}

/// What a meta object is about, which a profile may care for.
enum MetaPlace {
    /// The document or a relationship: what may be a page of a collection.
    case collection
    /// A resource object or identifier.
    case item
    case error
    case other
}

extension DocumentCheck {
    /// Its members are free. Whether their names are, is contested.
    mutating func checkMeta(_ meta: Int, of place: MetaPlace, _ rule: ValidationRule = .metaObject) {
        guard view.isObject(meta) else { return reportKind(rule, at: meta, "`meta`", "an object") }
        for (name, value) in members(of: meta) {
            _ = checkChosenName(name, value, isContested: true)
            if appliesCursorPagination, view.string(at: name, equals: "page") { checkPage(value, of: place) }
        }
    }

    /// <https://jsonapi.org/format/1.1/#document-jsonapi-object>
    mutating func checkJSONAPIObject(_ object: Int) {
        guard view.isObject(object) else { return reportKind(.jsonapiObject, at: object, "`jsonapi`", "an object") }
        var look = RuleLook(view)
        look.checkJSONAPIObject(object)
        settle(look)
    }

    mutating func settleURIs(_ rule: ValidationRule, _ how: RuleFinding.Break, _ word: Int, _ what: String) {
        switch how {
        case .text: report(rule, at: word, "an element of \(what) that is no URI", "write it with its scheme")
        case .element: reportKind(rule, at: word, "an element of \(what)", "a string")
        default: reportKind(rule, at: word, what, "an array of URIs")
        }
    }
}

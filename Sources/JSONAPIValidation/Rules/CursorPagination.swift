import JSONAPIRules
import JSONText

// The cursor pagination profile: https://jsonapi.org/profiles/ethanresnick/cursor-pagination/

extension ValidationRule {
    static let pageItemCount = ValidationRule(
        "cursor-pagination/page-size/item-count", .must, "auto-id-pagesize", "A page must not have more items than `page[size]`.")
    static let rangeTruncated = ValidationRule(
        "cursor-pagination/range/range-truncated", .must, "query-range-pagination",
        "A truncated range must have `rangeTruncated` with the value true in `meta.page`.")
    static let pageObject = ValidationRule(
        "cursor-pagination/document/page-object", .must, "document-page-meta", "`page` of a meta object must be an object.")
    static let itemCursor = ValidationRule(
        "cursor-pagination/document/item-cursor-falls-on-item", .must, "document-item-cursors", "The `cursor` of an item must be a string.")
    static let prevAndNext = ValidationRule(
        "cursor-pagination/document/prev-and-next-links", .must, "auto-id-links",
        "A page must have the links `prev` and `next`, which can be null.")
    static let nextNull = ValidationRule(
        "cursor-pagination/document/next-null", .must, "auto-id-links", "`next` of the last page must be null.")
    static let prevNull = ValidationRule(
        "cursor-pagination/document/prev-null", .must, "auto-id-links", "`prev` of the first page must be null.")
    static let totalInteger = ValidationRule(
        "cursor-pagination/document/total-integer", .must, "auto-id-collection-sizes", "`total` must be an integer.")
    static let estimateObject = ValidationRule(
        "cursor-pagination/document/estimated-total-object", .must, "auto-id-collection-sizes", "`estimatedTotal` must be an object.")
    static let bestGuess = ValidationRule(
        "cursor-pagination/document/best-guess-integer", .must, "auto-id-collection-sizes", "`bestGuess` must be an integer.")

    static let cursorPagination =
        [
            pageItemCount, rangeTruncated, pageObject, itemCursor, prevAndNext, nextNull, prevNull, totalInteger, estimateObject, bestGuess,
            ValidationRule(
                "cursor-pagination/document/total", .may, "auto-id-collection-sizes", "`meta.page` may have `total`, an integer.",
                reportedAs: [totalInteger]),
        ] + cursorErrors
}

// MARK: - meta.page

extension DocumentCheck {
    /// Checks the member `page` of a meta object. Members that the profile does not define are ignored.
    mutating func checkPage(_ page: Int, of place: MetaPlace) {
        guard view.isObject(page) else { return reportKind(.pageObject, at: page, "`page` of `meta`", "an object") }
        switch place {
        case .item:
            let cursor = member("cursor", of: page)
            if cursor != 0 { _ = checkString(cursor, .itemCursor, "the `cursor` of an item") }
        case .collection: checkSizes(page)
        case .error, .other: break
        }
    }

    private mutating func checkSizes(_ page: Int) {
        let total = member("total", of: page)
        if total != 0 { checkInteger(total, .totalInteger, "`total`") }
        let estimate = member("estimatedTotal", of: page)
        guard estimate != 0 else { return }
        guard view.isObject(estimate) else { return reportKind(.estimateObject, at: estimate, "`estimatedTotal`", "an object") }
        let guess = member("bestGuess", of: estimate)
        if guess != 0 { checkInteger(guess, .bestGuess, "`bestGuess`") }
    }

    mutating func checkInteger(_ value: Int, _ rule: ValidationRule, _ what: String) {
        guard !isInteger(value) else { return }
        let found = view.kind(at: value) == .number ? "a number with a fraction" : view.kindName(at: value)
        report(rule, at: value, "\(what) is \(found)", "make it an integer")
    }

    /// Returns whether a value is a whole number in any form: `3`, `3.0`, `3e2`.
    func isInteger(_ value: Int) -> Bool {
        view.kind(at: value) == .number && JSONNumber(uncheckedText: view.numberText(at: value)).isWhole
    }
}

// MARK: - A page

extension DocumentCheck {
    /// Checks primary data that is a page.
    mutating func checkPagination() {
        guard context.kind == .response, top.data != 0, view.isArray(top.data), isPaginated else { return }
        if let size = query?.pageSize, size >= 0, view.count(at: top.data) > size {
            report(
                .pageItemCount, at: top.data, "more items than `page[size]`", "send at most that many items, and a link to the next page")
        }
        checkPrevAndNext()
        if context.isRangeTruncated { checkRangeTruncated() }
    }

    private var isPaginated: Bool { context.isPaginated ?? (query?.hasPage ?? false) }

    private mutating func checkPrevAndNext() {
        guard top.links == 0 || view.isObject(top.links) else { return }
        let (prev, next) = top.links == 0 ? (0, 0) : (member("prev", of: top.links), member("next", of: top.links))
        require(prev, next, at: top.links == 0 ? view.root : top.links, "the top-level `links`")
        if next != 0, !view.isNull(next), query?.hasPageBefore != true {
            if context.isLastPage {
                report(.nextNull, at: next, "a `next` link on the last page", "make it null")
            } else if let size = query?.pageSize, view.count(at: top.data) < size {
                report(
                    .nextNull, at: next, "a `next` link on a page with fewer items than `page[size]`",
                    "make it null, or fill the page with the items that follow")
            }
        }
        if prev != 0, !view.isNull(prev), query?.hasPageAfter != true, query?.hasPageBefore != true {
            report(.prevNull, at: prev, "a `prev` link on the first page", "make it null")
        }
    }

    /// Checks the links of relationships that are pages: their linkage is an array, and a pagination link leads to another page.
    mutating func checkPages(in relationships: Int) {
        for (name, relationship) in members(of: relationships) where view.isObject(relationship) {
            let (data, links) = (member("data", of: relationship), member("links", of: relationship))
            guard data != 0, view.isArray(data), links != 0, view.isObject(links), leadsToPages(links),
                ruleCheck.owner(ofName: name).isPlain
            else { continue }
            require(member("prev", of: links), member("next", of: links), at: links, "the `links` of the relationship")
        }
    }

    private func leadsToPages(_ links: Int) -> Bool {
        members(of: links).contains { view.string(at: $0.name, isOneOf: DefinedMembers.paginationLinks) && !view.isNull($0.value) }
    }

    private mutating func require(_ prev: Int, _ next: Int, at place: Int, _ links: String) {
        if prev != 0, next != 0 { return }
        let missing = prev == 0 && next == 0 ? "`prev` and `next`" : prev == 0 ? "`prev`" : "`next`"
        report(.prevAndNext, at: place, "a page without the link \(missing)", "add it to \(links), with null if there is no such page")
    }

    private mutating func checkRangeTruncated() {
        guard top.meta == 0 || view.isObject(top.meta) else { return }
        let page = top.meta == 0 ? 0 : member("page", of: top.meta)
        guard page == 0 || view.isObject(page) else { return }
        let value = page == 0 ? 0 : member("rangeTruncated", of: page)
        if value != 0, view.kind(at: value) == .true { return }
        let place = value != 0 ? value : page != 0 ? page : top.meta != 0 ? top.meta : view.root
        report(.rangeTruncated, at: place, "a truncated range without `rangeTruncated`", "set `rangeTruncated` in `meta.page` to true")
    }
}

import JSONAPIRules
import JSONText

// Links: https://jsonapi.org/format/1.1/#document-links

extension ValidationRule {
    static let linksObject = ValidationRule("document-structure/links/object", .must, "document-links", "`links` is an object.")
    static let linkRepresentation = ValidationRule(
        "document-structure/links/link-representation", .must, "document-links-link",
        "A link is a URI reference, a link object, or null.")
    static let linkReference = ValidationRule(
        "document-structure/link-objects/href-required", .must, "document-links-link-object",
        "A link object has `href`, a URI reference.")
    static let relationType = ValidationRule(
        "document-structure/link-objects/rel-valid", .must, "document-links-link-object", "`rel` of a link is one relation type.")
    static let describingLink = ValidationRule(
        "document-structure/link-objects/describedby-link", .must, "document-links-link-object", "`describedby` of a link is a link.")
    static let linkTitle = ValidationRule(
        "document-structure/link-objects/title-string", .must, "document-links-link-object", "`title` of a link is a string.")
    static let linkType = ValidationRule(
        "document-structure/link-objects/type-string", .must, "document-links-link-object", "`type` of a link is a string.")
    static let languageString = ValidationRule(
        "document-structure/link-objects/hreflang-string-or-array", .must, "document-links-link-object",
        "`hreflang` of a link is a string or an array of strings.")
    static let languageTag = ValidationRule(
        "document-structure/link-objects/hreflang-valid", .must, "document-links-link-object",
        "`hreflang` of a link is made of language tags.")

    static let links = [
        linksObject, linkRepresentation, linkReference, relationType, describingLink, linkTitle, linkType, languageString, languageTag,
    ]
}

extension LinksPlace {
    fileprivate var owner: String {
        switch self {
        case .document: "the `links` object of a document"
        case .resource: "the `links` object of a resource"
        case .relationship: "the `links` object of a relationship"
        case .error: "the `links` object of an error"
        }
    }
}

extension DocumentCheck {
    /// Checks a links object. Answers whether it has `self`, `related` or a link of an applied extension.
    mutating func checkLinks(_ links: Int, of place: LinksPlace) -> Bool {
        guard view.isObject(links) else {
            reportKind(.linksObject, at: links, "`links`", "an object, with a member for each link")
            return false
        }
        var isUseful = false
        for (name, value) in members(of: links) {
            if view.string(at: name, isOneOf: place.names) {
                checkLink(value, .linkRepresentation)
                if view.string(at: name, isOneOf: DefinedMembers.paginationLinks) {
                    checkPaginationPlace(value, place)
                } else {
                    isUseful = true
                }
            } else if checkOther(name, value, in: place.owner, defined: place.names) {
                isUseful = true
            }
        }
        return isUseful
    }

    /// A link may be described by a link, which may be described by a link: a loop, not a recursion.
    private mutating func checkLink(_ link: Int, _ rule: ValidationRule) {
        var (next, rule) = (link, rule)
        while next != 0 {
            let value = next
            next = 0
            switch view.kind(at: value) {
            case .null: break
            case .string: checkReference(value, rule, "a link that is no URI reference")
            case .object: next = checkLinkObject(value)
            default: reportKind(rule, at: value, "a link", "a URI reference, a link object, or null")
            }
            rule = .describingLink
        }
    }

    mutating func checkReference(_ text: Int, _ rule: ValidationRule, _ what: @autoclosure () -> String) {
        guard !URIText(view, text).isReference else { return }
        report(rule, at: text, what(), "percent-encode what a URI cannot hold")
    }

    /// Answers the word of `describedby`, 0 for none.
    ///
    /// <https://jsonapi.org/format/1.1/#document-links-link-object>
    private mutating func checkLinkObject(_ link: Int) -> Int {
        var describedBy = 0
        var hasReference = false
        for (name, value) in members(of: link) {
            if view.string(at: name, equals: "href") {
                hasReference = true
                if checkString(value, .linkReference, "the `href` of a link") {
                    checkReference(value, .linkReference, "an `href` that is no URI reference")
                }
            } else if view.string(at: name, equals: "describedby") {
                describedBy = value
            } else if view.string(at: name, equals: "meta") {
                checkMeta(value, of: .other)
            } else {
                checkLinkDetail(name, value)
            }
        }
        if !hasReference { report(.linkReference, at: link, "a link object without `href`", "add it, or make the link null") }
        return describedBy
    }

    private mutating func checkLinkDetail(_ name: Int, _ value: Int) {
        if view.string(at: name, equals: "title") {
            _ = checkString(value, .linkTitle, "the `title` of a link")
        } else if view.string(at: name, equals: "type") {
            _ = checkString(value, .linkType, "the `type` of a link")
        } else if view.string(at: name, equals: "rel") {
            guard checkString(value, .relationType, "the `rel` of a link"), !URIText(view, value).isRelationType else { return }
            report(.relationType, at: value, "a `rel` that is no relation type", "write one registered name, or one URI")
        } else if view.string(at: name, equals: "hreflang") {
            checkLanguages(value)
        } else {
            _ = checkOther(name, value, in: "a link object", defined: DefinedMembers.link)
        }
    }

    private mutating func checkLanguages(_ value: Int) {
        switch view.kind(at: value) {
        case .string: checkLanguage(value)
        case .array:
            for element in elements(of: value) where checkString(element, .languageString, "an element of `hreflang`") {
                checkLanguage(element)
            }
        default: reportKind(.languageString, at: value, "`hreflang`", "a language tag, or an array of them")
        }
    }

    private mutating func checkLanguage(_ text: Int) {
        guard !URIText(view, text).isLanguageTag else { return }
        report(.languageTag, at: text, "a text that is no language tag", "write a tag as `en` or `de-CH`, with hyphens")
    }
}

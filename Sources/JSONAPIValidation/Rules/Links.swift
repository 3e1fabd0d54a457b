import JSONAPIRules
import JSONText

// Links: https://jsonapi.org/format/1.1/#document-links

extension ValidationRule {
    static let linksObject = ValidationRule("document-structure/links/object", .must, "document-links", "`links` is an object.")
    static let linkRepresentation = ValidationRule(.linkRepresentation)

    static let links =
        [linksObject, linkRepresentation]
        + [Rule.linkReference, .relationType, .describingLink, .linkTitle, .linkType, .languageString, .languageTag].map {
            ValidationRule($0)
        }
}

extension DocumentCheck {
    /// Checks a links object. Returns whether it has `self`, `related` or a link of an applied extension.
    mutating func checkLinks(_ links: Int, of place: LinksPlace) -> Bool {
        guard view.isObject(links) else {
            reportKind(.linksObject, at: links, "`links`", "an object, with a member for each link")
            return false
        }
        var look = RuleLook(view)
        let isUseful = look.checkLinks(links, of: place)
        return settle(look) || isUseful
    }

    mutating func settleLink(_ rule: Rule, _ how: RuleFinding.Break, _ word: Int) {
        let broken = ValidationRule(rule)
        switch (how, rule) {
        case (.missing, _): report(broken, at: word, "a link object without `href`", "add it, or make the link null")
        case (.text, .relationType): report(broken, at: word, "a `rel` that is no relation type", "write one registered name, or one URI")
        case (.text, .languageTag):
            report(broken, at: word, "a text that is no language tag", "write a tag as `en` or `de-CH`, with hyphens")
        case (.text, .linkReference): refuseReference(word, broken, "an `href` that is no URI reference")
        case (.text, _): refuseReference(word, broken, "a link that is no URI reference")
        case (.element, _): reportKind(broken, at: word, "an element of `hreflang`", "a string")
        case (_, .languageString): reportKind(broken, at: word, "`hreflang`", "a language tag, or an array of them")
        case (_, .linkReference): reportKind(broken, at: word, "the `href` of a link", "a string")
        case (_, .relationType): reportKind(broken, at: word, "the `rel` of a link", "a string")
        case (_, .linkTitle): reportKind(broken, at: word, "the `title` of a link", "a string")
        case (_, .linkType): reportKind(broken, at: word, "the `type` of a link", "a string")
        default: reportKind(broken, at: word, "a link", "a URI reference, a link object, or null")
        }
    }

    mutating func checkReference(_ text: Int, _ rule: ValidationRule, _ what: @autoclosure () -> String) {
        if !URIText(view, text).isReference { refuseReference(text, rule, what()) }
    }

    private mutating func refuseReference(_ text: Int, _ rule: ValidationRule, _ what: @autoclosure () -> String) {
        report(rule, at: text, what(), "percent-encode what a URI cannot hold")
    }
}

import JSONText

// Messages for links and the JSON:API object: <https://jsonapi.org/format/1.1/#document-links>

extension Fault {
    func linkMessages(_ view: TapeView) -> FaultMessages {
        switch (how, rule) {
        case (_, .paginationPlace):
            FaultMessages(
                "pagination links only for a collection", "a pagination link for a single resource",
                note: "a pagination link for a single resource; it is kept",
                problem: "a pagination link for data that is not a collection", cure: "remove it, or make it null")
        case (.text, .relationType):
            text(
                "a relation type (RFC 8288)", "an invalid relation type", "a `rel` that is not a relation type",
                "use a registered name, or a URI")
        case (.text, .languageTag):
            text(
                "a language tag (RFC 5646)", "an invalid language tag", "a string that is not a language tag",
                "use a tag such as `en` or `de-CH`, with hyphens")
        case (.text, _):
            text(
                "a URI reference", "a link that is not a URI reference",
                "\(rule == .linkReference ? "an `href`" : "a link") that is not a URI reference",
                "percent-encode characters that a URI does not allow")
        case (.missing, _):
            FaultMessages(
                "the member `href`", "a link object without `href`", problem: "a link object without `href`",
                cure: "add `href`, or make the link null")
        case (.element, _): kind(view, "an element of `hreflang`", "a string", expected: "a string: a language tag")
        case (_, .languageString):
            kind(view, "`hreflang`", "a language tag or an array of language tags", expected: "a language tag or an array of language tags")
        case (_, .linkReference): kind(view, "the `href` of a link", "a string", expected: "a string: the link's target")
        case (_, .relationType): kind(view, "the `rel` of a link", "a string", expected: "a string: the relation type")
        case (_, .linkTitle): kind(view, "the `title` of a link", "a string", expected: "a string")
        case (_, .linkType): kind(view, "the `type` of a link", "a string", expected: "a string")
        default:
            kind(
                view, "a link", "a URI reference, a link object, or null", expected: "a link: a string, a link object or null")
        }
    }

    /// Returns the messages for text that is not a reference, a relation type or a language tag. It can still be read as text.
    private func text(_ expected: String, _ note: String, _ problem: String, _ cure: String) -> FaultMessages {
        FaultMessages(expected, "other text", note: "\(note); its text is kept", problem: problem, cure: cure)
    }

    func versionMessages(_ view: TapeView) -> FaultMessages {
        let what = rule == .extensionURIs ? "`ext`" : "`profile`"
        return switch (rule, how) {
        case (.versionString, _):
            kind(
                view, "`version`", "a string", expected: "a string: the highest version supported", note: "a version that is not a string")
        case (_, .text):
            FaultMessages(
                "an absolute URI", "other text", note: "an element that is not an absolute URI",
                problem: "an element of \(what) that is not a URI",
                cure: "use an absolute URI with a scheme")
        case (_, .element):
            kind(view, "an element of \(what)", "a string", expected: "a string: a URI", note: "an element that is not a string")
        default: kind(view, what, "an array of URIs", expected: "an array of URIs", note: "a value that is not an array of URIs")
        }
    }
}

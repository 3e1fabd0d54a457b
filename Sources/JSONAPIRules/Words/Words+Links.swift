import JSONText

// Links and the JSON:API object in words: <https://jsonapi.org/format/1.1/#document-links>

extension Fault {
    func linkWords(_ view: TapeView) -> Words {
        switch (how, rule) {
        case (_, .paginationPlace):
            Words(
                "pagination links with a collection only", "one with a single resource",
                note: "a pagination link with a single resource; it is kept",
                problem: "a pagination link beside data that are no collection", cure: "remove it, or make it null")
        case (.text, .relationType):
            text(
                "a relation type (RFC 8288)", "no valid relation type", "a `rel` that is no relation type",
                "write one registered name, or one URI")
        case (.text, .languageTag):
            text(
                "a language tag (RFC 5646)", "no valid language tag", "a text that is no language tag",
                "write a tag as `en` or `de-CH`, with hyphens")
        case (.text, _):
            text(
                "a URI reference", "a link that is no URI reference",
                "\(rule == .linkReference ? "an `href`" : "a link") that is no URI reference", "percent-encode what a URI cannot hold")
        case (.missing, _):
            Words(
                "the member `href`", "a link object without it", problem: "a link object without `href`",
                cure: "add it, or make the link null")
        case (.element, _): kind(view, "an element of `hreflang`", "a string", expected: "a string: a language tag")
        case (_, .languageString):
            kind(view, "`hreflang`", "a language tag, or an array of them", expected: "a language tag, or an array of them")
        case (_, .linkReference): kind(view, "the `href` of a link", "a string", expected: "a string: the link's target")
        case (_, .relationType): kind(view, "the `rel` of a link", "a string", expected: "a string: the relation type")
        case (_, .linkTitle): kind(view, "the `title` of a link", "a string", expected: "a string")
        case (_, .linkType): kind(view, "the `type` of a link", "a string", expected: "a string")
        default:
            kind(
                view, "a link", "a URI reference, a link object, or null", expected: "a link: a string, a link object or null")
        }
    }

    /// Text that is no reference, relation type or language tag stays readable as text.
    private func text(_ expected: String, _ note: String, _ problem: String, _ cure: String) -> Words {
        Words(expected, "another text", note: "\(note); its text is kept", problem: problem, cure: cure)
    }

    func versionWords(_ view: TapeView) -> Words {
        let what = rule == .extensionURIs ? "`ext`" : "`profile`"
        return switch (rule, how) {
        case (.versionString, _):
            kind(
                view, "`version`", "a string", expected: "a string: the highest version supported", note: "the version is no string")
        case (_, .text):
            Words(
                "an absolute URI", "another text", note: "no absolute URI", problem: "an element of \(what) that is no URI",
                cure: "write it with its scheme")
        case (_, .element): kind(view, "an element of \(what)", "a string", expected: "a string: a URI", note: "no string, so no URI")
        default: kind(view, what, "an array of URIs", expected: "an array of URIs", note: "no array of URIs")
        }
    }
}

import JSONAPIValidation
import JSONText
import Testing

/// Links: https://jsonapi.org/format/1.1/#document-links
@Suite struct LinkRuleTests {
    private static func link(_ text: String) -> String { #"{"data": null, "links": {"self": \#(text)}}"# }

    static let cases = [
        RuleCase(
            "a link in a link in a link", link(#"{"href": "/", "describedby": {"href": "/", "describedby": {"describedby": 1}}}"#),
            "document-structure/link-objects/href-required /links/self/describedby/describedby",
            "document-structure/link-objects/describedby-link /links/self/describedby/describedby/describedby"),
        RuleCase(
            "describedby that is no reference", link(#"{"href": "/", "describedby": "a b"}"#),
            "document-structure/link-objects/describedby-link /links/self/describedby"),
        RuleCase("href that is no reference", link(#"{"href": "a b"}"#), "document-structure/link-objects/href-required /links/self/href"),
        RuleCase("href as a number", link(#"{"href": 1}"#), "document-structure/link-objects/href-required /links/self/href"),
        RuleCase(
            "rel with two types", link(#"{"href": "/", "rel": "next prev"}"#), "document-structure/link-objects/rel-valid /links/self/rel"),
        RuleCase(
            "rel with an array", link(#"{"href": "/", "rel": ["next"]}"#), "document-structure/link-objects/rel-valid /links/self/rel"),
        RuleCase("rel with a name and with a URI", link(#"{"href": "/", "rel": "version-history"}"#)),
        RuleCase(
            "title and type as other kinds", link(#"{"href": "/", "title": 1, "type": null}"#),
            "document-structure/link-objects/title-string /links/self/title", "document-structure/link-objects/type-string /links/self/type"
        ),
        RuleCase("type with parameters, or empty", link(#"{"href": "/", "type": "text/html; charset=utf-8"}"#)),
        RuleCase(
            "hreflang null", link(#"{"href": "/", "hreflang": null}"#),
            "document-structure/link-objects/hreflang-string-or-array /links/self/hreflang"),
        RuleCase(
            "hreflang with other kinds in its array", link(#"{"href": "/", "hreflang": ["en", 1, null, "e"]}"#),
            "document-structure/link-objects/hreflang-string-or-array /links/self/hreflang/1",
            "document-structure/link-objects/hreflang-string-or-array /links/self/hreflang/2",
            "document-structure/link-objects/hreflang-valid /links/self/hreflang/3"),
        RuleCase(
            "a member of an old draft", link(#"{"href": "/", "params": {}}"#), "document-structure/no-additional-members /links/self/params"
        ),
        RuleCase(
            "links in a create request", #"{"data": {"type": "a", "links": {"self": "a b"}}}"#, as: .create,
            "document-structure/links/link-representation /data/links/self"),
        RuleCase(
            "an array of links", #"{"data": null, "links": {"related": [{"href": "/"}]}}"#,
            "document-structure/links/link-representation /links/related"),
        RuleCase(
            "pagination links of wrong kinds", #"{"data": [], "links": {"first": "", "prev": 0, "next": {}}}"#,
            "document-structure/links/link-representation /links/prev", "document-structure/link-objects/href-required /links/next"),
        RuleCase(
            "pagination beside one resource", #"{"data": null, "links": {"next": "/2"}}"#, context: Given.strict,
            "fetching/pagination/links-location /links/next"),
        RuleCase(
            "null beside one resource says that there is no page",
            #"{"data": {"type": "a", "id": "1"}, "links": {"first": null, "last": null, "prev": null, "next": null}}"#,
            context: Given.strict),
        RuleCase("a nameless link", #"{"data": null, "links": {"": "/"}}"#, "document-structure/no-additional-members /links/"),
    ]

    @Test(arguments: cases) func reportsBrokenRules(_ example: RuleCase) throws { try example.check() }

    private static let everyName = ["self", "related", "describedby", "first", "last", "prev", "next", "about", "type", "edit", "previous"]

    @Test(arguments: [
        ("", #"{"data": [], "links": LINKS}"#, ["self", "related", "describedby", "first", "last", "prev", "next"]),
        ("/data", #"{"data": {"type": "a", "id": "1", "links": LINKS}}"#, ["self"]),
        (
            "/data/relationships/r", #"{"data": {"type": "a", "id": "1", "relationships": {"r": {"data": [], "links": LINKS}}}}"#,
            ["self", "related", "first", "last", "prev", "next"]
        ),
        ("/errors/0", #"{"errors": [{"status": "400", "links": LINKS}]}"#, ["about", "type"]),
    ]) func linkNamesDependOnThePlace(_ pointer: String, _ text: String, _ names: [String]) {
        for name in Self.everyName {
            for value in [#""/a""#, "null", #"{"href": "/a"}"#] {
                let report = Validator().validate(text.replacing("LINKS", with: #"{"\#(name)": \#(value)}"#))
                let found = report.issues.map { "\($0.rule.id) \($0.pointer)" }
                #expect(found == (names.contains(name) ? [] : ["document-structure/no-additional-members \(pointer)/links/\(name)"]))
            }
        }
    }

    @Test(arguments: [
        "en", "de-CH", "zh-Hant-TW", "sl-rozaj-biske", "de-1996", "en-u-ca-gregory", "x-private", "i-klingon", "en-GB-oed",
        "zh-cmn-Hans-CN",
        "sr-Latn-x-a", "es-419", "zh-min-nan",
    ]) func validLanguageTags(_ tag: String) {
        #expect(Validator().validate(Self.link(#"{"href": "/", "hreflang": "\#(tag)"}"#)).isValid)
    }

    @Test(arguments: [
        "e", "en_US", "en-", "-en", "en--US", "englishlanguage", "en-US-GB", "x", "en-u", "1en", "*", "en us", "dé", "de-1996-1996",
    ])
    func invalidLanguageTags(_ tag: String) {
        let report = Validator().validate(Self.link(#"{"href": "/", "hreflang": "\#(tag)"}"#))
        #expect(report.issues.map(\.rule.id) == ["document-structure/link-objects/hreflang-valid"])
    }

    @Test(arguments: ["", "/", "?a=b", "#f", "//host", "urn:a:b", "a/b:c", "http://a/?p[n]=1", "http://[::1]/", "%C3%A9"])
    func validReferences(_ text: String) { #expect(Validator().validate(Self.link(#""\#(text)""#)).issues.isEmpty) }

    @Test(arguments: ["a b", "é", "100%", "%zz", "<a>", "a|b", "1a:b", ":a", "a#b#c", #"a\\b"#, "{id}", #"\u0000"#])
    func invalidReferences(_ text: String) {
        let report = Validator().validate(Self.link(#""\#(text)""#))
        #expect(report.issues.map(\.rule.id) == ["document-structure/links/link-representation"])
    }
}

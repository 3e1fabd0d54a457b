import JSONAPIValidation
import Testing

/// The document as a whole, its `jsonapi` and `meta`: https://jsonapi.org/format/1.1/#document-top-level
@Suite struct TopLevelRuleTests {
    static let cases = [
        RuleCase("a string is no document", #""text""#, "document-structure/top-level/root-object "),
        RuleCase("null is no document", "null", "document-structure/top-level/root-object "),
        RuleCase("a number is no document", "12", "document-structure/top-level/root-object "),
        RuleCase("links and an @-member are not enough", #"{"links": {}, "@a": 1}"#, "document-structure/top-level/required-member "),
        RuleCase(
            "included alone breaks two rules", #"{"included": []}"#,
            "document-structure/top-level/required-member ", "document-structure/top-level/included-requires-data /included"),
        RuleCase("meta may be empty", #"{"meta": {}}"#),
        RuleCase("an extension member is enough", #"{"audit:a": null}"#, context: Given.audit),
        RuleCase(
            "an extension member of another case is not", #"{"Audit:a": null, "meta": {}}"#, context: Given.audit,
            "document-structure/no-additional-members /Audit:a"),
        RuleCase(
            "a namespace with a hyphen is none", #"{"au-dit:a": null, "meta": {}}"#, context: Given.audit,
            "document-structure/no-additional-members /au-dit:a"),
        RuleCase(
            "an extension member with an illegal rest counts, and is reported once", #"{"audit:": null}"#, context: Given.audit,
            "document-structure/extension-member-names/remainder /audit:"),
        RuleCase("data of each wrong kind", #"{"data": "x"}"#, "document-structure/top-level/primary-data-shape /data"),
        RuleCase("true for data", #"{"data": true}"#, "document-structure/top-level/primary-data-shape /data"),
        RuleCase(
            "elements that are no objects", #"{"data": [[], 1, {"type": "a", "id": "1"}]}"#,
            "document-structure/top-level/primary-data-shape /data/0", "document-structure/top-level/primary-data-shape /data/1"),
        RuleCase("null data goes with included", #"{"data": null, "included": []}"#),
        RuleCase(
            "errors in a response, and included", #"{"errors": [{"status": "500"}], "included": []}"#,
            "document-structure/top-level/included-requires-data /included"),
        RuleCase("jsonapi is a string", #"{"meta": {}, "jsonapi": "1.1"}"#, "document-structure/jsonapi-object/object /jsonapi"),
        RuleCase(
            "version is a number", #"{"meta": {}, "jsonapi": {"version": 1.1}}"#,
            "document-structure/jsonapi-object/version-string /jsonapi/version"),
        RuleCase(
            "ext with a number, and a URI", #"{"meta": {}, "jsonapi": {"ext": [1, "urn:a:b"]}}"#,
            "document-structure/jsonapi-object/ext-array-of-uris /jsonapi/ext/0"),
        RuleCase(
            "profile null", #"{"meta": {}, "jsonapi": {"profile": null}}"#,
            "document-structure/jsonapi-object/profile-array-of-uris /jsonapi/profile"),
        RuleCase(
            "profile with an empty text", #"{"meta": {}, "jsonapi": {"profile": [""]}}"#,
            "document-structure/jsonapi-object/profile-array-of-uris /jsonapi/profile/0"),
        RuleCase(
            "meta null, a string, a number",
            #"{"meta": null, "data": {"type": "a", "id": "1", "meta": "x", "relationships": {"b": {"meta": 1}}}}"#,
            "document-structure/meta/object /meta", "document-structure/meta/object /data/meta",
            "document-structure/meta/object /data/relationships/b/meta"),
        RuleCase(
            "names of meta are contested", #"{"meta": {"a.b": 1, "ok": {"a.b": 1}}}"#,
            "~document-structure/member-names/reserved-characters /meta/a.b"),
        RuleCase(
            "names of meta in strict mode", #"{"meta": {"": 1}}"#, context: Given.strict,
            "document-structure/member-names/non-empty /meta/"),
        RuleCase(
            "a self link without the type of an extension", #"{"meta": {}, "links": {"self": "/a"}}"#, context: Given.audit,
            "~document-structure/top-level/self-link-type-with-extensions /links/self"),
        RuleCase(
            "a self link with another type", #"{"meta": {}, "links": {"self": {"href": "/a", "type": "application/vnd.api+json"}}}"#,
            context: Given.audit, "~document-structure/top-level/self-link-type-with-extensions /links/self/type"),
        RuleCase(
            "a self link with the type, and a profile whose URI has the separators of parameters",
            #"{"meta": {}, "links": {"self": {"href": "/a", "type": "application/vnd.api+json;profile=\"https://a.example/b?c=1;d https://a.example/e\""}}}"#,
            context: #"{"profiles": ["https://a.example/b?c=1;d", "https://a.example/e"]}"#),
        RuleCase(
            "a self link with the type",
            #"{"meta": {}, "links": {"self": {"href": "/a", "type": "application/vnd.api+json; ext=\"https://example.com/ext/audit\""}}}"#,
            context: Given.audit),
        RuleCase("no self link to judge", #"{"meta": {}, "links": {"self": null}}"#, context: Given.audit),
        RuleCase("a repeated name: the last one counts", #"{"data": 1, "data": null}"#, "~json/duplicate-name /data"),
        RuleCase(
            "three times is one issue", #"{"data": null, "meta": {"a": 1, "a": 2, "a": 3, "b": 1, "b": 2}}"#,
            "~json/duplicate-name /meta/a",
            "~json/duplicate-name /meta/b"),
        RuleCase(
            "what a later name supersedes is not looked into", #"{"data": {"x": {"y": 1, "y": 2}}, "meta": {}, "data": null}"#,
            "~json/duplicate-name /data"),
        RuleCase(
            "twice by an escape, inside an attribute", #"{"data": {"type": "a", "id": "1", "attributes": {"x": {"k": 1, "\u006b": 2}}}}"#,
            context: Given.strict, "json/duplicate-name /data/attributes/x/k"),
    ]

    @Test(arguments: cases) func reportsBrokenRules(_ example: RuleCase) throws { try example.check() }
}

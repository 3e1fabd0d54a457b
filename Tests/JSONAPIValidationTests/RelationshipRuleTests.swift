import JSONAPIValidation
import Testing

/// Relationships and linkage: https://jsonapi.org/format/1.1/#document-resource-object-relationships
@Suite struct RelationshipRuleTests {
    private static func relationship(_ text: String) -> String { #"{"data": {"type": "a", "id": "1", "relationships": {"r": \#(text)}}}"# }
    private static let place = "/data/relationships/r"

    static let cases = [
        RuleCase(
            "relationships null", #"{"data": {"type": "a", "id": "1", "relationships": null}}"#,
            "document-structure/relationships/object /data/relationships"),
        RuleCase("a relationship that is an array", relationship("[]"), "document-structure/relationships/value-object \(place)"),
        RuleCase("only an @-member", relationship(#"{"@a": 1}"#), "document-structure/relationships/at-least-one-member \(place)"),
        RuleCase("only an extension member", relationship(#"{"audit:a": 1}"#), context: Given.audit),
        RuleCase(
            "only links of pagination", relationship(#"{"links": {"first": "/1"}}"#),
            "document-structure/relationships/links-self-or-related \(place)/links"),
        RuleCase(
            "only an @-member in links", relationship(#"{"links": {"@a": "/1"}}"#),
            "document-structure/relationships/links-self-or-related \(place)/links"),
        RuleCase("links of the wrong kind are one issue", relationship(#"{"links": 1}"#), "document-structure/links/object \(place)/links"),
        RuleCase("a null self link is one", relationship(#"{"links": {"self": null}}"#)),
        RuleCase(
            "empty links beside data, strictly", relationship(#"{"data": [], "links": {}}"#), context: Given.strict,
            "document-structure/relationships/links-self-or-related \(place)/links"),
        RuleCase(
            "pagination beside linkage to one", relationship(#"{"data": null, "links": {"related": "/r", "next": "/2"}}"#),
            "~fetching/pagination/links-location \(place)/links/next"),
        RuleCase(
            "the same strictly", relationship(#"{"data": {"type": "b", "id": "1"}, "links": {"prev": "/2"}}"#), context: Given.strict,
            "document-structure/relationships/links-self-or-related \(place)/links",
            "fetching/pagination/links-location \(place)/links/prev"),
        RuleCase(
            "pagination without linkage, null and to many",
            relationship(#"{"data": [], "links": {"related": "/", "next": "/2", "prev": null}}"#)),
        RuleCase("linkage that is a boolean", relationship(#"{"data": true}"#), "document-structure/resource-linkage/shape \(place)/data"),
        RuleCase(
            "identifiers that are strings", relationship(#"{"data": ["1", "2"]}"#),
            "document-structure/resource-linkage/shape \(place)/data/0", "document-structure/resource-linkage/shape \(place)/data/1"),
        RuleCase(
            "an identifier in place of a relationship is one issue",
            #"{"data": {"type": "a", "id": "1", "relationships": {"r": {"type": "b", "id": "1"}}}, "included": [{"type": "b", "id": "1"}]}"#,
            "document-structure/relationships/at-least-one-member \(place)"),
        RuleCase(
            "beside data it is too much", relationship(#"{"data": null, "type": "b", "id": "1"}"#),
            "document-structure/no-additional-members \(place)/type", "document-structure/no-additional-members \(place)/id"),
        RuleCase(
            "an empty identifier is one issue", relationship(#"{"data": {}}"#),
            "document-structure/resource-identifier-objects/type-required \(place)/data"),
        RuleCase(
            "lid in a response", relationship(#"{"data": {"type": "b", "lid": "1"}}"#),
            "document-structure/resource-identifier-objects/id-required \(place)/data"),
        RuleCase(
            "links in an identifier", relationship(#"{"data": [{"type": "b", "id": "1", "links": {}}]}"#),
            "document-structure/no-additional-members \(place)/data/0/links"),
        RuleCase(
            "an illegal type", relationship(#"{"data": {"type": "", "id": "1"}}"#),
            "document-structure/resource-objects/type-is-member-name \(place)/data/type"),
        RuleCase("the same identifier twice", relationship(#"{"data": [{"type": "b", "id": "1"}, {"type": "b", "id": "1"}]}"#)),
        RuleCase(
            "an illegal name with a right value",
            #"{"data": {"type": "a", "id": "1", "relationships": {"a.b": {"data": null}, "": {"data": null}}}}"#,
            "document-structure/member-names/reserved-characters /data/relationships/a.b",
            "document-structure/member-names/non-empty /data/relationships/"),
    ]

    @Test(arguments: cases) func reportsBrokenRules(_ example: RuleCase) throws { try example.check() }
}

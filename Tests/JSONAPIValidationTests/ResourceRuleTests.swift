import JSONAPIValidation
import Testing

/// Resource objects, their fields and the names of members: https://jsonapi.org/format/1.1/#document-resource-objects
@Suite struct ResourceRuleTests {
    static let cases = [
        RuleCase("an empty resource object is one issue", #"{"data": {}}"#, "document-structure/resource-objects/type-required /data"),
        RuleCase("id missing in a collection", #"{"data": [{"type": "a"}]}"#, "document-structure/resource-objects/id-required /data/0"),
        RuleCase(
            "lid is no id in a response", #"{"data": {"type": "a", "lid": "1"}}"#, "document-structure/resource-objects/id-required /data"),
        RuleCase(
            "type null", #"{"data": {"type": null, "id": "1"}}"#,
            "document-structure/resource-objects/identity-members-are-strings /data/type"),
        RuleCase(
            "type and id of wrong kinds are two issues", #"{"data": {"type": 1, "id": ["1"]}}"#,
            "document-structure/resource-objects/identity-members-are-strings /data/type",
            "document-structure/resource-objects/identity-members-are-strings /data/id"),
        RuleCase(
            "lid beside id in a response is contested", #"{"data": {"type": "a", "id": "1", "lid": "1"}}"#,
            "~document-structure/no-additional-members /data/lid"),
        RuleCase(
            "lid beside id in a request", #"{"data": {"type": "a", "id": "6f0c1d9e-4f7a-4b6a-9d2a-0d6a1a2f6a11", "lid": "1"}}"#,
            as: .create,
            "document-structure/no-additional-members /data/lid"),
        RuleCase("an empty id is a string", #"{"data": {"type": "a", "id": ""}}"#),
        RuleCase(
            "types with a colon, an @, a hyphen at the end",
            #"{"data": [{"type": "a:b", "id": "1"}, {"type": "@a", "id": "1"}, {"type": "a-", "id": "1"}]}"#,
            "document-structure/resource-objects/type-is-member-name /data/0/type",
            "document-structure/resource-objects/type-is-member-name /data/1/type",
            "document-structure/resource-objects/type-is-member-name /data/2/type"),
        RuleCase(
            "unusual types",
            #"{"data": [{"type": "名前", "id": "1"}, {"type": "a b", "id": "1"}, {"type": "9", "id": "1"}, {"type": "é", "id": "1"}]}"#),
        RuleCase(
            "members of their own", #"{"data": {"type": "a", "id": "1", "Attributes": {}, "href": 1}}"#,
            "document-structure/no-additional-members /data/Attributes", "document-structure/no-additional-members /data/href"),
        RuleCase(
            "attributes is a number", #"{"data": {"type": "a", "id": "1", "attributes": 1}}"#,
            "document-structure/attributes/object /data/attributes"),
        RuleCase(
            "type and id among fields",
            #"{"data": {"type": "a", "id": "1", "attributes": {"id": 1}, "relationships": {"type": {"data": null}}}}"#,
            "document-structure/fields/type-and-id-reserved /data/attributes/id",
            "document-structure/fields/type-and-id-reserved /data/relationships/type"),
        RuleCase(
            "id in both is reserved twice, and no clash",
            #"{"data": {"type": "a", "id": "1", "attributes": {"id": 1}, "relationships": {"id": {"data": null}}}}"#,
            "document-structure/fields/type-and-id-reserved /data/attributes/id",
            "document-structure/fields/type-and-id-reserved /data/relationships/id"),
        RuleCase(
            "the later of two fields of one name",
            #"{"data": {"relationships": {"x": {"data": null}}, "attributes": {"x": 1}, "id": "1", "type": "a"}}"#,
            "document-structure/fields/common-namespace /data/attributes/x"),
        RuleCase(
            "one name by an escape",
            #"{"data": {"type": "a", "id": "1", "attributes": {"x": 1}, "relationships": {"\u0078": {"data": null}}}}"#,
            "document-structure/fields/common-namespace /data/relationships/x"),
        RuleCase(
            "composed and decomposed é are two names",
            #"{"data": {"type": "a", "id": "1", "attributes": {"\u00e9": 1}, "relationships": {"e\u0301": {"data": null}}}}"#),
        RuleCase(
            "Type, ID, lid, links and meta are free",
            #"{"data": {"type": "a", "id": "1", "attributes": {"Type": 1, "ID": 1, "lid": 1, "links": 1, "meta": null}}}"#),
        RuleCase(
            "an @-member clashes with nothing", #"{"data": {"type": "a", "id": "1", "attributes": {"@x": 1}, "relationships": {"@x": 1}}}"#),
        RuleCase(
            "an extension member clashes with nothing",
            #"{"data": {"type": "a", "id": "1", "attributes": {"audit:x": 1}, "relationships": {"audit:x": 1}}}"#,
            context: Given.audit),
        RuleCase(
            "an extension member without its extension", #"{"data": {"type": "a", "id": "1", "audit:x": 1, "attributes": {"audit:x": 1}}}"#,
            "document-structure/no-additional-members /data/audit:x",
            "document-structure/member-names/reserved-characters /data/attributes/audit:x"),
        RuleCase(
            "names at their edges",
            #"{"data": {"type": "a", "id": "1", "attributes": {"": 1, " a": 1, "a b": 1, "-": 1, "a\u0000": 1, "a/b": 1}}}"#,
            "document-structure/member-names/non-empty /data/attributes/",
            "document-structure/member-names/start-and-end /data/attributes/ a",
            "document-structure/member-names/start-and-end /data/attributes/-",
            "document-structure/member-names/reserved-characters /data/attributes/a\u{0}",
            "document-structure/member-names/reserved-characters /data/attributes/a~1b"),
        RuleCase(
            "a reserved character counts before the edge", #"{"data": {"type": "a", "id": "1", "attributes": {"_a.": 1}}}"#,
            "document-structure/member-names/reserved-characters /data/attributes/_a."),
        RuleCase(
            "names inside attributes are nobody's", #"{"data": {"type": "a", "id": "1", "attributes": {"x": {"": {"_": [{"a.b": 1}]}}}}}"#),
        RuleCase(
            "@-members and extension members everywhere",
            """
            {"@a": 1, "audit:a": 1, "jsonapi": {"@a": 1, "audit:a": 1}, "links": {"@a": 1, "audit:a": 1,
             "self": {"href": "/", "type": "application/vnd.api+json;ext=\\"https://example.com/ext/audit\\"", "@a": 1, "audit:a": 1}},
             "meta": {"@a": 1, "audit:a": 1}, "data": {"type": "a", "id": "1", "@a": 1, "audit:a": 1, "relationships": {"@a": 1,
             "audit:a": 1, "r": {"@a": 1, "audit:a": 1, "data": {"type": "b", "id": "1", "@a": 1, "audit:a": 1}}}}}
            """, context: Given.audit),
    ]

    @Test(arguments: cases) func reportsBrokenRules(_ example: RuleCase) throws { try example.check() }
}

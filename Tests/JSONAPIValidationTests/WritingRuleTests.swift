import JSONAPIValidation
import Testing

/// Requests that create and update: https://jsonapi.org/format/1.1/#crud
@Suite struct WritingRuleTests {
    private static func method(_ method: String) -> String { #"{"method": "\#(method)"}"# }
    private static let toOne = #"{"cardinality": "to-one", "method": "PATCH"}"#
    private static func location(_ url: String) -> String { #"{"status": 201, "headers": {"location": "\#(url)"}}"# }
    private static func created(_ link: String) -> String { #"{"data": {"type": "a", "id": "1", "links": {"self": \#(link)}}}"# }

    static let cases = [
        RuleCase("errors in place of a creation", #"{"errors": []}"#, as: .create, "crud/creating/single-resource "),
        RuleCase("a creation of a number", #"{"data": 1}"#, as: .create, "crud/creating/single-resource /data"),
        RuleCase("a creation with nothing but a type", #"{"data": {"type": "a"}}"#, as: .create),
        RuleCase(
            "a relationship with an @-member only, in a creation", #"{"data": {"type": "a", "relationships": {"r": {"@a": 1}}}}"#,
            as: .create,
            "crud/creating/relationship-data-required /data/relationships/r"),
        RuleCase(
            "bad linkage in a creation", #"{"data": {"type": "a", "relationships": {"r": {"data": 1}}}}"#, as: .create,
            "document-structure/resource-linkage/shape /data/relationships/r/data"),
        RuleCase(
            "relationships of an included resource need no data",
            #"{"data": {"type": "a"}, "included": [{"type": "b", "relationships": {"r": {"meta": {}}}}]}"#, as: .create),
        RuleCase(
            "a resource linked to itself by lid",
            #"{"data": {"type": "a", "lid": "1", "relationships": {"r": {"data": [{"type": "a", "lid": "1"}]}}}}"#, as: .create),
        RuleCase(
            "a chain of lids through included",
            #"{"data": {"type": "a", "relationships": {"r": {"data": {"type": "b", "lid": "x"}}}}, "included": [{"type": "b", "lid": "x", "relationships": {"s": {"data": {"type": "c", "lid": "x"}}}}, {"type": "c", "lid": "x"}]}"#,
            as: .create),
        RuleCase(
            "a chain that ends nowhere",
            #"{"data": {"type": "a", "relationships": {"r": {"data": {"type": "b", "lid": "x"}}}}, "included": [{"type": "b", "lid": "x", "relationships": {"s": {"data": {"type": "c", "lid": "x"}}}}]}"#,
            as: .create,
            "document-structure/resource-identifier-objects/lid-for-new-resource /included/0/relationships/s/data/lid"),
        RuleCase(
            "a broken lid is one issue", #"{"data": {"type": "a", "lid": 1, "relationships": {"r": {"data": {"type": "a", "lid": "1"}}}}}"#,
            as: .create,
            "document-structure/resource-objects/identity-members-are-strings /data/lid"),
        RuleCase(
            "an identifier without both", #"{"data": {"type": "a", "relationships": {"r": {"data": {"type": "a"}}}}}"#, as: .create,
            "document-structure/resource-identifier-objects/id-required /data/relationships/r/data"),
        RuleCase("UUIDs of both cases", #"{"data": {"type": "a", "id": "6F0C1D9E-4f7a-4b6a-9d2a-0d6a1a2f6a11"}}"#, as: .create),
        RuleCase(
            "no UUID", #"{"data": {"type": "a", "id": "6f0c1d9e4f7a4b6a9d2a0d6a1a2f6a11"}}"#, as: .create,
            "~crud/creating/client-id-uuid /data/id"),
        RuleCase("an update of null", #"{"data": null}"#, as: .update, "crud/updating/single-resource /data"),
        RuleCase("an update without data", #"{"meta": {}}"#, as: .update, "crud/updating/single-resource "),
        RuleCase("an update of an empty object is one issue", #"{"data": {}}"#, as: .update, "crud/updating/type-and-id-required /data"),
        RuleCase(
            "an update with an integer id", #"{"data": {"type": "a", "id": 1}}"#, as: .update,
            "document-structure/resource-objects/identity-members-are-strings /data/id"),
        RuleCase(
            "an update that links to nobody's lid",
            #"{"data": {"type": "a", "id": "1", "relationships": {"r": {"data": {"type": "a", "lid": "1"}}}}}"#, as: .update,
            "document-structure/resource-identifier-objects/lid-for-new-resource /data/relationships/r/data/lid"),
        RuleCase(
            "POST is of a to-many relationship", #"{"data": null}"#, as: .relationship, context: method("POST"),
            "crud/updating-relationships/to-many/data /data"),
        RuleCase("PATCH may be of either", #"{"data": null}"#, as: .relationship, context: method("PATCH")),
        RuleCase(
            "a relationship without data", "{}", as: .relationship, context: method("DELETE"), "crud/updating-relationships/to-many/data "),
        RuleCase(
            "an identifier without type", #"{"data": {"id": "1"}}"#, as: .relationship, context: toOne,
            "document-structure/resource-identifier-objects/type-required /data"),
        RuleCase(
            "a lid that no resource has", #"{"data": {"type": "a", "lid": "1"}}"#, as: .relationship, context: toOne,
            "document-structure/resource-identifier-objects/lid-for-new-resource /data/lid"),
        RuleCase(
            "a created resource elsewhere", created(#"{"href": "http://a/b/2"}"#), context: location("http://a/b/1"),
            "crud/creating/self-matches-location /data/links/self"),
        RuleCase("a relative self link", created(#""/b/1""#), context: location("http://a/b/1")),
        RuleCase(
            "a relative self link elsewhere", created(#""/b/2""#), context: location("http://a/b/1"),
            "crud/creating/self-matches-location /data/links/self"),
        RuleCase("a self link without a scheme", created(#""//a/b/1""#), context: location("http://a/b/1")),
        RuleCase(
            "a self link without a scheme elsewhere", created(#""//c/b/1""#), context: location("http://a/b/1"),
            "crud/creating/self-matches-location /data/links/self"),
        RuleCase("a self link whose base is unknown", created(#""b/1""#), context: location("http://a/b/1")),
        RuleCase("the default port", created(#""http://A:80/b/1""#), context: location("http://a/b/1")),
        RuleCase("no self link to compare", created("null"), context: location("http://a/b/1")),
        RuleCase("another status", created(#""http://a/b/2""#), context: #"{"status": 200, "headers": {"Location": "http://a/b/1"}}"#),
    ]

    @Test(arguments: cases) func reportsBrokenRules(_ example: RuleCase) throws { try example.check() }
}

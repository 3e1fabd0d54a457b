import JSONAPIValidation
import JSONText
import Testing

/// Atomic Operations: https://jsonapi.org/ext/atomic/
@Suite struct AtomicRuleTests {
    private static func operations(_ operations: String) -> String { #"{"atomic:operations": [\#(operations)]}"# }

    /// Operations that set relationships of the given names to null.
    private static func clearing(_ relationships: String...) -> String {
        relationships.map { #"{"op": "update", "ref": {"type": "a", "id": "1", "relationship": "\#($0)"}, "data": null}"# }
            .joined(separator: ", ")
    }

    private static let first = "/atomic:operations/0"

    static let documents = [
        RuleCase(
            "included is for no atomic document", #"{"atomic:results": [{}], "included": []}"#, as: .atomicResponse,
            "atomic/document/no-included /included"),
        RuleCase("data in place of results", #"{"data": []}"#, as: .atomicResponse, "atomic/document/no-data /data"),
        RuleCase("an answer with nothing", "{}", as: .atomicResponse, "atomic/processing/results-returned "),
        RuleCase("a request with nothing", "{}", as: .atomicRequest, "document-structure/top-level/required-member "),
        RuleCase(
            "errors beside results", #"{"atomic:results": [{}], "errors": []}"#, as: .atomicResponse,
            "atomic/document/no-errors-with-operations-or-results /errors"),
        RuleCase(
            "another member of the extension", #"{"atomic:results": [{}], "atomic:more": 1}"#, as: .atomicResponse,
            "document-structure/no-additional-members /atomic:more"),
        RuleCase(
            "the member of the extension elsewhere", #"{"atomic:results": [{"atomic:results": []}]}"#, as: .atomicResponse,
            "document-structure/no-additional-members /atomic:results/0/atomic:results"),
        RuleCase(
            "an error of an operation without pointer",
            #"{"errors": [{"status": "422"}, {"status": "422", "source": {"pointer": "/atomic:operations/0"}}]}"#,
            as: .atomicResponse, "~atomic/processing/error-objects-with-pointer /errors/0"),
        RuleCase(
            "results of other kinds", #"{"atomic:results": [1, {"data": 1}, {"data": [{"type": "a"}]}, {"meta": null}, {"data": null}]}"#,
            as: .atomicResponse,
            "atomic/document/results-array /atomic:results/0", "document-structure/top-level/primary-data-shape /atomic:results/1/data",
            "document-structure/resource-objects/id-required /atomic:results/2/data/0",
            "atomic/result-objects/meta-object /atomic:results/3/meta"),
        RuleCase(
            "too many results", #"{"atomic:results": [{}, {}]}"#, as: .atomicResponse, context: #"{"operations": 1}"#,
            "atomic/processing/results-length /atomic:results"),
        RuleCase(
            "another extension with the same namespace", #"{"data": null, "atomic:operations": 1, "atomic:more": 2}"#,
            context: #"{"extensions": [{"uri": "https://example.com/ext/atomic", "namespace": "atomic"}]}"#),
        RuleCase(
            "another extension with the same namespace beside Atomic Operations", #"{"atomic:operations": null}"#, as: .atomicRequest,
            context: #"{"extensions": [{"uri": "https://example.com/ext/atomic", "namespace": "atomic"}]}"#,
            "atomic/document/operations-array /atomic:operations"),
        RuleCase("the extension in a response", #"{"data": null}"#, context: Given.atomic, "atomic/document/no-data /data"),
        RuleCase(
            "operations null", #"{"atomic:operations": null}"#, as: .atomicRequest, "atomic/document/operations-array /atomic:operations"),
    ]

    static let operations = [
        RuleCase(
            "op missing, and as a number", operations(#"{"data": {"type": "a"}}, {"op": 1, "data": {"type": "a"}}"#), as: .atomicRequest,
            "atomic/operation-objects/op-required /atomic:operations/0", "atomic/operation-objects/op-required /atomic:operations/1/op"),
        RuleCase(
            "ref and href are one issue", operations(#"{"op": "add", "ref": {}, "href": 1, "data": {"type": "a"}}"#), as: .atomicRequest,
            "atomic/operation-objects/ref-and-href-exclusive \(first)"),
        RuleCase(
            "refs of wrong form",
            operations(
                #"{"op": "remove", "ref": "x"}, {"op": "remove", "ref": {}}, {"op": "remove", "ref": {"type": "a", "id": "1", "kind": 1}}"#),
            as: .atomicRequest,
            "atomic/operation-objects/ref-members /atomic:operations/0/ref",
            "atomic/operation-objects/ref-members /atomic:operations/1/ref",
            "document-structure/no-additional-members /atomic:operations/2/ref/kind"),
        RuleCase(
            "members of ref of wrong kinds",
            operations(#"{"op": "update", "ref": {"type": 1, "lid": 2, "relationship": null}, "data": null}"#), as: .atomicRequest,
            "atomic/operation-objects/ref-members \(first)/ref/type", "atomic/operation-objects/ref-members \(first)/ref/lid",
            "atomic/operation-objects/ref-members \(first)/ref/relationship"),
        RuleCase(
            "relationships of a ref whose names no relationship can have",
            operations(clearing("x^y", "", "-a", "id", "a:b", "@a", "a b")), as: .atomicRequest,
            "document-structure/member-names/reserved-characters /atomic:operations/0/ref/relationship",
            "document-structure/member-names/non-empty /atomic:operations/1/ref/relationship",
            "document-structure/member-names/start-and-end /atomic:operations/2/ref/relationship",
            "document-structure/fields/type-and-id-reserved /atomic:operations/3/ref/relationship",
            "document-structure/member-names/reserved-characters /atomic:operations/4/ref/relationship"),
        RuleCase(
            "an href that is no reference", operations(#"{"op": "update", "href": "a b", "data": null}"#), as: .atomicRequest,
            "atomic/operation-objects/href-uri-reference \(first)/href"),
        RuleCase(
            "add null, a number, nothing", operations(#"{"op": "add", "data": null}, {"op": "add", "data": 1}, {"op": "add"}"#),
            as: .atomicRequest,
            "atomic/creating/op-add-with-resource /atomic:operations/0/data",
            "atomic/creating/op-add-with-resource /atomic:operations/1/data",
            "atomic/creating/op-add-with-resource /atomic:operations/2"),
        RuleCase(
            "add several resources at once", operations(#"{"op": "add", "data": [{"type": "a", "attributes": {}}, {"type": "a"}]}"#),
            as: .atomicRequest, "atomic/creating/op-add-with-resource \(first)/data"),
        RuleCase(
            "add linkage to nothing, or to a resource",
            operations(#"{"op": "add", "data": []}, {"op": "add", "ref": {"type": "a", "id": "1"}, "data": []}"#), as: .atomicRequest,
            "atomic/to-many/target-required /atomic:operations/0", "atomic/to-many/target-required /atomic:operations/1/ref"),
        RuleCase(
            "add linkage to a resource whose relationship was forgotten, or replace it",
            operations(
                #"{"op": "add", "ref": {"type": "a", "id": "1"}, "data": [{"type": "b", "id": "2"}]}, {"op": "update", "ref": {"type": "a", "id": "1"}, "data": [{"type": "b", "id": "2", "meta": {}}]}"#
            ), as: .atomicRequest,
            "atomic/to-many/target-required /atomic:operations/0/ref", "atomic/to-many/target-required /atomic:operations/1/ref"),
        RuleCase(
            "add or update several resources at once, beside the ref of one",
            operations(
                #"{"op": "add", "ref": {"type": "a", "id": "1"}, "data": [{"type": "a", "attributes": {}}]}, {"op": "update", "ref": {"type": "a", "id": "1"}, "data": [{"type": "a", "id": "1", "attributes": {}}]}"#
            ), as: .atomicRequest,
            "atomic/creating/op-add-with-resource /atomic:operations/0/data", "crud/updating/single-resource /atomic:operations/1/data"),
        RuleCase(
            "remove linkage from a resource",
            operations(#"{"op": "remove", "ref": {"type": "a", "id": "1"}, "data": [{"type": "b", "id": "1"}]}"#), as: .atomicRequest,
            "atomic/to-many/target-required \(first)/ref"),
        RuleCase(
            "remove with data that is no linkage",
            operations(
                #"{"op": "remove", "ref": {"type": "a", "id": "1"}, "data": {"type": "b", "id": "1"}}, {"op": "remove", "href": "/a/1", "data": {"type": "a", "id": "1"}}, {"op": "remove", "ref": {"type": "a", "id": "1"}, "data": null}"#
            ), as: .atomicRequest,
            "crud/updating-relationships/to-many/data /atomic:operations/0/data",
            "crud/updating-relationships/to-many/data /atomic:operations/1/data"),
        RuleCase(
            "add with a relationship without data",
            operations(#"{"op": "add", "data": {"type": "a", "relationships": {"r": {"meta": {}}}}}"#), as: .atomicRequest,
            "crud/creating/relationship-data-required \(first)/data/relationships/r"),
        RuleCase(
            "add to a to-many relationship",
            operations(#"{"op": "add", "ref": {"type": "a", "id": "1", "relationship": "r"}, "data": [{"type": "b", "id": "1"}]}"#),
            as: .atomicRequest),
        RuleCase(
            "add nothing to it", operations(#"{"op": "add", "ref": {"type": "a", "id": "1", "relationship": "r"}}"#), as: .atomicRequest,
            "crud/updating-relationships/to-many/data \(first)"),
        RuleCase(
            "add null to it", operations(#"{"op": "add", "ref": {"type": "a", "id": "1", "relationship": "r"}, "data": [null]}"#),
            as: .atomicRequest,
            "crud/updating-relationships/to-many/data \(first)/data/0"),
        RuleCase(
            "add through an href", operations(#"{"op": "add", "href": "/a/1/relationships/r", "data": [{"type": "b"}]}"#),
            as: .atomicRequest,
            "document-structure/resource-identifier-objects/id-required \(first)/data/0"),
        RuleCase(
            "update without id", operations(#"{"op": "update", "data": {"type": "a"}}"#), as: .atomicRequest,
            "crud/updating/type-and-id-required \(first)/data"),
        RuleCase(
            "update by lid, strictly",
            operations(#"{"op": "add", "data": {"type": "a", "lid": "1"}}, {"op": "update", "data": {"type": "a", "lid": "1"}}"#),
            as: .atomicRequest,
            context: Given.strict, "crud/updating/type-and-id-required /atomic:operations/1/data"),
        RuleCase(
            "update by a lid that nothing has", operations(#"{"op": "update", "data": {"type": "a", "lid": "1"}}"#), as: .atomicRequest,
            "atomic/operation-objects/ref-lid-assigned-before \(first)/data/lid"),
        RuleCase(
            "update of a resource with linkage", operations(#"{"op": "update", "ref": {"type": "a", "id": "1"}, "data": null}"#),
            as: .atomicRequest,
            "crud/updating/single-resource \(first)/data"),
        RuleCase(
            "update with a relationship without data",
            operations(#"{"op": "update", "data": {"type": "a", "id": "1", "relationships": {"r": {}}}}"#), as: .atomicRequest,
            "crud/updating/relationship-data-required \(first)/data/relationships/r"),
        RuleCase(
            "update of a relationship",
            operations(
                #"{"op": "update", "ref": {"type": "a", "id": "1", "relationship": "r"}, "data": "x"}, {"op": "update", "ref": {"type": "a", "id": "1", "relationship": "r"}}"#
            ), as: .atomicRequest,
            "document-structure/resource-linkage/shape /atomic:operations/0/data",
            "crud/updating-relationships/to-one/data /atomic:operations/1"),
        RuleCase(
            "update through an href",
            operations(
                #"{"op": "update", "href": "/a", "data": {"type": "a", "id": "1"}}, {"op": "update", "href": "/a", "data": {"type": "a", "attributes": {}}}"#
            ), as: .atomicRequest,
            "crud/updating/type-and-id-required /atomic:operations/1/data"),
        RuleCase(
            "remove a resource with all there is", operations(#"{"op": "remove", "ref": {"type": "a", "id": "1"}, "meta": {}, "@a": 1}"#),
            as: .atomicRequest),
        RuleCase(
            "remove from a relationship",
            operations(
                #"{"op": "remove", "ref": {"type": "a", "id": "1", "relationship": "r"}, "data": []}, {"op": "remove", "ref": {"type": "a", "id": "1", "relationship": "r"}}"#
            ), as: .atomicRequest,
            "crud/updating-relationships/to-many/data /atomic:operations/1"),
        RuleCase(
            "a chain of lids",
            operations(
                #"{"op": "add", "data": {"type": "a", "lid": "1", "relationships": {"r": {"data": {"type": "a", "lid": "1"}}}}}, {"op": "add", "ref": {"type": "a", "lid": "1", "relationship": "s"}, "data": [{"type": "a", "lid": "1"}]}, {"op": "remove", "ref": {"type": "a", "lid": "1"}}"#
            ), as: .atomicRequest),
        RuleCase(
            "linkage with the lid of a later operation",
            operations(
                #"{"op": "add", "data": {"type": "a", "relationships": {"r": {"data": [{"type": "b", "lid": "1"}]}}}}, {"op": "update", "ref": {"type": "a", "id": "1", "relationship": "r"}, "data": {"type": "b", "lid": "1"}}, {"op": "update", "href": "/a/1/r", "data": {"type": "b", "lid": "1"}}, {"op": "add", "data": {"type": "b", "lid": "1"}}, {"op": "update", "href": "/a/1/r", "data": {"type": "b", "lid": "1"}}"#
            ), as: .atomicRequest,
            "atomic/operation-objects/ref-lid-assigned-before /atomic:operations/0/data/relationships/r/data/0/lid",
            "atomic/operation-objects/ref-lid-assigned-before /atomic:operations/1/data/lid",
            "atomic/operation-objects/ref-lid-assigned-before /atomic:operations/2/data/lid"),
        RuleCase(
            "linkage with the lid of a later operation, after one that may have given it",
            operations(
                #"{"op": "insert", "data": {"type": "b", "lid": "1"}}, {"op": "add", "ref": {"type": "a", "id": "1", "relationship": "r"}, "data": [{"type": "b", "lid": "1"}]}, {"op": "add", "data": {"type": "b", "lid": "1"}}"#
            ), as: .atomicRequest,
            "atomic/operation-objects/op-code \(first)/op"),
        RuleCase(
            "a lid that a resource of another type has",
            operations(
                #"{"op": "add", "data": {"type": "a", "lid": "1"}}, {"op": "remove", "ref": {"type": "b", "lid": "1"}}, {"op": "add", "ref": {"type": "a", "lid": "1", "relationship": "r"}, "data": [{"type": "b", "lid": "1"}]}"#
            ),
            as: .atomicRequest, "atomic/operation-objects/ref-lid-assigned-before /atomic:operations/1/ref/lid",
            "document-structure/resource-identifier-objects/lid-for-new-resource /atomic:operations/2/data/0/lid"),
        RuleCase(
            "an id is no lid",
            operations(
                #"{"op": "add", "data": {"type": "a", "id": "0f8fad5b-d9cb-469f-a165-70867728950e"}}, {"op": "remove", "ref": {"type": "a", "lid": "0f8fad5b-d9cb-469f-a165-70867728950e"}}"#
            ),
            as: .atomicRequest, "atomic/operation-objects/ref-lid-assigned-before /atomic:operations/1/ref/lid"),
        RuleCase(
            "a lid of the same operation is too late",
            operations(#"{"op": "add", "ref": {"type": "a", "lid": "1", "relationship": "r"}, "data": [{"type": "a", "lid": "1"}]}"#),
            as: .atomicRequest,
            "atomic/operation-objects/ref-lid-assigned-before \(first)/ref/lid",
            "document-structure/resource-identifier-objects/lid-for-new-resource \(first)/data/0/lid"),
        RuleCase(
            "operations of a broken op are not judged further",
            operations(#"{"op": "insert", "data": {"type": "a", "lid": "1"}}, {"op": "remove", "ref": {"type": "a", "lid": "1"}}"#),
            as: .atomicRequest,
            "atomic/operation-objects/op-code \(first)/op"),
    ]

    @Test("An issue says that operations are missing, or lack their prefix", arguments: ["operations", "results"])
    func missingOperations(name: String) {
        let kind = name == "operations" ? ValidationContext.Kind.atomicRequest : .atomicResponse
        let cures = Validator(kind).validate(#"{"\#(name)": [{"op": "add"}]}"#).issues.map(\.cure)
        #expect(cures.contains("use the name `atomic:\(name)`"))
        #expect(Validator(.atomicRequest).validate("{}").issues.map(\.cure) == ["add `atomic:operations`"])
        let response = try? Validator(ValidationContext(.response, json: JSON(parsing: Given.atomic))).validate("{}")
        #expect(response?.issues.map(\.cure) == ["add `atomic:results`, or `errors`"])
    }

    @Test("The cure for data does not lead to a document that lacks operations or results")
    func dataInPlaceOfOperations() {
        let cures = { (kind: ValidationContext.Kind, text: String) in Validator(kind).validate(text).issues.map(\.cure) }
        #expect(
            cures(.atomicRequest, #"{"data": {"type": "a"}}"#) == ["send it as the `data` of an operation in `atomic:operations`"])
        #expect(cures(.atomicResponse, #"{"data": []}"#) == ["send it as the `data` of a result in `atomic:results`"])
        #expect(cures(.atomicResponse, #"{"data": [], "atomic:results": [{}]}"#) == ["remove it"])
        #expect(cures(.error, "{}") == ["add `errors`"])
    }

    @Test(arguments: documents) func reportsDocumentRules(_ example: RuleCase) throws { try example.check() }

    @Test(arguments: operations) func reportsOperationRules(_ example: RuleCase) throws { try example.check() }
}

import JSONAPIValidation
import JSONText
import Testing

@Suite struct RequestedQueryTests {
    private static let document = """
        {"data": {"type": "a", "id": "1", "relationships": {
            "b": {"data": {"type": "b", "id": "1"}}, "c": {"data": {"type": "c", "id": "1"}}}},
         "included": [{"type": "b", "id": "1"}, {"type": "c", "id": "1"}]}
        """

    @Test func severalIncludeParametersAreCombined() throws {
        try RuleCase("both", Self.document, context: Given.query("include=b&include=c")).check()
        try RuleCase("both, the other way round", Self.document, context: Given.query("include=c&include=b")).check()
        try RuleCase(
            "one", Self.document, context: Given.query("include=b"), "fetching/includes/no-unrequested /included/1"
        ).check()
    }

    @Test(arguments: [62, 63, 64, 300, 1000]) func pathsOfManyNamesAreFollowed(_ count: Int) throws {
        let text = #"""
            {"data": {"type": "a", "id": "1", "relationships": {"secret": {"data": {"type": "b", "id": "2"}},
                "r0": {"data": {"type": "b", "id": "3"}}}},
             "included": [{"type": "b", "id": "2"}, {"type": "b", "id": "3"}]}
            """#
        let names = (0..<count - 1).map { "r\($0)" }.joined(separator: ",")
        try RuleCase("\(count)", text, context: Given.query("include=\(names)"), "fetching/includes/no-unrequested /included/0").check()
        try RuleCase("and the other", text, context: Given.query("include=secret,\(names)")).check()
    }

    @Test func aFieldsetAppliesToTheResponseAndNotToTheRequest() throws {
        let text = #"{"data": {"type": "a", "attributes": {"x": 1, "y": 2}}}"#
        try RuleCase("request", text, as: .create, context: Given.query("fields[a]=x")).check()
    }

    @Test func oneLidCanIdentifyResourcesOfTwoTypes() throws {
        try RuleCase(
            "two types",
            """
            {"atomic:operations": [
                {"op": "add", "data": {"type": "a", "lid": "1"}}, {"op": "add", "data": {"type": "b", "lid": "1"}},
                {"op": "update", "data": {"type": "b", "lid": "1", "attributes": {"x": 1}}}]}
            """, as: .atomicRequest
        ).check()
        try RuleCase(
            "one type",
            """
            {"atomic:operations": [
                {"op": "add", "data": {"type": "a", "lid": "1"}}, {"op": "add", "data": {"type": "a", "lid": "1"}}]}
            """, as: .atomicRequest, "document-structure/resource-objects/lid-unique-in-document /atomic:operations/1/data/lid"
        ).check()
    }
}

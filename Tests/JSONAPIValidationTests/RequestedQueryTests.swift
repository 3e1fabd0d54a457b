import JSONAPIValidation
import JSONText
import TestSupport
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

    /// A ring of resources, and one that hangs on the first of them by another relationship.
    private static func ring(_ count: Int) -> String {
        let resources = (1...count).map { number in
            let more = number == 1 ? #","other":{"data":{"type":"b","id":"1"}}"# : ""
            return #"{"type":"a","id":"\#(number)","relationships":{"n":{"data":{"type":"a","id":"\#(number % count + 1)"}}\#(more)}}"#
        }
        let linkage = (1...count).map { #"{"type":"a","id":"\#($0)"}"# }.joined(separator: ",")
        let first = #"{"type":"a","id":"0","relationships":{"n":{"data":[\#(linkage)]}}}"#
        return #"{"data":\#(first),"included":[\#(resources.joined(separator: ",")),{"type":"b","id":"1"}]}"#
    }

    private static func path(_ depth: Int) -> String { "include=" + Array(repeating: "n", count: depth).joined(separator: ".") }

    @Test(arguments: [1, 2, 63, 64]) func pathsOfUpTo64NamesAreAlwaysFollowed(_ depth: Int) throws {
        let text = Self.ring(4000)
        try RuleCase("\(depth)", text, context: Given.query(Self.path(depth)), "fetching/includes/no-unrequested /included/4000").check()
    }

    @Test("The include walk does not pay for relationships that a resource does not have", arguments: [1, 5])
    func resourcesWithoutRelationships(topLevelMembers: Int) throws {
        let resources = (1...1000).map { #"{"type":"a","id":"\#($0)"}"# }.joined(separator: ",")
        let linking = #"{"type":"a","id":"0","relationships":{"b":{"data":{"type":"b","id":"1"}}}}"#
        let more = topLevelMembers == 1 ? "" : #","jsonapi":{},"links":{"self":"/a"},"meta":{}"#
        let text = #"{"data":[\#(linking),\#(resources)],"included":[{"type":"b","id":"1"}]\#(more)}"#
        let names = (0..<64).map { "c\($0)" }.joined(separator: ",")
        try RuleCase("\(topLevelMembers)", text, context: Given.query("include=\(names)"), "fetching/includes/no-unrequested /included/0")
            .check()
    }

    @Test("A walk that gives up among the identifiers in the primary data reports nothing")
    func manyIdentifiers() throws {
        let identifiers = (0..<4000).map { #"{"type":"b","id":"\#($0)"}"# }.joined(separator: ",")
        let included = (0..<4000).map { #"{"type":"b","id":"\#($0)"}"# }.joined(separator: ",")
        let text = #"{"links":{"self":"/a/1/relationships/c0"},"data":[\#(identifiers)],"included":[\#(included)]}"#
        let names = (0..<1000).map { "c\($0)" }.joined(separator: ",")
        try RuleCase("many", text, context: Given.query("include=\(names)")).check()
        let last = #"{"links":{"self":"/a/1/relationships/c0"},"data":[\#(identifiers)],"included":[{"type":"b","id":"3999"}]}"#
        try RuleCase("the last", last, context: Given.query("include=\(names)")).check()
    }

    @Test func `a walk that passes a large identifier again and again gives up and reports nothing`() throws {
        func text(_ count: Int) -> String {
            let members = (0..<count).map { #","@m\#($0)":1"# }.joined()
            let relationships = #"{"n":{"data":{"type":"a","id":"1"\#(members)}},"other":{"data":{"type":"b","id":"1"}}}"#
            return #"{"data":{"type":"a","id":"1","relationships":\#(relationships)},"included":[{"type":"b","id":"1"}]}"#
        }
        let context = Given.query(Self.path(1000))
        try RuleCase("large", text(1000), context: context).check()
        try RuleCase("small", text(0), context: context, "fetching/includes/no-unrequested /included/0").check()
    }

    @Test func longPathsTakeLinearTimeAndReportNothingWrong() throws {
        let context = try ValidationContext(.response, json: JSON(parsing: Given.query(Self.path(1000))))
        let growth = TimeGrowth(from: TestEffort.count(1000, debug: 250)) { count in
            let text = Self.ring(count)
            return processorSeconds { #expect(Validator(context).validate(text).isValid || count < TestEffort.count(1000, debug: 250)) }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("The cost of a long type does not multiply with the names in the query", arguments: ["", "&fields[b]=x"])
    func longType(fields: String) throws {
        let growth = try TimeGrowth(from: 100) { count in
            let names = (0..<count).map { "c\($0)" }.joined(separator: ",")
            let context = try ValidationContext(.response, json: JSON(parsing: Given.query("include=\(names)\(fields)")))
            let text = #"{"data":{"type":"\#(String(repeating: "a", count: 200 * count))","id":"1"},"included":[]}"#
            return processorSeconds { #expect(Validator(context).validate(text).isValid) }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("The fieldset of each resource on a path counts")
    func fieldsetsOnPaths() throws {
        let text = #"""
            {"data": [{"type": "x", "id": "1"}, {"type": "a", "id": "1", "relationships": {"b": {"data": {"type": "b", "id": "1"}},
                "c": {"data": {"type": "c", "id": "1"}}}}],
             "included": [{"type": "b", "id": "1"}, {"type": "c", "id": "1"}]}
            """#
        let query = "include=b.d&fields[b]="
        try RuleCase("of another type", text, context: Given.query("\(query)d"), "fetching/includes/no-unrequested /included/1").check()
        try RuleCase("of the type", text, context: Given.query("\(query)e")).check()
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

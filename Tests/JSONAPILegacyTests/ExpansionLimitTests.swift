import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPILegacy

@Suite struct ExpansionLimitTests {
    @Test func maximumSizeIsInclusive() {
        var budget = ExpansionBudget(10)
        let spent = [4, 6, 0, 1].map { budget.spend($0) }
        #expect(spent == [true, true, true, false])
        #expect(budget.remaining == 0)
    }

    @Test func resourcesThatLinkToThemselvesCountTowardTheLimit() throws {
        let href = String(repeating: "h", count: 10_000)
        let ids = Array(repeating: #""1""#, count: 2000).joined(separator: ",")
        let text = #"{"links":{"a.p":{"href":"/a/{a.p}","type":"a"}},"a":[{"id":"1","href":"\#(href)","links":{"p":[\#(ids)]}}]}"#
        var expander = Expander()
        expander.maximumSize = 1 << 20
        #expect(try Legacy.problems(text, expander).first?.hasPrefix("expansionLimit") == true)
    }

    @Test func manyVariablesInATemplateCountTowardTheLimit() throws {
        let variables = (0..<5000).map { "a.v\($0)" }.joined(separator: ",")
        let resources = (0..<5000).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        let json = try JSON(parsing: #"{"links":{"a.r":"/{?\#(variables)}"},"a":[\#(resources)]}"#)
        let problems = Legacy.problems { () throws(ExpansionError) in try LegacyDocument(json, maximumSize: 1 << 24) }
        #expect(problems.first?.hasPrefix("expansionLimit") == true)
    }

    @Test func `a list whose elements repeat a long name stops at the first element that is too large`() throws {
        let template = try URITemplate(parsing: "/{?\(String(repeating: "n", count: 200_000))*}")
        let list = URITemplate.Value.list(Array(repeating: "1", count: 200_000))
        var budget = ExpansionBudget(1 << 20)
        let problems = Legacy.problems { () throws(ExpansionError) in
            try template.write([list]) { piece throws(ExpansionError) in
                try budget.spend(piece.utf8.count, at: .root)
            }
        }
        #expect(problems == ["expansionLimit "])
        #expect(budget.remaining > 0 && budget.remaining < 200_000)
    }

    @Test func anExpansionThatIsTooLargeUsesNothing() {
        var budget = ExpansionBudget(10)
        let spent = [11, 10].map { budget.spend($0) }
        #expect(spent == [false, true])
    }
}

@Suite struct ExpansionIdentityTests {
    @Test func aLidLeadsToTheResourceWithThatLid() throws {
        try Legacy.expectDocument(
            """
            {"data": {"type": "a", "id": "1", "relationships": {
                "byID": {"data": {"type": "b", "id": "x"}}, "byLID": {"data": {"type": "b", "lid": "x"}}}},
             "included": [{"type": "b", "id": "x", "attributes": {"name": "id"}}, {"type": "b", "lid": "x", "attributes": {"name": "lid"}}]}
            """,
            becomes: """
                {"data": {"type": "a", "id": "1", "byID": {"type": "b", "id": "x", "name": "id"},
                    "byLID": {"type": "b", "lid": "x", "name": "lid"}}}
                """)
    }

    @Test func linksResolveToTheFirstOfTwoResourcesWithOneID() throws {
        try Legacy.expect(
            """
            {"links": {"posts.author": {"type": "people"}}, "posts": [{"id": "1", "links": {"author": "9"}}],
             "linked": {"people": [{"id": "9", "name": "first"}, {"id": "9", "name": "second"}]}}
            """, becomes: #"{"posts": [{"id": "1", "author": {"id": "9", "name": "first"}}]}"#)
    }

    @Test func aLinkedPrimaryResourceIsInTheDocumentOnce() throws {
        let text = """
            {"links": {"posts.next": {"type": "posts"}}, "posts": [{"id": "1", "links": {"next": "2"}}, {"id": "2"}],
             "linked": {"posts": [{"id": "2", "title": "again"}, {"id": "3"}], "people": [{"id": "1"}, {"id": "1"}]}}
            """
        let document = try LegacyDocument(JSON(parsing: text), primary: ["posts"]).document
        #expect(document.data.resources.compactMap(\.id) == ["1", "2"])
        #expect(document.included?.map { "\($0.type) \($0.id ?? "")" } == ["posts 3", "people 1"])
    }

    @Test func aResourceCanBeInTheTreeManyTimes() throws {
        try Legacy.expectDocument(
            """
            {"data": [
                {"type": "a", "id": "1", "relationships": {"b": {"data": {"type": "b", "id": "1"}}}},
                {"type": "a", "id": "2", "relationships": {"b": {"data": {"type": "b", "id": "1"}}}}],
             "included": [{"type": "b", "id": "1", "attributes": {"n": 1}, "relationships": {"c": {"data": {"type": "c", "id": "1"}}}},
                {"type": "c", "id": "1", "attributes": {"m": 2}}]}
            """,
            becomes: """
                {"data": [
                    {"type": "a", "id": "1", "b": {"type": "b", "id": "1", "n": 1, "c": {"type": "c", "id": "1", "m": 2}}},
                    {"type": "a", "id": "2", "b": {"type": "b", "id": "1", "n": 1, "c": {"type": "c", "id": "1", "m": 2}}}]}
                """)
    }
}

@Suite struct LegacyDepthTests {
    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var tree: JSON
    }

    @Test func theDepthLimitIsInclusiveForOldDocuments() throws {
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumDepth = 20
        // The document, the collection, and the resource are three of the levels.
        let tree = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        let text = #"{"links": {"posts.author": "http://x/{posts.id}"}, "posts": [{"id": "1", "tree": \#(tree)}]}"#
        let document = try LegacyDocument(parsing: .init(text.utf8), reading: decoder.reading)
        #expect(try document.decode([Post].self, with: decoder).first?.tree == JSON(parsing: tree))
    }
}

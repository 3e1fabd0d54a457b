import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONMapping
import JSONText
import Testing

/// Faults in resources that a walk over a file fetches, because models embed them.
@Suite struct FetchedResourceTests {
    typealias Support = StreamingSupport

    struct Person: Resource, Hashable {
        static let type = "people"
        var id: String
        var name: String
    }

    struct Story: Resource, Hashable {
        static let type = "articles"
        var id: String
        var author: Person?
        var editors: [Person]?
    }

    struct Digest: DirectResource {
        static let type = "articles"
        var id: String
        var author: Person

        init(resource: ResourceView) throws {
            id = try resource.id()
            author = try resource.relationship("author")
        }
    }

    struct Page: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person>
    }

    struct Note: Resource {
        static let type = "notes"
        var id: String
        var author: Person
    }

    /// All results of a cursor: values, and an error in place of each element that cannot be decoded.
    static func read<Element: PrimaryElement>(_ cursor: ResourceCursor<Element>) -> [Result<Element, any Error>] {
        var results: [Result<Element, any Error>] = []
        while results.count < 10_000 {
            do {
                guard let value = try cursor.next() else { break }
                results.append(.success(value))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    private static func failure(_ result: Result<some Any, any Error>) -> DecodingFailure? {
        if case .failure(let error) = result { return (error as? DecodingError)?.failure }
        return nil
    }

    // MARK: - Places

    /// Article 1 has a valid author, and article 2 an invalid one.
    static func text(_ people: String, lineEnd: String = "\n") -> String {
        [
            #"{"data": ["#,
            #"  {"type": "articles", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "1"}}}},"#,
            #"  {"type": "articles", "id": "2", "relationships": {"author": {"data": {"type": "people", "id": "2"}}}}],"#,
            #" "included": [{"type": "people", "id": "1", "attributes": {"name": "Ann"}},"#, "   " + people + "]}",
        ].joined(separator: lineEnd)
    }

    static let badPeople = [
        #"{"type": "people", "id": "2", "attributes": {"name": 5}}"#, #"{"type": "people", "id": "2", "attributes": {}}"#,
        #"{"type": "people", "id": "2"}"#, #"{"type": "people", "id": "3"}, {"id": "2", "attributes": {"name": null}, "type": "people"}"#,
    ]

    private func expectSameFailure<Element: PrimaryElement>(_ type: Element.Type, _ text: [UInt8]) throws {
        let whole = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode([Element].self, from: Data(text)) }?.failure
        let results = try Support.withFile(text) { Self.read(try DocumentReader($0).resources(type)) }
        #expect(results.count == 2)
        let failure = try #require(results.compactMap(Self.failure).first)
        #expect(failure.pointer == whole?.pointer)
        #expect(failure.offset == whole?.offset)
        #expect(failure.position == whole?.position && failure.position != nil)
        #expect(failure.description == whole?.description)
    }

    @Test(arguments: badPeople) func aFailureInAnEmbeddedResourceHasItsPlaceInTheWholeDocument(person: String) throws {
        for lineEnd in ["\n", "\r\n"] {
            let text = Array(Self.text(person, lineEnd: lineEnd).utf8)
            try expectSameFailure(Story.self, text)
            try expectSameFailure(Digest.self, text)
            try expectSameFailure(Story.self, [0xEF, 0xBB, 0xBF] + text)
        }
    }

    @Test func aFailureFarIntoTheFileHasItsPlace() throws {
        let others = (100..<9000).map { #"{"type": "people", "id": "\#($0)", "attributes": {"name": "Somebody"}},"# }
        let text = Self.text(others.joined(separator: "\n") + "\n" + Self.badPeople[0])
        #expect(text.utf8.count > 1 << 19)
        try expectSameFailure(Story.self, Array(text.utf8))
    }

    @Test func aFailureInANestedEmbeddedResourceHasItsPlace() throws {
        let text = """
            {"included":[
            {"type":"notes","id":"1","relationships":{"author":{"data":{"type":"people","id":"1"}}}}],
            "data":[{"type":"people","id":"2","attributes":{"name":"Bea"}},
            {"type":"people","id":"1"}]}
            """
        let results = try Support.withFile(text.utf8) { Self.read(try DocumentReader($0).included(Note.self)) }
        let failure = try #require(results.compactMap(Self.failure).first)
        #expect(failure.pointer.description == "/data/1")
        #expect(failure.position == TextPosition(line: 4, column: 1))
    }

    @Test func eachOfManyFailuresHasItsPlace() throws {
        let people = (0..<5000).map { #"{"type":"people","id":"\#($0)"\#(String(repeating: " ", count: 100))}"# }
        let articles = (0..<5000).map {
            #"{"type":"articles","id":"\#($0)","relationships":{"author":{"data":{"type":"people","id":"\#($0)"}}}}"#
        }
        let text = "{\"data\":[\n\(articles.joined(separator: ",\n"))],\"included\":[\n\(people.joined(separator: ",\n"))]}"
        let results = try Support.withFile(text.utf8) { Self.read(try DocumentReader($0).resources(Story.self)) }
        let positions = results.compactMap { Self.failure($0)?.position }
        let expected = (0..<5000).map { TextPosition(line: 5002 + $0, column: 1) }
        #expect(positions == expected)
    }

    @Test func aDroppedElementHasItsPlaceInTheWholeDocument() throws {
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let text = """
            {"data":[{"type":"articles","id":"1","relationships":{"editors":{"data":[{"type":"people","id":"2"},{"type":"people","id":"1"}]}}}],
            "included":[{"type":"people","id":"0"},{"type":"people","id":"1","attributes":{"name":"Ann"}},
            {"type":"people","id":"2","attributes":{"name":7}}]}
            """
        let whole = try decoder.decode(Document<[Story]>.self, from: Data(text.utf8))
        try Support.withFile(text.utf8) { url in
            let cursor = try DocumentReader(url, decoder: decoder).resources(Story.self)
            #expect(try cursor.next()?.editors?.map(\.name) == ["Ann"])
            #expect(cursor.diagnostics.map(\.description) == whole.diagnostics.filter { $0.kind == .droppedElement }.map(\.description))
        }
    }

    // MARK: - Rewriters

    /// Forty articles, each with its author. The rewriter rejects the name of author 13.
    private static let renamed: String = {
        let articles = (0..<40).map {
            #"{"type":"articles","id":"\#($0)","relationships":{"author":{"data":{"type":"people","id":"\#($0)"}},"#
                + #""editors":{"data":[{"type":"people","id":"13"},{"type":"people","id":"14"}]}}}"#
        }
        let people = (0..<40).map { #"{"type":"people","id":"\#($0)","attributes":{"\#($0 == 13 ? "nickname" : "full")":"N\#($0)"}}"# }
        return #"{"data":[\#(articles.joined(separator: ","))],"included":[\#(people.joined(separator: ","))]}"#
    }()

    private static func rewritingDecoder() -> JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.rewriters = ["people": Rewriter { Rule("name", from: "full") }]
        return decoder
    }

    struct Column: Resource, Hashable {
        static let type = "articles"
        var id: String
        var author: Person?
    }

    @Test func aFetchedResourceThatFailsToRewriteFailsAlone() throws {
        let results = try Support.withFile(Self.renamed.utf8) {
            Self.read(try DocumentReader($0, decoder: Self.rewritingDecoder()).resources(Column.self))
        }
        let names: [String?] = results.map { try? $0.get().author?.name }
        let expected: [String?] = (0..<40).map { $0 == 13 ? nil : "N\($0)" }
        #expect(names == expected)
        guard case .failure(let error) = results[13] else { return }
        #expect((error as? ValidationError)?.issues.map(\.pointer.description) == ["/included/13/attributes/name"])
    }

    @Test func aModelThatEmbedsAResourceThatFailsToRewriteIsDroppedOnRequest() throws {
        var decoder = Self.rewritingDecoder()
        decoder.invalidElements = .drop
        try Support.withFile(Self.renamed.utf8) { url in
            let columns = try DocumentReader(url, decoder: decoder).resources(Column.self)
            let ids: [String] = Self.read(columns).compactMap { try? $0.get().id }
            let expected: [String] = (0..<40).filter { $0 != 13 }.map { String($0) }
            #expect(ids == expected)
            #expect(columns.diagnostics.map(\.pointer.description) == ["/data/13"])

            // Only the element of an embedded array is omitted.
            let stories = try DocumentReader(url, decoder: decoder).resources(Story.self)
            let editors: [[String]] = Self.read(stories).compactMap { try? $0.get().editors?.map(\.name) }
            let one: [[String]] = Array(repeating: ["N14"], count: 39)
            #expect(editors == one)
            let messages = stories.diagnostics.filter { $0.pointer.description.contains("editors") }.map(\.message)
            #expect(messages.count == 39)
            #expect(messages.allSatisfy { $0.contains("/included/13/attributes/name") })
        }
    }

    @Test func aPrimaryResourceThatFailsToRewriteIsNotEmbeddedUnchanged() throws {
        let text = """
            {"data":[{"type":"people","id":"1","relationships":{"friend":{"data":{"type":"people","id":"2"}}},"attributes":{"full":"A"}},
            {"type":"people","id":"2","attributes":{"name":"not rewritten"}}]}
            """
        struct Friend: Resource {
            static let type = "people"
            var id: String
            var name: String
            var friend: Person?
        }
        let results = try Support.withFile(text.utf8) {
            Self.read(try DocumentReader($0, decoder: Self.rewritingDecoder()).resources(Friend.self))
        }
        #expect(results.count == 2)
        for result in results {
            #expect { try result.get() } throws: {
                ($0 as? ValidationError)?.issues.map(\.pointer.description) == ["/data/1/attributes/name"]
            }
        }
    }

    @Test func aLookedUpResourceThatFailsToRewriteHasItsPlace() throws {
        try Support.withFile(Self.renamed.utf8) { url in
            let reader = try DocumentReader(url, decoder: Self.rewritingDecoder())
            #expect(try reader.resource(Person.self, id: "14")?.name == "N14")
            let error = #expect(throws: ValidationError.self) { try reader.resource(Person.self, id: "13") }
            #expect(error?.issues.map(\.pointer.description) == ["/included/13/attributes/name"])
        }
    }
}

extension FetchedResourceTests {
    // MARK: - Looked up

    @Test("A looked-up resource that is the whole primary data has a place without an index")
    func singlePrimaryResource() throws {
        let text = #"{"data":{"type":"people","id":"1","attributes":{"name":7}},"included":[{"type":"people","id":"2"}]}"#
        let whole = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Person.self, from: Data(text.utf8)) }?.failure
        try Support.withFile(text.utf8) { url in
            let reader = try DocumentReader(url)
            let failure = #expect(throws: DecodingError.self) { try reader.resource(Person.self, id: "1") }?.failure
            #expect(failure?.pointer.description == "/data/attributes/name")
            #expect(failure?.pointer == whole?.pointer && failure?.position == whole?.position)
            let included = #expect(throws: DecodingError.self) { try reader.resource(Person.self, id: "2") }?.failure
            #expect(included?.pointer.description == "/included/0")
            let rewriting = try DocumentReader(url, decoder: Self.rewritingDecoder())
            let error = #expect(throws: ValidationError.self) { try rewriting.resource(Person.self, id: "1") }
            #expect(error?.issues.map(\.pointer.description) == ["/data/attributes/name"])
        }
    }

    @Test(arguments: badPeople) func aLookedUpResourceFailsAtItsPlaceInTheWholeDocument(person: String) throws {
        let text = Array(Self.text(person).utf8)
        let whole = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode([Story].self, from: Data(text)) }?.failure
        try Support.withFile(text) { url in
            let reader = try DocumentReader(url)
            func expectSame(_ failure: DecodingFailure?) {
                #expect(failure?.pointer == whole?.pointer)
                #expect(failure?.offset == whole?.offset)
                #expect(failure?.position == whole?.position)
                #expect(failure?.description == whole?.description)
            }
            expectSame(#expect(throws: DecodingError.self) { try reader.resource(Person.self, id: "2") }?.failure)
            // Its embedded resource comes from another place.
            expectSame(#expect(throws: DecodingError.self) { try reader.resource(Story.self, id: "2") }?.failure)
            let pages = Self.read(reader.resources(Page.self)).compactMap { try? $0.get() }
            #expect(pages.count == 2)
            expectSame(#expect(throws: DecodingError.self) { try pages.last?.author.resolved() }?.failure)
        }
    }
}

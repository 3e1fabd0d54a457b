import Foundation
import JSONAPICodec
import JSONText
import Testing

/// The cost and the completeness of `problems = .all`.
@Suite("Collecting all problems of large documents")
struct CollectedProblemsTests {
    private typealias Counter = GraphDecodingTests.Counter

    private struct Node: Resource {
        static let type = "nodes"
        let id: String
        let next: [Node]?
        enum CodingKeys: CodingKey { case id, next }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            next = try map.decodeIfPresent([Node].self, forKey: .next)
            (decoder.userInfo[GraphDecodingTests.counterKey] as? Counter)?.count(id)
        }
    }
    private struct Root: Resource {
        static let type = "roots"
        var id: String
        var title: String
        var nodes: ToMany<Node>
    }
    private struct Item: Resource {
        static let type = "items"
        var id: String
        var body: String
        var nodes: [Node]
    }
    /// Reads integers under 4,000 names.
    private struct Bag: Resource {
        static let type = "bags"
        let id: String
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            (decoder.userInfo[GraphDecodingTests.counterKey] as? Counter)?.count(id)
            for number in 0..<4000 { _ = try map.decode(Int.self, forKey: .attributes("k\(number)")) }
        }
        func encode(to encoder: any Encoder) throws {}
    }
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
        var age: Int
    }
    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: Person
    }

    private func decoder(_ counter: Counter = Counter()) -> JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.problems = .all
        decoder.userInfo[GraphDecodingTests.counterKey] = counter
        return decoder
    }

    private func node(_ id: Int, next: [Int] = []) -> String {
        #"{"type":"nodes","id":"\#(id)","relationships":{"next":{"data":[\#(linkage(next))]}}}"#
    }
    private func linkage(_ ids: [Int]) -> String { ids.map { #"{"type":"nodes","id":"\#($0)"}"# }.joined(separator: ",") }

    private func failures<Value: PrimaryValue>(
        _ type: Value.Type, _ data: Data, _ decoder: JSONAPIDecoder
    ) throws -> (places: [String], omitted: Int) {
        let error = try #require(throws: DecodingError.self) { try decoder.decode(type, from: data) }
        return (error.failures.map(\.pointer.description), error.failure?.omittedCount ?? 0)
    }

    @Test("Resources that references lead to, and that embed each other, are read once beside a problem")
    func layers() throws {
        // 14 layers of two nodes, each of which embeds both nodes of the next layer: 2^14 paths.
        let nodes = (0..<28).map { node($0, next: $0 < 26 ? [$0 / 2 * 2 + 2, $0 / 2 * 2 + 3] : []) }
        let root =
            #"{"type":"roots","id":"1","attributes":{"title":1},"relationships":{"nodes":{"data":[\#(linkage(Array(0..<28)))]}}}"#
        let counter = Counter()
        let found = try failures(Root.self, Blog.document(root, included: nodes), decoder(counter))
        #expect(found.places == ["/data/attributes/title"] && found.omitted == 0)
        #expect(counter.all.count == 28 && counter.all.values.allSatisfy { $0 <= 2 })
    }

    @Test("What all elements embed is not read again for each element")
    func sharedParts() throws {
        let items = (0..<200).map { index in
            let attributes = index == 100 ? "{}" : #"{"body":"b"}"#
            return #"{"type":"items","id":"\#(index)","attributes":\#(attributes),"relationships":{"nodes":{"data":[\#(linkage([0]))]}}}"#
        }
        let nodes = [node(0, next: Array(1..<50))] + (1..<50).map { node($0) }
        let counter = Counter()
        let found = try failures([Item].self, Blog.document("[\(items.joined(separator: ","))]", included: nodes), decoder(counter))
        #expect(found.places == ["/data/100"] && found.omitted == 0)
        #expect(counter.all.count == 50 && counter.all.values.allSatisfy { $0 <= 5 })
    }

    @Test("A problem in a shared resource is one problem, however many elements embed it")
    func sharedProblem() throws {
        let articles = (0..<2000).map {
            #"{"type":"articles","id":"\#($0)","relationships":{"author":{"data":{"type":"people","id":"1"}}}}"#
        }
        let person = #"{"type":"people","id":"1","attributes":{"name":1,"age":1}}"#
        let found = try failures([Article].self, Blog.document("[\(articles.joined(separator: ","))]", included: [person]), decoder())
        #expect(found.places == ["/included/0/attributes/name"] && found.omitted == 0)
    }

    @Test("Each element that fails is listed or counted when there are too many problems")
    func manyProblems() throws {
        let people = (0..<5000).map { #"{"type":"people","id":"\#($0)","attributes":{"name":"n","age":\#($0 % 2 == 0 ? "1" : "null")}}"# }
        let found = try failures([Person].self, Data(#"{"data":[\#(people.joined(separator: ","))]}"#.utf8), decoder())
        #expect(found.places.count > 100 && found.places.count + found.omitted == 2500)
    }

    @Test("A resource with thousands of bad values is not read for each of them")
    func manyProblemsOfOneResource() throws {
        let values = (0..<4000).map { #""k\#($0)":"""# }.joined(separator: ",")
        let counter = Counter()
        let data = Data(#"{"data":{"type":"bags","id":"1","attributes":{\#(values)}}}"#.utf8)
        let found = try failures(Bag.self, data, decoder(counter))
        #expect(found.places.count > 20 && found.omitted == 1)
        #expect(counter.all["1"].map { $0 < 500 } == true)
    }

    @Test("Each missing member of a resource is a problem of its own")
    func missingMembers() throws {
        let data = Data(#"{"data":{"type":"people","id":"1","attributes":{}}}"#.utf8)
        let error = try #require(throws: DecodingError.self) { try decoder().decode(Person.self, from: data) }
        #expect(error.failures.map(\.expected) == ["the attribute `name`", "the attribute `age`"])
        #expect(error.failures.map(\.pointer.description) == ["/data", "/data"])
        #expect(error.failure?.omittedCount == 0)
    }

    @Test("Every problem has its line, whatever their order in the text is")
    func positions() throws {
        let data = Data(
            """
            {"included":[
             {"type":"people","id":"1","attributes":{"name":1,
               "age":2}}],
             "data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"1"}}}},
              {"type":"articles","id":"2"}]}
            """.utf8)
        let error = try #require(throws: DecodingError.self) { try decoder().decode([Article].self, from: data) }
        #expect(error.failures.map(\.position) == [TextPosition(line: 2, column: 49), TextPosition(line: 5, column: 3)])
    }
}

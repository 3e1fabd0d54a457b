import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Resources that a document reads later")
struct DocumentResourceTests {
    private typealias Counter = GraphDecodingTests.Counter

    private struct Team: Resource {
        static let type = "teams"
        let id: String
        enum CodingKeys: CodingKey { case id }
        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .id)
            (decoder.userInfo[GraphDecodingTests.counterKey] as? Counter)?.count(id)
        }
    }
    private struct Member: Resource {
        static let type = "members"
        var id: String
        var team: Team
    }
    private struct Circle: Resource {
        static let type = "circles"
        var id: String
        var next: [Circle]?
    }

    @Test("Included resources share what they embed")
    func sharing() throws {
        let members = (0..<100).map {
            #"{"type":"members","id":"\#($0)","relationships":{"team":{"data":{"type":"teams","id":"1"}}}}"#
        }
        var decoder = JSONAPIDecoder()
        let counter = Counter()
        decoder.userInfo[GraphDecodingTests.counterKey] = counter
        let data = Blog.document("[]", included: members + [#"{"type":"teams","id":"1"}"#])
        let document = try decoder.decode(Document<[Blog.Person]>.self, from: data)
        #expect(try document.included(Member.self).map(\.id) == (0..<100).map(String.init))
        #expect(counter.all == ["1": 1])
    }

    @Test("The limit of repeated embedded values holds for each included resource")
    func expansions() throws {
        let circles = (0..<20).map { index in
            let next = [index / 4 * 4 + (index + 1) % 4, index / 4 * 4 + (index + 2) % 4].map { #"{"type":"circles","id":"\#($0)"}"# }
            return #"{"type":"circles","id":"\#(index)","relationships":{"next":{"data":[\#(next.joined(separator: ","))]}}}"#
        }
        var decoder = JSONAPIDecoder()
        decoder.maximumExpansions = 16
        let document = try decoder.decode(Document<[Blog.Person]>.self, from: Blog.document("[]", included: circles))
        #expect(try document.included(Circle.self).count == 20)
    }

    @Test("An included resource that cannot be read is left out if the decoder drops invalid elements")
    func dropping() throws {
        let included = [#"{"type":"people","id":"1","attributes":{"name":1}}"#, #"{"type":"people","id":"2","attributes":{"name":"Bo"}}"#]
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let document = try decoder.decode(Document<[Team]>.self, from: Blog.document("[]", included: included))
        #expect(try document.included(Blog.Person.self).map(\.id) == ["2"])
    }

    @Test("Errors about them are decoding errors that name the place")
    func errors() throws {
        let included = [#"{"type":"people","id":"1","attributes":{"name":1}}"#]
        let document = try JSONAPIDecoder().decode(Document<[Team]>.self, from: Blog.document("[]", included: included))
        for read in [
            { _ = try document.included(Blog.Person.self) },
            { _ = try document.resource(Blog.Person.self, ResourceIdentifier(type: "people", id: "1")) },
        ] {
            let error = try #require(throws: DecodingError.self) { try read() }
            #expect(error.failure?.pointer.description == "/included/0/attributes/name")
            #expect("\(error)".contains("/included/0/attributes/name (people 1): expected a string, found a number"))
        }
    }

    @Test("A resource of an unknown type is a decoding error in strict mode")
    func unknownType() throws {
        var decoder = JSONAPIDecoder()
        decoder.unknownTypes = .throw
        let document = try decoder.decode(
            Document<[Team]>.self, from: Blog.document("[]", included: [#"{"type":"robots","id":"1"}"#]))
        let error = try #require(throws: DecodingError.self) {
            try document.resource(Blog.Contributor.self, ResourceIdentifier(type: "robots", id: "1"))
        }
        #expect(error.failure?.kind == .unexpectedType)
    }

    private struct Remark: Resource {
        static let type = "comments"
        var id: String?
        var body: String
    }
    private struct Post: Resource {
        static let type = "articles"
        var id: String
        var comments: ToMany<Remark>
    }

    @Test("A document has the resources of a reference whose identifiers have no id")
    func withoutIDs() throws {
        let remarks = ["b", "c"].map { #"{"type":"comments","attributes":{"body":"\#($0)"}}"# }.joined(separator: ",")
        let document = try JSONAPIDecoder(mode: .lenient).decode(
            Document<Post>.self, from: Blog.document(Blog.article(relationships: #"{"comments":{"data":[\#(remarks)]}}"#)))
        #expect(document.data.comments.values.map(\.body) == ["b", "c"])
        #expect(document[document.data.comments].map(\.body) == ["b", "c"])
    }
}

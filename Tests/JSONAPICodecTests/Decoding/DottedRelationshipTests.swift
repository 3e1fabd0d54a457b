import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Properties of resource types whose keys are paths")
struct DottedRelationshipTests {
    private typealias Person = Blog.Person

    private struct Note: Resource, Equatable {
        static let type = "notes"
        var id: String
        var author: Person?
        var editors: [Person]?
        var source: ResourceIdentifier?
        var places: [ResourceIdentifier]?
        var owner: Person?
        enum CodingKeys: String, CodingKey {
            case id, author = "attributes.author", editors = "details.editors", source = "details.source", places = "attributes.places"
            case owner = "relationships.owner"
        }
    }

    @Test("A resource inside an attribute is read as it was written")
    func roundTrip() throws {
        let note = Note(
            id: "1", author: Person(id: "1", name: "Ann"), editors: [Person(id: "2", name: "Bo")],
            source: ResourceIdentifier(type: "books", id: "3"), places: [ResourceIdentifier(type: "places", id: "4")],
            owner: Person(id: "5", name: "Cy"))
        let data = try JSONAPIEncoder().encode(Document(note), include: ["owner"])
        let json = try JSON(parsing: data)
        #expect(json["data"]?["attributes"]?["author"]?["name"] == "Ann")
        #expect(try JSONAPIDecoder().decode(Note.self, from: data) == note)
    }

    @Test("A required resource inside an attribute is read, and missing is an error")
    func required() throws {
        struct Memo: Resource {
            static let type = "articles"
            var id: String
            var author: Person
            enum CodingKeys: String, CodingKey { case id, author = "details.author" }
        }
        let memo = try Blog.decode(Memo.self, attributes: #"{"details":{"author":{"id":"1","name":"Ann"}}}"#)
        #expect(memo.author.name == "Ann")
        let failure = try Blog.failure { try Blog.decode(Memo.self, attributes: #"{"details":{"author":{"id":"1","name":7}}}"#) }
        #expect(failure.pointer.description == "/data/attributes/details/author/name")
        #expect(try Blog.failure { try Blog.decode(Memo.self) }.kind == .missingMember)
    }

    @Test("A path to a relationship that is read as absent leads nowhere")
    func lenientRelationship() throws {
        struct Memo: Resource {
            static let type = "articles"
            var id: String
            var author: Person?
            enum CodingKeys: String, CodingKey { case id, author = "relationships.author" }
        }
        let lenient = JSONAPIDecoder(mode: .lenient)
        for relationships in [#"{"author":[]}"#, #"{"author":null}"#, "{}"] {
            #expect(try Blog.decode(Memo.self, relationships: relationships, with: lenient).author == nil)
        }
    }

    @Test("A reference at the path of an attribute is an error, not a relationship that is not loaded")
    func reference() throws {
        struct Memo: Resource {
            static let type = "articles"
            var id: String
            var author: ToOne<Person>
            enum CodingKeys: String, CodingKey { case id, author = "details.author" }
        }
        let failure = try Blog.failure { try Blog.decode(Memo.self, attributes: #"{"details":{"author":{"id":"1"}}}"#) }
        #expect(failure.kind == .wrongType && failure.advice?.contains("plain value") == true)
        #expect(try Blog.decode(Memo.self).author.isLoaded == false)
    }
}

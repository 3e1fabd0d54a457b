import Foundation
import JSONAPICodec
import JSONText
import Testing

/// The contents of requests, and what they must not contain.
@Suite struct RequestContentTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
    }

    private struct Info: Codable, Equatable {
        var stars: Int
    }

    private struct Book: Resource {
        static let type = "books"
        var id: String
        var title: String
        var note: String?
        var author: ToOne<Person>
        var readers: ToMany<Person>
        var links: ResourceLinks
        var info: ResourceMeta<Info>?
    }

    private func book() throws -> Book {
        try JSONAPIDecoder().decode(
            Book.self,
            from: Data(
                """
                {"data":{"type":"books","id":"1","attributes":{"title":"T","note":"n"},"relationships":{
                    "author":{"data":{"type":"people","id":"1"},"links":{"related":"/books/1/author"},"meta":{"a":1}},
                    "readers":{"links":{"related":"/books/1/readers"}}},
                 "links":{"self":"/books/1"},"meta":{"stars":1}}}
                """.utf8))
    }

    private func body(_ body: some DocumentBody) throws -> JSON { try JSON(parsing: JSONAPIEncoder().encode(body)) }

    @Test func noLinkIsSentToTheServer() throws {
        let data = try body(Create(book(), clientID: true))["data"]
        #expect(data?["links"] == nil)
        #expect(data?["relationships"] == ["author": ["data": ["type": "people", "id": "1"]]])
        let object = try JSONAPIEncoder().resourceObject(book())
        #expect(object.links?.`self`?.href == "/books/1")
        #expect(object[relationship: "readers"]?.links?.related?.href == "/books/1/readers")
    }

    @Test("A request has no members of identifiers that the specification does not define")
    func unknownMembersOfIdentifiers() throws {
        let text = Data(
            #"""
            {"data":{"type":"books","id":"1","attributes":{"title":"T"},"relationships":{
                "readers":{"data":[{"type":"people","id":"1","name":"x","meta":{"m":1},"@y":2}]}}}}
            """#.utf8)
        let book = try JSONAPIDecoder().decode(Book.self, from: text)
        let first: JSON = ["type": "people", "id": "1", "meta": ["m": 1], "@y": 2]
        let sent: JSON = [first, ["type": "people", "id": "2"]]
        func readers(_ body: some DocumentBody) throws -> JSON? { try self.body(body)["data"]?["relationships"]?["readers"]?["data"] }
        #expect(try readers(book.patch { $0.readers.append(id: "2") }) == sent)
        #expect(try readers(Create(book)) == [first])
        let object = try JSONAPIDecoder().decode(ResourceObject.self, from: text)
        var new = object
        let all = (object[relationship: "readers"]?.data.identifiers ?? []) + [ResourceIdentifier(type: "people", id: "2")]
        new[relationship: "readers"]?.data = .many(all)
        #expect(try readers(Patch(from: object, to: new)) == sent)
        #expect(try readers(Patch<Book>(id: "1").link("readers", to: all)) == sent)
        #expect(try self.body(Linkage(replacing: all))["data"] == sent)
        // A document that was read is written as it was.
        #expect(try JSON(parsing: JSONAPIEncoder().encode(book))["data"]?["relationships"]?["readers"]?["data"]?[0]?["name"] == "x")
    }

    @Test func aRelationshipWithoutDataIsNotSent() throws {
        let text = #"""
            {"data":{"type":"books","id":"1","attributes":{"title":"T"},"relationships":{
                "author":{"links":{"related":"/books/1/author"},"meta":{"a":1}},"readers":{"data":[]}}}}
            """#
        let book = try JSONAPIDecoder().decode(Book.self, from: Data(text.utf8))
        #expect(try body(Create(book))["data"]?["relationships"] == ["readers": ["data": []]])
        var operations = AtomicOperations()
        operations.add(book)
        let written = try body(operations)["atomic:operations"]
        #expect(written?[0]?["data"]?["relationships"] == ["readers": ["data": []]])
        #expect(try JSONAPIEncoder().resourceObject(book)[relationship: "author"]?.links?.related?.href == "/books/1/author")
    }

    @Test func aPatchContainsOnlyChanges() throws {
        var book = try book()
        let patch = book.patch { $0.title = "New" }
        #expect(try body(patch) == ["data": ["type": "books", "id": "1", "attributes": ["title": "New"]]])
        let old = book
        book.info = ResourceMeta(Info(stars: 2))
        #expect(try body(Patch(from: old, to: book)) == ["data": ["type": "books", "id": "1", "meta": ["stars": 2]]])
        book = old
        book.note = nil
        #expect(try body(Patch(from: old, to: book)) == ["data": ["type": "books", "id": "1", "attributes": ["note": .null]]])
    }

    @Test func aPatchThatOmitsEverythingIsEmpty() throws {
        let patch = try book().patch { $0.title = "New" }
        #expect(!patch.isEmpty && patch.omitting("title").isEmpty)
        let linked = try book().patch { $0.author = nil }
        #expect(!linked.isEmpty && linked.omitting("author").isEmpty)
        #expect(try body(linked.omitting("author")) == ["data": ["type": "books", "id": "1"]])
    }

    @Test func omittedNamesApplyToOneOperationOnly() throws {
        _ = try body(Create(book()).omitting("title"))
        #expect(try body(Create(book()))["data"]?["attributes"]?["title"] == "T")
        var operations = AtomicOperations()
        operations.update(try book().patch { $0.title = "New" }.omitting("title"))
        operations.add(try book())
        let written = try body(operations)["atomic:operations"]
        #expect(written?[1]?["data"]?["attributes"]?["title"] == "T")
    }

    @Test func aLidBelongsToItsType() throws {
        var operations = AtomicOperations()
        operations.add(ResourceObject(type: "people", lid: "x"))
        operations.add(ResourceObject(type: "books"), linking: ["author": ResourceIdentifier(type: "people", lid: "x")])
        #expect(throws: Never.self) { try body(operations) }
        operations = AtomicOperations()
        operations.add(ResourceObject(type: "people", lid: "x"))
        operations.add(ResourceObject(type: "books"), linking: ["author": ResourceIdentifier(type: "writers", lid: "x")])
        #expect(throws: EncodingError.self) { try body(operations) }
        operations = AtomicOperations()
        operations.add(ResourceObject(type: "people", lid: "x"))
        operations.remove(ResourceIdentifier(type: "books", lid: "x"))
        #expect(throws: EncodingError.self) { try body(operations) }
    }

    @Test func aGeneratedLidIsUnique() throws {
        var operations = AtomicOperations()
        for number in [1, 3] { operations.add(ResourceObject(type: "people", lid: "lid-\(number)")) }
        let made = (0..<3).map { _ in operations.add(ResourceObject(type: "people")) }
        #expect(Set(made.compactMap(\.lid)).isDisjoint(with: ["lid-1", "lid-3"]) && Set(made).count == 3)
        #expect(throws: Never.self) { try body(operations) }
    }

    @Test func aContradictoryBodyIsAnError() {
        let twice = ResourceObject(
            type: "books", attributes: ["author": 1], relationships: Relationships([.toOne("author", nil)]))
        #expect(throws: EncodingError.self) { try body(Create(twice)) }
        #expect(throws: EncodingError.self) { try body(Create(ResourceObject(members: ["type": "books", "id": "1", "lid": "2"]))) }
    }
}

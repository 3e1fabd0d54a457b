import Foundation
import JSONAPICodec
import JSONMapping
import Testing

/// A direct resource reads and refuses what a `Codable` model with the same keys reads and refuses.
@Suite struct DirectParityTests {
    struct Visitor: DirectResource {
        static let type = "people"
        var id: String?

        init(resource: ResourceView) throws { id = try resource.idIfPresent() }
        func write(to resource: ResourceWriter) throws {}
    }

    struct Guest: DirectResource {
        static let type = "people"
        var id: Identifier<Guest>?

        init(resource: ResourceView) throws { id = try resource.idIfPresent() }
        func write(to resource: ResourceWriter) throws {}
    }

    @Test("An optional id is nil in a resource without an id")
    func optionalID() throws {
        var decoder = JSONAPIDecoder()
        decoder.leniencies.insert(.missingIDs)
        let data = Data(#"{"data":{"type":"people","attributes":{}}}"#.utf8)
        #expect(try decoder.decode(Visitor.self, from: data).id == nil)
        #expect(try decoder.decode(Guest.self, from: data).id == nil)
    }

    struct Flat: DirectResource {
        static let type = "articles"
        var id: String
        var author: String?
        var links: [String: Int]?

        init(resource: ResourceView) throws {
            id = try resource.id()
            author = try resource.attributeIfPresent("author")
            links = try resource.attributeIfPresent("links")
        }

        func write(to resource: ResourceWriter) throws {}
    }

    @Test(
        "An optional attribute with the name of a relationship or of a part of the resource is an error",
        arguments: [
            #""relationships":{"author":{"data":null}}"#, #""links":{"self":"/articles/1"}"#,
        ])
    func namesOfOtherParts(_ member: String) throws {
        let data = Data(#"{"data":{"type":"articles","id":"1",\#(member)}}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Flat.self, from: data) }
    }

    struct Shape: DirectResource {
        static let type = "shapes"
        var id: String
        @Lossy var height: Int?

        init(resource: ResourceView) throws {
            id = try resource.id()
            _height = try resource.attribute("height")
        }

        func write(to resource: ResourceWriter) throws { try resource.attribute("height", _height) }
    }

    @Test("A lossy property with null is left out again")
    func lossyNull() throws {
        let data = Data(#"{"data":{"type":"shapes","id":"1","attributes":{"height":null}}}"#.utf8)
        let shape = try JSONAPIDecoder().decode(Shape.self, from: data)
        #expect(try String(decoding: JSONAPIEncoder().encode(shape), as: UTF8.self) == #"{"data":{"type":"shapes","id":"1"}}"#)
    }

    struct Comment: Resource {
        static let type = "comments"
        var id: String
    }

    struct Post: DirectResource {
        static let type = "posts"
        var id: String
        var title: String
        var comments: [Comment]
        var words: Int

        init(resource: ResourceView) throws {
            id = try resource.id()
            title = try resource.attribute("title")
            comments = try resource.relationship("comments")
            words = try resource.attribute("words")
        }

        func write(to resource: ResourceWriter) throws {}
    }

    @Test("All problems are found around a to-many relationship with other linkage")
    func allProblems() throws {
        var decoder = JSONAPIDecoder()
        decoder.problems = .all
        let text = #"{"data":{"type":"posts","id":"1","attributes":{"title":1,"words":"x"},"relationships":{"comments":{"data":null}}}}"#
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Post.self, from: Data(text.utf8)) }
        #expect(error?.failures.count == 3)
    }
}

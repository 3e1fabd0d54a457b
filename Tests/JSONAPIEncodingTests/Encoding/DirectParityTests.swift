import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
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

    struct Label: DirectResource {
        static let type = "labels"
        var id: String
        var firstName: String?
        var color: String?
        var parent: ToOne<Label> = nil

        init(id: String) { self.id = id }
        init(resource: ResourceView) throws { id = try resource.id() }

        func write(to resource: ResourceWriter) throws {
            if let firstName { try resource.attribute("first-name", firstName) }
            try resource.attribute("color", color)
            try resource.relationship("the-parent", parent)
        }
    }

    /// Writes its coding keys.
    struct Keyed: DirectResource {
        static let type = "labels"
        var id: String
        var firstName: String?

        init(resource: ResourceView) throws { id = try resource.id() }
    }

    @Test("A misspelled name is an error that names the nearest one that the writer writes")
    func misspelled() throws {
        let encoder = JSONAPIEncoder()
        let label = Label(id: "1")
        func isRefused(_ words: String, _ encode: () throws -> Data) -> Bool {
            let error = #expect(throws: EncodingError.self) { try encode() }
            return error?.failure?.description.contains(words) == true
        }
        let patch = Patch<Label>(id: "1")
        #expect(isRefused("`color`") { try encoder.encode(patch.set("colour", "x")) })
        #expect(isRefused("`first-name`") { try encoder.encode(patch.setNull("first-nam")) })
        #expect(isRefused("`the-parent`, which is a relationship") { try encoder.encode(patch.set("the-parent", "x")) })
        #expect(isRefused("`color`, which is an attribute") { try encoder.encode(patch.link("color", to: label)) })
        #expect(isRefused("`the-parent`") { try encoder.encode(patch.link("the-parents", to: label)) })
        #expect(isRefused("`color`") { try encoder.encode(label.patch { $0.color = "x" }.omitting("colr")) })
        #expect(isRefused("`color`") { try encoder.encode(Create(label).omitting("colr")) })
        #expect(isRefused("`color`") { try encoder.encode([label], fields: ["labels": ["colour"]]) })
        #expect(isRefused("the-parents") { try encoder.encode([label], include: ["the-parents"]) })
        #expect(isRefused("`firstName`") { try encoder.encode(Patch<Keyed>(id: "1").set("firstname", "x")) })
    }

    @Test("A name that the writer leaves out when the value is nil, and a coding key, are correct names")
    func correctNames() throws {
        var encoder = JSONAPIEncoder()
        let label = Label(id: "1")
        let names = ["first-name", "firstName", "color", "the-parent"]
        _ = try encoder.encode([label], include: ["the-parent"], fields: ["labels": names])
        _ = try encoder.encode(Create(label).omitting("first-name", "the-parent"))
        let patch = Patch<Label>(id: "1").set("first-name", "A").unlink("the-parent").omitting("firstName")
        #expect(try JSON(parsing: encoder.encode(patch))["data"]?["attributes"] == ["first-name": "A"])
        encoder.keyStrategy = .snakeCase
        let keyed = try encoder.encode(Patch<Keyed>(id: "1").set("first_name", "A"))
        #expect(try JSON(parsing: keyed)["data"]?["attributes"] == ["first_name": "A"])
    }

    /// Writes names that depend on its values.
    struct Figure: DirectResource {
        static let type = "figures"
        var id: String
        var kind: String
        var size: Int

        init(kind: String) { (id, self.kind, size) = ("1", kind, 1) }
        init(resource: ResourceView) throws { self.init(kind: try resource.attribute("kind")) }

        func write(to resource: ResourceWriter) throws { try resource.attribute(kind == "circle" ? "radius-mm" : "edge-mm", size) }
    }

    @Test("A name that the writer writes only for other values is correct, unless it is similar to one that it has written")
    func namesForOtherValues() throws {
        let encoder = JSONAPIEncoder()
        let square = Figure(kind: "square")
        let patch = Patch<Figure>(id: "1")
        #expect(try JSON(parsing: encoder.encode(patch.set("radius-mm", 2)))["data"]?["attributes"] == ["radius-mm": 2])
        #expect(throws: EncodingError.self) { try encoder.encode(patch.set("edge-m", 2)) }
        _ = try encoder.encode(Create(square).omitting("radius-mm"))
        let body = try String(decoding: encoder.encode([square], fields: ["figures": ["radius-mm"]]), as: UTF8.self)
        #expect(body == #"{"data":[{"type":"figures","id":"1"}]}"#)
        #expect(throws: EncodingError.self) { try encoder.encode([square], fields: ["figures": ["edge-m"]]) }
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

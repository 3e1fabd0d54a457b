import Foundation
import JSONAPICodec
import JSONMapping
import Testing

/// A direct resource reads what a `Codable` model with the same keys reads.
@Suite struct DirectRemainingTests {
    struct Paint: DirectResource {
        static let type = "paints"
        var id: String
        var rest: RemainingMembers

        init(resource: ResourceView) throws {
            id = try resource.id()
            rest = try resource.attribute("attributes")
        }

        func write(to resource: ResourceWriter) throws { try resource.attribute("attributes", rest) }
    }

    @Test("A direct resource reads the remaining members of all attributes, and writes them again")
    func remaining() throws {
        let data = Data(#"{"data":{"type":"paints","id":"1","attributes":{"color":"red","gloss":2}}}"#.utf8)
        let paint = try JSONAPIDecoder().decode(Paint.self, from: data)
        #expect(paint.rest.members["color"] == "red")
        #expect(try JSONAPIEncoder().encode(paint) == data)
    }

    struct Note: DirectResource {
        static let type = "notes"
        var id: String
        @EmptyAsNil var meta: [String: Int]?

        init(resource: ResourceView) throws {
            id = try resource.id()
            _meta = try resource.attribute("meta")
        }

        func write(to resource: ResourceWriter) throws { try resource.attribute("meta", _meta) }
    }

    @Test("A direct resource reads the attribute `meta`, also where only the resource object has a member of that name")
    func attributeWithTheNameOfAPart() throws {
        let data = Data(#"{"data":{"type":"notes","id":"1","attributes":{"t":1},"meta":{"x":1}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Note.self, from: data).meta == nil)
    }

    struct Shade: DirectResource {
        static let type = "paints"
        var id: String
        var rest: RemainingMembers?
        var other: RemainingMembers?
        var none: RemainingMembers?

        init(resource: ResourceView) throws {
            id = try resource.id()
            rest = try resource.attributeIfPresent("attributes")
            other = try resource.attribute("attributes")
            none = try resource.attributeIfPresent("none")
        }

        func write(to resource: ResourceWriter) throws { try resource.attribute("attributes", rest) }
    }

    @Test("Optional remaining members of all attributes are read and written, too")
    func optionalRemaining() throws {
        let data = Data(#"{"data":{"type":"paints","id":"1","attributes":{"color":"red","gloss":2}}}"#.utf8)
        let shade = try JSONAPIDecoder().decode(Shade.self, from: data)
        #expect(shade.rest?.members["color"] == "red" && shade.other == shade.rest && shade.none == nil)
        #expect(try JSONAPIEncoder().encode(shade) == data)
    }

    @Test("A closure without links for a resource adds no links object")
    func emptyLinks() throws {
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = { _, _ in [:] }
        let data = Data(#"{"data":{"type":"paints","id":"1","attributes":{"color":"red"}}}"#.utf8)
        #expect(try encoder.encode(JSONAPIDecoder().decode(Paint.self, from: data)) == data)
    }
}

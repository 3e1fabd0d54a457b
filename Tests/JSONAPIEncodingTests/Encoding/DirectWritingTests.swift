import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Resources that encode themselves without `Codable`.
@Suite struct DirectWritingTests {
    struct Spot: Codable, Equatable { var x: Double, y: Double? }

    struct Tag: DirectResource, Equatable {
        static let type = "tags"
        var id: String
        var name: String
        var color: String?
        var count: Int
        var level: Int?
        var isOpen: Bool
        var isOld: Bool?
        var at: Date?
        var spot: Spot
        var parent: ToOne<Tag> = .notLoaded
        var writer: Writer?
        var others: [Writer] = []
        var size = 1.5

        init(_ id: String, color: String? = nil, parent: ToOne<Tag> = .notLoaded, writer: Writer? = nil) {
            (self.id, name, self.color, count, level, isOpen) = (id, "n\"\(id)", color, -1, color.map { _ in 2 }, true)
            (isOld, at) = (color.map { _ in false }, color.map { _ in Date(timeIntervalSince1970: 0) })
            (spot, self.parent, self.writer) = (Spot(x: 1, y: nil), parent, writer)
        }

        init(resource: ResourceView) throws {
            self.init(try resource.id())
            color = try resource.attributeIfPresent("color")
        }

        func write(to resource: ResourceWriter) throws {
            try resource.attribute("name", name)
            try resource.attribute("color", color)
            try resource.attribute("count", count)
            try resource.attribute("level", level)
            try resource.attribute("isOpen", isOpen)
            try resource.attribute("isOld", isOld)
            try resource.attribute("at", at)
            try resource.attribute("spot") { spot in
                try spot.member("x", self.spot.x)
                try spot.member("y", self.spot.y)
            }
            try resource.relationship("parent", parent)
            try resource.relationship("writer", writer)
            try resource.relationship("others", others)
            try resource.attribute("size", size)
        }
    }

    /// The same, through `Codable`.
    private struct Plain: Resource {
        static let type = "tags"
        var id: String
        var tag: Tag
        func encode(to encoder: any Encoder) throws { try tag.encode(to: encoder) }
        init(_ tag: Tag) { (id, self.tag) = (tag.id, tag) }
        init(from decoder: any Decoder) throws { self.init(Tag("")) }
    }

    @Test(
        "A direct writer encodes what Codable encodes",
        arguments: [
            Tag("1"), Tag("2", color: "red"), Tag("3", parent: nil, writer: Writer(id: "9", firstName: "D")),
            Tag("4", parent: ToOne(Tag("1"))),
        ])
    func sameAsCodable(_ tag: Tag) throws {
        for strategy in [JSONAPIEncoder.NilEncodingStrategy.omit, .null] {
            var encoder = JSONAPIEncoder()
            encoder.nilEncodingStrategy = strategy
            let direct = try JSON(parsing: encoder.encode(tag))
            let plain = try JSON(parsing: encoder.encode(Plain(tag)))
            #expect(direct["data"] == plain["data"] && direct["included"]?.array?.count == plain["included"]?.array?.count)
        }
        let create = try JSONAPIEncoder().tree(Create(tag).omitting("spot"))
        #expect(create == (try JSONAPIEncoder().tree(Create(Plain(tag)).omitting("spot"))) && create["data"]?["id"] == nil)
    }

    @Test("Fieldsets, patches, and errors are the same as with Codable")
    func sameSemantics() throws {
        let encoder = JSONAPIEncoder()
        let tag = Tag("1", color: "red", writer: Writer(id: "9", firstName: "D"))
        #expect(
            try encoder.text(tag, fields: ["tags": ["spot", "writer"]])
                == #"{"data":{"type":"tags","id":"1","attributes":{"spot":{"x":1}},"relationships":{"writer":{"data":{"type":"people","id":"9"}}}},"#
                + #""included":[{"type":"people","id":"9","attributes":{"firstName":"D"}}]}"#)
        let patch = tag.patch {
            $0.color = nil
            $0.writer = nil
        }
        #expect(
            try encoder.tree(patch)["data"]?["attributes"] == ["color": nil]
                && encoder.tree(patch)["data"]?["relationships"] == ["writer": ["data": nil]])
        var infinite = tag
        infinite.size = .infinity
        #expect(encodingFailure { _ = try encoder.encode(infinite) }.map { "\($0.pointer)" } == "/data/attributes/size")
        infinite.size = 1
        infinite.spot.x = .nan
        #expect(encodingFailure { _ = try encoder.encode(infinite) }?.kind == .notRepresentable)
    }

    @Test("Links, meta, and an error that the model catches")
    func partsAndErrors() throws {
        struct Marked: DirectResource {
            static let type = "marks"
            var id: String
            var isBroken = false
            init(id: String, isBroken: Bool = false) { (self.id, self.isBroken) = (id, isBroken) }
            init(resource: ResourceView) throws { self.init(id: try resource.id()) }
            func write(to resource: ResourceWriter) throws {
                try resource.attribute("a", 1)
                resource.links(["self": "/1"])
                try resource.meta(["m": 1])
                if isBroken { try? resource.attribute("b", Double.nan) }
            }
        }
        #expect(
            try JSONAPIEncoder().text(Marked(id: "1"))
                == #"{"data":{"type":"marks","id":"1","attributes":{"a":1},"links":{"self":"/1"},"meta":{"m":1}}}"#)
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(Marked(id: "1", isBroken: true)) }?.kind == .notRepresentable)
        struct Listed: DirectResource {
            static let type = "lists"
            var id: String
            init(id: String) { self.id = id }
            init(resource: ResourceView) throws { self.init(id: try resource.id()) }
            func write(to resource: ResourceWriter) throws { try resource.meta([1]) }
        }
        let failure = try #require(encodingFailure { _ = try JSONAPIEncoder().encode(Listed(id: "1")) })
        #expect(failure.kind == .wrongPlace && "\(failure.pointer)" == "/data/meta")
    }

    /// Written by its `encode(to:)`.
    struct Venue: DirectResource {
        static let type = "venues"
        var id: String
        var city: String?
        var place: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", place = "attributes.place" }

        init(resource: ResourceView) throws {
            id = try resource.id()
            place = try resource.attribute("place")
            city = place.members["city"]?.string
        }
    }

    struct Paint: DirectResource {
        static let type = "paints"
        var id: String
        var color: String?
        var rest: RemainingMembers

        init(_ id: String, color: String?, rest: RemainingMembers) { (self.id, self.color, self.rest) = (id, color, rest) }
        init(resource: ResourceView) throws { self.init(try resource.id(), color: nil, rest: RemainingMembers()) }

        func write(to resource: ResourceWriter) throws {
            try resource.attribute("color", color)
            try resource.attribute("attributes", rest)
        }
    }

    @Test("Remaining members do not bring back what is nil now in a direct resource")
    func remainingMembers() throws {
        func attributes(_ data: Data) throws -> JSON? { try JSON(parsing: data)["data"]?["attributes"] }
        let encoder = JSONAPIEncoder()
        let text = Data(#"{"data":{"type":"venues","id":"1","attributes":{"place":{"city":"Oslo","zip":"0150"}}}}"#.utf8)
        var venue = try JSONAPIDecoder().decode(Venue.self, from: text)
        #expect(try attributes(encoder.encode(venue)) == ["place": ["city": "Oslo", "zip": "0150"]])
        venue.city = nil
        #expect(try attributes(encoder.encode(venue)) == ["place": ["zip": "0150"]])
        #expect(try attributes(encoder.encode(Create(venue))) == ["place": ["zip": "0150"]])
        let rest = RemainingMembers(["color": "red", "size": 4])
        #expect(try attributes(encoder.encode(Paint("1", color: "blue", rest: rest))) == ["color": "blue", "size": 4])
        #expect(try attributes(encoder.encode(Paint("1", color: nil, rest: rest))) == ["size": 4])
    }

    @Test("One encoder, one document, many threads")
    func threads() async throws {
        let document = try JSONAPIDecoder().decode(
            Document<[RelationshipStateTests.Post]>.self, from: Data(RelationshipStateTests.document.utf8))
        let encoder = JSONAPIEncoder()
        let expected = try encoder.encode(document)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<50 {
                        guard (try? encoder.encode(document)) == expected, document.data[0].patch({ $0.title = nil }).isEmpty == false
                        else {
                            return false
                        }
                    }
                    return true
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}

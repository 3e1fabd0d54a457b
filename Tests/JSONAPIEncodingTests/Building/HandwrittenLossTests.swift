import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Edits and orders that were lost without a word, mostly in models that name places or write themselves by hand.
@Suite struct HandwrittenLossTests {
    private let decoder = JSONAPIDecoder()
    private let encoder = JSONAPIEncoder()

    private struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
    }

    private func body(_ patch: Patch<some ResourceRepresentable>) throws -> JSON? { try JSON(parsing: encoder.encode(patch))["data"] }

    private func read<Model: Resource>(_ type: Model.Type, _ members: String) throws -> Model {
        try decoder.decode(type, from: Data(#"{"data":{"type":"\#(Model.type)","id":"1",\#(members)}}"#.utf8))
    }

    // MARK: - Nil at a path

    private struct Linked: Resource {
        static let type = "notes"
        var id: String
        var author: ResourceIdentifier?
        var tags: [ResourceIdentifier]?
        enum CodingKeys: String, CodingKey { case id, author = "relationships.author.data", tags = "relationships.tags.data" }
    }
    private struct Placed: Resource {
        static let type = "notes"
        var id: String
        var owner: ResourceIdentifier?
        var rest: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, owner = "attributes.owner", rest = "attributes" }
    }

    @Test("Nil at the path of linkage clears the relationship, and is an error for many")
    func nilLinkage() throws {
        let identifier = ResourceIdentifier(type: "people", id: "1")
        let note = Linked(id: "1", author: identifier, tags: [identifier])
        #expect(try body(note.patch { $0.author = nil })?["relationships"] == ["author": ["data": nil]])
        #expect(throws: EncodingError.self) { try body(note.patch { $0.tags = nil }) }
        #expect(try body(note.patch { $0.tags = [] })?["relationships"] == ["tags": ["data": []]])
    }

    @Test("Nil of a resource type inside an attribute is null, and does not come back")
    func nilInAttribute() throws {
        let note = try read(Placed.self, #""attributes":{"owner":{"type":"people","id":"1"},"z":1}"#)
        var edited = note
        edited.owner = nil
        #expect(try JSON(parsing: encoder.encode(edited))["data"]?["attributes"] == ["z": 1])
        #expect(try body(Patch(from: note, to: edited))?["attributes"] == ["owner": nil])
        #expect(try body(Patch<Placed>(id: "1").setNull(\.owner))?["attributes"] == ["owner": nil])
    }

    private struct WholeRelationship: Codable, Equatable {
        var data: ResourceIdentifier?
        var meta: [String: Int]?
    }
    private struct Related: Resource {
        static let type = "notes"
        var id: String
        var author: WholeRelationship?
        enum CodingKeys: String, CodingKey { case id, author = "relationships.author" }
    }

    @Test("A struct for a whole relationship object is set from nil, cleared and changed")
    func wholeRelationship() throws {
        let none = try read(Related.self, #""attributes":{}"#)
        let some = try read(Related.self, #""relationships":{"author":{"data":{"type":"people","id":"2"},"meta":{"k":1}}}"#)
        #expect(try body(Patch(from: none, to: some))?["relationships"] == ["author": ["data": ["type": "people", "id": "2"]]])
        #expect(try body(Patch(from: some, to: none))?["relationships"] == ["author": ["data": nil]])
        let other = try body(some.patch { $0.author?.data?.id = "3" })
        #expect(other?["relationships"] == ["author": ["data": ["type": "people", "id": "3"]]])
        #expect(Patch(from: none, to: none).isEmpty)
        #expect(try JSON(parsing: encoder.encode(Create(none)))["data"] == ["type": "notes"])
        let tagged = try read(Tagged.self, #""relationships":{"tags":{"data":[{"type":"tags","id":"2"}]}}"#)
        #expect(throws: EncodingError.self) { try body(tagged.patch { $0.tags = nil }) }
    }

    private struct Tagged: Resource {
        struct Tags: Codable { var data: [ResourceIdentifier] }

        static let type = "notes"
        var id: String
        var tags: Tags?
        enum CodingKeys: String, CodingKey { case id, tags = "relationships.tags" }
    }

    // MARK: - Remaining members

    private struct Handwritten: Resource {
        static let type = "notes"
        var id: String
        var title: String?
        var rest: RemainingMembers

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            id = try container.decode(String.self, forKey: .id)
            title = try container.decodeIfPresent(String.self, forKey: .attributes("title"))
            rest = try container.decode(RemainingMembers.self, forKey: .attributes())
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            if let title { try container.encode(title, forKey: .attributes("title")) }
            try container.encode(rest, forKey: .attributes())
        }
    }

    @Test("A value that a hand-written model leaves out does not come back from the remaining members")
    func handwritten() throws {
        let note = try read(Handwritten.self, #""attributes":{"title":"x","z":1}"#)
        var edited = note
        edited.title = nil
        #expect(try JSON(parsing: encoder.encode(edited))["data"]?["attributes"] == ["z": 1])
        #expect(try body(Patch(from: note, to: edited))?["attributes"] == ["title": nil])
    }

    @Test("A named member that a hand-written model leaves out is none of the remaining members that a new value lacks")
    func namedMemberLeftOut() throws {
        let note = try read(Handwritten.self, #""attributes":{"title":"x"}"#)
        var edited = note
        edited.title = nil
        edited.rest = RemainingMembers()
        #expect(try body(Patch(from: note, to: edited))?["attributes"] == ["title": nil])
        let other = try read(Handwritten.self, #""attributes":{"title":"x","z":1}"#)
        #expect(throws: EncodingError.self) { try body(Patch(from: other, to: edited)) }
    }

    private struct Venue: Resource {
        static let type = "venues"
        var id: String
        var city: String?
        var place: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", place = "attributes.place" }
    }

    @Test("Remaining members make no object that was not there", arguments: ["", #","place":null"#, #","place":{}"#])
    func noObject(place: String) throws {
        let venue = try read(Venue.self, #""attributes":{"x":1\#(place)}"#)
        let written = try JSON(parsing: encoder.encode(venue))["data"]?["attributes"]
        #expect(written?["place"] == (place.contains("{}") ? .object([:]) : nil))
        #expect(try JSON(parsing: encoder.encode(Create(venue)))["data"]?["attributes"]?["place"] == written?["place"])
    }

    // MARK: - Relationships in a nested container

    private struct Nested: Resource {
        static let type = "notes"
        var id: String
        var author: Person?
        enum Keys: CodingKey { case id, relationships, author }

        init(author: Person?) { (id, self.author) = ("1", author) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            id = try container.decode(String.self, forKey: .id)
            author = try? container.nestedContainer(keyedBy: Keys.self, forKey: .relationships).decode(Person.self, forKey: .author)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Keys.self)
            var relationships = container.nestedContainer(keyedBy: Keys.self, forKey: .relationships)
            try relationships.encodeIfPresent(author, forKey: .author)
        }
    }

    @Test("A resource in place of a relationship object is an error with a cure")
    func nested() throws {
        let (without, with) = (Nested(author: nil), Nested(author: Person(id: "9", name: "M")))
        let error = #expect(throws: EncodingError.self) { try encoder.encode(with) }
        #expect(error?.failure?.advice?.contains("Key.relationships") == true)
        #expect(throws: EncodingError.self) { try encoder.encode(Patch(from: without, to: with)) }
    }

    // MARK: - Dictionaries without names

    private enum Status: String, Codable, Sendable { case open, closed, done, late }
    private struct Count: Resource {
        static let type = "counts"
        var id: String
        var counts: [Status: Int]
    }

    @Test("Equal dictionaries whose keys are no names have the same text")
    func pairs() throws {
        let all: [Status] = [.open, .closed, .done, .late]
        var texts: Set<Data> = []
        for _ in 0..<50 {
            var counts: [Status: Int] = [:]
            counts.reserveCapacity(Int.random(in: 0...200))
            for status in all.shuffled() { counts[status] = status.rawValue.count }
            let count = Count(id: "1", counts: counts)
            texts.insert(try encoder.encode(count))
            #expect(
                Patch(from: Count(id: "1", counts: Dictionary(uniqueKeysWithValues: all.map { ($0, $0.rawValue.count) })), to: count)
                    .isEmpty)
        }
        #expect(texts.count == 1)
        let text = try #require(texts.first)
        #expect(try decoder.decode(Count.self, from: text).counts[.late] == 4)
        #expect(try JSON(parsing: text)["data"]?["attributes"]?["counts"]?.array?.count == 8)
    }
}

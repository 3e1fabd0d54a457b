import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Relationships that a model writes by hand, in part, or at a path, and that a patch must not lose.
@Suite struct WrittenRelationshipTests {
    private let decoder = JSONAPIDecoder()
    private let encoder = JSONAPIEncoder()

    private func data(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"] }

    /// A model that leaves out what is empty.
    private struct Note: Resource {
        static let type = "notes"
        var id: String
        var author: Writer?
        var remarks: [Remark] = []
        var tags: ToMany<Team> = .notLoaded
        enum CodingKeys: String, CodingKey { case id, author, remarks, tags }

        init(id: String, author: Writer? = nil, remarks: [Remark] = [], tags: ToMany<Team> = .notLoaded) {
            (self.id, self.author, self.remarks, self.tags) = (id, author, remarks, tags)
        }

        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: CodingKeys.self)
            try map.encodeIfPresent(author, forKey: .author)
            if !remarks.isEmpty { try map.encode(remarks, forKey: .remarks) }
            try map.encode(tags, forKey: .tags)
        }
    }

    private let note = Note(
        id: "1", author: Writer(id: "9", firstName: "A"), remarks: [Remark(id: "1", body: "x")], tags: [Team(id: "1", name: "T")])

    @Test("A patch of a relationship that encode(to:) leaves out when it is empty is an error")
    func leftOutRelationship() throws {
        let failure = encodingFailure { _ = try encoder.encode(note.patch { $0.remarks = [] }) }
        #expect(failure?.kind == .missingLinkage)
        #expect(failure?.pointer == JSONPointer("data", "relationships", "remarks"))
        // What is not loaded is given to the container all the same.
        #expect(note.patch { $0.tags = .notLoaded }.isEmpty)
        #expect(Note(id: "1").patch { $0.author = nil }.isEmpty)
    }

    @Test("A patch of a relationship for which a model encodes null is an error, because that is an attribute")
    func nilRelationship() throws {
        struct Single: Resource {
            static let type = "notes"
            var id: String
            var author: Writer?
            enum CodingKeys: String, CodingKey { case id, author }
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: CodingKeys.self)
                if let author { try map.encode(author, forKey: .author) } else { try map.encodeNil(forKey: .author) }
            }
        }
        let single = Single(id: "1", author: Writer(id: "9", firstName: "A"))
        #expect(encodingFailure { _ = try encoder.encode(single.patch { $0.author = nil }) }?.kind == .missingLinkage)
    }

    @Test("A field that is absent leaves the relationship as it is")
    func absentField() throws {
        struct Draft: Resource {
            static let type = "notes"
            var id: String
            var author: Field<ToOne<Writer>>
            var title: Field<String>
        }
        let draft = Draft(id: "1", author: .value(ToOne(id: "9")), title: .value("A"))
        #expect(draft.patch { $0.author = .absent }.isEmpty)
        #expect(try data(draft.patch { $0.author = .null })?["relationships"] == ["author": ["data": nil]])
        #expect(try data(Create(Draft(id: "1", author: .absent, title: .absent))) == ["type": "notes"])
        var nulls = encoder
        nulls.nilEncodingStrategy = .null
        #expect(try nulls.text(Create(Draft(id: "1", author: .absent, title: .absent))) == #"{"data":{"type":"notes"}}"#)
        let plain = try JSONEncoder().encode(Draft(id: "1", author: .absent, title: .absent))
        #expect(String(decoding: plain, as: UTF8.self) == #"{"id":"1"}"#)
    }

    @Test("Linkage at a path can be absent, null and cleared")
    func linkageAtPath() throws {
        enum Keys: String, CodingKey { case id, author = "relationships.author.data" }
        struct Partial: Resource {
            static let type = "notes"
            var id: String
            var author: Field<ResourceIdentifier>
            typealias CodingKeys = Keys
        }
        struct Whole: Resource {
            static let type = "notes"
            var id: String
            var author: ResourceIdentifier?
            typealias CodingKeys = Keys
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Keys.self)
                try map.encode(id, forKey: .id)
                try map.encode(author, forKey: .author)
            }
        }
        let identifier = ResourceIdentifier(type: "people", id: "9")
        #expect(Partial(id: "1", author: .value(identifier)).patch { $0.author = .absent }.isEmpty)
        #expect(try data(Whole(id: "1", author: identifier).patch { $0.author = nil })?["relationships"] == ["author": ["data": nil]])
        #expect(try data(Create(Whole(id: "1")))?["relationships"] == ["author": ["data": nil]])
    }

    @Test("The default of linkage at a path is not written if the relationship is not loaded")
    func defaultAtPath() throws {
        struct Tagged: Resource {
            static let type = "notes"
            var id: String
            @Default<Defaults.Empty<[ResourceIdentifier]>> var tags: [ResourceIdentifier]
            enum CodingKeys: String, CodingKey { case id, tags = "relationships.tags.data" }
        }
        let text = #"{"data":{"type":"notes","id":"1","relationships":{"tags":{"links":{"related":"/notes/1/tags"}}}}}"#
        let note = try JSONAPIDecoder().decode(Tagged.self, from: Data(text.utf8))
        let identifier = ResourceIdentifier(type: "tags", id: "9")
        #expect(try JSON(parsing: encoder.encode(note))["data"]?["relationships"] == nil)
        #expect(encodingFailure { _ = try encoder.encode(note.patch { $0.tags.append(identifier) }) }?.kind == .missingLinkage)
        #expect(try data(note.patch { $0.tags = [identifier] })?["relationships"]?["tags"]?["data"]?.array?.count == 1)
    }

    private struct Rel: Codable, Sendable { var data: ResourceIdentifier? }

    /// A model that writes its relationships in a container of their own.
    private struct Boxed: Resource {
        static let type = "notes"
        var id = "1"
        var author: ResourceIdentifier?
        enum Keys: CodingKey { case id, relationships, author }

        init(author: ResourceIdentifier?) { self.author = author }

        init(from decoder: any Decoder) throws { self.init(author: nil) }

        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: Keys.self)
            try map.encode(id, forKey: .id)
            var relationships = map.nestedContainer(keyedBy: Keys.self, forKey: .relationships)
            try relationships.encodeIfPresent(author.map { Rel(data: $0) }, forKey: .author)
        }
    }

    private struct Held: Resource {
        static let type = "notes"
        var id: String
        var author: Rel
        enum CodingKeys: String, CodingKey { case id, author = "relationships.author" }
    }

    @Test("Linkage that a container for all relationships, or the object of a relationship, leaves out is an error")
    func leftOutLinkage() throws {
        let identifier = ResourceIdentifier(type: "people", id: "9")
        let (boxed, held) = (Boxed(author: identifier), Held(id: "1", author: Rel(data: identifier)))
        for failure in [
            encodingFailure { _ = try encoder.encode(boxed.patch { $0.author = nil }) },
            encodingFailure { _ = try encoder.encode(held.patch { $0.author.data = nil }) },
        ] {
            #expect(failure?.kind == .missingLinkage && failure?.pointer == JSONPointer("data", "relationships", "author"))
        }
        let other = ResourceIdentifier(type: "people", id: "8")
        let linked: JSON = ["author": ["data": ["type": "people", "id": "8"]]]
        #expect(try data(boxed.patch { $0.author = other })?["relationships"] == linked)
        #expect(try data(held.patch { $0.author.data = other })?["relationships"] == linked)
        #expect(boxed.patch { _ in }.isEmpty && Boxed(author: nil).patch { $0.author = nil }.isEmpty)
        // Without a model, what is missing stays.
        let object = ResourceObject(type: "notes", id: "1", relationships: ["author": RelationshipObject(data: .one(identifier))])
        var without = object
        without[relationship: "author"] = nil
        #expect(Patch(from: object, to: without).isEmpty)
    }

    @Test("A reference that is not loaded is no change in a container for all relationships, either")
    func unloadedInContainer() throws {
        struct Grouped: Resource {
            static let type = "notes"
            var id = "1"
            var title: String
            var author: ToOne<Writer>
            var teams: ToMany<Team>
            enum Keys: CodingKey { case id, title, relationships, author, teams }

            init(_ title: String, _ author: ToOne<Writer>, _ teams: ToMany<Team>) {
                (self.title, self.author, self.teams) = (title, author, teams)
            }

            init(from decoder: any Decoder) throws { self.init("", .notLoaded, .notLoaded) }

            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Keys.self)
                try map.encode(title, forKey: .title)
                var relationships = map.nestedContainer(keyedBy: Keys.self, forKey: .relationships)
                try author.encode(to: relationships.superEncoder(forKey: .author))
                try teams.encode(to: relationships.superEncoder(forKey: .teams))
            }
        }
        let teams = ToMany<Team>(identifiers: [ResourceIdentifier(type: "teams", id: "2")])
        let (loaded, unloaded) = (Grouped("A", ToOne(id: "9"), teams), Grouped("A", .notLoaded, .notLoaded))
        #expect(Patch(from: loaded, to: unloaded).isEmpty)
        let edited = Grouped("A", ToOne(id: "8"), .notLoaded)
        #expect(try data(Patch(from: loaded, to: edited))?["relationships"] == ["author": ["data": ["type": "people", "id": "8"]]])
        let linked = try data(Patch(from: unloaded, to: loaded))?["relationships"]
        #expect(linked?["author"]?["data"]?["id"] == "9" && linked?["teams"]?["data"]?[0]?["id"] == "2")
    }

    @Test("A relationship that a model writes at a path is left out with an error, too")
    func leftOutAtPath() throws {
        struct Linkage: Codable, Sendable { var data: [ResourceIdentifier] }
        struct Placed: Resource {
            static let type = "notes"
            var id: String
            var tags: [ResourceIdentifier]
            init(_ tags: [ResourceIdentifier]) { (id, self.tags) = ("1", tags) }
            init(from decoder: any Decoder) throws { self.init([]) }
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                if !tags.isEmpty { try map.encode(Linkage(data: tags), forKey: .relationships("tags")) }
            }
        }
        let note = Placed([ResourceIdentifier(type: "tags", id: "1")])
        #expect(encodingFailure { _ = try encoder.encode(note.patch { $0.tags = [] }) }?.kind == .missingLinkage)
    }

    @Test("A reference in a wrapper that is not known is an error, and no attribute")
    func wrappedReference() throws {
        struct Logged<Value: Encodable & Sendable>: Encodable, Sendable {
            var value: Value
            func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
        }
        struct NewStory: ResourceFields {
            static let type = "articles"
            var author: Logged<ToOne<Writer>>
        }
        struct NewTeams: ResourceFields {
            static let type = "articles"
            var teams: Logged<ToMany<Team>>
        }
        for author in [ToOne<Writer>(id: "9"), .notLoaded] {
            #expect(encodingFailure { _ = try encoder.encode(Create(NewStory(author: Logged(value: author)))) }?.kind == .wrongPlace)
        }
        #expect(encodingFailure { _ = try encoder.encode(Create(NewTeams(teams: Logged(value: [])))) }?.kind == .wrongPlace)
        // At the path of a relationship, it is in its place.
        struct PlacedStory: ResourceFields {
            static let type = "articles"
            var author: Logged<ToOne<Writer>>
            enum CodingKeys: String, CodingKey { case author = "relationships.author" }
        }
        let created = try data(Create(PlacedStory(author: Logged(value: ToOne(id: "9")))))
        #expect(created?["relationships"] == ["author": ["data": ["type": "people", "id": "9"]]])
        var linked = ToOne<Writer>(id: "9")
        linked.links = ["self": "/1"]
        let again = try data(Create(PlacedStory(author: Logged(value: linked))))
        #expect(again == created)
    }

    @Test("A page of a relationship is not set as the whole of it")
    func pageAsWhole() throws {
        struct Box: Resource {
            static let type = "boxes"
            var id: String
            var items: ToMany<Team>
        }
        let text =
            #"{"data":{"type":"boxes","id":"1","relationships":{"items":{"links":{"next":"/b?page=2"},"#
            + #""data":[{"type":"teams","id":"1"}]}}}}"#
        let box = try decoder.decode(Box.self, from: Data(text.utf8))
        #expect(encodingFailure { _ = try encoder.encode(Patch<Box>(id: "1").set(\.items, box.items)) }?.kind == .missingLinkage)
        var whole = box.items
        whole.identifiers = box.items.identifiers
        let patch = try data(Patch<Box>(id: "1").set(\.items, whole))
        #expect(patch?["relationships"]?["items"] == ["data": [["type": "teams", "id": "1"]]])
    }

    @Test("With a base that has the UUIDs in lower case, an array of embedded resources is whole")
    func lowercaseBase() throws {
        struct Part: Resource {
            static let type = "parts"
            var id: UUID
        }
        struct Whole: Resource {
            static let type = "wholes"
            var id: String
            var parts: [Part]
        }
        let (first, second) = ("6f1c0f0a-9b1e-4c8e-8e0d-0123456789ab", "6f1c0f0a-9b1e-4c8e-8e0d-0123456789ac")
        let text = Data(
            """
            {"data":{"type":"wholes","id":"1","relationships":{"parts":{"data":[{"type":"parts","id":"\(first)","meta":{"k":1}}]}}},
            "included":[{"type":"parts","id":"\(first)"}]}
            """.utf8)
        let (old, base) = (try decoder.decode(Whole.self, from: text), try decoder.decode(ResourceObject.self, from: text))
        var new = old
        new.parts.append(Part(id: try #require(UUID(uuidString: second))))
        let linked = try data(Patch(from: old, to: new, base: base))?["relationships"]?["parts"]?["data"]
        #expect(linked?[0] == ["type": "parts", "id": .string(first), "meta": ["k": 1]])
        #expect(linked?[1]?["id"] == .string(second.uppercased()))
    }
}

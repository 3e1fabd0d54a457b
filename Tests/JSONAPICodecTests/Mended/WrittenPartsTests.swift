import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Parts of a resource that were written in the wrong place, or left out without a word.
@Suite struct WrittenPartsTests {
    private let decoder = JSONAPIDecoder()
    private let encoder = JSONAPIEncoder()

    private struct Version: Codable, Hashable, Sendable { var version: Int }
    private struct Editor: Codable, Hashable, Sendable { var editor: String }

    private func read<Model: Resource>(_ type: Model.Type, _ members: String) throws -> Model {
        try decoder.decode(type, from: Data(#"{"data":{"type":"\#(Model.type)","id":"1",\#(members)}}"#.utf8))
    }

    private func data(_ body: some DocumentBody) throws -> JSON? { try encoder.tree(body)["data"] }

    // MARK: - Meta

    private struct Edited: Resource {
        static let type = "articles"
        var id: String
        var version: ResourceMeta<Version>
        var editor: ResourceMeta<Editor>
    }

    @Test("Two properties for parts of meta are both written")
    func partsOfMeta() throws {
        var article = try read(Edited.self, #""meta":{"version":3,"editor":"x"}"#)
        #expect(try JSON(parsing: encoder.encode(article))["data"]?["meta"] == ["version": 3, "editor": "x"])
        #expect(try data(article.patch { $0.version.value.version = 4 })?["meta"] == ["version": 4, "editor": "x"])
        article.version.value.version = 4
        #expect(try data(Create(article))?["meta"] == ["version": 4, "editor": "x"])
    }

    @Test("Two properties with different values for one member of meta are an error")
    func differentMeta() throws {
        struct Twice: Resource {
            static let type = "articles"
            var id: String
            var first: ResourceMeta<Version>
            var second: ResourceMeta<Version>
        }
        func article(_ second: Int) -> Twice {
            Twice(id: "1", first: ResourceMeta(Version(version: 1)), second: ResourceMeta(Version(version: second)))
        }
        #expect(throws: Never.self) { try encoder.encode(article(1)) }
        // The second property has more of the same object.
        struct Inner: Codable, Hashable { var a: Int }
        struct Outer: Codable, Hashable { var info: Inner }
        struct Whole: Resource {
            static let type = "articles"
            var id: String
            var part: ResourceMeta<Outer>
            var all: ResourceMeta<JSONObject>
        }
        let whole = try read(Whole.self, #""meta":{"info":{"a":1,"b":2}}"#)
        #expect(try JSON(parsing: encoder.encode(whole))["data"]?["meta"] == ["info": ["a": 1, "b": 2]])
        let failure = encodingFailure { _ = try encoder.encode(article(2)) }
        #expect(failure?.kind == .duplicateName)
        #expect(failure?.pointer == JSONPointer("data", "meta", "version"))
    }

    @Test("Meta, links and a lid are written by the keys by which they are read")
    func explicitKeys() throws {
        struct Explicit: Resource {
            static let type = "articles"
            var id: String
            var version: ResourceMeta<Version>
            var links: ResourceLinks
            var lid: LocalID?

            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(String.self, forKey: .id)
                version = try map.decode(ResourceMeta<Version>.self, forKey: .meta)
                links = try map.decode(ResourceLinks.self, forKey: .links)
                lid = try map.decodeIfPresent(LocalID.self, forKey: .lid)
            }

            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encode(version, forKey: .meta)
                try map.encode(links, forKey: .links)
                try map.encode(lid, forKey: .lid)
            }
        }
        var article = try read(Explicit.self, #""meta":{"version":3},"links":{"self":"/1"}"#)
        let written = try JSON(parsing: encoder.encode(article))["data"]
        #expect(written?["meta"] == ["version": 3])
        #expect(written?["links"] == ["self": "/1"])
        article.lid = LocalID("a")
        #expect(try data(Create(article))?["lid"] == "a")
    }

    // MARK: - Relationships

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

    @Test("A model writes its id under a key of its own type, whatever its form is")
    func idUnderDynamicKey() throws {
        struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Item: Resource {
            static let type = "items"
            var id: UUID
            var name: String
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: AnyKey.self)
                try map.encode(id, forKey: AnyKey(stringValue: "id"))
                try map.encode(name, forKey: AnyKey(stringValue: "name"))
            }
        }
        #expect(try data(Create(Item(id: UUID(), name: "x"))) == ["type": "items", "attributes": ["name": "x"]])
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
        let box = try read(
            Box.self, #""relationships":{"items":{"links":{"next":"/b?page=2"},"data":[{"type":"teams","id":"1"}]}}"#)
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

    // MARK: - Names

    @Test("A dictionary of all attributes with a member called id is an error, unless that is the id")
    func idInDictionary() throws {
        struct Row: Resource {
            static let type = "rows"
            var id: String
            var columns: [String: JSON]
            init(_ columns: [String: JSON]) { (id, self.columns) = ("1", columns) }
            init(from decoder: any Decoder) throws { self.init([:]) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(columns)
            }
        }
        #expect(encodingFailure { _ = try encoder.encode(Row(["id": 7, "name": "x"])) }?.pointer == JSONPointer("data", "id"))
        #expect(try encoder.text(Row(["id": "1", "name": "x"])) == #"{"data":{"type":"rows","id":"1","attributes":{"name":"x"}}}"#)
        #expect(encodingFailure { _ = try encoder.encode(Create(Row(["id": "1"]))) }?.pointer == JSONPointer("data", "id"))
        struct Texts: ResourceFields {
            static let type = "rows"
            var columns: [String: String]
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(columns)
            }
        }
        #expect(encodingFailure { _ = try encoder.encode(Create(Texts(columns: ["id": "2"]), id: "1")) }?.kind == .wrongPlace)
    }

    /// A model that reads and writes its attributes in a container of their own.
    private struct Nested: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var subtitle: String?
        enum CodingKeys: CodingKey { case id, attributes }
        enum Fields: CodingKey { case title, subtitle }

        init(id: String, title: String) { (self.id, self.title) = (id, title) }

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            let fields = try map.nestedContainer(keyedBy: Fields.self, forKey: .attributes)
            title = try fields.decode(String.self, forKey: .title)
            subtitle = try fields.decodeIfPresent(String.self, forKey: .subtitle)
        }

        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: CodingKeys.self)
            var fields = map.nestedContainer(keyedBy: Fields.self, forKey: .attributes)
            try fields.encode(title, forKey: .title)
            try fields.encodeIfPresent(subtitle, forKey: .subtitle)
        }
    }

    @Test("Names in a container for all attributes are not taken for misspelled ones")
    func namesInContainer() throws {
        let article = Nested(id: "1", title: "A")
        #expect(try encoder.text(article, fields: ["articles": ["subtitle"]]) == #"{"data":{"type":"articles","id":"1"}}"#)
        #expect(try data(Create(article).omitting("subtitle"))?["attributes"] == ["title": "A"])
        #expect(try data(Patch<Nested>(id: "1").set("title", "New"))?["attributes"] == ["title": "New"])
        // A container by `Key` can have any name.
        struct Mixed: Resource {
            static let type = "articles"
            var id: String
            var author: Writer?
            enum CodingKeys: CodingKey { case id, attributes }
            func encode(to encoder: any Encoder) throws {
                var own = encoder.container(keyedBy: CodingKeys.self)
                var fields = own.nestedContainer(keyedBy: Nested.Fields.self, forKey: .attributes)
                try fields.encode("A", forKey: .title)
                var map = encoder.container(keyedBy: Key.self)
                if let author { try map.encode(author, forKey: .relationships("author")) }
            }
            init(id: String) { self.id = id }
            init(from decoder: any Decoder) throws { self.init(id: "") }
        }
        #expect(throws: Never.self) { try encoder.encode(Mixed(id: "1"), include: ["author"]) }
        // Other names are still checked.
        #expect(encodingFailure { _ = try encoder.encode(article, include: ["autor"]) }?.kind == .unknownName)
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var owner: ToOne<Writer>
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, owner, rest = "attributes" }
        }
        #expect(encodingFailure { _ = try encoder.encode(Patch<Spot>(id: "1").link("ownr", to: Writer(id: "1", firstName: "A"))) } != nil)
        #expect(encodingFailure { _ = try encoder.encode(Patch<Spot>(id: "1").setNull("owner")) } != nil)
    }

    // MARK: - Containers

    @Test("Another container than the first is an error, even if the model ignores it")
    func otherContainer() {
        struct Odd: Codable, Sendable {
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encode(1, forKey: Key("a"))
                var list = encoder.unkeyedContainer()
                try? list.encode(Version(version: 1))
            }
        }
        struct Holder: Resource {
            static let type = "holders"
            var id: String
            var odd: Odd
        }
        #expect(encodingFailure { _ = try encoder.encode(Holder(id: "1", odd: Odd())) }?.kind == .misuse)
    }

    // MARK: - Fields that clients must not write

    private class Item: Resource, @unchecked Sendable {
        class var type: String { "items" }
        let id: String
        var name: String
        init(id: String, name: String) { (self.id, self.name) = (id, name) }
    }

    private final class Score: Item, RestrictedFields, @unchecked Sendable {
        override class var type: String { "scores" }
        static let readOnlyFields = ["points"]
        var points = 5
        private enum CodingKeys: CodingKey { case points }
        override init(id: String, name: String) { super.init(id: id, name: name) }
        required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var map = encoder.container(keyedBy: CodingKeys.self)
            try map.encode(points, forKey: .points)
        }
    }

    @Test("The fields that clients must not write are those of the subclass")
    func restrictedSubclass() throws {
        let item: Item = Score(id: "1", name: "A")
        #expect(try data(Create(item)) == ["type": "scores", "attributes": ["name": "A"]])
        let patch = item.patch {
            $0.name = "B"
            ($0 as? Score)?.points = 6
        }
        #expect(try data(patch)?["attributes"] == ["name": "B"])
        let other: Item = Score(id: "1", name: "C")
        #expect(try data(Patch(from: Score(id: "1", name: "A") as Item, to: other))?["attributes"] == ["name": "C"])
    }

    // MARK: - Cost

    @Test("A patch is refused if it changes one of many paths that a model makes from data")
    func manyPaths() {
        struct Texts: Resource {
            static let type = "texts"
            var id: String
            var texts: [String: String]
            init(_ texts: [String: String]) { (id, self.texts) = ("1", texts) }
            init(from decoder: any Decoder) throws { self.init([:]) }
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                for (key, text) in texts { try map.encode(text, forKey: .attributes("i18n", key)) }
            }
        }
        let texts = Dictionary(uniqueKeysWithValues: (0..<10_000).map { ("k\($0)", "t") })
        // The other members of the attribute are not known.
        let patch = Texts(texts).patch { $0.texts["new"] = "t" }
        #expect(encodingFailure { _ = try encoder.encode(patch) }?.kind == .wrongPlace)
    }
}

import CodecTestSupport
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

    // MARK: - Names

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

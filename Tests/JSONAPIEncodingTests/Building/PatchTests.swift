import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Bodies of update requests.
@Suite struct PatchTests {
    private let encoder = JSONAPIEncoder()
    private let dan = Writer(id: "9", firstName: "Dan")

    private var story: Story {
        Story(
            id: "1", title: "T", subtitle: "S", author: ToOne(dan), editor: dan, comments: [Remark(id: "5", body: "b")],
            reviewers: [.person(dan)])
    }

    /// The attributes and relationships of a patch.
    private func changes(_ patch: Patch<some ResourceRepresentable>, _ encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> JSON {
        var members = try #require(encoder.tree(patch)["data"]?.object)
        #expect(members["type"] == "articles" && members["id"] == "1")
        members["type"] = nil
        members["id"] = nil
        return .object(members)
    }

    @Test("The patch of an unchanged value is empty")
    func unchanged() throws {
        #expect(story.patch { _ in }.isEmpty)
        #expect(story.patch { $0.title = "T" }.isEmpty)
        #expect(Patch(from: story, to: story).isEmpty)
        #expect(Patch<Story>(id: "1").isEmpty)
        #expect(try changes(story.patch { _ in }) == [:])
        #expect(try encoder.text(story.patch { _ in }) == #"{"data":{"type":"articles","id":"1"}}"#)
    }

    @Test("Only what differs is sent")
    func differences() throws {
        #expect(try changes(story.patch { $0.title = "N" }) == ["attributes": ["title": "N"]])
        #expect(try changes(story.patch { $0.subtitle = nil }) == ["attributes": ["subtitle": nil]])
        var bare = story
        bare.subtitle = nil
        #expect(try changes(Patch(from: bare, to: story)) == ["attributes": ["subtitle": "S"]])
        let eve: JSON = ["data": ["type": "people", "id": "2"]]
        #expect(try changes(story.patch { $0.author = ToOne(id: "2") }) == ["relationships": ["author": eve]])
        #expect(try changes(story.patch { $0.author = nil }) == ["relationships": ["author": ["data": nil]]])
        #expect(try changes(story.patch { $0.editor = Writer(id: "2", firstName: "E") }) == ["relationships": ["editor": eve]])
        #expect(try changes(story.patch { $0.editor = nil }) == ["relationships": ["editor": ["data": nil]]])
        #expect(try changes(story.patch { $0.comments = [] }) == ["relationships": ["comments": ["data": []]]])
        #expect(try changes(story.patch { $0.reviewers = .empty }) == ["relationships": ["reviewers": ["data": []]]])
        #expect(
            try changes(story.patch { $0.reviewers.append(.team(Team(id: "3", name: "R"))) }) == [
                "relationships": ["reviewers": ["data": [["type": "people", "id": "9"], ["type": "teams", "id": "3"]]]]
            ])
        // A change inside a related resource is not part of the patch.
        let inside = story.patch {
            $0.editor?.firstName = "Daniel"
            $0.comments[0].body = "other"
        }
        #expect(inside.isEmpty)
    }

    @Test("A relationship that is not loaded is never part of a patch")
    func unloaded() throws {
        #expect(story.patch { $0.author = .notLoaded }.isEmpty)
        #expect(story.patch { $0.reviewers = .notLoaded }.isEmpty)
        var bare = story
        bare.author = .notLoaded
        #expect(try changes(bare.patch { $0.title = "N" }) == ["attributes": ["title": "N"]])
        #expect(try changes(bare.patch { $0.author = nil }) == ["relationships": ["author": ["data": nil]]])
        var links = story
        let text = #"""
            {"data":{"type":"articles","id":"1","attributes":{"title":"T"},"relationships":{
              "author":{"links":{"self":"/a"}},"comments":{"data":[]}}}}
            """#
        links = try JSONAPIDecoder().decode(Story.self, from: Data(text.utf8))
        #expect(links.patch { _ in }.isEmpty)
        #expect(try changes(links.patch { $0.author = ToOne(id: "9") }, encoder)["relationships"]?["author"]?["data"]?["id"] == "9")
    }

    @Test("Members with dotted and hand-written keys can be cleared")
    func dottedKeys() throws {
        struct Page: Resource {
            static let type = "articles"
            var id: String
            var city: String?
            var owner: Writer?
            var plain: Writer?
            enum CodingKeys: String, CodingKey { case id, city = "address.city", owner = "relationships.holder", plain }
        }
        let page = Page(id: "1", city: "C", owner: dan, plain: dan)
        let none = Page(id: "1")
        let base = ResourceObject(type: "articles", id: "1", attributes: ["address": ["city": "C", "zip": "Z"]])
        #expect(
            try changes(Patch(from: page, to: none, base: base)) == [
                "attributes": ["address": ["city": nil, "zip": "Z"]],
                "relationships": ["holder": ["data": nil], "plain": ["data": nil]],
            ])
        struct Manual: Resource {
            static let type = "articles"
            var id: String
            var owner: Writer?
            init(owner: Writer?) { (id, self.owner) = ("1", owner) }
            init(from decoder: any Decoder) throws { self.init(owner: nil) }
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encodeIfPresent(owner, forKey: .relationships("holder"))
            }
        }
        #expect(try changes(Manual(owner: dan).patch { $0.owner = nil }) == ["relationships": ["holder": ["data": nil]]])
    }

    @Test("Set, null, link, unlink, and omit by name")
    func byName() throws {
        let patch = Patch<Story>(id: "1").set("title", "New").setNull("subtitle").link("author", to: dan)
        #expect(
            try encoder.text(patch)
                == #"{"data":{"type":"articles","id":"1","attributes":{"title":"New","subtitle":null},"relationships":{"author":{"data":"#
                + #"{"type":"people","id":"9"}}}}}"#)
        #expect(!patch.isEmpty)
        let links = Patch(type: "articles", id: "1").unlink("a").link("b", to: []).link("c", to: [dan]).link(
            "d", to: Identifier<Writer>("9")
        )
        .link("e", to: ResourceIdentifier(type: "x", id: "1")).link("f", to: [ResourceIdentifier(type: "x", lid: "l")])
        let dan: JSON = ["type": "people", "id": "9"]
        #expect(
            try changes(links) == [
                "relationships": [
                    "a": ["data": nil], "b": ["data": []], "c": ["data": [dan]], "d": ["data": dan],
                    "e": ["data": ["type": "x", "id": "1"]], "f": ["data": [["type": "x", "lid": "l"]]],
                ]
            ])
        #expect(try changes(patch.set("title", "Last").omitting("subtitle", "author")) == ["attributes": ["title": "Last"]])
        #expect(patch.omitting("title", "subtitle", "author").isEmpty)
        #expect(
            try changes(story.patch { $0.title = "A" }.set("title", "B").setNull("subtitle"))
                == ["attributes": ["title": "B", "subtitle": nil]])
        let when = Date(timeIntervalSince1970: 0)
        #expect(
            try changes(Patch(type: "articles", id: "1").set("at", when).set("tags", ["a"]).set("none", String?.none)) == [
                "attributes": ["at": "1970-01-01T00:00:00Z", "tags": ["a"], "none": nil]
            ])
    }

    @Test("Without a model, and with fields")
    func raw() throws {
        #expect(try encoder.text(Patch(type: "a", id: "1")) == #"{"data":{"type":"a","id":"1"}}"#)
        #expect(Patch(type: "a", id: "1").isEmpty)
        #expect(
            try encoder.text(Patch(type: "a", id: "1", attributes: [:], relationships: [], meta: ["m": 1]))
                == #"{"data":{"type":"a","id":"1","attributes":{},"relationships":{},"meta":{"m":1}}}"#)
        #expect(
            try Patch<Story>(ResourceIdentifier(type: "a", lid: "l")).setNull("subtitle").object().json
                == ["type": "a", "lid": "l", "attributes": ["subtitle": nil]])
        let object = try #require(ResourceObject(json: ["type": "articles", "id": "1", "attributes": ["a": 1, "b": 2], "x:y": 1]))
        var changed = object
        changed[attribute: "a"] = nil
        changed[attribute: "c"] = 3
        #expect(try changes(Patch(from: object, to: changed)) == ["attributes": ["c": 3, "a": nil]])
    }

    @Test("Several patches in one body")
    func arrays() throws {
        #expect(
            try encoder.text([Patch(type: "a", id: "1"), Patch(type: "a", id: "2", attributes: ["x": 1])])
                == #"{"data":[{"type":"a","id":"1"},{"type":"a","id":"2","attributes":{"x":1}}]}"#)
    }

    @Test(
        "An invalid patch is an error with its kind and place",
        arguments: [
            (Patch<Writer>(from: Writer(id: "1", firstName: ""), to: Writer(id: "2", firstName: "")), .missingIdentity, "/data"),
            (Patch<Writer>(id: ""), .missingIdentity, "/data/id"),
            (Patch<Writer>(ResourceIdentifier(type: "", id: "1")), .missingIdentity, "/data"),
            (Patch<Writer>(id: "1").set("id", 1), .illegalName, "/data/attributes/id"),
            (Patch<Writer>(id: "1").set("twitter", 1).unlink("twitter"), .unknownName, "/data"),
            (Patch<Writer>(id: "1").set("twitter", Double.nan), .notRepresentable, "/data/attributes/twitter"),
            (Patch<Writer>(id: "1").set("twitter", ["k": [Double.nan]]), .notRepresentable, "/data/attributes/twitter/k/0"),
            (Patch<Writer>(id: "1").set("twitter", ToOne<Writer>(id: "9")), .wrongPlace, "/data/attributes/twitter"),
        ] as [(Patch<Writer>, EncodingFailure.Kind, String)])
    func refused(_ patch: Patch<Writer>, _ kind: EncodingFailure.Kind, _ pointer: String) throws {
        let failure = encodingFailure { _ = try encoder.encode(patch) }
        #expect(failure?.kind == kind)
        #expect(failure.map { "\($0.pointer)" } == pointer)
        #expect(!patch.isEmpty || pointer == "/data/id" || pointer == "/data")
        if pointer.count > 8 || pointer == "/data" {
            let sameAsObject = encodingFailure { _ = try patch.object() }
            #expect(sameAsObject == nil || sameAsObject?.kind == kind)
        }
    }

    @Test("A patch between two resources, or without an identity, is an encoding error")
    func twoResources() throws {
        #expect(throws: EncodingError.self) { try Patch(from: dan, to: Writer(id: "8", firstName: "")).object() }
        #expect(throws: EncodingError.self) { try CreateTests.Draft(title: "T").patch { $0.title = "U" }.object() }
        #expect(
            encodingFailure { _ = try encoder.encode(CreateTests.Draft(title: "T").patch { $0.title = "U" }) }?.kind == .missingIdentity)
        let lids = CreateTests.Draft(name: "l", title: "T").patch { $0.title = "U" }
        #expect(try lids.object().json == ["type": "drafts", "lid": "l", "attributes": ["title": "U"]])
    }

    @Test("A patch with a lid alone is an error as a body of its own, because only an earlier operation can have created the resource")
    func lidInPlaceOfID() throws {
        let patch = Patch<Story>(ResourceIdentifier(type: "articles", lid: "l")).setNull("subtitle")
        let failure = encodingFailure { _ = try encoder.encode(patch) }
        #expect(failure?.kind == .missingIdentity && failure.map { "\($0.pointer)" } == "/data")
        let several = encodingFailure { _ = try encoder.encode([patch]) }
        #expect(several?.kind == .missingIdentity && several.map { "\($0.pointer)" } == "/data/0")
        var operations = AtomicOperations()
        operations.add(ResourceObject(type: "articles", id: nil, lid: "l"))
        operations.update(patch)
        #expect(try encoder.tree(operations)["atomic:operations"]?[1]?["data"] == patch.object().json)
    }

    @Test("The patch of a model follows the encoder's strategies")
    func strategies() throws {
        struct Post: Resource {
            static let type = "articles"
            var id: String
            var publishedAt: Date?
            var leadAuthor: ToOne<Writer>
        }
        var kebab = encoder
        kebab.keyStrategy = .kebabCase
        kebab.dateEncodingStrategy = .secondsSince1970
        let post = Post(id: "1", publishedAt: nil, leadAuthor: nil)
        let patch = post.patch {
            $0.publishedAt = Date(timeIntervalSince1970: 5)
            $0.leadAuthor = ToOne(id: "9")
        }
        #expect(
            try changes(patch, kebab) == [
                "attributes": ["published-at": 5], "relationships": ["lead-author": ["data": ["type": "people", "id": "9"]]],
            ])
    }

    @Test("Patches compare numbers by value and text by bytes")
    func fineDifferences() throws {
        #expect(try changes(story.patch { $0.title = "e\u{301}" }) == ["attributes": ["title": "e\u{301}"]])
        var composed = story
        composed.title = "\u{E9}"
        #expect(!composed.patch { $0.title = "e\u{301}" }.isEmpty)
    }
}

/// Names given as text, and properties given by key path.
@Suite("Names given by text and by key path")
struct GivenNamesTests {
    private let encoder = JSONAPIEncoder()
    private let dan = Writer(id: "9", firstName: "Dan")

    private enum Status: String, Codable, CaseIterable, Sendable { case draft, published }
    private struct Place: Codable, Sendable, Equatable { var city: String }
    private struct Post: Resource {
        static let type = "posts"
        var id: Int
        var headline: String
        var teaser: String?
        var views: Int
        var isPinned: Bool
        var createdAt: Date
        var status: Status
        var place: Place
        var tags: [String]
        var city: String?
        var author: ToOne<Writer>
        var editor: Writer?
        var remarks: [Remark]
        var shout: String { headline.uppercased() }
        var both: String { headline + (teaser ?? "") }
        enum CodingKeys: String, CodingKey {
            case id, headline = "title", teaser = "sub-title", views, isPinned, createdAt, status, place, tags, author, editor
            case city = "attributes.address.city"
            case remarks = "comments"
        }
    }
    private enum Mood: String, Codable, Sendable { case good, bad }
    private struct Moody: Resource {
        static let type = "moody"
        var id: String
        var title: String
        var mood: Mood
    }

    private func changes(_ patch: Patch<Post>) throws -> JSON? { try encoder.tree(patch)["data"] }

    @Test("A property is set by its key path, under its coding key")
    func setByKeyPath() throws {
        let date = Date(timeIntervalSince1970: 0)
        let patch = Patch<Post>(id: 1).set(\.headline, "New").setNull(\.teaser).set(\.views, 7).set(\.isPinned, true).set(\.createdAt, date)
            .set(\.status, .published).set(\.place, Place(city: "Oslo")).set(\.tags, ["a"]).set(\.author, ToOne(id: "9")).setNull(\.editor)
            .set(\.remarks, [])
        #expect(
            try changes(patch) == [
                "type": "posts", "id": "1",
                "attributes": [
                    "title": "New", "sub-title": nil, "views": 7, "isPinned": true, "createdAt": "1970-01-01T00:00:00Z",
                    "status": "published", "place": ["city": "Oslo"], "tags": ["a"],
                ],
                "relationships": [
                    "author": ["data": ["type": "people", "id": "9"]], "editor": ["data": nil], "comments": ["data": []],
                ],
            ])
        // A computed property stands for the stored property that it depends on.
        #expect(try changes(Patch<Post>(id: 1).set(\.shout, "X"))?["attributes"] == ["title": "X"])
        #expect(try changes(Patch<Post>(id: 1).set("views", 1).set(\.headline, "N").omitting(\.views))?["attributes"] == ["title": "N"])
    }

    @Test("A key path without a coding key is an error with its reason")
    func unknownKeyPaths() throws {
        for patch in [Patch<Post>(id: 1).set(\.both, "X"), Patch<Post>(id: 1).set(\.id, 2), Patch<Post>(id: 1).set(\.city, "Oslo")] {
            #expect(encodingFailure { _ = try encoder.encode(patch) } != nil)
        }
        let failure = try #require(encodingFailure { _ = try encoder.encode(Patch<Moody>(id: "1").set(\.title, "X")) })
        #expect(failure.kind == .unknownName && failure.found.contains("Mood") && failure.advice?.contains("CaseIterable") == true)
    }

    @Test("A key path to a part of an attribute changes the known attribute")
    func partsByKeyPath() throws {
        #expect(
            try changes(Patch<Post>(id: 1).set("address", ["zip": "0150"]).set(\.city, "Oslo"))?["attributes"] == [
                "address": ["zip": "0150", "city": "Oslo"]
            ])
    }

    @Test("A set of resources is an attribute, and not a relationship")
    func setOfResources() throws {
        struct Member: Resource, Hashable {
            static let type = "people"
            var id: String
        }
        struct Team: Resource {
            static let type = "articles"
            var id: String
            var people: Set<Member>
        }
        let one = Member(id: "1")
        #expect(try encoder.tree(Team(id: "1", people: []).patch { $0.people = [one] })["data"]?["attributes"] == ["people": [["id": "1"]]])
        #expect(try encoder.tree(Patch<Team>(id: "1").set("people", [one]))["data"]?["attributes"] == ["people": [["id": "1"]]])
        #expect(encodingFailure { _ = try encoder.encode(Patch<Team>(id: "1").link("people", to: [one])) }?.kind == .unknownName)
    }

    @Test("A misspelled name is an error that suggests the nearest")
    func misspeltNames() throws {
        for patch in [
            Patch<Post>(id: 1).set("titel", "X"), Patch<Post>(id: 1).setNull("titel"), Patch<Post>(id: 1).link("titel", to: dan),
            Patch<Post>(id: 1).omitting("titel"), Patch<Post>(id: 1).unlink("titel"),
        ] {
            let failure = try #require(encodingFailure { _ = try encoder.encode(patch) })
            #expect(failure.kind == .unknownName && failure.advice?.contains("`title`") == true)
        }
        // The name of an attribute that the model knows only in part.
        #expect(try changes(Patch<Post>(id: 1).set("address", ["city": "Oslo"]))?["attributes"] == ["address": ["city": "Oslo"]])
        // A model whose names cannot be determined accepts any name, and so do raw resources.
        #expect(!Patch<Moody>(id: "1").set("whatever", 1).isEmpty)
        #expect(!Patch(type: "x", id: "1").set("whatever", 1).isEmpty)
        var kebab = JSONAPIEncoder()
        kebab.keyStrategy = .kebabCase
        #expect(try kebab.tree(Patch<Post>(id: 1).set("created-at", "x"))["data"]?["attributes"] == ["created-at": "x"])
        #expect(encodingFailure { _ = try kebab.encode(Patch<Post>(id: 1).set("created-et", "x")) } != nil)
        #expect(try kebab.tree(Patch<Post>(id: 1).set(\.isPinned, true))["data"]?["attributes"] == ["is-pinned": true])
    }

    @Test("Misspelled include paths, fields, and omitted names are errors that suggest the nearest")
    func misspeltPaths() throws {
        let story = Story(id: "1", title: "T", author: ToOne(dan), comments: [Remark(id: "5", body: "b", author: dan)])
        let wrong: [() throws -> Data] = [
            { try encoder.encode(story, include: ["autor"]) }, { try encoder.encode([story], include: ["author", "comments.autor"]) },
            { try encoder.encode(story, include: .none, fields: ["articles": ["title", "autor"]]) },
            { try encoder.encode(Create(story).omitting("autor")) },
        ]
        for encode in wrong {
            let failure = try #require(encodingFailure { _ = try encode() })
            #expect(failure.kind == .unknownName && failure.advice?.contains("`author`") == true)
        }
        // Nil and absent values do not make a name invalid.
        let bare = Story(id: "1", title: "T", author: .notLoaded)
        #expect(throws: Never.self) {
            try encoder.encode(bare, include: ["editor", "reviewers", "author"], fields: ["people": ["nobody"]])
        }
        #expect(throws: Never.self) { try encoder.encode([Story](), include: ["nobody"]) }
        #expect(throws: Never.self) { try encoder.encode(Create(bare).omitting("subtitle", "editor")) }
    }

    @Test("An invalid link is an error with its kind and place")
    func refusedLinks() throws {
        let wrong: [(any DocumentBody, EncodingFailure.Kind, String)] = [
            (Patch(type: "x", id: "1").set("a", 1).unlink("a"), .duplicateName, "/data/relationships/a"),
            (
                Patch<Story>(id: "1").link("author", to: ResourceIdentifier(type: "x", id: "")), .missingIdentity,
                "/data/relationships/author/data"
            ),
            (Patch<Story>(id: "1").link("author", to: CreateTests.Draft(title: "T")), .missingLinkage, "/data/relationships/author"),
            (
                Patch<Story>(id: "1").link("reviewers", to: [CreateTests.Draft(title: "T")]), .missingLinkage,
                "/data/relationships/reviewers"
            ),
        ]
        for (patch, kind, pointer) in wrong {
            let failure = encodingFailure { _ = try encoder.encode(patch) }
            #expect(failure?.kind == kind && failure.map { "\($0.pointer)" } == pointer)
        }
    }

    @Test("A to-one relationship is not linked to many resources by name, and a to-many relationship is not cleared by null")
    func numbersOfResources() throws {
        let patch = Patch<Story>(id: "1")
        let wrong = [
            patch.unlink("comments"), patch.unlink("reviewers"), patch.link("reviewers", to: dan), patch.link("author", to: [dan]),
            patch.link("editor", to: [ResourceIdentifier(type: "people", id: "9")]),
        ]
        for patch in wrong { #expect(encodingFailure { _ = try encoder.encode(patch) }?.kind == .unknownName) }
        let right = [patch.unlink("author"), patch.unlink("editor"), patch.link("reviewers", to: [dan]), patch.link("editor", to: dan)]
        for patch in right { #expect(throws: Never.self) { try encoder.encode(patch) } }
    }

    private enum Piece: ResourceUnion {
        case story(Story), unknown(ResourceObject)
        static let members: [UnionMember<Piece>] = [.init(Piece.story)]
        var resource: any ResourceRepresentable {
            switch self {
            case .story(let story): story
            case .unknown(let object): object
            }
        }
    }

    @Test("Names in the patch of a union are those of the model inside")
    func namesInUnions() throws {
        let story = Story(id: "1", title: "T", author: ToOne(dan))
        var edited = story
        edited.title = "N"
        let patch = Patch(from: Piece.story(story), to: Piece.story(edited))
        let named = Patch<Piece>(ResourceIdentifier(type: "articles", id: "1"))
        let wrong = [
            patch.omitting("titel"), patch.set("titel", "X"), named.set("titel", "X"), named.omitting("titel"), named.unlink("reviewers"),
            named.link("reviewers", to: dan), named.set("author", "9"), named.link("title", to: dan),
        ]
        for patch in wrong { #expect(encodingFailure { _ = try encoder.encode(patch) }?.kind == .unknownName) }
        #expect(patch.omitting("title").isEmpty)
        #expect(try named.set("title", "X").unlink("author").link("reviewers", to: [dan]).object().relationships?.members.count == 2)
        // The model of another type is not known.
        #expect(!Patch<Piece>(ResourceIdentifier(type: "notes", id: "1")).set("titel", "X").isEmpty)
        let raw = ResourceObject(type: "notes", id: "1", attributes: ["titel": "X"])
        #expect(Patch(from: Piece.unknown(raw), to: Piece.unknown(raw)).omitting("titel").isEmpty)
    }

    private class Record: Resource, @unchecked Sendable {
        class var type: String { "records" }
        let id: String
        var title: String
        var author: ToOne<Writer> = .notLoaded
        init(id: String, title: String) { (self.id, self.title) = (id, title) }
    }
    private final class Tape: Record, @unchecked Sendable {
        var length: Int?
        var authors: ToMany<Writer> = .notLoaded
        enum CodingKeys: CodingKey { case length, authors }
        override init(id: String, title: String) { super.init(id: id, title: title) }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            length = try container.decodeIfPresent(Int.self, forKey: .length)
            authors = try container.decode(ToMany<Writer>.self, forKey: .authors)
            try super.init(from: decoder)
        }
        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeIfPresent(length, forKey: .length)
            try container.encode(authors, forKey: .authors)
        }
    }

    @Test("Names for an object of a subclass are also those of its own properties")
    func namesOfSubclasses() throws {
        let tape = Tape(id: "1", title: "T")
        let record: Record = tape
        let patch = record.patch {
            $0.title = "N"
            ($0 as? Tape)?.length = 7
        }
        #expect(try patch.omitting("length").object().attributes == ["title": "N"])
        #expect(try patch.set("length", 8).link("authors", to: [dan]).object().attributes == ["title": "N", "length": 8])
        for wrong in [patch.omitting("lenght"), patch.link("authors", to: dan)] {
            #expect(encodingFailure { _ = try encoder.encode(wrong) }?.kind == .unknownName)
        }
        let person = ResourceIdentifier(type: "people", id: "9")
        func failure(_ name: String) -> EncodingFailure? {
            var operations = AtomicOperations()
            operations.add(record, linking: [name: person])
            return encodingFailure { _ = try encoder.encode(operations) }
        }
        for name in ["author", "authors", "other"] { #expect(failure(name) == nil, "\(name)") }
        for name in ["authr", "autors"] { #expect(failure(name)?.kind == .unknownName, "\(name)") }
        var operations = AtomicOperations()
        operations.add(tape, linking: ["author": person])
        #expect(throws: Never.self) { try encoder.encode(operations) }
    }

    @Test("An attribute is not linked by name, and a relationship is not set")
    func kindsOfNames() throws {
        for name in ["author", "editor", "comments", "reviewers"] {
            let failure = encodingFailure { _ = try encoder.encode(Patch<Story>(id: "1").set(name, "9")) }
            #expect(failure?.kind == .unknownName && failure?.advice?.contains("link") == true, "\(name)")
        }
        for name in ["title", "subtitle"] {
            let failure = encodingFailure { _ = try encoder.encode(Patch<Story>(id: "1").link(name, to: dan)) }
            #expect(failure?.kind == .unknownName && failure?.advice?.contains("set") == true, "\(name)")
        }
        let legal = Patch<Story>(id: "1").set("title", "N").setNull("subtitle").link("author", to: dan).unlink("editor")
        #expect(try legal.object().relationships?.members.count == 2)
        struct Place: Resource {
            static let type = "places"
            var id: String
            var city: String?
            var owner: JSON?
            enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", owner = "relationships.owner.meta" }
        }
        #expect(encodingFailure { _ = try encoder.encode(Patch<Place>(id: "1").unlink("place")) } != nil)
        #expect(encodingFailure { _ = try encoder.encode(Patch<Place>(id: "1").setNull("owner")) } != nil)
        #expect(try Patch<Place>(id: "1").unlink("owner").object()[relationship: "owner"]?.data == .null)
    }

    @Test("Attributes of a raw resource that are no object have no members", arguments: [[1] as JSON, ["a", 2, "b", 3], "a", nil])
    func attributesOfAnotherKind(_ json: JSON) throws {
        let object = ResourceObject(members: ["type": "x", "id": "1", "attributes": ["a": 1]])
        let other = ResourceObject(members: ["type": "x", "id": "1", "attributes": json])
        #expect(try Patch(from: object, to: other).object().attributes == ["a": nil])
        #expect(try Patch(from: other, to: object).object().attributes == ["a": 1])
        #expect(Patch(from: other, to: other).isEmpty)
    }

    @Test("Of repeated names in a raw resource, the last one counts")
    func repeatedNames() throws {
        func attributes(_ old: JSONObject, _ new: JSONObject) throws -> JSONObject? {
            let (old, new) = (
                ResourceObject(type: "x", id: "1", attributes: old), ResourceObject(type: "x", id: "1", attributes: new)
            )
            return try Patch(from: old, to: new).object().attributes
        }
        #expect(try attributes(["a": 1, "b": 2], ["a": 1, "a": 3]) == ["a": 3, "b": nil])
        #expect(try attributes(["a": 1, "a": 2], ["a": 2]) == nil)
        #expect(try attributes(["a": 2], ["a": 1, "a": 2]) == nil)
        #expect(try attributes(["a": 1, "a": 3], ["a": 2, "a": 3]) == nil)
        #expect(try attributes(["a": 1, "a": 3], ["a": 1, "a": 4]) == ["a": 4])
    }
}

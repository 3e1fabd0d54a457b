import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Everything that models contain and refer to is encoded, with any kinds of properties and types.
@Suite struct PreservationTests {
    private let encoder = JSONAPIEncoder()
    private let decoder = JSONAPIDecoder()

    // MARK: - Related resources

    @Test("Meta set on an identifier of a ToMany keeps the resource that it holds")
    func heldWithMeta() throws {
        var story = Story(id: "1", title: "T", author: .notLoaded)
        story.reviewers = [.person(Writer(id: "9", firstName: "Ann"))]
        story.reviewers.identifiers?[0].meta = ["role": "lead"]
        #expect(story.reviewers.values.count == 1)
        let document = try JSON(parsing: encoder.encode(story))
        #expect(document["included"]?.array?.map { $0["id"]?.string } == ["9"])
        #expect(document["data"]?["relationships"]?["reviewers"]?["data"]?.array?.first?["meta"]?["role"] == "lead")
    }

    struct Bare: Resource {
        static let type = "articles"
        var id: String
        var author: RelationshipObject
        var editor: ResourceIdentifier?
        var comments: [ResourceIdentifier]
    }

    private static let compound = """
        {"data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"1"}},\
        "editor":{"data":{"type":"people","id":"2"}},"comments":{"data":[{"type":"comments","id":"3"}]}}}],\
        "included":[{"type":"people","id":"1","attributes":{"name":"A"}},{"type":"people","id":"2","attributes":{"name":"B"}},\
        {"type":"comments","id":"3","attributes":{"body":"C"}}]}
        """

    @Test("A document with models that keep only linkage is encoded with the linked resources")
    func bareLinkage() throws {
        let document = try decoder.decode(Document<[Bare]>.self, from: Data(Self.compound.utf8))
        #expect(String(decoding: try encoder.encode(document), as: UTF8.self) == Self.compound)
        let partial = try JSON(parsing: encoder.encode(document, include: ["comments"]))
        #expect(partial["included"]?.array?.map { $0["type"]?.string } == ["comments"])
    }

    @Test("An include path through an omitted to-many relationship includes its resources")
    func includeWithoutField() throws {
        let story = Story(
            id: "1", title: "T", author: ToOne(Writer(id: "8", firstName: "Eve")), comments: [Remark(id: "3", body: "C")],
            reviewers: [.team(Team(id: "5", name: "Red"))])
        let document = try JSON(
            parsing: encoder.encode(story, include: ["comments", "reviewers", "author"], fields: ["articles": ["title"]]))
        #expect(document["data"]?["relationships"] == nil)
        #expect(Set(document["included"]?.array?.compactMap { $0["id"]?.string } ?? []) == ["3", "5", "8"])
        let read = try decoder.decode(Document<[Bare]>.self, from: Data(Self.compound.utf8))
        let bare = try JSON(parsing: encoder.encode(read, include: ["comments"], fields: ["articles": []]))
        #expect(bare["included"]?.array?.map { $0["type"]?.string } == ["comments"])
    }

    @Test("An id and a lid with the same text are two resources")
    func idsAndLids() throws {
        struct Node: Resource {
            static let type = "nodes"
            var id: String?
            var lid: LocalID?
            var near: [Node]?
        }
        let node = Node(id: "0", near: [Node(id: "1"), Node(id: nil, lid: "1"), Node(id: "1"), Node(id: nil, lid: "1")])
        let included = try JSON(parsing: encoder.encode(node))["included"]?.array
        #expect(included?.count == 2)
        #expect(included?.compactMap { $0["lid"]?.string } == ["1"])
    }

    // MARK: - Types

    class Animal: Resource, @unchecked Sendable {
        class var type: String { "animals" }
        var id: String
        var name: String
        init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    final class Dog: Animal, @unchecked Sendable {
        override class var type: String { "dogs" }
    }

    struct Shelter: Resource {
        static let type = "shelters"
        var id: String
        var animals: [Animal]
    }

    @Test("A subclass with its own type is encoded with that type")
    func subclasses() throws {
        let shelter = Shelter(id: "1", animals: [Animal(id: "1", name: "Cat"), Dog(id: "1", name: "Rex")])
        let document = try JSON(parsing: encoder.encode(shelter))
        #expect(document["included"]?.array?.map { $0["type"]?.string } == ["animals", "dogs"])
        let animals: [Animal] = [Dog(id: "2", name: "Rex")]
        #expect(try JSON(parsing: encoder.encode(animals))["data"]?.array?.first?["type"] == "dogs")
        #expect(try encoder.tree(Create(animals[0]))["data"]?["type"] == "dogs")
        var operations = AtomicOperations()
        #expect(operations.add(animals[0]).type == "dogs")
    }

    // MARK: - Equal values

    struct Tagged: Resource {
        static let type = "tagged"
        var id: String
        var tags: Set<String>
        var counts: [String: Int]
        var nested: [String: Set<Int>] = [:]
        var others: [Tagged] = []
    }

    private func tagged(_ order: [Int], _ capacity: Int, title: Int = 0) -> Tagged {
        var made = Tagged(id: "1", tags: Set(minimumCapacity: capacity), counts: Dictionary(minimumCapacity: capacity))
        for number in order {
            made.tags.insert("t\(number)")
            made.counts["c\(number)"] = number + title
            made.nested["n\(number % 7)", default: []].insert(number)
        }
        return made
    }

    @Test("Equal sets and dictionaries are not a change or a conflict")
    func setsAndDictionaries() throws {
        let one = tagged(Array(0..<60), 0)
        let other = tagged((0..<60).reversed(), 5000)
        #expect(Patch(from: one, to: other).isEmpty)
        #expect(!Patch(from: one, to: tagged(Array(0..<60), 0, title: 1)).isEmpty)
        let parent = Tagged(id: "0", tags: [], counts: [:], others: [one, other])
        #expect(try JSON(parsing: encoder.encode(parent))["included"]?.array?.count == 1)
        let conflicting = Tagged(id: "0", tags: [], counts: [:], others: [one, tagged(Array(0..<59), 0)])
        #expect(encodingFailure { _ = try encoder.encode(conflicting) }?.kind == .duplicateResource)
    }

    struct Boxes: Resource {
        static let type = "boxes"
        var id = "1"
        var labels: Set<[String: Int]> = []
        var prices: [[String: Int]: [String: Int]] = [:]

        init(_ order: [Int], _ capacity: Int) {
            for box in 0..<4 {
                var counts = [String: Int](minimumCapacity: capacity)
                for number in order { counts["k\(number)"] = number + box }
                labels.insert(counts)
                prices[counts] = counts
            }
        }
    }

    @Test("Equal sets of dictionaries are no change, and have the same text")
    func setsOfDictionaries() throws {
        let (one, other) = (Boxes(Array(0..<40), 0), Boxes((0..<40).reversed(), 5000))
        #expect(Patch(from: one, to: other).isEmpty)
        #expect(try encoder.encode(one) == encoder.encode(other))
    }

    @Test("Equal sets are encoded to the same text")
    func setOrder() throws {
        let first = try encoder.json(tagged(Array(0..<60), 0).tags)
        let second = try encoder.json(tagged((0..<60).reversed(), 5000).tags)
        #expect(first == second)
        #expect(first.array?.count == 60)
        #expect(try encoder.json(Set<Int>()) == [])
    }

    // MARK: - Objects

    final class Note: Resource, @unchecked Sendable {
        static let type = "notes"
        let id: String
        var title: String
        var text: String?
        init(id: String, title: String, text: String?) {
            self.id = id
            self.title = title
            self.text = text
        }
    }

    @Test("A patch of an object sends what the closure changed; the object keeps the changes")
    func objectPatch() throws {
        let note = Note(id: "1", title: "Old", text: "text")
        let patch = note.patch {
            $0.title = "New"
            $0.text = nil
        }
        #expect(note.title == "New")
        #expect(!patch.isEmpty)
        #expect(try encoder.text(patch) == #"{"data":{"type":"notes","id":"1","attributes":{"title":"New","text":null}}}"#)
        note.title = "Newer"
        #expect(try encoder.text(patch).contains(#""New""#))
        #expect(note.patch { _ in }.isEmpty)
        let failure = encodingFailure { _ = try encoder.encode(Patch(from: note, to: note)) }
        #expect(failure?.kind == .misuse)
    }

    private enum Paper: ResourceUnion {
        case note(Note), unknown(ResourceObject)
        static let members: [UnionMember<Paper>] = [.init(Paper.note)]
        var resource: any ResourceRepresentable {
            switch self {
            case .note(let note): note
            case .unknown(let object): object
            }
        }
    }

    @Test("Two unions around one object are refused as two values of a resource")
    func objectInUnions() throws {
        let note = Note(id: "1", title: "Old", text: "text")
        let (old, new) = (Paper.note(note), Paper.note(note))
        note.title = "New"
        let patch = Patch(from: old, to: new)
        #expect(encodingFailure { _ = try encoder.encode(patch) }?.kind == .misuse)
        #expect(!patch.isEmpty)
        let other = Paper.note(Note(id: "1", title: "Other", text: "text"))
        #expect(try Patch(from: old, to: other).object().attributes == ["title": "Other"])
        let raw = Paper.unknown(ResourceObject(type: "notes", id: "1", attributes: ["title": "New", "text": "text"]))
        #expect(Patch(from: old, to: raw).isEmpty && Patch(from: raw, to: raw).isEmpty)
    }

    // MARK: - Limits

    @Test("Requests omit links, and the meta of relationships")
    func requestLinks() throws {
        struct Linked: Resource {
            static let type = "articles"
            var id: String
            var links: ResourceLinks
            var author: ToOne<Writer>
            var reviewers: ToMany<Writer>
        }
        let relationship = #"{"links":{"self":"/r"},"meta":{"a":1},"data":"#
        let text = """
            {"data":{"type":"articles","id":"1","links":{"self":"/articles/1"},"relationships":{\
            "author":\(relationship){"type":"people","id":"1"}},"reviewers":\(relationship)[]}}}}
            """
        let model = try decoder.decode(Linked.self, from: Data(text.utf8))
        #expect(try encoder.text(model).contains("/r"))
        for request in [try encoder.text(Create(model)), try encoder.text(model.patch { $0.author = ToOne(id: "2") })] {
            #expect(!request.contains("links"))
            #expect(!request.contains("meta"))
        }
    }

    @Test("A lid of another type does not refer to an earlier operation")
    func lidOfAnotherType() {
        var operations = AtomicOperations()
        let made = operations.add(ResourceObject(type: "articles", lid: "a"))
        operations.add(
            ResourceObject(type: "comments"), linking: ["post": ResourceIdentifier(type: "people", lid: made.lid ?? "")])
        #expect(encodingFailure { _ = try encoder.encode(operations) }?.kind == .unknownLocalID)
        var removal = AtomicOperations()
        removal.add(ResourceObject(type: "articles", lid: "a"))
        removal.remove(ResourceIdentifier(type: "people", lid: "a"))
        #expect(encodingFailure { _ = try encoder.encode(removal) }?.kind == .unknownLocalID)
    }

    @Test("A value shared by many parents is visited once")
    func sharing() throws {
        struct Layer: Resource, Equatable {
            static let type = "layers"
            var id: String
            var below: [Layer]
        }
        var layer = [Layer(id: "0a", below: []), Layer(id: "0b", below: [])]
        for depth in 1..<40 { layer = ["a", "b"].map { Layer(id: "\(depth)\($0)", below: layer) } }
        var encoder = encoder
        encoder.conflictingResources = .keepFirst
        #expect(try JSON(parsing: encoder.encode(layer))["included"]?.array?.count == 78)
    }
}

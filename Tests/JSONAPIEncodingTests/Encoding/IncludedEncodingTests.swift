import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// The contents of `included`, and their order.
@Suite struct IncludedEncodingTests {
    private let encoder = JSONAPIEncoder()
    private let dan = Writer(id: "9", firstName: "Dan")
    private let eve = Writer(id: "2", firstName: "Eve")

    private var story: Story {
        Story(
            id: "1", title: "T", author: ToOne(dan),
            comments: [Remark(id: "5", body: "a", author: eve), Remark(id: "12", body: "b", author: dan)],
            reviewers: [.team(Team(id: "9", name: "Red")), .person(eve)])
    }

    private func identities(_ value: some PrimaryValue, include: IncludePaths = .all) throws -> [String]? {
        let tree = try JSON(parsing: encoder.encode(value, include: include))
        return tree["included"]?.array?.map { "\($0["type"]?.string ?? "")/\($0["id"]?.string ?? "")" }
    }

    @Test("Each identity is included once, in the order of first use")
    func order() throws {
        #expect(try identities(story) == ["people/9", "comments/5", "comments/12", "teams/9", "people/2"])
        #expect(try identities([story, Story(id: "2", title: "U", author: ToOne(eve))])?.count == 5)
    }

    @Test(
        "Only resources on the include paths are included",
        arguments: [
            (["author"], ["people/9"]),
            (["comments"], ["comments/5", "comments/12"]),
            (["comments.author"], ["comments/5", "comments/12", "people/2", "people/9"]),
            (["author", "comments.author"], ["people/9", "comments/5", "comments/12", "people/2"]),
            (["comments.author", "author", "comments", "comments"], ["people/9", "comments/5", "comments/12", "people/2"]),
            (["reviewers", ""], ["teams/9", "people/2"]),
            ([], []), (["title"], []),
        ])
    func paths(_ paths: [String], _ expected: [String]) throws {
        #expect(try identities(story, include: .paths(paths)) == expected)
    }

    @Test("An empty included member is present only with include paths")
    func emptyIncluded() throws {
        #expect(try identities(dan) == nil)
        #expect(try identities(story, include: .none) == nil)
        #expect(try identities(dan, include: []) == [])
        #expect(try identities([Writer](), include: ["author"]) == [])
        #expect(try identities(Writer?.none, include: ["author"]) == [])
    }

    struct Node: Resource, Equatable {
        static let type = "nodes"
        var id: String
        var next: ToOne<Node> = .notLoaded
        var others: ToMany<Node> = .notLoaded
        var name: String?
    }

    @Test("A resource on a short and a longer path is followed further, and included once")
    func overlappingPaths() throws {
        let leaf = Node(id: "leaf")
        let middle = Node(id: "middle", next: ToOne(leaf))
        let root = Node(id: "root", next: ToOne(middle), others: [middle])
        #expect(try identities(root, include: ["next", "others.next"]) == ["nodes/middle", "nodes/leaf"])
        #expect(try identities(root, include: ["next"]) == ["nodes/middle"])
        // The path leads through a primary resource.
        #expect(try identities([root, middle], include: ["next.next"]) == ["nodes/leaf"])
        #expect(try identities([middle, root], include: ["others.next"]) == ["nodes/leaf"])
    }

    @Test("Of equal values with one identity, each leads to the resources that it holds")
    func resourcesOfEqualValues() throws {
        let last = Node(id: "last")
        let bare = Node(id: "middle", next: ToOne(ResourceIdentifier(type: "nodes", id: "last")))
        let full = Node(id: "middle", next: ToOne(last))
        for middles in [[bare, full], [full, bare], [bare, bare, full, bare]] {
            let roots = middles.enumerated().map { Node(id: "\($0)", next: ToOne($1)) }
            #expect(try identities(roots) == ["nodes/middle", "nodes/last"])
            #expect(try identities(roots, include: ["next.next"]) == ["nodes/middle", "nodes/last"])
            #expect(try identities(roots, include: ["next"]) == ["nodes/middle"])
            #expect(try identities(Node(id: "root", others: [bare, full])) == ["nodes/middle", "nodes/last"])
        }
    }

    /// Makes the resource that it refers to anew whenever it is written.
    struct Endless: Resource, Equatable {
        static let type = "endless"
        var id: String
        var next: ToOne<Endless> { ToOne(Endless(id: id == "a" ? "b" : "a")) }

        init(id: String) { self.id = id }
        init(from decoder: any Decoder) throws { id = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .id) }
        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: Key.self)
            try map.encode(id, forKey: .id)
            try map.encode(next, forKey: .relationships("next"))
        }
    }

    /// A union of one type.
    private enum AnyNode: ResourceUnion {
        case node(Node), unknown(ResourceObject)
        static let members: [UnionMember<AnyNode>] = [.init(AnyNode.node)]
        var resource: any ResourceRepresentable {
            switch self {
            case .node(let node): node
            case .unknown(let object): object
            }
        }
    }

    @Test("A value of a union in the primary data is searched and compared with others of its identity like any value")
    func secondValueOfAPrimaryUnion() throws {
        let bare = Node(id: "middle", next: ToOne(ResourceIdentifier(type: "nodes", id: "last")))
        let root = Node(id: "root", others: [Node(id: "middle", next: ToOne(Node(id: "last")))])
        for nodes in [[bare, root], [root, bare]] {
            #expect(try identities(nodes) == ["nodes/last"])
            #expect(try identities(nodes.map(AnyNode.node)) == ["nodes/last"])
            #expect(try identities(nodes.map(AnyNode.node), include: ["others.next"]) == ["nodes/last"])
        }
        let others = [Node(id: "middle", name: "New"), Node(id: "root", others: [Node(id: "middle", name: "Old")])]
        for nodes in [others, others.reversed()] {
            #expect(encodingFailure { _ = try encoder.encode(nodes.map(AnyNode.node)) }?.kind == .duplicateResource)
            #expect(try identities(nodes.map(AnyNode.node), include: .none) == nil)
        }
    }

    @Test("Values that are made anew whenever they are written end")
    func endlessValues() throws {
        #expect(try identities(Endless(id: "root")) == ["endless/a", "endless/b"])
        #expect(try identities(Endless(id: "root"), include: ["next.next.next"]) == ["endless/a", "endless/b"])
    }

    @Test("Primary resources are never included, and cycles end")
    func circles() throws {
        let a = Node(id: "a", next: ToOne(ResourceIdentifier(type: "nodes", id: "b")))
        let b = Node(id: "b", next: ToOne(a))
        let first = Node(id: "a", next: ToOne(b))
        var keepFirst = encoder
        keepFirst.conflictingResources = .keepFirst
        #expect(try identities([a, b]) == nil)
        #expect(try identities(first) == ["nodes/b"])
        let text = try keepFirst.text(first)
        let read = try JSONAPIDecoder().decode(Node.self, from: Data(text.utf8))
        #expect(try encoder.text(read) == text)
        #expect(read.next.value?.next.value?.next.value?.id == "b")
    }

    @Test("The same resource twice in the primary data is an error")
    func duplicatePrimary() throws {
        let failure = try #require(encodingFailure { _ = try encoder.encode([dan, eve, dan]) })
        #expect(failure.kind == .duplicateResource && "\(failure.pointer)" == "/data/2" && failure.resource?.id == "9")
        #expect(failure.advice?.contains("remove one") == true)
    }

    @Test("Two different values with one identity are an error; equal ones are encoded once")
    func conflicts() throws {
        let other = Writer(id: "9", firstName: "Daniel")
        let conflicting = Story(id: "1", title: "T", author: ToOne(dan), editor: other)
        let failure = try #require(encodingFailure { _ = try encoder.encode(conflicting) })
        #expect(failure.kind == .duplicateResource && failure.resource == ResourceIdentifier(type: "people", id: "9"))
        #expect(failure.advice?.contains("keepFirst") == true)
        var keepFirst = encoder
        keepFirst.conflictingResources = .keepFirst
        let tree = try JSON(parsing: keepFirst.encode(conflicting))
        #expect(tree["included"]?.array?.count == 1 && tree["included"]?[0]?["attributes"]?["firstName"] == "Dan")
        let long = String(repeating: "Dan and so on, ", count: 4)
        let same = Story(
            id: "1", title: "T", author: ToOne(Writer(id: "9", firstName: long)),
            editor: Writer(id: "9", firstName: String(repeating: "Dan and so on, ", count: 4)))
        #expect(try identities(same) == ["people/9"])
        // An included value and a primary one with the same identity.
        struct Boss: Resource {
            static let type = "bosses"
            var id: String
            var name: String
            var boss: ToOne<Boss> = nil
        }
        let self1 = Boss(id: "1", name: "A", boss: ToOne(Boss(id: "1", name: "B")))
        #expect(encodingFailure { _ = try encoder.encode([self1]) }?.kind == .duplicateResource)
        #expect(try identities(self1, include: .none) == nil)
    }

    @Test("An identity is the pair of type and id, compared by bytes")
    func identityByBytes() throws {
        let composed = Node(id: "\u{E9}")
        let decomposed = Node(id: "e\u{301}")
        #expect(try JSON(parsing: encoder.encode([composed, decomposed]))["data"]?.array?.count == 2)
        let both = Node(id: "1", others: [composed, decomposed])
        #expect(try identities(both)?.count == 2)
        let read = try JSONAPIDecoder().decode(Node.self, from: encoder.encode(both))
        #expect(read.others.values.map { Array($0.id.utf8) } == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
    }

    @Test("Sparse fieldsets select attributes and relationships of all resources")
    func fieldsets() throws {
        let text = try encoder.text(
            story, include: ["author", "comments"], fields: ["articles": ["title", "comments"], "comments": ["body"], "people": []])
        let tree = try JSON(parsing: text)
        #expect(tree["data"]?["attributes"] == ["title": "T"])
        #expect(tree["data"]?["relationships"]?.object?.map(\.name) == ["comments"])
        #expect(
            tree["included"]?.array?.map { $0.object?.map(\.name) } == [
                ["type", "id"], ["type", "id", "attributes"], ["type", "id", "attributes"],
            ])
        // Without an include path, an omitted relationship is not linked, so its resource is not included.
        let all = try JSON(parsing: encoder.text(story, fields: ["articles": ["title"]]))
        #expect(all == ["data": ["type": "articles", "id": "1", "attributes": ["title": "T"]]])
    }

    @Test("A fieldset uses the names in the document, also for dotted keys and nested containers")
    func fieldsetNames() throws {
        struct Place: Resource {
            static let type = "places"
            var id: String
            var cityName = "C"
            var street = "S"
            var owner: ToOne<Writer> = nil
            enum CodingKeys: String, CodingKey { case id, cityName, street = "address.street", owner = "relationships.owner" }
        }
        var kebab = encoder
        kebab.keyStrategy = .kebabCase
        func object(_ names: [String]) throws -> JSON? { try JSON(parsing: kebab.text(Place(id: "1"), fields: ["places": names]))["data"] }
        #expect(try object(["city-name"]) == ["type": "places", "id": "1", "attributes": ["city-name": "C"]])
        #expect(try object(["address"]) == ["type": "places", "id": "1", "attributes": ["address": ["street": "S"]]])
        #expect(try object(["owner"]) == ["type": "places", "id": "1", "relationships": ["owner": ["data": nil]]])
    }

    @Test("A name that is only a part of a dotted key is correct, even if no resource has a value there")
    func namesInPaths() throws {
        struct Place: Resource {
            static let type = "places"
            var id: String
            var street: String?
            var opened: Date?
            var owner: ToOne<Writer> = .notLoaded
            var guests: ToMany<Writer> = .notLoaded
            enum CodingKeys: String, CodingKey {
                case id
                case street = "address.street"
                case opened = "history.opened"
                case owner = "relationships.owner"
                case guests = "relationships.guests"
            }
        }
        let place = Place(id: "1")
        for name in ["address", "history", "owner", "guests"] {
            #expect(try encoder.text(place, fields: ["places": [name]]) == #"{"data":{"type":"places","id":"1"}}"#)
            #expect(try encoder.text(Create(place).omitting(name)) == #"{"data":{"type":"places"}}"#)
        }
        #expect(try encoder.text(place, include: ["owner", "guests"]) == #"{"data":{"type":"places","id":"1"},"included":[]}"#)
        #expect(encodingFailure { _ = try encoder.encode(place, include: ["address"]) }?.kind == .unknownName)
        #expect(encodingFailure { _ = try encoder.encode(place, fields: ["places": ["street"]]) }?.kind == .unknownName)
    }

    @Test("Beside the remaining members of all attributes, every name of an attribute is correct")
    func namesOfRemainingMembers() throws {
        struct Spot: Resource {
            static let type = "spots"
            var id: String
            var rest: RemainingMembers
            enum CodingKeys: String, CodingKey { case id, rest = "attributes" }
        }
        let spot = Spot(id: "1", rest: RemainingMembers(["name": "N"]))
        #expect(try encoder.text(spot, fields: ["spots": ["size"]]) == #"{"data":{"type":"spots","id":"1"}}"#)
        #expect(try encoder.text(Create(spot).omitting("size")) == #"{"data":{"type":"spots","attributes":{"name":"N"}}}"#)
    }

    @Test("Unions, raw resources and local ids are included like any others")
    func unionsAndRaw() throws {
        let robot = try #require(
            ResourceObject(json: ["type": "robots", "id": "r", "attributes": ["v": 1.50], "@at": 1, "links": ["self": "/r"]]))
        let one = Story(id: "1", title: "T", author: nil, reviewers: [.unknown(robot), .person(dan)])
        let data = try encoder.encode(one)
        let tree = try JSON(parsing: data)
        #expect(tree["included"]?[0] == robot.json && tree["included"]?.array?.count == 2)
        #expect(try JSONAPIDecoder().decode(Story.self, from: data) == one)
        let mixed: [Contributor] = [.unknown(robot), .team(Team(id: "1", name: "Red"))]
        #expect(try JSONAPIDecoder().decode([Contributor].self, from: encoder.encode(mixed)) == mixed)

        struct Draft: Resource {
            static let type = "drafts"
            var id: String?
            var lid: LocalID?
            var title: String
        }
        struct Book: Resource {
            static let type = "books"
            var id: String
            var drafts: [Draft]
        }
        let book = Book(id: "1", drafts: [Draft(lid: "a", title: "A"), Draft(id: "1", title: "B")])
        #expect(
            try encoder.text(book)
                == #"{"data":{"type":"books","id":"1","relationships":{"drafts":{"data":[{"type":"drafts","lid":"a"},"#
                + #"{"type":"drafts","id":"1"}]}}},"included":[{"type":"drafts","lid":"a","attributes":{"title":"A"}},"#
                + #"{"type":"drafts","id":"1","attributes":{"title":"B"}}]}"#)
    }

    @Test("What the third of three values with one identity holds is included")
    func valuesInsideEachOther() throws {
        struct Note: Resource {
            static let type = "notes"
            var id: String
            var author: ToOne<Writer>
            var replies: ToMany<Note>
        }
        struct Writer: Resource {
            static let type = "writers"
            var id: String
        }
        let third = Note(id: "1", author: ToOne(Writer(id: "9")), replies: ToMany(ids: ["1"]))
        let second = Note(id: "1", author: ToOne(id: "9"), replies: [third])
        let note = Note(id: "1", author: ToOne(id: "9"), replies: [second])
        let document = try JSONAPIDecoder().decode(DocumentObject.self, from: JSONAPIEncoder().encode(note))
        #expect(document.included?.map(\.type) == ["writers"])
    }
}

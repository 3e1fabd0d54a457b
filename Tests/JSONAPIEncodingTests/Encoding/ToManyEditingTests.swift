import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite struct ToManyEditingTests {
    private struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
    }

    private struct Newcomer: Resource {
        static let type = "people"
        var id: String?
    }

    private struct Team: Resource {
        static let type = "teams"
        var id: String
        var people: ToMany<Person>
    }

    private struct Group: Resource {
        static let type = "groups"
        var id: String
        var people: ToMany<Newcomer>
    }

    private func team(_ relationship: String) throws -> Team {
        try JSONAPIDecoder().decode(
            Team.self, from: Data(#"{"data":{"type":"teams","id":"1","relationships":{"people":\#(relationship)}}}"#.utf8))
    }

    @Test("A relationship is made of identifiers or of resources, without a label")
    func made() throws {
        let identifier = ResourceIdentifier(type: "people", id: "1")
        let team = Team(id: "1", people: ToMany([identifier]))
        #expect(team.people.identifiers == [identifier] && team.people.isLoaded)
        #expect(ToMany<Person>([]) == .empty)
        #expect(ToMany([Person(id: "1", name: "A")]).allValues == [Person(id: "1", name: "A")])
    }

    @Test func anIdentifierIsFoundAndRemovedWithAnyMeta() throws {
        var team = try team(#"{"data":[{"type":"people","id":"1","meta":{"role":"lead"}},{"type":"people","id":"2"}]}"#)
        let plain = ResourceIdentifier(type: "people", id: "1")
        #expect(team.people.contains(plain))
        team.people.remove(plain)
        #expect(team.people.ids == ["2"] && !team.people.contains(plain))
    }

    @Test("An identifier of any type is appended as an id is")
    func appendedIdentifiers() throws {
        let bot = ResourceIdentifier(type: "bots", id: "7")
        var loaded = try team(#"{"data":[{"type":"people","id":"1"}]}"#)
        loaded.people.append(bot)
        #expect(loaded.people.identifiers == [ResourceIdentifier(type: "people", id: "1"), bot] && loaded.people.isLoaded)
        var unloaded = try team(#"{"links":{"related":"/people"}}"#)
        unloaded.people.append(bot)
        #expect(!unloaded.people.isLoaded)
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(unloaded) }?.kind == .missingLinkage)
        #expect(try JSONAPIEncoder().tree(Create(unloaded))["data"]?["relationships"]?["people"] == ["data": [bot.json]])
        loaded.people.append(ResourceIdentifier(type: "bots", id: ""))
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(loaded) }?.kind == .missingIdentity)
    }

    @Test func relationshipsWithOtherLinksDiffer() throws {
        let one = try team(#"{"data":[],"links":{"related":"/a"}}"#).people
        #expect(try one == team(#"{"data":[],"links":{"related":"/a"}}"#).people)
        #expect(try one != team(#"{"data":[],"links":{"related":"/b"}}"#).people)
        #expect(try one != team(#"{"data":[]}"#).people)
    }

    @Test("An edit of a page that throws in the middle is an edit")
    func throwingEdit() throws {
        struct Stop: Error {}
        func add(_ identifiers: inout [ResourceIdentifier]?) throws {
            identifiers?.append(ResourceIdentifier(type: "people", id: "9"))
            throw Stop()
        }
        let page = try team(#"{"data":[{"type":"people","id":"1"}],"links":{"next":"/people?page=2"}}"#)
        var edited = page
        #expect(throws: Stop.self) { try add(&edited.people.identifiers) }
        #expect(edited.people.ids == ["1", "9"])
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Patch(from: page, to: edited)) }
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(edited) }
    }

    @Test func aRelatedResourceWithoutAnIDIsNotOmittedSilently() throws {
        var people = ToMany<Newcomer>([Newcomer(id: "1")])
        people.append(Newcomer(id: nil))
        let group = Group(id: "1", people: people)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(group) }
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Create(group)) }
        people = ToMany([Newcomer(id: nil)])
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Group(id: "1", people: people)) }
        people = ToMany(ids: ["1", nil])
        #expect(people.ids == ["1"])
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Group(id: "1", people: people)) }
        people = ToMany(ids: ["1"])
        people.append(id: nil)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Group(id: "1", people: people)) }
    }

    @Test("A reference to a nil id does not empty the relationship")
    func nilID() throws {
        struct Badge: Resource {
            static let type = "badges"
            var id: String
            var owner: ToOne<Newcomer>
        }
        let badge = Badge(id: "1", owner: ToOne(id: "9"))
        let unsaved = Newcomer(id: nil)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(badge.patch { $0.owner = ToOne(id: unsaved.id) }) }
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Badge(id: "1", owner: ToOne(id: unsaved.id))) }
        #expect(!ToOne<Newcomer>(id: unsaved.id).isEmpty && ToOne<Newcomer>(id: unsaved.id) == ToOne(unsaved))
        let emptied = try JSON(parsing: JSONAPIEncoder().encode(badge.patch { $0.owner = .empty }))
        #expect(emptied["data"]?["relationships"] == ["owner": ["data": nil]])
    }

    private struct Tag: Resource, Equatable {
        static let type = "tags"
        var id: UUID
        var name: String
    }
    private struct Node: Resource {
        static let type = "nodes"
        var id: UUID
        var tags: ToMany<Tag>
        @Embedded<ToOne<Tag>> var image: Tag? = nil
    }

    @Test("A resource without identity is not forgotten, until the identifiers are replaced")
    func unidentified() throws {
        struct Person: Resource {
            static let type = "people"
            var id: String?
        }
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var people: ToMany<Person>
        }
        var post = Post(id: "1", people: .empty)
        post.people.append(Person(id: nil))
        #expect(!post.people.isEmpty && post.people != .empty)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(post) }
        post.people.identifiers = [ResourceIdentifier(type: "people", id: "5")]
        let body = try JSON(parsing: JSONAPIEncoder().encode(post))["data"]?["relationships"]
        #expect(body == ["people": ["data": [["type": "people", "id": "5"]]]])
    }

    @Test("Two different values with one identity are an error, and both are there until then")
    func twoValues() throws {
        let people = ToMany([Person(id: "1", name: "first"), Person(id: "1", name: "second")])
        #expect(people.values.map(\.name) == ["first", "second"])
        let team = Team(id: "1", people: people)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Document(team), include: ["people"]) }
        var keeping = JSONAPIEncoder()
        keeping.conflictingResources = .keepFirst
        let body = try JSON(parsing: keeping.encode(Document(team), include: ["people"]))
        #expect(body["included"]?.array?.compactMap { $0["attributes"]?["name"]?.string } == ["first"])
        let same = Team(id: "1", people: ToMany([Person(id: "1", name: "a"), Person(id: "1", name: "a")]))
        #expect(throws: Never.self) { try JSONAPIEncoder().encode(Document(same), include: ["people"]) }
    }

    @Test("A link to a UUID in lower case is found by a value, and an edited value keeps it")
    func uuidsInLowerCase() throws {
        let (first, second) = ("d0a1b2c3-0000-4000-8000-00000000000a", "d0a1b2c3-0000-4000-8000-00000000000b")
        let tags = [first, second].map { #"{"type":"tags","id":"\#($0)","attributes":{"name":"n"}}"# }.joined(separator: ",")
        let text = """
            {"data":{"type":"nodes","id":"\(first)","relationships":{
              "tags":{"data":[{"type":"tags","id":"\(first)"},{"type":"tags","id":"\(second)"}]},
              "image":{"data":{"type":"tags","id":"\(first)","meta":{"alt":"A"}}}}},"included":[\(tags)]}
            """
        let node = try JSONAPIDecoder().decode(Node.self, from: Data(text.utf8))
        let tag = try #require(node.tags.values.first?.identifier)
        #expect(tag.id == first.uppercased() && node.tags.contains(tag))
        let patch = node.patch {
            $0.tags.remove(tag)
            $0.image?.name = "m"
        }
        let body = try JSON(parsing: JSONAPIEncoder().encode(patch))["data"]?["relationships"]
        #expect(body == ["tags": ["data": [["type": "tags", "id": .string(second)]]]])
    }

    @Test("The whole list in place of a page is not written with the links to the other pages")
    func wholeListInPlaceOfPage() throws {
        let page = #"{"links":{"self":"/t","first":"/t?1","next":"/t?2","last":"/t?9"},"data":[{"type":"people","id":"1"}]}"#
        var edited = try team(page)
        edited.people.identifiers = ["1", "2"].map { ResourceIdentifier(type: "people", id: $0) }
        #expect(edited.people.links == ["self": "/t"])
        let again = try JSONAPIDecoder().decode(Team.self, from: JSONAPIEncoder().encode(edited))
        #expect(again.people == edited.people)
        #expect(throws: Never.self) { try JSONAPIEncoder().encode(again.patch { $0.people.append(id: "3") }) }
        edited = try team(#"{"links":{"next":"/t?2"},"data":[{"type":"people","id":"1"}]}"#)
        edited.people.identifiers = []
        #expect(edited.people.object == RelationshipObject(data: .many([])))
        edited = try team(page)
        edited.people.identifiers?.removeAll()
        #expect(edited.people.links?.next != nil)
    }

    @Test("A whole list that is set through @Embedded removes the links to other pages as well")
    func embeddedListInPlaceOfPage() throws {
        var people = try team(#"{"links":{"related":"/t","prev":"/t?1"},"data":[{"type":"people","id":"1"}]}"#).people
        people.embedded = [Person(id: "2", name: "B")]
        #expect(people.links == ["related": "/t"])
    }

    @Test("A resource with neither id nor lid is an error wherever a relationship is written, and not an absent one")
    func unidentifiedAnywhere() throws {
        struct Raw: Resource {
            static let type = "groups"
            var id: String
            var leader: RelationshipObject
        }
        let (one, many) = (ToOne(Newcomer()), ToMany([Newcomer()]))
        #expect(one.data == Linkage(json: ["type": "people"]))
        for object in [one.object, many.object] {
            #expect(encodingFailure { _ = try JSONAPIEncoder().encode(Create(Raw(id: "1", leader: object))) } != nil)
            #expect(encodingFailure { _ = try JSONAPIEncoder().encode(Raw(id: "1", leader: object)) } != nil)
        }
        #expect(encodingFailure { _ = try JSONEncoder().encode(one) }?.kind == .missingIdentity)
        #expect(encodingFailure { _ = try JSONEncoder().encode(many) }?.kind == .missingIdentity)
    }

    @Test("A link is removed by its id or by a value, as it is appended")
    func removedByIDOrValue() throws {
        struct Label: Resource {
            static let type = "labels"
            var id: String?
        }
        var labels: ToMany<Label> = [Label(id: "1"), Label(id: "2"), Label(id: "3")]
        labels.append(id: "2")
        labels.remove(id: "2")
        labels.remove(Label(id: "3"))
        #expect(labels.ids == ["1"] && labels.values.map(\.id) == ["1"])
        labels.remove(Label(id: nil))
        labels.remove(id: nil)
        #expect(labels.ids == ["1"])
    }
}

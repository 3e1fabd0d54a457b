import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@Suite("Property wrappers around relationships and other parts of a resource")
struct WrappedRelationshipTests {
    struct Person: Resource, Hashable {
        static let type = "people"
        var id: String
        var name: String
    }
    enum Makers: AlternativeSource {
        typealias Value = [Person]
        static let names = ["authors"]
    }
    struct Team: Resource {
        static let type = "teams"
        var id: String
        @Default<Defaults.Empty<[Person]>> var members: [Person]
        @Alternatives<Makers> var makers: [Person]
        var authors = Alias()
        @EmptyAsNil var lead: Person? = nil
        @EmptyAsNil var deputy: ToOne<Person>? = nil
        @EmptyAsNil var mascot: ResourceIdentifier? = nil
        @EmptyAsNil var info: ResourceMeta<[String: Int]>? = nil
        @EmptyAsNil var addresses: ResourceLinks? = nil
    }
    struct Group: Resource {
        static let type = "groups"
        var id: String
        @Default<Defaults.Empty<[Person]>> var members: [Person]
    }
    struct Size: Codable, Sendable, Hashable {
        var size: Int
    }
    struct Club: Resource {
        static let type = "clubs"
        var id: String
        var name: String?
        @Lossy var members: [Person]?
        @Lossy var info: ResourceMeta<Size>?
    }

    private let ninth = Person(id: "9", name: "M")
    private let tenth = Person(id: "10", name: "N")
    private let decoder = JSONAPIDecoder()
    private let encoder = JSONAPIEncoder()

    private func document(_ resource: String) -> Data {
        Data(#"{"data":\#(resource),"included":[{"type":"people","id":"9","attributes":{"name":"M"}}]}"#.utf8)
    }

    private func linkage(_ ids: String...) -> JSON {
        .array(JSONArray(ids.map { id -> JSON in ["type": "people", "id": .string(id)] }))
    }

    // MARK: - In the place of the value

    private func team() throws -> (Team, JSON) {
        let person = #"{"data":{"type":"people","id":"9"}}"#
        let people = #"{"data":[{"type":"people","id":"9"}]}"#
        let data = document(
            """
            {"type":"teams","id":"1","relationships":{"members":\(people),"makers":\(people),"lead":\(person),"deputy":\(person),\
            "mascot":\(person)},"links":{"self":"/teams/1"},"meta":{"size":3}}
            """)
        return (try decoder.decode(Team.self, from: data), try JSON(parsing: data))
    }

    @Test("A wrapped relationship, link or meta is read and written like one without the wrapper")
    func places() throws {
        let (team, document) = try team()
        #expect(team.members == [ninth] && team.makers == [ninth])
        #expect(team.lead == ninth && team.deputy?.value == ninth && team.mascot?.id == "9")
        #expect(team.info?.value == ["size": 3])
        #expect(team.addresses?.links.members["self"] == "/teams/1")
        let written = try JSON(parsing: encoder.encode(team))
        #expect(written["data"]?["attributes"] == nil)
        for name in ["members", "makers", "lead", "deputy", "mascot"] {
            #expect(written["data"]?["relationships"]?[name] == document["data"]?["relationships"]?[name], "\(name)")
        }
        for name in ["links", "meta"] { #expect(written["data"]?[name] == document["data"]?[name], "\(name)") }
        #expect(written["included"] == document["included"])
        try encoder.checkCoding(of: team)
    }

    @Test("A patch of a wrapped relationship sends linkage")
    func patch() throws {
        let (team, _) = try team()
        let patch = team.patch {
            $0.members.append(tenth)
            $0.lead = tenth
        }
        let body = try JSON(parsing: encoder.encode(patch))
        #expect(body["data"]?["attributes"] == nil)
        #expect(body["data"]?["relationships"]?["members"]?["data"] == linkage("9", "10"))
        #expect(body["data"]?["relationships"]?["lead"]?["data"] == ["type": "people", "id": "10"])
        #expect(body["data"]?["relationships"]?["makers"] == nil)
    }

    // MARK: - Relationships that are not loaded

    @Test("The default of a relationship that is not loaded is not written")
    func defaults() throws {
        var group = try decoder.decode(Group.self, from: document(#"{"type":"groups","id":"1","relationships":{"members":{"links":{}}}}"#))
        #expect(group.members.isEmpty)
        #expect(try JSON(parsing: encoder.encode(group))["data"] == ["type": "groups", "id": "1"])
        let patch = group.patch { $0.members.append(ninth) }
        group.members.append(ninth)
        for failure in [encodingFailure { _ = try encoder.encode(group) }, encodingFailure { _ = try encoder.encode(patch) }] {
            #expect(failure?.kind == .missingLinkage && failure?.advice?.contains("assign an array") == true)
        }
        group.members = [tenth]
        #expect(try JSON(parsing: encoder.encode(group))["data"]?["relationships"]?["members"]?["data"] == linkage("10"))
        let empty = Group(id: "2", members: Default(wrappedValue: []))
        #expect(try JSON(parsing: encoder.encode(empty))["data"]?["relationships"]?["members"]?["data"] == [])
    }

    // MARK: - What cannot be read

    @Test("A relationship and meta that @Lossy cannot read are written again")
    func lossy() throws {
        let data = document(
            """
            {"type":"clubs","id":"1","attributes":{"name":"C"},"relationships":{"members":{"data":[{"type":"people","id":"9"},\
            {"type":"people","id":"10"}]}},"meta":{"size":"big"}}
            """)
        let club = try decoder.decode(Club.self, from: data)
        #expect(club.members == nil && club.info == nil)
        for body in [try encoder.encode(club), try encoder.encode(Create(club))] {
            #expect(try JSON(parsing: body)["data"]?["relationships"]?["members"]?["data"] == linkage("9", "10"))
        }
        #expect(try JSON(parsing: encoder.encode(club))["data"]?["meta"] == ["size": "big"])
        let patch = club.patch { $0.name = "D" }
        let renamed = try JSON(parsing: encoder.encode(patch))["data"]
        #expect(renamed == ["type": "clubs", "id": "1", "attributes": ["name": "D"]])
        var other = club
        other.members = [tenth]
        #expect(try JSON(parsing: encoder.encode(other))["data"]?["relationships"]?["members"]?["data"] == linkage("10"))
        other.members = nil
        #expect(Patch(from: club, to: other).isEmpty)
    }

    // MARK: - Generic code

    struct Box<Value: Codable & Sendable>: Resource {
        static var type: String { "boxes" }
        var id: String
        var value: Value
    }
    struct PlacedBox<Value: Codable & Sendable>: Resource {
        static var type: String { "boxes" }
        var id: String
        var value: Value
        enum CodingKeys: String, CodingKey { case id, value = "relationships.value" }
    }
    enum Nobody: DefaultSource {
        static var defaultValue: Person { Person(id: "0", name: "") }
    }
    enum Somebody: AlternativeSource {
        typealias Value = Person
        static var names: [String] { [] }
    }

    private func expectLinkage<Value: Codable & Sendable>(in _: Value.Type) throws {
        let data = document(#"{"type":"boxes","id":"1","relationships":{"value":{"data":{"type":"people","id":"9"}}}}"#)
        let bodies = [
            try encoder.encode(decoder.decode(Box<Value>.self, from: data)),
            try encoder.encode(decoder.decode(PlacedBox<Value>.self, from: data)),
            try encoder.encode(Create(decoder.decode(PlacedBox<Value>.self, from: data))),
        ]
        for body in bodies {
            let written = try JSON(parsing: body)["data"]
            #expect(written?["relationships"] == ["value": ["data": ["type": "people", "id": "9"]]], "\(Value.self)")
            #expect(written?["attributes"] == nil, "\(Value.self)")
        }
    }

    @Test("Generic code reads and writes wrapped relationships in the same places")
    func generic() throws {
        try expectLinkage(in: Presence<Person>.self)
        try expectLinkage(in: Presence<ToOne<Person>>.self)
        try expectLinkage(in: Presence<ResourceIdentifier>.self)
        try expectLinkage(in: Lossy<Person>.self)
        try expectLinkage(in: EmptyAsNil<Person>.self)
        try expectLinkage(in: Default<Nobody>.self)
        try expectLinkage(in: Alternatives<Somebody>.self)
        try expectLinkage(in: Embedded<ToOne<Person>>.self)
    }

    @Test("Generic code tells absent and null relationships apart")
    func genericPresence() throws {
        let null = try decoder.decode(
            Box<Field<Person>>.self, from: document(#"{"type":"boxes","id":"1","relationships":{"value":{"data":null}}}"#))
        let absent = try decoder.decode(Box<Field<Person>>.self, from: document(#"{"type":"boxes","id":"1"}"#))
        #expect(null.value.isNull && absent.value.isAbsent)
        #expect(try JSON(parsing: encoder.encode(null))["data"]?["relationships"] == ["value": ["data": nil]])
        #expect(try JSON(parsing: encoder.encode(absent))["data"] == ["type": "boxes", "id": "1"])
        let attribute = try decoder.decode(Box<Field<Int>>.self, from: document(#"{"type":"boxes","id":"1"}"#))
        #expect(attribute.value.isAbsent)
        #expect(try JSON(parsing: encoder.encode(attribute))["data"] == ["type": "boxes", "id": "1"])
    }

    @Test("A wrapped relationship without linkage is not loaded")
    func genericPresenceWithoutLinkage() throws {
        let text = #"{"type":"boxes","id":"1","relationships":{"value":{"links":{"related":"/boxes/1/value"}}}}"#
        #expect(try decoder.decode(Box<Field<Person>>.self, from: document(text)).value.isAbsent)
        #expect(try decoder.decode(Box<Field<ResourceIdentifier>>.self, from: document(text)).value.isAbsent)
        let reference = try decoder.decode(Box<Field<ToOne<Person>>>.self, from: document(text)).value
        #expect(reference.value?.links?.related?.href == "/boxes/1/value")
    }
}

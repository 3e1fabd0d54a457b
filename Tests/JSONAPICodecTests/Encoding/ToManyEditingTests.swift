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

    @Test func anIdentifierIsFoundAndRemovedWithAnyMeta() throws {
        var team = try team(#"{"data":[{"type":"people","id":"1","meta":{"role":"lead"}},{"type":"people","id":"2"}]}"#)
        let plain = ResourceIdentifier(type: "people", id: "1")
        #expect(team.people.contains(plain))
        team.people.remove(plain)
        #expect(team.people.ids == ["2"] && !team.people.contains(plain))
    }

    @Test func relationshipsWithOtherLinksDiffer() throws {
        let one = try team(#"{"data":[],"links":{"related":"/a"}}"#).people
        #expect(try one == team(#"{"data":[],"links":{"related":"/a"}}"#).people)
        #expect(try one != team(#"{"data":[],"links":{"related":"/b"}}"#).people)
        #expect(try one != team(#"{"data":[]}"#).people)
    }

    @Test func aRelatedResourceWithoutAnIDIsNotOmittedSilently() throws {
        var people = ToMany<Newcomer>([Newcomer(id: "1")])
        people.append(Newcomer(id: nil))
        let group = Group(id: "1", people: people)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(group) }
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Create(group)) }
        people = ToMany([Newcomer(id: nil)])
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Group(id: "1", people: people)) }
    }
}

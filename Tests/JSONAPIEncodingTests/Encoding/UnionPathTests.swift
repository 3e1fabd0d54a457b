import Foundation
import JSONAPICodec
import Testing

/// An include path behind a union is correct, whatever resources the relationship has this time.
@Suite struct UnionPathTests {
    private struct Team: Resource {
        static let type = "teams"
        var id: String
        var members: ToMany<User> = .notLoaded
    }

    private struct User: Resource {
        static let type = "users"
        var id: String
        var owner: ToOne<Owner> = .notLoaded
        var owners: ToMany<Owner> = .notLoaded
    }

    private enum Owner: ResourceUnion {
        case user(User), team(Team), unknown(ResourceObject)
        static let members: [UnionMember<Owner>] = [.init(Owner.user), .init(Owner.team)]
        var resource: any ResourceRepresentable {
            switch self {
            case .user(let user): user
            case .team(let team): team
            case .unknown(let object): object
            }
        }
    }

    @Test(arguments: ["owner", "owners"])
    func pathsThroughAReferenceThatWasReadAreAccepted(relationship: String) throws {
        let linkage = relationship == "owner" ? #"{"type":"users","id":"1"}"# : #"[{"type":"users","id":"1"}]"#
        let text = Data(
            #"{"data":[{"type":"users","id":"1","relationships":{"\#(relationship)":{"data":\#(linkage)}}}]}"#.utf8)
        let users = try JSONAPIDecoder().decode([User].self, from: text)
        let written = try JSONAPIEncoder().encode(users, include: ["\(relationship).members"])
        #expect(try JSONAPIDecoder().decode([User].self, from: written).map(\.id) == ["1"])
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(users, include: ["\(relationship)x.members"]) }
    }
}

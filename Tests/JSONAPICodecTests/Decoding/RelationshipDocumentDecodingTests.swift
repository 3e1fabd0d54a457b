import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Relationship documents")
struct RelationshipDocumentDecodingTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }

    static var document: Data {
        Data(
            #"""
            {"data": [{"type": "people", "id": "1"}, {"type": "people", "id": "2"}],
             "included": [{"type": "people", "id": "1", "attributes": {"name": "Ida"}}]}
            """#.utf8)
    }

    @Test("Identifiers as primary data resolve to included resources")
    func identifiersLeadToIncluded() throws {
        let document = try JSONAPIDecoder().decode(Document<[ResourceIdentifier]>.self, from: Self.document)
        #expect(document.data.map(\.id) == ["1", "2"])
        let first = try #require(document.data.first)
        #expect(try document.resource(Person.self, first)?.name == "Ida")
    }

    @Test("A primary resource with only links is no identifier, so that the included one with its identity repeats it")
    func linksBesideIdentity() throws {
        func read(_ member: String) throws -> [ResourceObject] {
            let text = #"{"data":[{"type":"people","id":"1"\#(member)}],"included":[{"type":"people","id":"1"}]}"#
            return try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: Data(text.utf8)).data
        }
        #expect(try read("").count == 1)
        #expect(try read(#","meta":{"self":"/1"}"#).count == 1)
        let failure = try Blog.failure { try read(#","links":{"self":"/1"}"#) }
        #expect(failure.kind == .duplicateResource && "\(failure.pointer)" == "/included/0")
    }

    @Test("Strict mode judges primary data as identifiers when they are read as such")
    func strictIdentifiers() throws {
        var strict = JSONAPIDecoder(mode: .strict)
        let whole = Data(#"{"data":{"type":"tags","id":"1","attributes":{}}}"#.utf8)
        let one = try Blog.failure { try strict.decode(ResourceIdentifier.self, from: whole) }
        #expect(one.kind == .unknownMember && "\(one.pointer)" == "/data/attributes")
        #expect(throws: DecodingError.self) { try strict.decode(ResourceIdentifier?.self, from: whole) }
        #expect(try JSONAPIDecoder().decode(ResourceIdentifier.self, from: whole).id == "1")
        #expect(try strict.decode(ResourceObject.self, from: whole).id == "1")
        strict.source = .request
        let local = Data(#"{"data":[{"type":"tags","id":"1"},{"type":"tags","lid":"x"}]}"#.utf8)
        let failure = try Blog.failure { try strict.decode([ResourceIdentifier].self, from: local) }
        #expect(failure.kind == .missingMember && "\(failure.pointer)" == "/data/1")
        let right = Data(#"{"data":[{"type":"tags","id":"1","meta":{"n":1},"@n":1,"audit:by":1}]}"#.utf8)
        #expect(try strict.decode([ResourceIdentifier].self, from: right).first?.additionalMembers.count == 2)
    }

    enum Anyone: ResourceUnion {
        case person(Person)
        case unknown(ResourceObject)

        static let members: [UnionMember<Anyone>] = [.init(Anyone.person)]

        var resource: any ResourceRepresentable {
            switch self {
            case .person(let person): person
            case .unknown(let object): object
            }
        }
    }

    struct Wrapper: Codable {
        var leader: Anyone
    }

    struct Team: Resource {
        static let type = "teams"
        var id: String
        var staff: Wrapper
    }

    @Test("A union inside an attribute is an error that says where unions belong")
    func unionInsideAnAttribute() throws {
        let text = Data(
            #"{"data": {"type": "teams", "id": "1", "attributes": {"staff": {"leader": {"type": "people", "id": "2"}}}}}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Team.self, from: text) }
        let failure = try #require(error?.failure)
        #expect(failure.pointer == JSONPointer("data", "attributes", "staff", "leader"))
        #expect(failure.kind == .wrongType)
    }
}

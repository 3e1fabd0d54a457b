import Foundation
import JSONAPICodec
import Testing

@Suite("Documents of a relationship")
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

    @Test("Identifiers as primary data lead to the resources in included, not to themselves")
    func identifiersLeadToIncluded() throws {
        let document = try JSONAPIDecoder().decode(Document<[ResourceIdentifier]>.self, from: Self.document)
        #expect(document.data.map(\.id) == ["1", "2"])
        let first = try #require(document.data.first)
        #expect(try document.resource(Person.self, first)?.name == "Ida")
    }
}

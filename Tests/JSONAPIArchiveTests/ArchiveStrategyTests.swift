import Foundation
import JSONAPICodec
import JSONAPIStore
import Testing

/// What was read with other strategies is kept in the form of the archive or the store.
@Suite struct ArchiveStrategyTests {
    struct Writer: Resource {
        static let type = "writers"
        var id: String
        var firstName: String
    }

    struct Story: Resource {
        static let type = "stories"
        var id: String
        var writer: ToOne<Writer>
    }

    private func story() throws -> Story {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        let text = """
            {"data":{"type":"stories","id":"1","relationships":{"writer":{"data":{"type":"writers","id":"1"}}}},"included":[
            {"type":"writers","id":"1","attributes":{"first_name":"Marit"}}]}
            """
        return try decoder.decode(Story.self, from: Data(text.utf8))
    }

    @Test("An archive without strategies keeps models, and what they refer to, that were read with strategies")
    func archive() throws {
        var writer = Archive.Writer()
        try writer.encode([story()], forKey: "home")
        let kept = try Archive(data: writer.data()).decode([Story].self, forKey: "home")
        #expect(try kept.first?.writer.resolved()?.firstName == "Marit")
    }

    @Test("Archives and stores do not keep the links that an encoder makes for responses")
    func links() throws {
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = { _, _ in ["self": "/made"] }
        var writer = Archive.Writer(encoder: encoder)
        try writer.encode([story()], forKey: "home")
        let identifier = ResourceIdentifier(type: "stories", id: "1")
        let archived = try #require(try Archive(data: writer.data()).resource(ResourceObject.self, identifier))
        let store = ResourceStore(encoder: encoder)
        try store.ingest(story())
        let stored = try #require(try store.resource(ResourceObject.self, identifier))
        for object in [archived, stored] {
            #expect(object.links == nil && object[relationship: "writer"]?.links == nil)
        }
    }

    @Test("A store without strategies keeps models, and what they refer to, that were read with strategies")
    func store() throws {
        let store = ResourceStore()
        try store.ingest(story())
        #expect(try store.resource(Story.self, id: "1")?.writer.resolved()?.firstName == "Marit")
    }
}

import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

// Relationships to which a migration gives another name.

extension RequestMigrationTests {
    /// Renames relationships of memos, and the type of all memos.
    private func renaming(_ names: [String: String], type: String = "memos") -> ArchiveModel {
        ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    guard resource.type == "memos" else { return [resource] }
                    var result = resource
                    result.type = type
                    for name in names.keys { result[relationship: name] = nil }
                    for (old, new) in names {
                        if let relationship = resource[relationship: old] { result[relationship: new] = relationship }
                    }
                    return [result]
                }
            ])
    }

    private var two: ResourceIdentifier { ResourceIdentifier(type: "memos", id: "2") }

    private func ingest(_ relationships: String, _ store: ResourceStore) throws {
        try store.ingest(ResourceObject(#"{"type":"memos","id":"1","relationships":\#(relationships)}"#))
    }

    @Test("A link that the server has sent meanwhile is renamed, also if its resource gets another type", arguments: ["memos", "notes"])
    func equalLinks(type: String) throws {
        try migrated(by: renaming(["parent": "above", "children": "below"], type: type)) { queue in
            try queue.store.ingest(ResourceObject(two))
            try queue.update(Patch<ResourceObject>(one).set("rank", 2).link("parent", to: two).link("children", to: [two]))
            let link = #"{"type":"memos","id":"2"}"#
            try ingest(#"{"parent":{"data":\#(link)},"children":{"data":[\#(link)]}}"#, queue.store)
        } check: { _, queue in
            let body = try #require(queue.requests[0].document?.data.resources.first)
            let moved = ResourceIdentifier(type: type, id: "2")
            #expect(body.identifier == ResourceIdentifier(type: type, id: "1"))
            #expect(body.attributes == ["rank": 2])
            #expect(body.relationships?.members.names.sorted() == ["above", "below"])
            #expect(body[relationship: "above"]?.data == .one(moved))
            #expect(body[relationship: "below"]?.data == .many([moved]))
        }
    }
}

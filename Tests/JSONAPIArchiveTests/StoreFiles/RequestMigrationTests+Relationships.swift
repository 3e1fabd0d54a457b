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

    @Test("The replacement of a relationship gets its new name, also if it was sent", arguments: [false, true], ["memos", "notes"])
    func replacement(isEqual: Bool, type: String) throws {
        let link = #"{"type":"memos","id":"2"}"#
        let moved = ResourceIdentifier(type: type, id: "2")
        let new = ResourceIdentifier(type: type, id: "1")
        try migrated(by: renaming(["parent": "above", "children": "below"], type: type)) { queue in
            try queue.store.ingest(ResourceObject(two))
            try ingest(#"{"parent":{"data":null},"children":{"data":[]}}"#, queue.store)
            try queue.replace("parent", of: one, with: .one(two))
            try queue.replace("children", of: one, with: .many([two]))
            if isEqual { try ingest(#"{"parent":{"data":\#(link)},"children":{"data":[\#(link)]}}"#, queue.store) }
        } check: { store, queue in
            #expect(queue.requests.map(\.target) == [new, new])
            #expect(queue.requests.map(\.relationship) == ["above", "below"])
            #expect(queue.requests.map { $0.document?.linkage } == [.one(moved), .many([moved])])
            // The changes stay on top of what arrives.
            let arrived = #"{"type":"\#(type)","id":"1","relationships":{"above":{"data":null},"below":{"data":[]}}}"#
            try store.ingest(ResourceObject(arrived))
            #expect(store[new]?[relationship: "above"]?.data == .one(moved))
            #expect(store[new]?[relationship: "below"]?.data == .many([moved]))
            for request in queue.requests { try queue.rollBack(request) }
            #expect(store[new]?[relationship: "above"]?.data == .null)
            #expect(store[new]?[relationship: "below"]?.data == .many([]))
        }
    }

    @Test("The replacement of a relationship that exchanges its name with another one sends its own linkage")
    func exchangedNames() throws {
        try migrated(by: renaming(["parent": "owner", "owner": "parent"])) { queue in
            try ingest(#"{"parent":{"data":null},"owner":{"data":{"type":"memos","id":"3"}}}"#, queue.store)
            try queue.replace("parent", of: one, with: .one(two))
        } check: { _, queue in
            #expect(queue.requests.map(\.relationship) == ["owner"])
            #expect(queue.requests.map { $0.document?.linkage } == [.one(two)])
        }
    }

    @Test("The replacement of a relationship of which a migration makes several stays as it is")
    func severalRelationships() throws {
        let model = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    guard let parent = resource[relationship: "parent"] else { return [resource] }
                    var result = resource
                    result[relationship: "parent"] = nil
                    (result[relationship: "above"], result[relationship: "owner"]) = (parent, parent)
                    return [result]
                }
            ])
        try migrated(by: model) { queue in
            try queue.replace("parent", of: one, with: .one(two))
        } check: { store, queue in
            #expect(queue.requests.map(\.relationship) == ["parent"])
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?.relationships == nil)
        }
    }
}

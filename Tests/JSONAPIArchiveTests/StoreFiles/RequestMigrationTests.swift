import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

@Suite("Migrations of a store with waiting requests")
struct RequestMigrationTests {
    struct Old: Resource {
        static let type = "memos"
        var id: String?
        var title: String
        var rank: Int?
    }

    private struct Seen: Resource, RestrictedFields {
        static let type = "memos"
        static let readOnlyFields = ["title"]
        var id: String?
        var title: String
        var rank: Int?
    }

    private struct New: Resource, Equatable {
        static let type = "memos"
        var id: String?
        var headline: String
        var rank: Int?
    }

    /// Renames an attribute, and gives every memo a rank.
    static let model = ArchiveModel(
        version: 1,
        migrations: [
            .init(to: 1) { resource, _ in
                guard resource.type == "memos", let title = resource[attribute: "title"] else { return [resource] }
                var resource = resource
                resource[attribute: "headline"] = title
                resource[attribute: "title"] = nil
                if resource[attribute: "rank"] == nil { resource[attribute: "rank"] = 0 }
                return [resource]
            }
        ])

    let one = ResourceIdentifier(type: "memos", id: "1")

    /// Saves a memo with requests of the old model, and opens the file with the new one.
    func migrated(
        by model: ArchiveModel = Self.model, _ edit: (RequestQueue) throws -> Void, check: (ResourceStore, RequestQueue) throws -> Void
    ) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            do {
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                defer { file.close() }
                try store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["title": "A"]))
                try edit(RequestQueue(store, savedIn: file))
                try file.save()
            }
            let store = ResourceStore()
            let file = try StoreFile(url, of: store, model: model)
            defer { file.close() }
            try check(store, RequestQueue(store, savedIn: file))
        }
    }

    private func update(_ title: String, _ queue: RequestQueue) throws {
        try queue.update(Patch<Old>(one).set("title", title))
    }

    @Test("Updates are shown, sent, and rolled back in the new form")
    func updates() throws {
        try migrated { queue in
            try update("A!", queue)
            try update("A!!", queue)
        } check: { store, queue in
            #expect(try store.resources(New.self).map(\.headline) == ["A!!"])
            let body = try JSON(parsing: Array(#require(queue.requests[0].body)))
            // Without the rank, which the program has not changed.
            #expect(body == ["data": ["type": "memos", "id": "1", "attributes": ["headline": "A!"]]])
            try store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["headline": "B", "rank": 5]))
            #expect(store[one]?.attributes == ["headline": "A!!", "rank": 5])
            try queue.rollBack(queue.requests[1])
            #expect(store[one]?.attributes == ["headline": "A!", "rank": 5])
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?.attributes == ["headline": "B", "rank": 5])
        }
    }

    @Test("A value that the server has sent in the meantime is renamed with the others, and sent")
    func equalValue() throws {
        try migrated { queue in
            try queue.update(Patch<Old>(one).set("title", "A!").set("rank", 7))
            try queue.store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["title": "A!"]))
        } check: { store, queue in
            let body = try JSON(parsing: Array(#require(queue.requests[0].body)))
            #expect(body["data"]?["attributes"] == ["headline": "A!", "rank": 7])
            try store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["headline": "B", "rank": 5]))
            #expect(store[one]?.attributes == ["headline": "A!", "rank": 7])
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?.attributes == ["headline": "B", "rank": 5])
        }
    }

    private struct Marked: Resource {
        static let type = "memos"
        var id: String?
        var title: String
        var done: Bool?
        var archived: Bool?
    }

    @Test("Several values that the server has sent are renamed, or stay if the new value is another", arguments: [false, true])
    func equalValues(isInverted: Bool) throws {
        let renaming = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    var resource = resource
                    if let done = resource[attribute: "done"]?.bool {
                        resource[attribute: "done"] = nil
                        resource[attribute: isInverted ? "isOpen" : "isDone"] = .bool(done != isInverted)
                    }
                    if let archived = resource[attribute: "archived"] {
                        resource[attribute: "archived"] = nil
                        resource[attribute: "isArchived"] = archived
                    }
                    return [resource]
                }
            ])
        try migrated(by: renaming) { queue in
            try queue.update(Patch<Marked>(one).set("title", "A!").set("done", true).set("archived", true))
            try queue.store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["done": true, "archived": true]))
        } check: { _, queue in
            let body = try JSON(parsing: Array(#require(queue.requests[0].body)))
            #expect(body["data"]?["attributes"] == ["title": "A!", isInverted ? "done" : "isDone": true, "isArchived": true])
        }
    }

    @Test("An update is sent in the new unit even if the server has sent one of its values in the meantime", arguments: ["title", "rank"])
    func equalValueInNewUnit(sent: String) throws {
        let converting = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    guard let rank = resource[attribute: "rank"]?.int else { return [resource] }
                    var resource = resource
                    resource[attribute: "rank"] = .number(JSONNumber(100 * rank))
                    return [resource]
                }
            ])
        let values: JSONObject = ["title": "A!", "rank": 7]
        try migrated(by: converting) { queue in
            try queue.store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["rank": 5]))
            try queue.update(Patch<Old>(one).set("title", "A!").set("rank", 7))
            try queue.store.ingest(ResourceObject(type: "memos", id: "1", attributes: [sent: #require(values[sent])]))
        } check: { store, queue in
            let body = try JSON(parsing: Array(#require(queue.requests[0].body)))
            #expect(body["data"]?["attributes"] == ["title": "A!", "rank": 700])
            try queue.rollBack(queue.requests[0])
            let restored: JSONObject = sent == "title" ? ["title": "A!", "rank": 500] : ["title": "A", "rank": 700]
            #expect(store[one]?.attributes == restored)
        }
    }

    @Test("A field that is not sent is renamed, and still not sent")
    func unsent() throws {
        try migrated { queue in
            var draft = try queue.store.draft(Seen.self, id: "1")
            (draft.value.title, draft.value.rank) = ("A!", 3)
            #expect(try queue.update(&draft) != nil)
        } check: { store, queue in
            #expect(store[one]?.attributes == ["headline": "A!", "rank": 3])
            let body = try JSON(parsing: Array(#require(queue.requests[0].body)))
            #expect(body == ["data": ["type": "memos", "id": "1", "attributes": ["rank": 3]]])
            try store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["headline": "B", "rank": 5]))
            #expect(store[one]?.attributes == ["headline": "A!", "rank": 3])
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?.attributes == ["headline": "B", "rank": 5])
        }
    }

    @Test("A field that is not sent is renamed, also if the server has sent its value")
    func unsentAndKnown() throws {
        try migrated { queue in
            var draft = try queue.store.draft(Seen.self, id: "1")
            (draft.value.title, draft.value.rank) = ("A!", 3)
            #expect(try queue.update(&draft) != nil)
            try queue.store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["title": "A!"]))
        } check: { store, queue in
            let body = try JSON(parsing: Array(#require(queue.requests[0].body)))
            #expect(body == ["data": ["type": "memos", "id": "1", "attributes": ["rank": 3]]])
            try store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["headline": "B"]))
            #expect(store[one]?.attributes == ["headline": "B", "rank": 3])
        }
    }

    @Test("A migration that does not change a resource leaves its requests as they are, also if the server has sent their values")
    func unchanged() throws {
        try migrated(by: ArchiveModel(version: 1, migrations: [.init(to: 1) { resource, _ in [resource] }])) { queue in
            var draft = try queue.store.draft(Seen.self, id: "1")
            (draft.value.title, draft.value.rank) = ("A!", 3)
            #expect(try queue.update(&draft) != nil)
            try queue.store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["title": "A!", "rank": 3]))
        } check: { store, queue in
            try store.ingest(ResourceObject(type: "memos", id: "1", attributes: ["title": "B", "rank": 5]))
            #expect(store[one]?.attributes == ["title": "A!", "rank": 3])
            let body = try JSON(parsing: Array(#require(queue.requests[0].body)))
            #expect(body == ["data": ["type": "memos", "id": "1", "attributes": ["rank": 3]]])
        }
    }

    @Test("A field that a creation leaves out is renamed, so that a rewriter's rule for it does not run")
    func leftOut() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            do {
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                defer { file.close() }
                try RequestQueue(store, savedIn: file).create(Seen(title: "A", rank: 1))
            }
            var encoder = JSONAPIEncoder()
            encoder.rewriters["memos"] = Rewriter(unreferenced: .keep) { Rule("name", from: "headline") }
            let store = ResourceStore(encoder: encoder)
            let file = try StoreFile(url, of: store, model: Self.model)
            defer { file.close() }
            let queue = RequestQueue(store, savedIn: file)
            #expect(store.core.readKept { $0.requests.first }?.leftOut == ["headline"])
            let request = try #require(try queue.next())
            let body = try JSON(parsing: Array(#require(request.body)))
            #expect(body["data"]?["attributes"] == ["rank": 1])
        }
    }

    @Test("A deleted resource is restored in the new form")
    func deletion() throws {
        try migrated { queue in
            try update("A!", queue)
            try queue.delete(one)
        } check: { store, queue in
            #expect(store.isEmpty)
            try queue.rollBack(queue.requests[1])
            #expect(try store.resources(New.self) == [New(id: "1", headline: "A!", rank: 0)])
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?.attributes == ["headline": "A", "rank": 0])
        }
    }

    @Test("A new resource is sent in the new form, and keeps its lid")
    func creation() throws {
        try migrated { queue in
            let creation = try queue.create(Old(title: "N"))
            try queue.update(Patch<Old>(creation.target).set("title", "N!"))
        } check: { store, queue in
            let creation = try #require(try queue.next())
            let sent = try JSON(parsing: Array(#require(creation.body)))
            #expect(sent == ["data": ["type": "memos", "attributes": ["headline": "N", "rank": 0]]])
            let answer = Data(#"{"data":{"type":"memos","id":"7","attributes":{"headline":"N","rank":2}}}"#.utf8)
            try queue.answer(creation, status: 201, body: answer)
            #expect(try store.resource(New.self, id: "7") == New(id: "7", headline: "N!", rank: 2))
            let body = try JSON(parsing: Array(#require(try queue.next()?.body)))
            #expect(body == ["data": ["type": "memos", "id": "7", "attributes": ["headline": "N!"]]])
        }
    }

    @Test("A new resource is sent in the new form even if the store has removed it")
    func removedCreation() throws {
        try migrated { queue in
            try queue.create(Old(title: "N"))
            try queue.store.removeAll()
        } check: { store, queue in
            let creation = try #require(try queue.next())
            let sent = try JSON(parsing: Array(#require(creation.body)))
            #expect(sent == ["data": ["type": "memos", "attributes": ["headline": "N", "rank": 0]]])
            #expect(store.isEmpty)
        }
    }

    @Test("What the server has sent of a new resource is restored in the new form")
    func arrivedCreation() throws {
        let two = ResourceIdentifier(type: "memos", id: "2")
        try migrated { queue in
            try queue.create(Old(id: "2", title: "Mine"), clientID: true)
            try queue.store.ingest(ResourceObject(type: "memos", id: "2", attributes: ["title": "Theirs"]))
        } check: { store, queue in
            try queue.rollBack(queue.requests[0])
            #expect(store[two]?.attributes == ["headline": "Theirs", "rank": 0])
        }
    }

    @Test("A backup has the version of the store's file, so that its resources are not migrated again")
    func backup() throws {
        let counting = ArchiveModel(
            version: 2,
            migrations: [
                .init(to: 2) { resource, _ in
                    var resource = resource
                    resource[attribute: "n"] = .number(JSONNumber((resource[attribute: "n"]?.int ?? 0) + 1))
                    return [resource]
                }
            ])
        try withFolder { folder in
            let (url, backup) = (folder.appendingPathComponent("store"), folder.appendingPathComponent("backup"))
            let old = ResourceStore()
            try old.ingest(ResourceObject(type: "memos", id: "1", attributes: ["n": 1]))
            try old.save(to: url)
            let store = ResourceStore()
            let file = try StoreFile(url, of: store, model: counting)
            defer { file.close() }
            try store.save(to: backup)
            #expect(try Archive(contentsOf: backup).modelVersion == 2)
            let restored = ResourceStore()
            let reopened = try StoreFile(backup, of: restored, model: counting)
            defer { reopened.close() }
            #expect(restored[one]?.attributes == ["n": 2])
            try store.save(to: folder.appendingPathComponent("older"), modelVersion: 1)
            #expect(try Archive(contentsOf: folder.appendingPathComponent("older")).modelVersion == 1)
        }
    }

    @Test("Requests about other resources stay as they are")
    func others() throws {
        let other = ResourceIdentifier(type: "lists", id: "1")
        try migrated { queue in
            try queue.store.ingest(ResourceObject(type: "lists", id: "1", attributes: ["title": "L"]))
            try queue.update(Patch<ResourceObject>(other).set("title", "L!"))
        } check: { store, queue in
            #expect(queue.requests.map(\.target) == [other])
            try queue.rollBack(queue.requests[0])
            #expect(store[other]?.attributes == ["title": "L"])
        }
    }

    @Test("A local edit between two requests is shown when the later one is rolled back")
    func localEditBetween() throws {
        try migrated { queue in
            try update("Sent", queue)
            try queue.store.apply(Patch<Old>(one).set("title", "Not sent"))
            try update("Sent later", queue)
        } check: { store, queue in
            #expect(queue.requests.map { $0.document?.data.resources.first?[attribute: "headline"] } == ["Sent", "Sent later"])
            try queue.rollBack(queue.requests[1])
            #expect(store[one]?[attribute: "headline"] == "Not sent")
        }
    }

    @Test("Additions to a relationship are rolled back in the new form")
    func additions() throws {
        let tags = (1...3).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        try migrated { queue in
            let tagged = #"{"type":"memos","id":"1","relationships":{"tags":{"data":[{"type":"tags","id":"1"}]}}}"#
            try queue.store.ingest(ResourceObject(tagged))
            try queue.add([tags[1]], to: "tags", of: one)
            try queue.add([tags[2]], to: "tags", of: one)
        } check: { store, queue in
            #expect(store[one]?[relationship: "tags"]?.data == .many(tags))
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?[relationship: "tags"]?.data == .many([tags[0], tags[2]]))
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?[relationship: "tags"]?.data == .many([tags[0]]))
            #expect(store[one]?[attribute: "headline"] == "A")
        }
    }

    @Test("Many additions to a relationship are migrated without a copy of all members for each of them")
    func manyAdditions() throws {
        let count = 300
        let tags = (0..<count).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        /// The number of members of all states that were migrated.
        let seen = Locked(0)
        let model = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, old in
                    seen.withLock { $0 += resource[relationship: "tags"]?.data.identifiers.count ?? 0 }
                    return try Self.model.migrations[0].migrate(resource, old)
                }
            ])
        try migrated(by: model) { queue in
            try queue.store.ingest(ResourceObject(#"{"type":"memos","id":"1","relationships":{"tags":{"data":[]}}}"#))
            try queue.store.transaction { _ in
                for tag in tags { try queue.add([tag], to: "tags", of: one) }
                try queue.remove([tags[1]], from: "tags", of: one)
                try update("A!", queue)
            }
        } check: { store, queue in
            // Without these copies, the resource and the states around the update are migrated: a few times all members.
            let members = seen.withLock { $0 }
            #expect(members < 10 * count)
            #expect(store[one]?[attribute: "headline"] == "A!")
            let requests = queue.requests
            for index in [count + 1, count, 0] { try queue.rollBack(requests[index]) }
            #expect(store[one]?[relationship: "tags"]?.data == .many(Array(tags.dropFirst())))
            #expect(store[one]?[attribute: "headline"] == "A")
            try queue.rollBack(requests[1])
            #expect(store[one]?[relationship: "tags"]?.data == .many(Array(tags.dropFirst(2))))
        }
    }

    @Test("Additions to a relationship whose members the migration changes are rolled back in the new form")
    func changedMembers() throws {
        let tags = (1...3).map { ResourceIdentifier(type: "tags", id: "\($0)") }
        let removing = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    guard let members = resource[relationship: "tags"]?.data.identifiers else { return [resource] }
                    var resource = resource
                    resource[relationship: "tags"] = RelationshipObject(data: .many(members.filter { $0.id != "1" }))
                    return [resource]
                }
            ])
        try migrated(by: removing) { queue in
            try queue.store.ingest(
                ResourceObject(#"{"type":"memos","id":"1","relationships":{"tags":{"data":[{"type":"tags","id":"1"}]}}}"#))
            try queue.add([tags[1]], to: "tags", of: one)
            try queue.add([tags[2]], to: "tags", of: one)
        } check: { store, queue in
            #expect(store[one]?[relationship: "tags"]?.data == .many([tags[1], tags[2]]))
            try queue.rollBack(queue.requests[1])
            #expect(store[one]?[relationship: "tags"]?.data == .many([tags[1]]))
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?[relationship: "tags"]?.data == .many([]))
        }
    }

    @Test("Requests, and what they restore, follow resources to which a migration gives another type")
    func renamedType() throws {
        let renaming = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    var resource = resource
                    if resource.type == "people" { resource.type = "persons" }
                    return [resource]
                }
            ])
        let people = (1...3).map { ResourceIdentifier(type: "people", id: "\($0)") }
        let persons = (1...3).map { ResourceIdentifier(type: "persons", id: "\($0)") }
        func authors(_ store: ResourceStore) -> Linkage? { store[one]?[relationship: "authors"]?.data }
        try migrated(by: renaming) { queue in
            try queue.store.ingest(people.map { ResourceObject($0) })
            let linked = #"{"data":[{"type":"people","id":"1"},{"type":"people","id":"3"}]}"#
            try queue.store.ingest(ResourceObject(#"{"type":"memos","id":"1","relationships":{"authors":\#(linked)}}"#))
            try queue.add([people[1]], to: "authors", of: one)
            try queue.remove([people[2]], from: "authors", of: one)
            try queue.replace("owner", of: one, with: .one(people[2]))
            try queue.delete(people[2])
        } check: { store, queue in
            let requests = queue.requests
            #expect(requests.map(\.target) == [one, one, one, persons[2]])
            let linkage = requests.map { $0.document?.linkage }
            #expect(linkage == [.many([persons[1]]), .many([persons[2]]), .one(persons[2]), nil])
            #expect(authors(store) == .many([persons[0], persons[1]]))
            #expect(store[one]?[relationship: "owner"]?.data == .one(persons[2]))
            try queue.rollBack(requests[3])
            #expect(store[persons[2]] != nil)
            try queue.rollBack(requests[1])
            #expect(authors(store) == .many([persons[0], persons[2], persons[1]]))
            try queue.rollBack(requests[0])
            #expect(authors(store) == .many([persons[0], persons[2]]))
        }
    }

    @Test("What undoes a removal from a relationship is in the new form, also if no members are left")
    func removedMembers() throws {
        let tag = ResourceIdentifier(type: "tags", id: "1")
        let renaming = ArchiveModel(
            version: 1,
            migrations: [
                .init(to: 1) { resource, _ in
                    guard let members = resource[relationship: "tags"]?.data.identifiers else { return [resource] }
                    var resource = resource
                    let labels = members.map { ResourceIdentifier(type: "labels", id: $0.id ?? "") }
                    resource[relationship: "tags"] = RelationshipObject(data: .many(labels))
                    return [resource]
                }
            ])
        try migrated(by: renaming) { queue in
            let tagged = #"{"type":"memos","id":"1","relationships":{"tags":{"data":[{"type":"tags","id":"1"}]}}}"#
            try queue.store.ingest(ResourceObject(tagged))
            try queue.remove([tag], from: "tags", of: one)
        } check: { store, queue in
            let label = ResourceIdentifier(type: "labels", id: "1")
            let request = try #require(queue.requests.first)
            #expect(request.document?.linkage == .many([label]))
            try queue.rollBack(request)
            #expect(store[one]?[relationship: "tags"]?.data == .many([label]))
        }
    }

    @Test("Requests follow several migrations")
    func severalMigrations() throws {
        func renaming(_ old: String, to new: String, in version: Int) -> ArchiveModel.Migration {
            .init(to: version) { resource, _ in
                guard let value = resource[attribute: old] else { return [resource] }
                var resource = resource
                resource[attribute: new] = value
                resource[attribute: old] = nil
                return [resource]
            }
        }
        let model = ArchiveModel(
            version: 3,
            migrations: [
                renaming("title", to: "headline", in: 1), renaming("headline", to: "name", in: 2), renaming("rank", to: "place", in: 3),
            ])
        try migrated(by: model) { queue in
            try update("A!", queue)
            try queue.store.apply(Patch<Old>(one).set("title", "Not sent"))
            try queue.update(Patch<Old>(one).set("title", "A!!").set("rank", 1))
            try queue.delete(one)
        } check: { store, queue in
            let bodies = queue.requests.map { $0.document?.data.resources.first?.attributes }
            let expected: [JSONObject?] = [["name": "A!"], ["name": "A!!", "place": 1], nil]
            #expect(bodies == expected)
            try queue.rollBack(queue.requests[2])
            #expect(store[one]?.attributes == ["name": "A!!", "place": 1])
            try queue.rollBack(queue.requests[1])
            #expect(store[one]?.attributes == ["name": "Not sent"])
            try queue.rollBack(queue.requests[0])
            #expect(store[one]?.attributes == ["name": "Not sent"])
        }
    }

    @Test("A local edit on top of a request is not sent with it, and stays when the request is rolled back")
    func localEdit() throws {
        try migrated { queue in
            try update("Sent", queue)
            try queue.store.apply(Patch<Old>(one).set("title", "Not sent"))
        } check: { store, queue in
            let request = try #require(queue.requests.first)
            #expect(request.document?.data.resources.first?[attribute: "headline"] == "Sent")
            #expect(store[one]?[attribute: "headline"] == "Not sent")
            try queue.rollBack(request)
            #expect(store[one]?[attribute: "headline"] == "Not sent")
        }
    }
}

import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

/// An app and its extension open the same file in turns. The store of the app lives on while the extension has the file.
@Suite("Two programs take turns with the requests of a file")
struct TwoProgramsTests {
    private struct Memo: Resource, Equatable {
        static let type = "memos"
        var id: String
        var text: String
    }

    private let seven = ResourceIdentifier(type: "memos", id: "7")

    private func resource(_ text: String) throws -> ResourceObject { try ResourceObject(text) }

    /// Saves memo 7 with a request of the app that sets its text to B. Then runs the steps of the app while the file is closed, and those of the
    /// extension, which has opened the file. Finally the app opens the file again.
    private func turns(
        request: (RequestQueue) throws -> Void, app: (ResourceStore) throws -> Void, others theirs: (RequestQueue) throws -> Void,
        after check: (ResourceStore, RequestQueue) throws -> Void
    ) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"text":"A","rank":1}}"#))
            try request(RequestQueue(store, savedIn: file))
            file.close()
            try app(store)
            let other = ResourceStore()
            let otherFile = try StoreFile(url, of: other)
            try theirs(RequestQueue(other, savedIn: otherFile))
            otherFile.close()
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            try check(store, RequestQueue(store, savedIn: again))
        }
    }

    private func update(_ queue: RequestQueue) throws { try queue.update(Patch<Memo>(seven).set("text", "B")) }

    private func answer(_ queue: RequestQueue, _ status: Int, _ body: String? = nil) throws {
        try queue.answer(try #require(try queue.next()), status: status, body: body.map { Data($0.utf8) })
    }

    // MARK: - New resources

    private struct Note: Resource {
        static let type = "notes"
        var id: String?
        var lid: LocalID?
        var text: String
    }

    private let local = ResourceIdentifier(type: "notes", lid: "n1")
    private let created = #"{"data":{"type":"notes","id":"77","attributes":{"text":"Milk"}}}"#

    @Test("An edit of a new resource is sent to the id that another program has received for it")
    func editOfPromoted() throws {
        try turns { queue in
            try queue.create(Note(lid: "n1", text: "Milk"))
        } app: { store in
            try RequestQueue(store).update(Patch<Note>(local).set("text", "Bread"))
        } others: { queue in
            try answer(queue, 201, created)
        } after: { store, queue in
            #expect(store.identifiers(ofType: "notes") == [ResourceIdentifier(type: "notes", id: "77")])
            #expect(store[local]?.id == "77")
            #expect(store[local]?[attribute: "text"] == "Bread")
            let request = try #require(try queue.next())
            #expect(request.operation == .update && request.target.id == "77")
            try queue.rollBack(request)
            #expect(store[local]?[attribute: "text"] == "Milk")
        }
    }

    @Test("A new resource is linked under the id that another program has received for it")
    func linkageOfPromoted() throws {
        try turns { queue in
            try queue.create(Note(lid: "n1", text: "Milk"))
        } app: { store in
            try store.ingest(resource(#"{"type":"memos","id":"7","relationships":{"notes":{"data":[]}}}"#))
            try RequestQueue(store).add([local], to: "notes", of: seven)
        } others: { queue in
            try answer(queue, 201, created)
        } after: { store, queue in
            #expect(store.identifiers(ofType: "notes") == [ResourceIdentifier(type: "notes", id: "77")])
            #expect(store[seven]?[relationship: "notes"]?.data.identifiers.map(\.id) == ["77"])
            let request = try #require(try queue.next())
            #expect(request.document?.linkage.identifiers.map(\.id) == ["77"])
        }
    }

    @Test("A resource that only one of the programs has keeps a lid that the other one has used, too")
    func sameLID() throws {
        try turns { queue in
            try update(queue)
        } app: { store in
            try RequestQueue(store).create(Note(lid: "n1", text: "Mine"))
        } others: { queue in
            try queue.finish(try #require(try queue.next()))
            try queue.create(Note(lid: "n1", text: "Milk"))
            try answer(queue, 201, created)
        } after: { store, queue in
            #expect(store[local]?[attribute: "text"] == "Mine")
            #expect(store[ResourceIdentifier(type: "notes", id: "77")]?[attribute: "text"] == "Milk")
            let next = try queue.next()
            #expect(next?.target == local)
        }
    }

    @Test("An edit fails visibly if another program has rolled back the creation of its resource")
    func editOfRolledBack() throws {
        try turns { queue in
            try queue.create(Note(lid: "n1", text: "Milk"))
        } app: { store in
            try RequestQueue(store).update(Patch<Note>(local).set("text", "Bread"))
        } others: { queue in
            try queue.rollBack(try #require(queue.requests.first))
        } after: { store, queue in
            #expect(store.identifiers(ofType: "notes").isEmpty)
            let request = try #require(queue.requests.first)
            #expect(queue.count == 1 && request.state == .failed && request.error?.errors.count == 1)
            try queue.rollBack(request)
            #expect(queue.isEmpty && store.identifiers(ofType: "notes").isEmpty)
        }
    }

    @Test("The deletion of a new resource is sent to the id that another program has received for it", arguments: [false, true])
    func deletionOfPromoted(isRolledBack: Bool) throws {
        try turns { queue in
            try queue.create(Note(lid: "n1", text: "Milk"))
            #expect(try queue.next() != nil)
        } app: { store in
            try RequestQueue(store).delete(local)
        } others: { queue in
            let body = Data(#"{"data":{"type":"notes","id":"77","attributes":{"text":"Milk","rank":1}}}"#.utf8)
            try queue.answer(try #require(queue.requests.first), status: 201, body: body)
        } after: { store, queue in
            #expect(store.identifiers(ofType: "notes").isEmpty)
            let request = try #require(try queue.next())
            #expect(request.operation == .delete && request.target.id == "77")
            if isRolledBack { try queue.rollBack(request) } else { try queue.answer(request, status: 204) }
            #expect(queue.isEmpty && store.count(ofType: "notes") == (isRolledBack ? 1 : 0))
            if isRolledBack { #expect(store[local]?.attributes == ["text": "Milk", "rank": 1]) }
        }
    }

    @Test("A creation that the store has queued again is not sent if another program has received the id")
    func retriedCreation() throws {
        try turns { queue in
            try queue.create(Note(lid: "n1", text: "Milk"))
            #expect(try queue.next() != nil)
        } app: { store in
            let queue = RequestQueue(store)
            try queue.retry(try #require(queue.requests.first))
        } others: { queue in
            try queue.answer(try #require(queue.requests.first), status: 201, body: Data(created.utf8))
        } after: { store, queue in
            #expect(queue.isEmpty && store[local]?.id == "77")
            #expect(store.identifiers(ofType: "notes") == [ResourceIdentifier(type: "notes", id: "77")])
        }
    }

    @Test("A new resource that the store has removed does not come back under the id that another program has received for it")
    func removalOfPromoted() throws {
        try turns { queue in
            try queue.create(Note(lid: "n1", text: "Milk"))
        } app: { store in
            let deletion = try RequestQueue(store).delete(local)
            #expect(deletion == nil)
        } others: { queue in
            try answer(queue, 201, created)
        } after: { store, queue in
            #expect(queue.isEmpty && store.identifiers(ofType: "notes").isEmpty)
        }
    }

    @Test("A link to a new resource that a request hides gets the id that another program has received")
    func linkageOfHidden() throws {
        try turns { queue in
            try queue.create(Note(lid: "n1", text: "Milk"))
            #expect(try queue.next() != nil)
            try queue.delete(local)
        } app: { store in
            try store.ingest(resource(#"{"type":"memos","id":"7","relationships":{"notes":{"data":[]}}}"#))
            try RequestQueue(store).add([local], to: "notes", of: seven)
        } others: { queue in
            try queue.answer(try #require(queue.requests.first), status: 201, body: Data(created.utf8))
        } after: { store, queue in
            #expect(store.identifiers(ofType: "notes").isEmpty)
            #expect(queue.requests.map(\.target.id) == ["77", "7"] && queue.requests.map(\.state) == [.waiting, .waiting])
            #expect(queue.requests.last?.document?.linkage.identifiers.map(\.id) == ["77"])
        }
    }

    @Test("A new resource with the lid of a deleted one is created although another program has created that one")
    func reusedLID() throws {
        try turns { queue in
            try queue.create(Note(lid: "n1", text: "Milk"))
        } app: { store in
            let queue = RequestQueue(store)
            try queue.delete(local)
            try queue.create(Note(lid: "n1", text: "Mine"))
        } others: { queue in
            try answer(queue, 201, created)
        } after: { store, queue in
            #expect(store[local]?[attribute: "text"] == "Mine")
            let request = try #require(try queue.next())
            #expect(request.operation == .create && request.target == local)
        }
    }

    @Test("A file keeps the last ids that have replaced lids, and not more")
    func limit() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            for number in 0..<120 {
                try store.ingest(ResourceObject(type: "notes", lid: "n\(number)"))
                try store.promote(ResourceIdentifier(type: "notes", lid: "n\(number)"), to: "\(number)")
            }
            try file.save()
            file.close()
            let other = ResourceStore()
            try StoreFile(url, of: other).close()
            let entries = FiledPromotions(other.core.readKept { $0.value(.promotions)?.text }).entries
            #expect(entries.map(\.target.name) == (20..<120).map { "\($0)" })
            // The lids of an earlier process stand for nothing.
            #expect(!other.core.hasPromotions)
        }
    }

    @Test("Removing all resources also removes the ids that have replaced lids from the file, and removing those of a type does not")
    func removedPromotions() throws {
        try withFolder { folder in
            let store = ResourceStore()
            let file = try StoreFile(folder.appendingPathComponent("store"), of: store)
            defer { file.close() }
            try store.ingest(ResourceObject(type: "notes", lid: "n1"))
            try store.promote(local, to: "77")
            try store.removeAll(ofType: "notes")
            try file.save()
            #expect(try file.archive.keys == ["promotions:"])
            try store.removeAll()
            try file.save()
            #expect(try file.archive.keys.isEmpty)
        }
    }

    // MARK: - What arrives for a request

    @Test("A request that another program has sent is not sent again after a document arrived for its resource", arguments: [false, true])
    func arrivedForSent(isDeletion: Bool) throws {
        try turns { queue in
            guard isDeletion else { return try update(queue) }
            try queue.delete(seven)
        } app: { store in
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"text":"C"}}"#))
        } others: { queue in
            try answer(queue, 204)
        } after: { store, queue in
            let expected: JSONObject? = isDeletion ? nil : ["text": "B", "rank": 1]
            #expect(queue.isEmpty)
            #expect(store[seven]?.attributes == expected)
        }
    }

    @Test("A request that another program's server has refused stays refused after a document arrived for its resource")
    func arrivedForRefused() throws {
        try turns { queue in
            try update(queue)
        } app: { store in
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"text":"C","rank":2}}"#))
        } others: { queue in
            try answer(queue, 422, #"{"errors":[{"title":"No"}]}"#)
        } after: { store, queue in
            #expect(queue.requests.map(\.state) == [.failed])
            let refused = try #require(queue.requests.first)
            #expect(refused.error?.errors.first?.title == "No")
            #expect(try queue.next() == nil)
            #expect(store[seven]?.attributes == ["text": "B", "rank": 2])
            try queue.rollBack(refused)
            #expect(store[seven]?.attributes == ["text": "C", "rank": 2])
        }
    }

    // MARK: - Changes that have ended

    @Test("A change that another program has rolled back is gone, and what arrived for other fields stays")
    func rolledBack() throws {
        try turns { queue in
            try update(queue)
        } app: { store in
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"rank":2}}"#))
        } others: { queue in
            try answer(queue, 422)
            try queue.rollBack(try #require(queue.requests.first))
        } after: { store, queue in
            #expect(queue.isEmpty)
            #expect(store[seven]?.attributes == ["text": "A", "rank": 2])
        }
    }

    @Test("What a server has made of a change that another program has sent is shown, and the changes of later requests stay on top")
    func answeredOtherwise() throws {
        try turns { queue in
            try update(queue)
        } app: { store in
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"rank":2}}"#))
            try RequestQueue(store).update(Patch<ResourceObject>(seven).set("rank", 3))
        } others: { queue in
            try answer(queue, 200, #"{"data":{"type":"memos","id":"7","attributes":{"text":"b"}}}"#)
        } after: { store, queue in
            #expect(store[seven]?.attributes == ["text": "b", "rank": 3])
            try queue.rollBack(try #require(queue.requests.first))
            #expect(queue.isEmpty)
            #expect(store[seven]?.attributes == ["text": "b", "rank": 2])
        }
    }

    @Test("A new resource whose creation another program has rolled back leaves only what the server has sent", arguments: [false, true])
    func rolledBackCreation(hasArrived: Bool) throws {
        let eight = ResourceIdentifier(type: "memos", id: "8")
        try turns { queue in
            try queue.create(Memo(id: "8", text: "Mine"), clientID: true)
        } app: { store in
            try store.apply(Patch<Memo>(eight).set("text", "Local"))
            if hasArrived { try store.ingest(resource(#"{"type":"memos","id":"8","attributes":{"text":"Theirs"}}"#)) }
        } others: { queue in
            try queue.rollBack(try #require(queue.requests.first))
        } after: { store, queue in
            let expected: JSONObject? = hasArrived ? ["text": "Theirs"] : nil
            #expect(queue.isEmpty)
            #expect(store[eight]?.attributes == expected)
        }
    }
}

import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

@Suite("A queue and kept values persist in a file")
struct RequestQueueFileTests {
    private struct Memo: Resource, Equatable {
        static let type = "memos"
        var id: String?
        var text: String
    }

    private func resource(_ text: String) throws -> ResourceObject { try ResourceObject(text) }

    @Test("Requests, documents, and values persist after a restart")
    func restart() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            var local: ResourceIdentifier?
            var requests: [String] = []
            do {
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                let queue = RequestQueue(store, savedIn: file)
                try store.keep(
                    DocumentObject(data: .many([resource(#"{"type":"people","id":"2"}"#), resource(#"{"type":"people","id":"1"}"#)])),
                    for: "/p")
                try store.keep(["2", "1"], forKey: "feed")
                local = try queue.create(Memo(text: "Milk")).target
                try queue.update(Patch<Memo>(#require(local)).set("text", "Bread"))
                try queue.delete(ResourceIdentifier(type: "people", id: "1"), entityTag: "\"v\"")
                let sent = try #require(try queue.next())
                try queue.fail(sent, ErrorDocument(errors: [ErrorObject(status: "422", title: "No")]))
                #expect(try queue.next()?.operation == .delete)
                requests = queue.requests.map { $0.json.description }
                // No close, as if the process was killed.
            }
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            let queue = RequestQueue(store, savedIn: file)
            #expect(queue.requests.map { $0.json.description } == requests)
            #expect(queue.requests.map(\.state) == [.failed, .waiting, .sent])
            #expect(queue.requests[0].error?.errors.first?.title == "No" && queue.requests[2].entityTag == "\"v\"")
            #expect(try store.kept([String].self, forKey: "feed") == ["2", "1"])
            #expect(try store.keptDocument([ResourceObject].self, for: "/p")?.data.map(\.id) == ["2"])
            // The response to the deletion was lost.
            try queue.rollBack(queue.requests[2])
            #expect(try store.keptDocument([ResourceObject].self, for: "/p")?.data.map(\.id) == ["2", "1"])
            #expect(try store.resources(Memo.self) == [Memo(text: "Bread")])
            try queue.rollBack(queue.requests[0])
            #expect(queue.isEmpty && store.count(ofType: "memos") == 0)
            file.close()
            let last = ResourceStore()
            let reopened = try StoreFile(url, of: last)
            #expect(RequestQueue(last).isEmpty && last.count(ofType: "memos") == 0 && last.count(ofType: "people") == 2)
            reopened.close()
        }
    }

    @Test("A new resource that the server may have is deleted there, also after another restart")
    func possiblyCreatedResourceDeleted() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            func opened(_ body: (ResourceStore, RequestQueue) throws -> Void) throws {
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                defer { file.close() }
                try body(store, RequestQueue(store, savedIn: file))
            }
            try opened { _, queue in
                try queue.create(Memo(id: "1", text: "Mine"), clientID: true)
                #expect(try queue.next()?.operation == .create)
            }
            try opened { _, queue in
                for request in queue.requests where request.state == .sent && request.isRepeatable { try queue.retry(request) }
            }
            try opened { store, queue in
                #expect(queue.requests.map(\.state) == [.waiting])
                try queue.delete(ResourceIdentifier(type: "memos", id: "1"))
                #expect(queue.requests.map(\.operation) == [.create, .delete] && store.isEmpty)
            }
        }
    }

    @Test("What the server has sent of a new resource stays when the creation is rolled back after a restart")
    func arrivedCreation() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            do {
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                defer { file.close() }
                try RequestQueue(store, savedIn: file).create(Memo(id: "1", text: "Mine"), clientID: true)
                try store.ingest(resource(#"{"type":"memos","id":"1","attributes":{"text":"Theirs","rank":1}}"#))
                try file.save()
            }
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            let queue = RequestQueue(store, savedIn: file)
            try queue.rollBack(queue.requests[0])
            #expect(store[ResourceIdentifier(type: "memos", id: "1")]?.attributes == ["text": "Theirs", "rank": 1])
        }
    }

    private let seven = ResourceIdentifier(type: "memos", id: "7")

    /// Saves memo 7 with a request about it. Then opens the file for a store that `prepare` has filled.
    private func openedAfter(
        _ prepare: (ResourceStore, RequestQueue) throws -> Void, queued: (RequestQueue) throws -> Void,
        check: (ResourceStore, RequestQueue) throws -> Void
    ) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            do {
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                defer { file.close() }
                try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"text":"A","color":"red"}}"#))
                try queued(RequestQueue(store, savedIn: file))
                try file.save()
            }
            let store = ResourceStore()
            try prepare(store, RequestQueue(store))
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try check(store, RequestQueue(store, savedIn: file))
        }
    }

    @Test("What arrives before a file is opened goes below the requests of the file", arguments: [false, true], [false, true])
    func arrivedBeforeOpening(isDeletion: Bool, isRefused: Bool) throws {
        let arrived = try resource(#"{"type":"memos","id":"7","attributes":{"text":"C","rank":1}}"#)
        try openedAfter { store, _ in
            try store.ingest(arrived)
        } queued: { queue in
            guard isDeletion else {
                try queue.update(Patch<Memo>(seven).set("text", "B"))
                return
            }
            try queue.delete(seven)
        } check: { store, queue in
            let changed: JSONObject? = isDeletion ? nil : ["text": "B", "color": "red", "rank": 1]
            let restored: JSONObject = ["text": "C", "color": "red", "rank": 1]
            #expect(store[seven]?.attributes == changed)
            let sent = try #require(try queue.next())
            try queue.answer(sent, status: isRefused ? 422 : 204)
            #expect(store[seven]?.attributes == changed)
            if isRefused { try queue.rollBack(sent) }
            #expect(store[seven]?.attributes == (isRefused ? restored : changed))
        }
    }

    @Test("Requests that were queued before a file is opened stay on top of what the file has")
    func queuedBeforeOpening() throws {
        try openedAfter { store, queue in
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"text":"C","rank":1}}"#))
            try queue.update(Patch<ResourceObject>(seven).set("rank", 2))
        } queued: { queue in
            try queue.update(Patch<Memo>(seven).set("text", "B"))
        } check: { store, queue in
            #expect(store[seven]?.attributes == ["text": "B", "color": "red", "rank": 2])
            for request in queue.requests { try queue.rollBack(request) }
            #expect(store[seven]?.attributes == ["text": "C", "color": "red", "rank": 1])
        }
        try openedAfter { store, queue in
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"rank":1}}"#))
            try queue.delete(seven)
        } queued: { _ in
        } check: { store, queue in
            #expect(store[seven] == nil)
            try queue.rollBack(queue.requests[0])
            #expect(store[seven]?.attributes == ["text": "A", "color": "red", "rank": 1])
        }
    }

    @Test("A request that was queued before a file is opened is newer than the requests in the file")
    func newestBeforeOpening() throws {
        try openedAfter { store, queue in
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"text":"A"}}"#))
            try queue.update(Patch<Memo>(seven).set("text", "C"))
        } queued: { queue in
            try queue.update(Patch<Memo>(seven).set("text", "B"))
            try queue.update(Patch<Memo>(seven).set("text", "B2"))
        } check: { store, queue in
            #expect(store[seven]?[attribute: "text"] == "C")
            for text in ["B", "B2", "C"] as [JSON] {
                let request = try #require(try queue.next())
                #expect(request.document?.data.resources.first?[attribute: "text"] == text)
                try queue.finish(request)
            }
            #expect(store[seven]?[attribute: "text"] == "C")
        }
    }

    @Test("A request that is queued after those of another program is newer than they are")
    func newestOfTwoPrograms() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"text":"A"}}"#))
            try file.save()
            file.close()
            let other = ResourceStore()
            let theirs = try StoreFile(url, of: other)
            for text in ["B", "B2", "B3"] {
                try RequestQueue(other, savedIn: theirs).update(Patch<Memo>(seven).set("text", text))
            }
            theirs.close()
            try RequestQueue(store).update(Patch<Memo>(seven).set("text", "C"))
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            let sent = RequestQueue(store).requests.map { $0.document?.data.resources.first?[attribute: "text"] }
            #expect(sent == ["B", "B2", "B3", "C"])
            #expect(store[seven]?[attribute: "text"] == "C")
        }
    }

    @Test("What a new resource leaves when its creation is rolled back is not replaced by the older values of a file")
    func arrivedCreationBeforeOpening() throws {
        try openedAfter { store, queue in
            try queue.create(Memo(id: "7", text: "Mine"), clientID: true)
            try store.ingest(resource(#"{"type":"memos","id":"7","attributes":{"text":"New"}}"#))
        } queued: { _ in
        } check: { store, queue in
            try queue.rollBack(queue.requests[0])
            #expect(store[seven]?.attributes == ["text": "New", "color": "red"])
        }
    }

    @Test("Saving without changes writes nothing, also after a restart")
    func nothingNew() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try RequestQueue(store, savedIn: file).create(Memo(text: "Milk"))
            try store.keep(1, forKey: "a")
            try file.save()
            let size = try file.archive.byteCount
            try file.save()
            #expect(try file.archive.byteCount == size)
            file.close()
            let other = ResourceStore()
            let second = try StoreFile(url, of: other)
            try second.save()
            #expect(try second.archive.byteCount == size)
            other.removeKept(forKey: "a")
            try second.save()
            #expect(try second.archive.keys.count == 1)
            second.close()
        }
    }

    @Test("A request that could not be saved as sent is not returned")
    func unsavedNext() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            let queue = RequestQueue(store, savedIn: file)
            let request = try queue.create(Memo(text: "Milk"))
            let aside = url.appendingPathExtension("aside")
            try FileManager.default.moveItem(at: url, to: aside)
            #expect(throws: ArchiveError.self) { try queue.next() }
            #expect(queue[request.id]?.state == .waiting)
            try FileManager.default.moveItem(at: aside, to: url)
            #expect(try queue.next()?.id == request.id)
            file.close()
            let other = ResourceStore()
            let second = try StoreFile(url, of: other)
            #expect(RequestQueue(other).requests.map(\.state) == [.sent])
            second.close()
        }
    }

    @Test("Unsaved changes are saved when the file is opened again")
    func failedSave() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            let queue = RequestQueue(store, savedIn: file)
            try queue.create(Memo(id: "1", text: "Milk"))
            try store.keep(1, forKey: "a")
            try file.save()
            let request = try #require(try queue.next())
            let aside = url.appendingPathExtension("aside")
            try FileManager.default.moveItem(at: url, to: aside)
            store.removeKept(forKey: "a")
            #expect(throws: ArchiveError.self) { try queue.answer(request, status: 204) }
            #expect(queue.isEmpty)
            try FileManager.default.moveItem(at: aside, to: url)
            file.close()
            let again = try StoreFile(url, of: store)
            #expect(queue.isEmpty && store.keptKeys.isEmpty)
            try again.save()
            #expect(try again.archive.keys.isEmpty)
            again.close()
        }
    }

    @Test("Opening a file keeps the contents of the store")
    func openedLate() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            do {
                let store = ResourceStore()
                let file = try StoreFile(url, of: store)
                try RequestQueue(store, savedIn: file).create(Memo(text: "First"))
                try store.keep("file", forKey: "a")
                try file.save()
                file.close()
            }
            let store = ResourceStore()
            try store.keep("store", forKey: "a")
            try RequestQueue(store).create(Memo(text: "Second"))
            let file = try StoreFile(url, of: store)
            #expect(try store.kept(String.self, forKey: "a") == "store")
            #expect(RequestQueue(store).count == 2)
            try file.save()
            #expect(try file.archive.keys.count == 3)
            file.close()
        }
    }

    @Test("A backup by save(to:) includes the queue")
    func backup() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("backup")
            let store = ResourceStore()
            try RequestQueue(store).create(Memo(text: "Milk"))
            try store.save(to: url)
            let other = ResourceStore()
            let file = try StoreFile(url, of: other)
            #expect(RequestQueue(other).requests.map(\.operation) == [.create] && other.count == 1)
            file.close()
        }
    }

    @Test("The file keeps the program's own keys")
    func foreignKeys() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            var writer = Archive.Writer()
            try writer.encode([1, 2], forKey: "mine")
            try writer.encode([1], forKey: "request:x")
            // Other spellings than those that a store writes.
            let others = ["request:+1:00000000-0000-0000-0000-00000000000A", "request:1:00000000-0000-0000-0000-00000000000a"]
            for key in others { try writer.encode([1], forKey: key) }
            try writer.write(to: url)
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.keep(1, forKey: "mine")
            try file.save()
            #expect(try file.archive.decode([Int].self, forKey: "mine") == [1, 2])
            #expect(try file.archive.keys.sorted() == (["mine", "request:x", "value:mine"] + others).sorted())
            file.close()
        }
    }
}

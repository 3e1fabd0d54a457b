import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

@Suite("A queue and kept values of a store with several files")
struct SeveralFilesQueueTests {
    private struct Memo: Resource, Equatable {
        static let type = "memos"
        var id: String?
        var text: String
    }

    /// Runs `body` with a store, its two open files, and a queue that is saved in the first one. `body` closes the second file if it has to be
    /// closed.
    private func withTwoFiles(_ body: ([URL], [StoreFile], ResourceStore, RequestQueue) throws -> Void) throws {
        try withFolder { folder in
            let urls = ["a", "b"].map { folder.appendingPathComponent($0) }
            let store = ResourceStore()
            let files = try urls.map { try StoreFile($0, of: store) }
            defer { files[0].close() }
            try body(urls, files, store, RequestQueue(store, savedIn: files[0]))
        }
    }

    @Test("What a second file has kept stays when the first file is opened again, and both files have it")
    func secondFile() throws {
        try withFolder { folder in
            let (main, outbox) = (folder.appendingPathComponent("main"), folder.appendingPathComponent("outbox"))
            do {
                let store = ResourceStore()
                let file = try StoreFile(outbox, of: store)
                try store.keep(["1"], forKey: "feed")
                try RequestQueue(store, savedIn: file).create(Memo(text: "Milk"))
                file.close()
            }
            let store = ResourceStore()
            let first = try StoreFile(main, of: store)
            let second = try StoreFile(outbox, of: store)
            defer { second.close() }
            try first.save()
            first.close()
            let again = try StoreFile(main, of: store)
            defer { again.close() }
            #expect(try store.kept([String].self, forKey: "feed") == ["1"])
            #expect(RequestQueue(store, savedIn: second).requests.count == 1)
            try second.save()
            try again.save()
            for url in [main, outbox] { #expect(try Archive(contentsOf: url).keys.count == 2) }
        }
    }

    private let created = Data(#"{"data":{"type":"memos","id":"7","attributes":{"text":"Milk"}}}"#.utf8)

    @Test("A request that was answered does not come back from a second open file after a restart")
    func answeredWithTwoFiles() throws {
        try withFolder { folder in
            let urls = ["a", "b"].map { folder.appendingPathComponent($0) }
            do {
                let store = ResourceStore()
                let files = try urls.map { try StoreFile($0, of: store) }
                // Closing saves nothing, as if the process was killed.
                defer { for file in files { file.close() } }
                let queue = RequestQueue(store, savedIn: files[0])
                try queue.create(Memo(text: "Milk"))
                try files[1].save()
                try queue.answer(try #require(try queue.next()), status: 201, body: created)
            }
            let store = ResourceStore()
            let files = try urls.map { try StoreFile($0, of: store) }
            defer { for file in files { file.close() } }
            #expect(RequestQueue(store).isEmpty)
            #expect(store.identifiers == [ResourceIdentifier(type: "memos", id: "7")])
        }
    }

    @Test("A request that was sent waits in no open file, and not being able to save that is an error")
    func sentWithTwoFiles() throws {
        try withFolder { folder in
            let urls = ["a", "b"].map { folder.appendingPathComponent($0) }
            let store = ResourceStore()
            let files = try urls.map { try StoreFile($0, of: store) }
            defer { for file in files { file.close() } }
            let queue = RequestQueue(store, savedIn: files[0])
            try queue.create(Memo(text: "Milk"))
            let aside = urls[1].appendingPathExtension("aside")
            try FileManager.default.moveItem(at: urls[1], to: aside)
            #expect(throws: ArchiveError.self) { try queue.next() }
            #expect(queue.requests.map(\.state) == [.waiting])
            try FileManager.default.moveItem(at: aside, to: urls[1])
            #expect(try queue.next() != nil)
            for url in urls {
                let other = ResourceStore()
                // The files are open here, so this reads copies.
                let copy = url.appendingPathExtension("copy")
                try FileManager.default.copyItem(at: url, to: copy)
                try StoreFile(copy, of: other).close()
                #expect(RequestQueue(other).requests.map(\.state) == [.sent])
            }
        }
    }

    @Test("A request that was not returned because a second file is gone waits on the disk, and can be sent once that file is closed")
    func unsavedInSecondFile() throws {
        try withTwoFiles { urls, files, store, queue in
            let request = try queue.create(Memo(text: "Milk"))
            try FileManager.default.removeItem(at: urls[1])
            #expect(throws: ArchiveError.self) { try queue.next() }
            let copy = urls[0].appendingPathExtension("copy")
            try FileManager.default.copyItem(at: urls[0], to: copy)
            let other = ResourceStore()
            try StoreFile(copy, of: other).close()
            #expect(RequestQueue(other).requests.map(\.state) == [.waiting])
            files[1].close()
            #expect(try queue.next()?.id == request.id)
        }
    }

    @Test("A failed sync of a second file is an error each time, until that file is closed")
    func failedSyncOfSecondFile() throws {
        try withFolder { folder in
            let store = ResourceStore()
            let file = try StoreFile(folder.appendingPathComponent("a"), of: store)
            defer { file.close() }
            let faulty = FaultyFiles()
            let second = try StoreFile(folder.appendingPathComponent("b"), of: store, files: faulty)
            let queue = RequestQueue(store, savedIn: file)
            let request = try queue.create(Memo(text: "Milk"))
            faulty.fail("fsync", number: (faulty.calls["fsync"] ?? 0) + 1, .error(EIO))
            for _ in 0..<2 {
                #expect(throws: ArchiveError.self) { try queue.next() }
                #expect(queue.requests.map(\.state) == [.waiting])
            }
            second.close()
            #expect(try queue.next()?.id == request.id)
        }
    }

    @Test("A request that was answered while a second file was closed does not come back when that file is opened again")
    func answeredWhileClosed() throws {
        try withTwoFiles { urls, files, store, queue in
            try queue.create(Memo(text: "Milk"))
            files[1].close()
            try queue.answer(try #require(try queue.next()), status: 201, body: created)
            let again = try StoreFile(urls[1], of: store)
            #expect(queue.isEmpty)
            #expect(store.identifiers == [ResourceIdentifier(type: "memos", id: "7")])
            try again.save()
            again.close()
            let other = ResourceStore()
            try StoreFile(urls[1], of: other).close()
            #expect(RequestQueue(other).isEmpty && other.identifiers == store.identifiers)
        }
    }

    @Test("A resource that was deleted while a second file was closed does not come back when that file is opened again")
    func deletedWhileClosed() throws {
        try withTwoFiles { urls, files, store, queue in
            try store.ingest(ResourceObject(#"{"type":"memos","id":"7","attributes":{"text":"A"}}"#))
            try queue.delete(ResourceIdentifier(type: "memos", id: "7"))
            files[1].close()
            try queue.answer(try #require(try queue.next()), status: 204)
            let again = try StoreFile(urls[1], of: store)
            defer { again.close() }
            #expect(queue.isEmpty && store.isEmpty)
        }
    }

    @Test("What a request has changed stays in a second file that was closed then, unless it was rolled back", arguments: [true, false])
    func changedAndRemovedWhileClosed(isAnswered: Bool) throws {
        try withTwoFiles { urls, files, store, queue in
            try store.ingest(ResourceObject(#"{"type":"memos","id":"7","attributes":{"text":"A"}}"#))
            try queue.update(Patch<Memo>(ResourceIdentifier(type: "memos", id: "7")).set("text", "B"))
            files[1].close()
            let request = try #require(try queue.next())
            if isAnswered { try queue.answer(request, status: 200) } else { try queue.rollBack(request) }
            // The store has nothing any more with which the file could be merged.
            try store.removeAll()
            try files[0].save()
            let again = try StoreFile(urls[1], of: store)
            defer { again.close() }
            #expect(queue.isEmpty)
            #expect(try store.resources(Memo.self).map(\.text) == [isAnswered ? "B" : "A"])
        }
    }

    @Test(
        "A resource that was created and removed while a second file was closed is loaded again, unless it was rolled back",
        arguments: [true, false])
    func createdAndRemovedWhileClosed(isAnswered: Bool) throws {
        try withTwoFiles { urls, files, store, queue in
            try queue.create(Memo(id: "7", text: "A"), clientID: true)
            files[1].close()
            let request = try #require(try queue.next())
            if isAnswered { try queue.answer(request, status: 204) } else { try queue.rollBack(request) }
            try store.removeAll()
            try files[0].save()
            let again = try StoreFile(urls[1], of: store)
            #expect(queue.isEmpty)
            #expect(try store.resources(Memo.self).map(\.text) == (isAnswered ? ["A"] : []))
            try again.save()
            again.close()
            #expect(try Archive(contentsOf: urls[1]).identifiers.count == (isAnswered ? 1 : 0))
        }
    }

    @Test("A request whose rollback was undone counts as answered when a second file is opened again")
    func undoneRollBack() throws {
        try withTwoFiles { urls, files, store, queue in
            try store.ingest(ResourceObject(#"{"type":"memos","id":"7","attributes":{"text":"A"}}"#))
            try queue.update(Patch<Memo>(ResourceIdentifier(type: "memos", id: "7")).set("text", "B"))
            files[1].close()
            let request = try #require(try queue.next())
            try store.transaction { _ in
                #expect(throws: CancellationError.self) {
                    try store.transaction { _ in
                        try queue.rollBack(request)
                        throw CancellationError()
                    }
                }
                try queue.answer(request, status: 200)
            }
            try store.removeAll()
            try files[0].save()
            let again = try StoreFile(urls[1], of: store)
            defer { again.close() }
            #expect(try store.resources(Memo.self).map(\.text) == ["B"])
        }
    }
}

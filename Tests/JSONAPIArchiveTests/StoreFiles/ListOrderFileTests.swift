import Foundation
import JSONAPICodec
import JSONAPIStore
import Testing

@testable import JSONAPIArchive

@Suite("The order of lists in a store with a file")
struct ListOrderFileTests {
    private struct Note: Resource {
        static let type = "notes"
        var id: String?
        var text: String
    }

    private func note(_ id: String) -> ResourceIdentifier { ResourceIdentifier(type: "notes", id: id) }
    private func ids(_ store: ResourceStore) -> [String?] { store.identifiers(ofType: "notes").map(\.id) }

    private func answer(_ id: String) -> Data { Data(#"{"data":{"type":"notes","id":"\#(id)","attributes":{"text":"\#(id)"}}}"#.utf8) }

    /// Opens the file of a new store with a queue.
    private func opened(_ url: URL, _ body: (ResourceStore, StoreFile, RequestQueue) throws -> Void) throws {
        let store = ResourceStore()
        let file = try StoreFile(url, of: store)
        defer { file.close() }
        try body(store, file, RequestQueue(store, savedIn: file))
    }

    private func verify(_ url: URL) throws { #expect(try Archive(contentsOf: url).verify().isEmpty) }

    @Test("A new resource keeps its place when it gets its id, also in the file and after its compaction", arguments: [false, true])
    func promotion(isSavedBefore: Bool) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            try opened(url) { store, file, queue in
                try store.transaction { _ in for text in ["a", "b", "c"] { try queue.create(Note(text: text)) } }
                if isSavedBefore { try file.save() }
                // Without a save between the answers.
                let unsaved = RequestQueue(store)
                for id in ["1", "2"] { try unsaved.answer(#require(try unsaved.next()), status: 201, body: answer(id)) }
                #expect(ids(store) == ["1", "2", nil])
                try store.ingest(Note(id: "4", text: "4"))
                #expect(ids(store) == ["1", "2", nil, "4"])
                try file.save()
                #expect(ids(store) == ["1", "2", nil, "4"])
            }
            try verify(url)
            try opened(url) { store, file, queue in
                #expect(ids(store) == ["1", "2", nil, "4"])
                try queue.answer(#require(try queue.next()), status: 201, body: answer("3"))
                #expect(ids(store) == ["1", "2", "3", "4"])
                try file.compact()
                try store.ingest(Note(id: "5", text: "5"))
                try file.save()
                #expect(ids(store) == ["1", "2", "3", "4", "5"])
            }
            try verify(url)
            try opened(url) { store, _, _ in #expect(ids(store) == ["1", "2", "3", "4", "5"]) }
        }
    }

    @Test("A deleted resource is back in its place, also after a restart", arguments: [false, true])
    func deletion(isSavedBefore: Bool) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            try opened(url) { store, file, queue in
                for id in 1...4 { try store.ingest(Note(id: "\(id)", text: "\(id)")) }
                if isSavedBefore { try file.save() }
                let first = try #require(try queue.delete(note("2")))
                #expect(ids(store) == ["1", "3", "4"])
                try queue.rollBack(first)
                #expect(ids(store) == ["1", "2", "3", "4"])
                try queue.delete(note("2"))
                try store.ingest(Note(id: "5", text: "5"))
                try file.save()
            }
            try opened(url) { store, _, queue in
                #expect(ids(store) == ["1", "3", "4", "5"])
                try queue.rollBack(queue.requests[0])
                #expect(ids(store) == ["1", "2", "3", "4", "5"])
            }
            try verify(url)
            try opened(url) { store, _, _ in #expect(ids(store) == ["1", "2", "3", "4", "5"]) }
        }
    }

    @Test("A hidden resource is back in its place, also if the file was saved in between")
    func hidden() throws {
        try withFolder { folder in
            try opened(folder.appendingPathComponent("store")) { store, file, _ in
                for id in 1...3 { try store.ingest(Note(id: "\(id)", text: "\(id)")) }
                var deletion = try store.deletion(of: note("2"))
                try deletion.hide()
                try file.save()
                deletion.rollBack()
                #expect(ids(store) == ["1", "2", "3"])
                try file.save()
                #expect(ids(store) == ["1", "2", "3"])
            }
        }
    }

    @Test("A resource that got its id keeps its place if the file is compacted before it is saved, and so do later ones")
    func compaction() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            try opened(url) { store, file, queue in
                // After the compaction, all places are far before the earlier ones.
                try store.ingest(Note(id: "0", text: String(repeating: "0", count: 600_000)))
                try file.save()
                try store.ingest(Note(id: "0", text: "0"))
                try store.ingest(Note(id: "1", text: "1"))
                try queue.create(Note(text: "a"))
                try store.ingest(Note(id: "3", text: "3"))
                try file.save()
                let unsaved = RequestQueue(store)
                try unsaved.answer(#require(try unsaved.next()), status: 201, body: answer("2"))
                try store.ingest(Note(id: "4", text: "4"))
                #expect(ids(store) == ["0", "1", "2", "3", "4"])
                try file.compact()
                #expect(ids(store) == ["0", "1", "2", "3", "4"])
                for id in 5...6 { try store.ingest(Note(id: "\(id)", text: "\(id)")) }
                try unsaved.rollBack(#require(try unsaved.delete(note("5"))))
                #expect(ids(store) == ["0", "1", "2", "3", "4", "5", "6"])
                try file.save()
                #expect(ids(store) == ["0", "1", "2", "3", "4", "5", "6"])
            }
            try verify(url)
            try opened(url) { store, _, _ in #expect(ids(store) == ["0", "1", "2", "3", "4", "5", "6"]) }
        }
    }

    @Test("A resource that comes back after its file was opened again has a place of its own")
    func reopened() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore()
            let queue = RequestQueue(store)
            let first = try StoreFile(url, of: store)
            try store.ingest(Note(id: "1", text: "1"))
            try first.save()
            for id in 2...3 { try store.ingest(Note(id: "\(id)", text: "\(id)")) }
            let deletion = try #require(try queue.delete(note("3")))
            first.close()
            let second = try StoreFile(url, of: store)
            defer { second.close() }
            try store.ingest(Note(id: "4", text: "4"))
            try queue.rollBack(deletion)
            #expect(ids(store) == ["1", "2", "3", "4"])
            try second.save()
            #expect(ids(store) == ["1", "2", "3", "4"])
        }
    }

    @Test("A resource keeps its place if another file cannot be opened")
    func failedOpening() throws {
        try withFolder { folder in
            let other = folder.appendingPathComponent("other")
            try opened(other) { store, file, _ in
                try store.ingest(Note(id: "1", text: "other"))
                try file.save()
            }
            try opened(folder.appendingPathComponent("store")) { store, file, queue in
                try store.ingest(Note(id: "1", text: "1"))
                try queue.create(Note(text: "a"))
                try store.ingest(Note(id: "3", text: "3"))
                try file.save()
                let unsaved = RequestQueue(store)
                try unsaved.answer(#require(try unsaved.next()), status: 201, body: answer("2"))
                file.close()
                let refusing = MergePolicy.custom { _, _ in throw CancellationError() }
                #expect(throws: (any Error).self) { try StoreFile(other, of: store, merging: refusing) }
                #expect(ids(store) == ["1", "2", "3"])
            }
        }
    }

    @Test("A store that had resources before it opened its file lists them after those of the file")
    func openedLater() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            try opened(url) { store, file, _ in
                for id in 1...2 { try store.ingest(Note(id: "\(id)", text: "\(id)")) }
                try file.save()
            }
            let store = ResourceStore()
            for id in [3, 4, 5] { try store.ingest(Note(id: "\(id)", text: "\(id)")) }
            var deletion = try store.deletion(of: note("4"))
            try deletion.hide()
            let file = try StoreFile(url, of: store)
            #expect(ids(store) == ["1", "2", "3", "5"])
            // The place belonged to the store without the file.
            deletion.rollBack()
            #expect(ids(store) == ["1", "2", "3", "5", "4"])
            try file.save()
            #expect(ids(store) == ["1", "2", "3", "5", "4"])
            file.close()
        }
    }

    @Test("A save keeps the order of a list, however many resources have come and gone before")
    func manyNumbers() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            try opened(url) { store, file, _ in
                try store.ingest((1...5000).map { ResourceObject(type: "drafts", id: "\($0)") })
                try store.removeAll(ofType: "drafts")
                let unsaved = RequestQueue(store)
                for text in ["a", "b"] { try unsaved.create(Note(text: text)) }
                try unsaved.answer(#require(try unsaved.next()), status: 201, body: answer("1"))
                #expect(ids(store) == ["1", nil])
                try file.save()
                #expect(ids(store) == ["1", nil])
            }
            try opened(url) { store, _, _ in #expect(ids(store) == ["1", nil]) }
        }
    }

    @Test("The resources of a store keep their order behind those of the next file, whichever of them are in memory")
    func otherFile() throws {
        try withFolder { folder in
            let (url, other) = (folder.appendingPathComponent("store"), folder.appendingPathComponent("other"))
            for (url, ids) in [(url, 1...4), (other, 7...7)] {
                try opened(url) { store, file, _ in
                    for id in ids { try store.ingest(Note(id: "\(id)", text: "\(id)")) }
                    try file.save()
                }
            }
            let store = ResourceStore()
            let first = try StoreFile(url, of: store)
            for id in ["3", "2"] { try store.apply(Patch<Note>(note(id)).set("text", "changed")) }
            first.close()
            let second = try StoreFile(other, of: store)
            try store.ingest(Note(id: "5", text: "5"))
            #expect(ids(store) == ["7", "1", "2", "3", "4", "5"])
            try second.save()
            #expect(ids(store) == ["7", "1", "2", "3", "4", "5"])
            second.close()
            try opened(other) { store, _, _ in #expect(ids(store) == ["7", "1", "2", "3", "4", "5"]) }
        }
    }

    @Test("An open file lists resources in their order when the next file is opened, whichever of them are in memory")
    func openFile() throws {
        try withFolder { folder in
            let urls = ["a", "b", "c"].map { folder.appendingPathComponent($0) }
            let store = ResourceStore(limit: 0)
            let first = try StoreFile(urls[0], of: store)
            try store.ingest(Note(id: "0", text: "0"))
            try first.save()
            try store.ingest(Note(id: "1", text: "1"))
            let second = try StoreFile(urls[1], of: store)
            first.close()
            let third = try StoreFile(urls[2], of: store)
            for file in [second, third] { try file.save() }
            #expect(ids(store) == ["0", "1"])
            for file in [second, third] { file.close() }
            for url in urls.dropFirst() { try opened(url) { store, _, _ in #expect(ids(store) == ["0", "1"]) } }
        }
    }

    @Test("Many resources that came back between two others are there after a compaction")
    func compactionOfMany() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let expected = (1...300).map { "\($0)" as String? }
            try opened(url) { store, file, _ in
                try store.ingest((1...300).map { Note(id: "\($0)", text: "\($0)") })
                try file.save()
                var deletions = try (2...200).map { try store.deletion(of: note("\($0)")) }
                for index in deletions.indices { try deletions[index].hide() }
                try file.save()
                for index in deletions.indices { deletions[index].rollBack() }
                #expect(ids(store) == expected)
                try file.compact()
                #expect(ids(store) == expected)
                try file.save()
                #expect(ids(store) == expected)
            }
            try opened(url) { store, _, _ in #expect(ids(store) == expected) }
        }
    }

    @Test("A resource that gets its id while the file is compacted keeps its place, and so do later ones")
    func promotionDuringCompaction() throws {
        try withFolder { folder in
            let files = FaultyFiles()
            let store = ResourceStore()
            let file = try StoreFile(folder.appendingPathComponent("store"), of: store, files: files)
            defer { file.close() }
            // After the compaction, all places are far before the earlier ones.
            try store.ingest(Note(id: "0", text: String(repeating: "0", count: 600_000)))
            try file.save()
            try store.ingest(Note(id: "0", text: "0"))
            try store.ingest(Note(id: "1", text: "1"))
            try RequestQueue(store).create(Note(text: "a"))
            try store.ingest(Note(id: "3", text: "3"))
            let (request, body) = (try #require(try RequestQueue(store).next()), answer("2"))
            files.fail("rename", number: (files.calls["rename"] ?? 0) + 1, .none) {
                do {
                    try RequestQueue(store).answer(request, status: 201, body: body)
                    try store.ingest(Note(id: "4", text: "4"))
                } catch {
                    Issue.record(error)
                }
            }
            try file.compact()
            #expect(ids(store) == ["0", "1", "2", "3", "4"])
            try store.ingest(Note(id: "5", text: "5"))
            try file.save()
            #expect(ids(store) == ["0", "1", "2", "3", "4", "5"])
        }
    }
}

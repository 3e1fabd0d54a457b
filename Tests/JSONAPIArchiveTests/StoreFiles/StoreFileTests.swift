import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIStore

@Suite("A store saved to a file")
struct StoreFileTests {
    private struct Note: Resource, Equatable {
        static let type = "notes"
        var id: String
        var text: String
        var next: ToOne<Note> = .notLoaded
    }

    private func withFile(_ body: (URL) throws -> Void) throws {
        let folder = TestFolder.url.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("notes.archive"))
    }

    private func text(_ store: ResourceStore, _ id: String) throws -> String? { try store.resource(Note.self, id: id)?.text }

    @Test("Writing what the file already has changes nothing: no save, no resource in memory, no live value", arguments: [nil, 1])
    func equalContents(limit: Int?) async throws {
        let folder = TestFolder.url.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("notes.archive")
        let document = DocumentObject(data: .many((0..<3).map { ResourceObject(type: "notes", id: "\($0)", attributes: ["text": "t"]) }))
        func write(_ store: ResourceStore) throws {
            try store.keep(document, for: "q")
            try store.keep(["1"], forKey: "k")
        }
        try withExtendedLifetime(ResourceStore()) { store in
            let file = try StoreFile(url, of: store)
            try write(store)
            try file.save()
            file.close()
        }
        let store = ResourceStore(limit: limit)
        let file = try StoreFile(url, of: store)
        defer { file.close() }
        var page = store.document([Note].self, for: "q").makeAsyncIterator()
        #expect(await page.next()??.data.count == 3)
        let journal = store.journal()
        try write(store)
        #expect(try store.takeChanges(of: journal).isEmpty)
        #expect(store.core.table.heldCount == 0)
        try file.save()
        try store.keep(["2"], forKey: "order")
        try store.ingest(Note(id: "1", text: "new"))
        #expect(await page.next()??.data.map(\.text) == ["t", "new", "t"])
        #expect(try store.takeChanges(of: journal).map(\.identifier.id) == ["1"])
    }

    @Test("Changes of resources that are not in memory leave the models of most others valid")
    func absentVersions() throws {
        try withFile { url in
            let filled = ResourceStore()
            let first = try StoreFile(url, of: filled)
            try filled.ingest((0..<100).map { Note(id: "\($0)", text: "t") })
            try first.save()
            first.close()
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            let identities = try (0..<100).map { try #require(StoredIdentity(ResourceIdentifier(type: "notes", id: "\($0)"))) }
            let before = identities.map { store.core.table.version(of: $0) }
            store.remove(ResourceIdentifier(type: "notes", id: "0"))
            let after = identities.map { store.core.table.version(of: $0) }
            #expect(before[0] != after[0])
            #expect(zip(before, after).count { $0 != $1 } < 10)
        }
    }

    @Test("A live value sees a change of a resource that is evicted before the value continues", .timeLimit(.minutes(20)))
    func liveValueOfAnEvictedResource() async throws {
        let folder = TestFolder.url.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = ResourceStore(limit: 1)
        let file = try StoreFile(folder.appendingPathComponent("notes.archive"), of: store)
        defer { file.close() }
        try store.ingest((0..<3).map { Note(id: "\($0)", text: "old") })
        try file.save()
        var values = store.value(Note.self, id: "0").makeAsyncIterator()
        #expect(await values.next()??.text == "old")
        try store.ingest(Note(id: "0", text: "new"))
        try file.save()
        try store.ingest(Note(id: "1", text: "new"))
        #expect(await values.next()??.text == "new")
        #expect(try text(store, "0") == "new")
    }

    @Test("A live value makes no new value when its resource is evicted and then read from the file")
    func eviction() async throws {
        let folder = TestFolder.url.appendingPathComponent("store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = ResourceStore(limit: 1)
        let file = try StoreFile(folder.appendingPathComponent("notes.archive"), of: store)
        defer { file.close() }
        try store.ingest(Note(id: "0", text: "old"))
        try file.save()
        var values = store.value(Note.self, id: "0").makeAsyncIterator()
        #expect(await values.next()??.text == "old")
        try store.ingest(Note(id: "1", text: "other"))
        try file.save()
        #expect(!store.core.table.holds(try #require(StoredIdentity(ResourceIdentifier(type: Note.type, id: "0")))))
        let change = Task {
            // With a second value of the same text, the line below would not wait for this change.
            try await Task.sleep(for: .milliseconds(100))
            try store.ingest(Note(id: "0", text: "new"))
        }
        #expect(await values.next()??.text == "new")
        try await change.value
    }

    @Test("Saved resources are there when the file is opened again")
    func savesAndLoads() throws {
        try withFile { url in
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest([Note(id: "1", text: "a", next: ToOne(id: "2")), Note(id: "2", text: "b")])
            try file.save()
            file.close()
            let again = ResourceStore()
            let reopened = try StoreFile(url, of: again)
            defer { reopened.close() }
            #expect(try text(again, "1") == "a")
            #expect(try again.resource(Note.self, id: "1")?.next.value?.text == "b")
            #expect(again.count == 2)
        }
    }

    @Test("A save writes only new, changed, and removed resources")
    func savesChanges() throws {
        try withFile { url in
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest((0..<200).map { Note(id: "\($0)", text: String(repeating: "x", count: 100)) })
            try file.save()
            let size = try file.archive.byteCount
            try store.ingest(Note(id: "7", text: "other"))
            store.remove(ResourceIdentifier(type: "notes", id: "8"))
            try file.save()
            #expect(try file.archive.byteCount - size < size / 4)
            let unchanged = try file.archive.byteCount
            try file.save()
            #expect(try file.archive.byteCount == unchanged)
            file.close()
            let again = ResourceStore()
            try again.ingest(Archive(contentsOf: url))
            #expect(try text(again, "7") == "other")
            #expect(try text(again, "8") == nil && again.count == 199)
        }
    }

    @Test("Earlier contents of the store are saved, and take precedence over the file")
    func fillsUp() throws {
        try withFile { url in
            let old = ResourceStore()
            try old.ingest([Note(id: "1", text: "old"), Note(id: "2", text: "only in the file")])
            try old.save(to: url)
            let store = ResourceStore()
            try store.ingest([Note(id: "1", text: "new"), Note(id: "3", text: "only in the store")])
            let file = try StoreFile(url, of: store)
            #expect(try text(store, "1") == "new" && text(store, "2") == "only in the file")
            try file.save()
            file.close()
            let again = ResourceStore()
            try again.ingest(Archive(contentsOf: url))
            #expect(try ["1", "2", "3"].map { try text(again, $0) } == ["new", "only in the file", "only in the store"])
        }
    }

    @Test("An evicted resource stays in the file")
    func keepsEvicted() throws {
        try withFile { url in
            let store = ResourceStore(limit: 5)
            let file = try StoreFile(url, of: store)
            for number in 0..<20 { try store.ingest(Note(id: "\(number)", text: "t")) }
            try file.save()
            #expect(try file.archive.count == 20)
            // The store has all of them, five in memory.
            #expect(store.count == 20 && store.core.read { $0.heldCount } == 5)
            file.close()
        }
    }

    @Test("A changed resource stays in memory until it is saved, and is evicted then")
    func evictsAfterSaving() throws {
        try withFile { url in
            let store = ResourceStore(limit: 2)
            let evicted = Locked<[String?]>([])
            let observation = store.observe(type: "notes") { change in
                if change.kind == .evicted { evicted.withLock { $0.append(change.identifier.id) } }
            }
            defer { observation.cancel() }
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try store.ingest((1...4).map { Note(id: "\($0)", text: "t") })
            #expect(store.core.read { $0.heldCount } == 4 && evicted.withLock { $0 }.isEmpty)
            _ = try text(store, "1")
            try file.save()
            #expect(evicted.withLock { $0 } == ["2", "3"])
            try store.ingest(Note(id: "5", text: "t"))
            // The new one is not in the file.
            #expect(evicted.withLock { $0 } == ["2", "3", "4"] && store.count == 5)
            try store.ingest(Note(id: "2", text: "changed"))
            try file.save()
            #expect(store.core.read { $0.heldCount } == 2)
            #expect(try (1...5).map { try text(store, "\($0)") } == ["t", "changed", "t", "t", "t"])
        }
    }

    @Test("A save does not change the order of a list, also if a resource was removed and added again, or a save has failed")
    func orderAfterSaving() throws {
        try withFile { url in
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try store.ingest(["1", "2", "3"].map { Note(id: $0, text: "t") })
            store.remove(ResourceIdentifier(type: "notes", id: "1"))
            try store.ingest(["4", "1"].map { Note(id: $0, text: "t") })
            let elsewhere = url.appendingPathExtension("moved")
            try FileManager.default.moveItem(at: url, to: elsewhere)
            #expect(throws: ArchiveError.self) { try file.save() }
            try FileManager.default.moveItem(at: elsewhere, to: url)
            try store.ingest(Note(id: "5", text: "t"))
            let order = store.identifiers(ofType: "notes").map(\.id)
            #expect(order == ["2", "3", "4", "1", "5"])
            try file.save()
            #expect(store.identifiers(ofType: "notes").map(\.id) == order)
        }
    }

    @Test("The next save writes the changes of a failed one")
    func failedSave() throws {
        try withFile { url in
            let store = ResourceStore(limit: 4)
            let file = try StoreFile(url, of: store)
            try store.ingest([Note(id: "1", text: "a"), Note(id: "2", text: "b")])
            try file.save()
            store.remove(ResourceIdentifier(type: "notes", id: "2"))
            try store.ingest([
                Note(id: "1", text: "changed"), Note(id: "3", text: "new"), Note(id: "5", text: "5"), Note(id: "6", text: "6"),
            ])
            // Somebody moves the file away, and back.
            let elsewhere = url.appendingPathExtension("moved")
            try FileManager.default.moveItem(at: url, to: elsewhere)
            for _ in 0..<2 { #expect(throws: ArchiveError.self) { try file.save() } }
            // What happens to them meanwhile counts.
            try store.ingest(Note(id: "3", text: "newer"))
            try FileManager.default.moveItem(at: elsewhere, to: url)
            try file.save()
            file.close()
            let again = ResourceStore()
            try again.ingest(Archive(contentsOf: url))
            #expect(try ["1", "2", "3", "5", "6"].map { try text(again, $0) } == ["changed", nil, "newer", "5", "6"])
        }
    }

    @Test("After a failed first save, the next one writes the earlier contents of the store")
    func failedFirstSave() throws {
        try withFile { url in
            let store = ResourceStore()
            try store.ingest(Note(id: "1", text: "before"))
            let file = try StoreFile(url, of: store)
            let elsewhere = url.appendingPathExtension("moved")
            try FileManager.default.moveItem(at: url, to: elsewhere)
            #expect(throws: ArchiveError.self) { try file.save() }
            try FileManager.default.moveItem(at: elsewhere, to: url)
            try file.save()
            file.close()
            let again = ResourceStore()
            try again.ingest(Archive(contentsOf: url))
            #expect(try text(again, "1") == "before")
        }
    }

    @Test("The next save removes the data of an unfinished one", arguments: [1, 100, 100_000])
    func leftover(count: Int) throws {
        try withFile { url in
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(Note(id: "1", text: "a"))
            try file.save()
            file.close()
            try (Data(contentsOf: url) + Data(repeating: 7, count: count)).write(to: url)
            let next = ResourceStore()
            let reopened = try StoreFile(url, of: next)
            try next.ingest(Note(id: "2", text: "b"))
            try reopened.save()
            let archive = try reopened.archive
            #expect(archive.verify().isEmpty)
            #expect(try Data(contentsOf: url).count == archive.byteCount)
            reopened.close()
            #expect(try Archive(contentsOf: url).count == 2)
        }
    }

    @Test("Damage of a referenced resource is reported by resolved()")
    func damageBehindReference() throws {
        var writer = Archive.Writer()
        let notes = [
            Note(id: "1", text: "whole", next: ToOne(id: "2")), Note(id: "2", text: "damaged", next: ToOne(id: "1")),
        ]
        try writer.encode(notes, forKey: "notes")
        var bytes = [UInt8](try writer.data())
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "damaged".utf8) })
        bytes[place] ^= 1
        let note = try #require(try Archive(data: Data(bytes)).resource(Note.self, id: "1"))
        #expect(note.next.value == nil)
        #expect(throws: ArchiveError.self) { try note.next.resolved() }
        let whole = try #require(try Archive(data: writer.data()).resource(Note.self, id: "1"))
        #expect(try whole.next.resolved()?.text == "damaged")
    }
}

import Foundation
import JSONAPICodec
import JSONAPIStore
import Testing

@Suite struct StoreFileRecoveryTests {
    private struct Note: Resource, Equatable {
        static let type = "notes"
        var id: String
        var text: String
    }

    private func saved(_ url: URL) throws -> [String: String] {
        let notes = try Archive(contentsOf: url).resources(Note.self)
        return Dictionary(notes.map { ($0.id, $0.text) }, uniquingKeysWith: { first, _ in first })
    }

    /// Makes every save fail while `body` runs, because the file was moved.
    private func whileFileIsAway(_ url: URL, _ body: () throws -> Void) throws {
        let aside = url.appendingPathExtension("aside")
        try FileManager.default.moveItem(at: url, to: aside)
        try body()
        try FileManager.default.moveItem(at: aside, to: url)
    }

    @Test func aFailedSaveKeepsItsChangesForTheNext() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("notes")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try store.ingest([Note(id: "1", text: "a"), Note(id: "2", text: "b"), Note(id: "3", text: "c")])
            try file.save()
            try store.ingest(Note(id: "1", text: "changed"))
            store.remove(ResourceIdentifier(type: "notes", id: "2"))
            try store.ingest(Note(id: "4", text: "new"))
            try whileFileIsAway(url) { #expect(archiveError { try file.save() }?.kind == .replaced) }
            #expect(try saved(url) == ["1": "a", "2": "b", "3": "c"])
            try file.save()
            #expect(try saved(url) == ["1": "changed", "3": "c", "4": "new"])
        }
    }

    @Test func changesAfterAFailedSaveReplaceEarlierOnes() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("notes")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try store.ingest([Note(id: "1", text: "a"), Note(id: "2", text: "b")])
            try file.save()
            try store.ingest(Note(id: "1", text: "before"))
            store.remove(ResourceIdentifier(type: "notes", id: "2"))
            try whileFileIsAway(url) { #expect(throws: ArchiveError.self) { try file.save() } }
            store.remove(ResourceIdentifier(type: "notes", id: "1"))
            try store.ingest(Note(id: "2", text: "again"))
            try file.save()
            #expect(try saved(url) == ["2": "again"])
        }
    }

    @Test func earlierContentsOfTheStoreSurviveAFailedFirstSave() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("notes")
            let store = ResourceStore()
            try store.ingest([Note(id: "1", text: "held before"), Note(id: "2", text: "held before")])
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try whileFileIsAway(url) { #expect(throws: ArchiveError.self) { try file.save() } }
            try file.save()
            #expect(try saved(url) == ["1": "held before", "2": "held before"])
        }
    }

    @Test func earlierContentsOfTheStoreAreSavedWithoutChanges() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("notes")
            let store = ResourceStore()
            try store.ingest(Note(id: "1", text: "held before"))
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try file.save()
            #expect(try saved(url) == ["1": "held before"])
        }
    }

    @Test func aRemovedResourceDoesNotReturnWithALaterSave() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("notes")
            let store = ResourceStore()
            try store.ingest([Note(id: "1", text: "a"), Note(id: "2", text: "b")])
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try file.save()
            store.remove(ResourceIdentifier(type: "notes", id: "1"))
            try file.save()
            try store.ingest(Note(id: "3", text: "c"))
            try file.save()
            try file.save()
            #expect(try saved(url) == ["2": "b", "3": "c"])
        }
    }

    @Test func aResourceEvictedBeforeAFailedSaveIsSavedByTheNext() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("notes")
            let store = ResourceStore(limit: 1)
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try store.ingest(Note(id: "1", text: "evicted"))
            try store.ingest(Note(id: "2", text: "kept"))
            try whileFileIsAway(url) { #expect(throws: ArchiveError.self) { try file.save() } }
            try file.save()
            #expect(try saved(url) == ["1": "evicted", "2": "kept"])
        }
    }
}

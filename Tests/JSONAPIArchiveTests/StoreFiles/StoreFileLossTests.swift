import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

@Suite("A store and its file lose nothing")
struct StoreFileLossTests {
    private let nine = ResourceIdentifier(type: "people", id: "9")
    private let ten = ResourceIdentifier(type: "people", id: "10")

    private func resource(_ text: String) throws -> ResourceObject { try ResourceObject(text) }

    /// Makes saves fail, closes the file, and opens it again for the same store.
    private func reopened(_ file: StoreFile, _ url: URL, _ store: ResourceStore) throws -> StoreFile {
        let aside = url.appendingPathExtension("aside")
        try FileManager.default.moveItem(at: url, to: aside)
        #expect(throws: ArchiveError.self) { try file.save() }
        try FileManager.default.moveItem(at: aside, to: url)
        file.close()
        return try StoreFile(url, of: store)
    }

    /// Copies a file over another one in place, as `cp` does.
    private func overwrite(_ url: URL, with other: URL) throws {
        let handle = try FileHandle(forWritingTo: url)
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(contentsOf: other))
        try handle.close()
    }

    @Test("A file over which a shorter or longer archive was copied is opened again with the unsaved changes", arguments: [2, 200])
    func overwrittenFile(count: Int) throws {
        func save(_ count: Int, to url: URL) throws {
            let store = ResourceStore()
            let text = JSON.string(String(repeating: "z", count: 500))
            try store.ingest((1...count).map { ResourceObject(type: "notes", id: "\($0)", attributes: ["text": text]) })
            try store.save(to: url)
        }
        try withFolder { folder in
            let (url, other) = (folder.appendingPathComponent("store"), folder.appendingPathComponent("other"))
            try save(60, to: url)
            try save(count, to: other)
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(ResourceObject(type: "notes", id: "900", attributes: ["text": "unsaved"]))
            // Closing does not look for it in the bytes that are lost.
            store.remove(ResourceIdentifier(type: "notes", id: "50"))
            try overwrite(url, with: other)
            #expect(throws: ArchiveError.self) { try file.save() }
            file.close()
            let reopened = try StoreFile(url, of: store)
            defer { reopened.close() }
            try reopened.save()
            #expect(store.identifiers.count == count + 1)
            // The closed file still has its journal.
            store.remove(ResourceIdentifier(type: "notes", id: "1"))
            withExtendedLifetime(file) {}
            #expect(store.identifiers.count == count)
            #expect(store[ResourceIdentifier(type: "notes", id: "900")]?.attributes == ["text": "unsaved"])
        }
    }

    @Test("A store with a limit keeps its unsaved changes if opening an overwritten file again fails")
    func overwrittenFileThatCannotBeMerged() throws {
        struct Stop: Error {}
        func note(_ id: Int, _ text: String) -> ResourceObject {
            ResourceObject(type: "notes", id: "\(id)", attributes: ["text": .string(text)])
        }
        try withFolder { folder in
            let (url, other) = (folder.appendingPathComponent("store"), folder.appendingPathComponent("other"))
            for (target, count) in [(url, 60), (other, 2)] {
                let store = ResourceStore()
                try store.ingest((1...count).map { note($0, String(repeating: "z", count: 500)) })
                try store.save(to: target)
            }
            let store = ResourceStore(limit: 1)
            let file = try StoreFile(url, of: store)
            try store.ingest([note(1, "unsaved"), note(900, "unsaved")])
            store.remove(ResourceIdentifier(type: "notes", id: "50"))
            try overwrite(url, with: other)
            #expect(throws: ArchiveError.self) { try file.save() }
            file.close()
            #expect(throws: Stop.self) { try StoreFile(url, of: store, merging: .custom { _, _ in throw Stop() }) }
            try store.ingest(note(901, "unsaved"))
            let reopened = try StoreFile(url, of: store)
            defer { reopened.close() }
            try reopened.save()
            #expect(try Set(reopened.archive.identifiers.map(\.id)) == ["1", "2", "900", "901"])
        }
    }

    @Test("Merging a partial copy of an evicted resource keeps its other fields")
    func sparseAfterEviction() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore(limit: 1)
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try store.ingest(resource(#"{"type":"people","id":"9","attributes":{"name":"Ann","city":"Oslo"}}"#))
            try store.ingest(resource(#"{"type":"people","id":"10","attributes":{"name":"Ben"}}"#))
            try file.save()
            try store.ingest(resource(#"{"type":"people","id":"9","attributes":{"name":"Anna"}}"#))
            try file.save()
            let saved = try Archive(contentsOf: url).resource(ResourceObject.self, nine)
            #expect(saved?.attributes == ["name": "Anna", "city": "Oslo"])
        }
    }

    @Test("Merging a partial copy of an evicted, unsaved resource keeps its other fields")
    func sparseAfterUnsavedEviction() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore(limit: 1)
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try store.ingest(resource(#"{"type":"people","id":"9","attributes":{"name":"Ann","city":"Oslo"}}"#))
            try store.ingest(resource(#"{"type":"people","id":"10","attributes":{"name":"Ben"}}"#))
            try store.ingest(resource(#"{"type":"people","id":"9","attributes":{"name":"Anna"}}"#))
            try file.save()
            let saved = try Archive(contentsOf: url).resource(ResourceObject.self, nine)
            #expect(saved?.attributes == ["name": "Anna", "city": "Oslo"])
        }
    }

    @Test("A damaged record of an old file is an error for lists, and no backup is replaced", arguments: [1, 2, 3, 4])
    func damagedOldRecord(version: Int) throws {
        try withFolder { folder in
            let (url, backup) = (folder.appendingPathComponent("store"), folder.appendingPathComponent("backup"))
            try ArchiveSampleTests.copy(version: version, to: url)
            var data = try Data(contentsOf: url)
            data[try #require(data.range(of: Data("I like XML better".utf8))).lowerBound] ^= 1
            try data.write(to: url)
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            try Sample.archive().data.write(to: backup)
            let earlier = try Data(contentsOf: backup)
            #expect(store.types.contains("comments"))
            #expect(throws: ArchiveError.self) { try store.document }
            #expect(throws: ArchiveError.self) { try store.save(to: backup) }
            #expect(try Data(contentsOf: backup) == earlier)
            // A directory of version 3 or later has the identity of the damaged resource.
            if version > 2 {
                try store.removeAll()
                #expect(store.isEmpty && store.types.isEmpty)
            } else {
                let count = store.count
                #expect(throws: ArchiveError.self) { try store.removeAll() }
                #expect(store.count == count && store[ResourceIdentifier(type: "articles", id: "1")] != nil)
            }
        }
    }

    @Test("What observers write stays if a file was saved in a transaction that is rolled back")
    func savedInATransaction() throws {
        struct Stop: Error {}
        try withFolder { folder in
            let store = ResourceStore(limit: 1)
            let file = try StoreFile(folder.appendingPathComponent("store"), of: store)
            defer { file.close() }
            let observation = store.observe(type: "people") { change in
                guard change.kind == .evicted, let id = change.identifier.id else { return }
                try? store.keep(true, forKey: "evicted \(id)")
            }
            try store.ingest((1...3).map { Person(id: "\($0)", name: "N", city: nil) })
            #expect(throws: Stop.self) {
                try store.transaction { _ in
                    try? store.transaction { _ in
                        try file.save()
                        throw Stop()
                    }
                    #expect(store.keptKeys.isEmpty)
                    throw Stop()
                }
            }
            #expect(store.keptKeys == ["evicted 1", "evicted 2"])
            observation.cancel()
        }
    }

    // MARK: - Several files, and files that are opened again

    @Test("A resource of a second file is merged with the fields that only the first file has")
    func fieldsOfTwoFiles() throws {
        try withFolder { folder in
            let urls = ["a", "b"].map { folder.appendingPathComponent($0) }
            for (url, text) in zip(urls, [#"{"name":"Ann","city":"Oslo"}"#, #"{"name":"Anna","nick":"A"}"#]) {
                let store = ResourceStore()
                try store.ingest(resource(#"{"type":"people","id":"9","attributes":\#(text)}"#))
                try store.save(to: url)
            }
            let store = ResourceStore()
            let files = try urls.map { try StoreFile($0, of: store) }
            defer { for file in files { file.close() } }
            #expect(store[nine]?.attributes == ["name": "Ann", "nick": "A", "city": "Oslo"])
        }
    }

    @Test("What was removed, kept, or done while a file was closed stays so when it is opened again", arguments: [nil, 1])
    func changedWhileClosed(limit: Int?) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore(limit: limit)
            let queue = RequestQueue(store)
            var file = try StoreFile(url, of: store)
            try store.ingest([Sample.marit, Sample.ben])
            try store.keep(1, forKey: "one")
            try store.keep(2, forKey: "two")
            try queue.update(Patch<Person>(id: "9").set("name", "Ann"))
            try file.save()
            file.close()
            try queue.finish(try #require(queue.requests.first))
            store.remove(ResourceIdentifier(type: "people", id: "2"))
            try store.ingest(resource(#"{"type":"people","id":"9","attributes":{"name":"Bea"}}"#), merging: .replace)
            store.removeKept(forKey: "one")
            try store.keep(3, forKey: "two")
            for _ in 0..<2 {
                file = try StoreFile(url, of: store)
                #expect(queue.isEmpty)
                #expect(store.identifiers == [nine])
                #expect(store[nine]?.attributes == ["name": "Bea"])
                #expect(store.keptKeys == ["two"])
                #expect(try store.kept(Int.self, forKey: "two") == 3)
                try file.save()
                #expect(try file.archive.identifiers == [nine] && file.archive.keys == ["value:two"])
                file.close()
            }
        }
    }

    @Test("A file that is opened again after another one keeps what only the other has, and its own removals")
    func turns() throws {
        try withFolder { folder in
            let store = ResourceStore()
            func open(_ name: String) throws -> StoreFile { try StoreFile(folder.appendingPathComponent(name), of: store) }
            let first = try open("a")
            try store.ingest([Sample.marit, Person(id: "1", name: "One", city: nil)])
            try first.save()
            first.close()
            store.remove(nine)
            let second = try open("b")
            try store.ingest(resource(#"{"type":"people","id":"10","attributes":{"name":"Ben"}}"#))
            try second.save()
            second.close()
            let again = try open("a")
            defer { again.close() }
            #expect(Set(store.identifiers) == [ten, ResourceIdentifier(type: "people", id: "1")])
            #expect(store[ten]?.attributes == ["name": "Ben"])
            #expect(store.count == 2)
            try again.save()
            #expect(try again.archive.count == 2)
        }
    }

    @Test("A patch, a draft and a reference reach a resource that was evicted")
    func readThrough() throws {
        try withFolder { folder in
            let store = ResourceStore(limit: 1)
            let file = try StoreFile(folder.appendingPathComponent("store"), of: store)
            defer { file.close() }
            try store.ingest(Sample.marit)
            try store.ingest(Comment(id: "5", body: "First!", author: ToOne(Sample.marit)))
            try store.ingest(Comment(id: "6", body: "Second!", author: ToOne(id: "9")))
            try file.save()
            let comment = try #require(try store.resource(Comment.self, id: "5"))
            #expect(comment.author.value?.name == "Marit Osei")
            #expect(store[nine]?[attribute: "city"] == "Kampala")
            try store.apply(Patch<Person>(id: "9").set("name", "Marit"))
            #expect(try store.resource(Person.self, id: "9") == Person(id: "9", name: "Marit", city: "Kampala"))
            try store.ingest(Comment(id: "7", body: "Third!", author: ToOne(id: "9")))
            var draft = try store.draft(Person.self, id: "9")
            draft.value.city = "Jinja"
            try draft.commit()
            try file.save()
            #expect(try file.archive.resource(Person.self, id: "9") == Person(id: "9", name: "Marit", city: "Jinja"))
        }
    }

    @Test("Removing an evicted resource applies to the store at once, and to the file with the next save")
    func removalOfTheEvicted() throws {
        try withFolder { folder in
            let store = ResourceStore(limit: 1)
            let file = try StoreFile(folder.appendingPathComponent("store"), of: store)
            defer { file.close() }
            try store.ingest(Sample.marit)
            try store.ingest(Sample.ben)
            try file.save()
            #expect(store.remove(nine))
            #expect(store[nine] == nil)
            #expect(!store.remove(nine))
            try file.save()
            #expect(store[nine] == nil)
            #expect(try file.archive.resource(Person.self, id: "9") == nil)
        }
    }

    @Test("A value with an evicted resource is updated when that changes")
    func valuesOverEvicted() throws {
        try withFolder { folder in
            let store = ResourceStore(limit: 2)
            let file = try StoreFile(folder.appendingPathComponent("store"), of: store)
            defer { file.close() }
            func push(_ id: String) throws { try store.ingest(Person(id: id, name: "filler", city: nil)) }
            func author() throws -> Person? { try store.resource(Article.self, id: "1")?.author }
            try store.ingest(Article(id: "1", title: "One", author: Sample.marit))
            try file.save()
            _ = try author()
            try push("a")
            _ = try store.resource(Article.self, id: "1")
            try push("b")
            #expect(try author()?.city == "Kampala")
            try store.ingest(Person(id: "9", name: "Marit", city: "Jinja"))
            try push("c")
            try push("d")
            #expect(try author()?.city == "Jinja")
            try file.save()
            #expect(try author()?.city == "Jinja")
            store.remove(nine)
            #expect(try author() == nil)
            try file.save()
            #expect(try author() == nil)
            try store.ingest(Person(id: "9", name: "Again", city: nil))
            #expect(try author()?.name == "Again")
        }
    }

    @Test("A snapshot keeps the old state of evicted resources")
    func snapshots() throws {
        try withFolder { folder in
            let store = ResourceStore(limit: 1)
            let file = try StoreFile(folder.appendingPathComponent("store"), of: store)
            defer { file.close() }
            try store.ingest(Sample.marit)
            try store.ingest(Sample.ben)
            try file.save()
            let snapshot = store.snapshot()
            try store.ingest(Person(id: "9", name: "Later", city: nil))
            try file.save()
            store.remove(nine)
            try file.save()
            #expect(try snapshot.resource(Person.self, nine)?.name == "Marit Osei")
        }
    }

    @Test("Merging links of a relationship keeps the linkage in the file")
    func linksOverLinkage() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let first = ResourceStore()
            try first.ingest(
                resource(#"{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}"#))
            try first.save(to: url)
            let store = ResourceStore()
            try store.ingest(resource(#"{"type":"articles","id":"1","relationships":{"author":{"links":{"self":"/a"}}}}"#))
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            let author = store[ResourceIdentifier(type: "articles", id: "1")]?[relationship: "author"]
            #expect(author?.links?.`self`?.href == "/a")
            #expect(author?.data == .one(nine))
            try file.save()
            let saved = try file.archive.resource(ResourceObject.self, ResourceIdentifier(type: "articles", id: "1"))
            #expect(saved?[relationship: "author"]?.data == .one(nine))
        }
    }

    @Test("A removal persists after a failed save")
    func removedBeforeFailure() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore()
            var file = try StoreFile(url, of: store)
            try store.ingest([Sample.marit, Sample.ben])
            try file.save()
            store.remove(nine)
            file = try reopened(file, url, store)
            defer { file.close() }
            #expect(store[nine] == nil)
            try file.save()
            #expect(try Archive(contentsOf: url).resources(Person.self).map(\.id) == ["2"])
        }
    }

    @Test("Changes, evictions, and removals after a failed save are saved")
    func everythingBeforeFailure() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let store = ResourceStore(limit: 1)
            var file = try StoreFile(url, of: store)
            try store.ingest([Sample.marit, Sample.ben])
            try file.save()
            try store.ingest(Person(id: "9", name: "Changed", city: nil), merging: .replace)
            try store.ingest(Person(id: "10", name: "Evicts", city: nil))
            file = try reopened(file, url, store)
            defer { file.close() }
            #expect(try store.resource(Person.self, id: "9") == Person(id: "9", name: "Changed", city: nil))
            try file.save()
            let names = try Archive(contentsOf: url).resources(Person.self).map(\.name)
            #expect(Set(names) == ["Changed", "Evicts", Sample.ben.name])
        }
    }

    @Test("A save directly after opening writes and reads nothing")
    func firstSave() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("store")
            let first = ResourceStore()
            try first.ingest((0..<2000).map { Person(id: "\($0)", name: "n", city: nil) })
            try first.save(to: url)
            let files = FaultyFiles()
            let store = ResourceStore()
            let file = try StoreFile(url, of: store, files: files)
            defer { file.close() }
            let calls = files.calls
            try file.save()
            #expect(files.calls == calls)
            let size = try file.archive.byteCount
            try store.ingest(Person(id: "1", name: "changed", city: nil))
            try file.save()
            #expect(try file.archive.resource(Person.self, id: "1")?.name == "changed")
            // A commit fills its page.
            #expect(try file.archive.byteCount - size <= 4096)
        }
    }
}

import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

/// Between closing a file and opening it again, another program and the store itself may have changed things.
@Suite("A file that is opened again has the changes of both sides")
struct StoreFileReopeningTests {
    func people(_ numbers: Range<Int>) -> [Person] { numbers.map { Person(id: "\($0)", name: "Name \($0)", city: nil) } }

    func identifier(_ id: String) -> ResourceIdentifier { ResourceIdentifier(type: "people", id: id) }

    func ids(_ store: ResourceStore) -> [String] { store.identifiers(ofType: "people").compactMap(\.id) }

    func saved(_ url: URL) throws -> [String] { try Archive(contentsOf: url).resources(Person.self).map(\.name) }

    /// Writes a file with the given resources.
    func file(_ url: URL, _ resources: [Person]) throws {
        let store = ResourceStore()
        let file = try StoreFile(url, of: store)
        defer { file.close() }
        try store.ingest(resources)
        try file.save()
    }

    /// Changes a closed file, as another program does.
    func change(_ url: URL, compacts: Bool = false, _ changes: (inout Archive.Writer) throws -> Void) throws {
        let other = try ArchiveFile(url)
        defer { other.close() }
        try other.commit(changes)
        if compacts { try other.compact() }
    }

    // MARK: - Changes of other programs

    @Test("An update and a removal by another program stay, and nothing is read", arguments: [false, true])
    func untouched(compacts: Bool) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<3))
            let store = ResourceStore()
            try StoreFile(url, of: store).close()
            try change(url, compacts: compacts) { changes in
                try changes.insert([Person(id: "0", name: "other", city: nil)])
                try changes.remove(identifier("1"))
            }
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            #expect(store.core.read { $0.heldCount } == 0)
            #expect(try store.resources(Person.self).map(\.name) == ["other", "Name 2"])
            try again.save()
            #expect(try saved(url) == ["other", "Name 2"])
        }
    }

    @Test("A resource in memory that the store did not change is the one of the file", arguments: [false, true])
    func held(compacts: Bool) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            try store.ingest(people(0..<3))
            try file.save()
            file.close()
            let changes = Locked<[ResourceChange]>([])
            let observation = store.observe(type: "people") { change in changes.withLock { $0.append(change) } }
            defer { observation.cancel() }
            try change(url, compacts: compacts) { changes in
                try changes.insert([Person(id: "0", name: "other", city: nil)])
                try changes.remove(identifier("1"))
            }
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            #expect(try store.resources(Person.self).map(\.name) == ["other", "Name 2"])
            #expect(changes.withLock { $0.map { [$0.identifier.id, "\($0.kind)"] } } == [["0", "updated"], ["1", "removed"]])
            try again.save()
            #expect(try saved(url) == ["other", "Name 2"])
        }
    }

    @Test("If both sides changed a resource, the policy decides", arguments: [false, true])
    func bothChanged(isCustom: Bool) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<4))
            let store = ResourceStore()
            try StoreFile(url, of: store).close()
            for id in ["0", "2", "3"] { try store.ingest(ResourceObject(#"{"type":"people","id":"\#(id)","attributes":{"name":"mine"}}"#)) }
            try change(url) { changes in
                try changes.insert([Person(id: "0", name: "other", city: "Oslo"), Person(id: "1", name: "other", city: nil)])
                try changes.remove(identifier("3"))
            }
            let policy = MergePolicy.custom { mine, theirs in
                #expect(mine.identifier == identifier("0") && theirs[attribute: "city"] == "Oslo")
                return theirs
            }
            let again = try StoreFile(url, of: store, merging: isCustom ? policy : nil)
            defer { again.close() }
            // Without a policy, the fields of the store take precedence.
            let expected = [isCustom ? "other" : "mine", "other", "mine", "mine"]
            #expect(try store.resources(Person.self).sorted { $0.id < $1.id }.map(\.name) == expected)
            #expect(try store.resource(Person.self, id: "0")?.city == "Oslo")
            try again.save()
            #expect(try Archive(contentsOf: url).resources(Person.self).sorted { $0.id < $1.id }.map(\.name) == expected)
        }
    }

    @Test("A removal by the store applies even if another program changed the resource", arguments: [false, true])
    func removedAndChanged(compacts: Bool) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<2))
            let store = ResourceStore()
            try StoreFile(url, of: store).close()
            store.remove(identifier("1"))
            try change(url, compacts: compacts) { try $0.insert([Person(id: "1", name: "other", city: nil)]) }
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            #expect(ids(store) == ["0"])
            try again.save()
            #expect(try saved(url) == ["Name 0"])
        }
    }

    @Test("A request that another program has sent is not sent again", arguments: [false, true])
    func answeredRequest(compacts: Bool) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            var file = try StoreFile(url, of: store)
            try store.ingest(people(9..<10))
            try RequestQueue(store, savedIn: file).update(Patch<Person>(id: "9").set("name", "Ann"))
            try store.keep(1, forKey: "changed")
            try store.keep(1, forKey: "removed")
            try store.keep(1, forKey: "mine")
            try file.save()
            file.close()
            try store.keep(3, forKey: "mine")
            let other = ResourceStore()
            let theirs = try StoreFile(url, of: other)
            let queue = RequestQueue(other, savedIn: theirs)
            try queue.finish(try #require(try queue.next()))
            for key in ["changed", "mine"] { try other.keep(2, forKey: key) }
            other.removeKept(forKey: "removed")
            try theirs.save()
            if compacts { try theirs.compact() }
            theirs.close()
            for _ in 0..<2 {
                file = try StoreFile(url, of: store)
                #expect(RequestQueue(store).isEmpty)
                #expect(store.keptKeys.sorted() == ["changed", "mine"])
                #expect(try store.kept(Int.self, forKey: "changed") == 2)
                #expect(try store.kept(Int.self, forKey: "mine") == 3)
                try file.save()
                file.close()
            }
        }
    }

    @Test("A file can be opened again if a resource is damaged there that the store has changed")
    func damaged() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<2))
            let store = ResourceStore()
            try StoreFile(url, of: store).close()
            try store.ingest(Person(id: "1", name: "mine", city: nil))
            var bytes = [UInt8](try Data(contentsOf: url))
            let image = try ArchiveImage(ArchiveBytes(bytes))
            bytes[try #require(try image.record(StoredIdentity(type: "people", name: "1", isLocal: false))).text.upperBound - 1] ^= 1
            try Data(bytes).write(to: url)
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            #expect(try store.resources(Person.self).map(\.name) == ["Name 0", "mine"])
            try again.save()
            #expect(try saved(url) == ["Name 0", "mine"])
            try again.compact()
        }
    }

    @Test("What another program removed and adds again is there again")
    func removedAndAdded() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            var file = try StoreFile(url, of: store)
            try store.ingest(people(0..<1))
            try store.keep(1, forKey: "key")
            try file.save()
            for number in 1...3 {
                file.close()
                try change(url) { changes in
                    try changes.remove(identifier("0"))
                    try changes.removeValue(forKey: "value:key")
                }
                file = try StoreFile(url, of: store)
                #expect(store.isEmpty && store.keptKeys.isEmpty)
                // Without a save, and so without a reason to take the removal for a change of the store.
                file.close()
                try change(url) { changes in
                    try changes.insert([Person(id: "0", name: "\(number)", city: nil)])
                    try changes.encode(number, forKey: "value:key")
                }
                file = try StoreFile(url, of: store)
                #expect(try store.resources(Person.self).map(\.name) == ["\(number)"])
                #expect(try store.kept(Int.self, forKey: "key") == number)
                _ = try store.resource(Person.self, id: "0")
            }
            file.close()
        }
    }

    // MARK: - Other files at the same path, and copies

    @Test("A removal stays when another program has written the whole file again")
    func removedAndReplaced() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<3))
            let store = ResourceStore()
            try StoreFile(url, of: store).close()
            store.remove(identifier("1"))
            store.remove(identifier("2"))
            var writer = Archive.Writer()
            try writer.insert(people(0..<2) + [Person(id: "2", name: "other", city: nil), Person(id: "3", name: "new", city: nil)])
            try writer.write(to: url)
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            // A resource with another text is another one.
            #expect(ids(store) == ["0", "2", "3"])
            try again.save()
            #expect(try saved(url) == ["Name 0", "other", "new"])
        }
    }

    @Test("A copy of a file is another file")
    func copied() throws {
        try withFolder { folder in
            let (url, copy) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try file(url, people(0..<2))
            try FileManager.default.copyItem(at: url, to: copy)
            let store = ResourceStore()
            try StoreFile(url, of: store).close()
            store.remove(identifier("1"))
            try StoreFile(copy, of: ResourceStore()).close()
            let second = ResourceStore()
            try StoreFile(url, of: second).close()
            try second.ingest(people(2..<3))
            let other = try StoreFile(copy, of: second)
            try other.save()
            other.close()
            let again = try StoreFile(url, of: second)
            try again.save()
            again.close()
            #expect(try saved(url) == ["Name 0", "Name 1", "Name 2"] && saved(copy) == ["Name 0", "Name 1", "Name 2"])
            #expect(ids(store) == ["0"])
        }
    }

    @Test("A file can be opened again by another name of its folder")
    func otherName() throws {
        try withFolder { folder in
            let real = folder.appendingPathComponent("real")
            let link = folder.appendingPathComponent("link")
            try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            try file(real.appendingPathComponent("a"), people(0..<2))
            let store = ResourceStore()
            try StoreFile(real.appendingPathComponent("a"), of: store).close()
            store.remove(identifier("1"))
            let again = try StoreFile(folder.appendingPathComponent("real/../link/./a"), of: store)
            defer { again.close() }
            #expect(ids(store) == ["0"])
        }
    }

    @Test("If a file cannot be merged, what was noted while it was closed stays")
    func refused() throws {
        struct Refusal: Error {}
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try file(url, people(0..<3))
            let store = ResourceStore()
            try StoreFile(url, of: store).close()
            store.remove(identifier("1"))
            try store.ingest(Person(id: "2", name: "mine", city: nil))
            try change(url) { try $0.insert([Person(id: "2", name: "other", city: nil)]) }
            #expect(throws: Refusal.self) { try StoreFile(url, of: store, merging: .custom { _, _ in throw Refusal() }) }
            #expect(ids(store) == ["0", "2"])
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            try again.save()
            #expect(try saved(url) == ["Name 0", "mine"])
        }
    }

    // MARK: - After a failed save

    @Test("A removal while the file is closed after a failed save stays", arguments: [("write", 3), ("mmap", 3), ("fsync", 2)])
    func removedAfterFailure(call: String, number: Int) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let files = FaultyFiles()
            let file = try StoreFile(url, of: store, files: files)
            try store.ingest(people(0..<3))
            try file.save()
            store.remove(identifier("2"))
            try store.ingest(people(3..<5))
            // Makes the commit fail when it is on the disk, but before that is certain.
            files.fail(call, number: (files.calls[call] ?? 0) + (call == "write" ? 2 : 1), .error(EIO))
            #expect(throws: ArchiveError.self) { try file.save() }
            file.close()
            store.remove(identifier("3"))
            try store.ingest(ResourceObject(#"{"type":"people","id":"4","attributes":{"nick":"N"}}"#), merging: .replace)
            try store.ingest(people(2..<3))
            store.remove(identifier("2"))
            let again = try StoreFile(url, of: store)
            #expect(ids(store) == ["0", "1", "4"])
            // The text of the failed commit is not a change of another program.
            #expect(store[identifier("4")]?.attributes == ["nick": "N"])
            try again.save()
            again.close()
            #expect(try Archive(contentsOf: url).identifiers.compactMap(\.id) == ["0", "1", "4"])
        }
    }

    // MARK: - Memory

    @Test("Files that were saved completely and closed note nothing")
    func exports() throws {
        try withFolder { folder in
            let store = ResourceStore()
            let main = try StoreFile(folder.appendingPathComponent("main"), of: store)
            defer { main.close() }
            for number in 0..<20 {
                let export = try StoreFile(folder.appendingPathComponent("\(number)"), of: store)
                try export.save()
                export.close()
            }
            try store.ingest(people(0..<1000))
            try main.save()
            #expect(store.core.journalSize <= 1000, "\(store.core.journalSize)")
            // Opening one again adds what it does not have.
            let closed = try StoreFile(folder.appendingPathComponent("8"), of: store)
            try closed.save()
            closed.close()
            try store.ingest(people(0..<1))
            #expect(archiveError { try closed.save() }?.kind == .closed)
            let again = try StoreFile(folder.appendingPathComponent("7"), of: store)
            try again.save()
            again.close()
            #expect(try saved(folder.appendingPathComponent("7")).count == 1000)
        }
    }

    @Test("The journal of a closed second file has no texts of evicted resources")
    func evicted() throws {
        try withFolder { folder in
            let store = ResourceStore(limit: 10)
            let main = try StoreFile(folder.appendingPathComponent("main"), of: store)
            defer { main.close() }
            let url = folder.appendingPathComponent("second")
            let second = try StoreFile(url, of: store)
            try store.ingest(people(0..<1))
            second.close()
            for number in 1..<100 {
                try store.ingest(people(number..<number + 1))
                try main.save()
            }
            for journal in store.core.journals {
                let changes = try store.takeChanges(of: journal)
                let evicted = changes.filter { if case .evicted = $0.note { true } else { false } }
                #expect(evicted.isEmpty)
                journal.putBack(changes)
            }
            let again = try StoreFile(url, of: store)
            try again.save()
            again.close()
            #expect(try saved(url).count == 100)
        }
    }
}

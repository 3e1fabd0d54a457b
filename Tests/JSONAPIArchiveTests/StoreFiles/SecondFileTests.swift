import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

@Suite("A store with two files leaves nothing out of the second one")
struct SecondFileTests {
    private func people(_ numbers: Range<Int>) -> [Person] { numbers.map { Person(id: "\($0)", name: "Name \($0)", city: nil) } }

    private func names(_ url: URL) throws -> [String] { try Archive(contentsOf: url).resources(Person.self).map(\.name) }

    /// Writes a file with three people, and flips a bit at the offset that `place` returns.
    private func damaged(_ url: URL, _ place: (ArchiveImage) throws -> Int?) throws {
        var writer = Archive.Writer()
        try writer.insert(people(0..<3))
        var bytes = try writer.bytes()
        bytes[try #require(try place(try ArchiveImage(ArchiveBytes(bytes))))] ^= 1
        try Data(bytes).write(to: url)
    }

    @Test("A second file cannot be opened while the directory of the first one is damaged, and the store stays as it is")
    func damagedDirectory() throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try damaged(first) { $0.directories.first.map { $0.section.end - 1 } }
            let store = ResourceStore()
            let file = try StoreFile(first, of: store)
            defer { file.close() }
            for _ in 0..<2 { #expect(archiveError { _ = try StoreFile(second, of: store) }?.kind == .corrupt) }
            #expect(store.count == 3)
            #expect(throws: ArchiveError.self) { try store.document }
        }
    }

    @Test("A resource that is removed and added again before a save comes after those that were added in between, in both files")
    func addedAgain() throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            let store = ResourceStore()
            let files = [try StoreFile(first, of: store), try StoreFile(second, of: store)]
            defer { files.forEach { $0.close() } }
            try store.ingest(people(1..<2))
            store.remove(ResourceIdentifier(type: "people", id: "1"))
            try store.ingest(people(2..<3))
            try store.ingest(people(1..<2))
            for file in files { try file.save() }
            #expect(try store.resources(Person.self).map(\.id) == ["2", "1"])
            for url in [first, second] { #expect(try names(url) == ["Name 2", "Name 1"]) }
        }
    }

    @Test("A save throws if a resource is damaged in the first file, until the resource is replaced")
    func damagedRecord() throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try damaged(first) { try $0.record(StoredIdentity(type: "people", name: "1", isLocal: false))?.text.lowerBound }
            let store = ResourceStore()
            let file = try StoreFile(first, of: store)
            let copy = try StoreFile(second, of: store)
            defer {
                copy.close()
                file.close()
            }
            for _ in 0..<2 { #expect(archiveError { try copy.save() }?.kind == .corrupt) }
            #expect(throws: ArchiveError.self) { try store.document }
            try store.ingest(Person(id: "1", name: "new", city: nil), merging: .replace)
            try copy.save()
            #expect(try names(second).sorted() == ["Name 0", "Name 2", "new"])
            try file.save()
            #expect(try names(first) == ["Name 0", "new", "Name 2"])
            #expect(try store.document.data.resources.count == 3)
        }
    }

    @Test("A decoded document replaces a resource that is damaged in the file")
    func damagedRecordDecoded() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try damaged(url) { try $0.record(StoredIdentity(type: "people", name: "1", isLocal: false))?.text.lowerBound }
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            defer { file.close() }
            let data = Data(#"{"data":{"type":"people","id":"1","attributes":{"name":"new"}}}"#.utf8)
            #expect(throws: ArchiveError.self) { try store.decode(Person.self, from: data) }
            #expect(try store.decode(Person.self, from: data, merging: .replace).name == "new")
            try file.save()
            #expect(try names(url) == ["Name 0", "new", "Name 2"])
        }
    }

    @Test("A removal by another program in the second file applies to the store", arguments: [false, true])
    func removedByOthers(isChanged: Bool) throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            let store = ResourceStore()
            let file = try StoreFile(first, of: store)
            defer { file.close() }
            try store.ingest(people(0..<3))
            try file.save()
            var copy = try StoreFile(second, of: store)
            try copy.save()
            try store.ingest(Person(id: "2", name: "mine", city: nil))
            if isChanged { try store.ingest(Person(id: "1", name: "mine", city: nil)) }
            copy.close()
            let other = try ArchiveFile(second)
            try other.commit { try $0.remove(ResourceIdentifier(type: "people", id: "1")) }
            other.close()
            copy = try StoreFile(second, of: store)
            defer { copy.close() }
            // What the store has changed itself stays.
            let expected = isChanged ? ["Name 0", "mine", "mine"] : ["Name 0", "mine"]
            #expect(try store.resources(Person.self).map(\.name) == expected)
            for file in [file, copy] { try file.save() }
            #expect(try names(first) == expected)
            #expect(try names(second).sorted() == expected.sorted())
        }
    }
}

@Suite("Requests that another program has sent or made")
struct SharedRequestTests {
    /// Writes a file with a waiting request.
    private func waiting(_ url: URL, _ store: ResourceStore) throws -> StoreFile {
        let file = try StoreFile(url, of: store)
        try store.ingest(Person(id: "9", name: "Name", city: nil))
        try RequestQueue(store, savedIn: file).update(Patch<Person>(id: "9").set("name", "Ann"))
        return file
    }

    @Test("A request is not sent again by a program that could not save it as sent")
    func unsaved() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let store = ResourceStore()
            let file = try waiting(url, store)
            try store.keep(1, forKey: "key")
            try file.save()
            let aside = url.appendingPathExtension("aside")
            try FileManager.default.moveItem(at: url, to: aside)
            #expect(throws: ArchiveError.self) { try RequestQueue(store, savedIn: file).next() }
            try FileManager.default.moveItem(at: aside, to: url)
            // A value that is set back is unchanged, too.
            for value in [2, 1] { try store.keep(value, forKey: "key") }
            file.close()
            let other = ResourceStore()
            let theirs = try StoreFile(url, of: other)
            let queue = RequestQueue(other, savedIn: theirs)
            try queue.finish(try #require(try queue.next()))
            try other.keep(3, forKey: "key")
            try theirs.save()
            theirs.close()
            let again = try StoreFile(url, of: store)
            defer { again.close() }
            #expect(RequestQueue(store).isEmpty)
            #expect(try store.kept(Int.self, forKey: "key") == 3)
        }
    }

    @Test("A request with the greatest number does not stop the process, and later requests are kept")
    func greatestNumber() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try waiting(url, ResourceStore()).close()
            let other = try ArchiveFile(url)
            let name = try #require(try other.archive.keys.first { $0.hasPrefix("request:") })
            let record = try #require(try other.image.root(name) as ArchiveRecord?)
            let text = other.image.bytes.array(record.text)
            try other.commit { try $0.put(text.span, forKey: "request:\(Int.max):\(UUID().uuidString)") }
            other.close()
            let store = ResourceStore()
            let file = try StoreFile(url, of: store)
            for name in ["B", "C"] {
                try RequestQueue(store, savedIn: file).create(Person(id: name, name: name, city: nil), clientID: true)
            }
            file.close()
            let again = ResourceStore()
            try StoreFile(url, of: again).close()
            #expect(RequestQueue(again).requests.count == 4)
        }
    }
}

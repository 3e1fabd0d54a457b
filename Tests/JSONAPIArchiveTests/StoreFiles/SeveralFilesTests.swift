import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIArchive
@testable import JSONAPIStore

@Suite("Each open file of a store has everything after a save")
struct SeveralFilesTests {
    private func people(_ ids: [Int], _ name: String = "Name") -> [Person] {
        ids.map { Person(id: "\($0)", name: "\(name) \($0)", city: nil) }
    }

    private func write(_ ids: [Int], to url: URL) throws {
        let file = try ArchiveFile(url)
        defer { file.close() }
        try file.commit { try $0.insert(people(ids)) }
    }

    private func ids(_ url: URL) throws -> [String] { try Archive(contentsOf: url).resources(Person.self).map(\.id).sorted() }

    @Test("The first file was closed before a second one was opened, and is opened again")
    func openedAgain() throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try write([1, 2], to: first)
            try write([3, 4], to: second)
            let store = ResourceStore()
            try StoreFile(first, of: store).close()
            let read = try StoreFile(second, of: store)
            defer { read.close() }
            let again = try StoreFile(first, of: store)
            defer { again.close() }
            for file in [read, again] { try file.save() }
            #expect(try ids(first) == ["1", "2", "3", "4"])
            #expect(try ids(second) == ["1", "2", "3", "4"])
        }
    }

    @Test("Another program has changed the first file, which is opened again")
    func changedByOthers() throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try write([1, 2], to: first)
            let store = ResourceStore()
            let file = try StoreFile(first, of: store)
            let copy = try StoreFile(second, of: store)
            defer { copy.close() }
            try copy.save()
            file.close()
            let other = try ArchiveFile(first)
            try other.commit {
                try $0.insert(people([1], "changed"))
                try $0.insert(people([3]))
                try $0.remove(ResourceIdentifier(type: "people", id: "2"))
            }
            other.close()
            let again = try StoreFile(first, of: store)
            defer { again.close() }
            try copy.save()
            #expect(try ids(second) == ["1", "3"])
            #expect(try Archive(contentsOf: second).resource(Person.self, id: "1")?.name == "changed 1")
        }
    }

    @Test("A third file becomes the one that the store reads through")
    func third() throws {
        try withFolder { folder in
            let urls = ["a", "b", "c"].map { folder.appendingPathComponent($0) }
            for (index, url) in urls.enumerated() { try write([index], to: url) }
            let store = ResourceStore()
            let first = try StoreFile(urls[0], of: store)
            let second = try StoreFile(urls[1], of: store)
            defer { second.close() }
            first.close()
            let third = try StoreFile(urls[2], of: store)
            defer { third.close() }
            for file in [second, third] { try file.save() }
            for url in urls[1...] { #expect(try ids(url) == ["0", "1", "2"]) }
        }
    }

    @Test("A removed resource does not come back when its file is closed and opened several times")
    func removed() throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try write([1], to: first)
            try write([2, 3], to: second)
            let store = ResourceStore()
            let file = try StoreFile(first, of: store)
            var copy = try StoreFile(second, of: store)
            try copy.save()
            store.remove(ResourceIdentifier(type: "people", id: "3"))
            copy.close()
            copy = try StoreFile(second, of: store)
            copy.close()
            file.close()
            let again = try StoreFile(second, of: store)
            defer { again.close() }
            #expect(store.identifiers.compactMap(\.id).sorted() == ["1", "2"])
            try again.save()
            #expect(try ids(second) == ["1", "2"])
        }
    }

    @Test("A removed resource that another file brings back stays in the files that have it")
    func broughtBack() throws {
        try withFolder { folder in
            let urls = ["a", "b", "c"].map { folder.appendingPathComponent($0) }
            try write([1], to: urls[0])
            try write([3], to: urls[2])
            let store = ResourceStore()
            let first = try StoreFile(urls[0], of: store)
            let second = try StoreFile(urls[1], of: store)
            try store.ingest(people([3]))
            for file in [first, second] { try file.save() }
            store.remove(ResourceIdentifier(type: "people", id: "3"))
            second.close()
            try first.save()
            first.close()
            let third = try StoreFile(urls[2], of: store)
            defer { third.close() }
            let again = try StoreFile(urls[1], of: store)
            defer { again.close() }
            try again.save()
            #expect(store.identifiers.compactMap(\.id).sorted() == ["1", "3"])
            #expect(try ids(urls[1]) == ["1", "3"])
        }
    }

    @Test("A resource that is damaged in the first file is not left out of another one silently")
    func damaged() throws {
        try withFolder { folder in
            let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            try write([1], to: first)
            let store = ResourceStore()
            let file = try StoreFile(first, of: store)
            let copy = try StoreFile(second, of: store)
            try copy.save()
            try store.ingest(people([7]))
            try file.save()
            copy.close()
            file.close()
            var bytes = [UInt8](try Data(contentsOf: first))
            let image = try ArchiveImage(ArchiveBytes(bytes))
            bytes[try #require(try image.record(StoredIdentity(type: "people", name: "7", isLocal: false))?.text.lowerBound)] ^= 1
            try Data(bytes).write(to: first)
            let other = ResourceStore()
            let damaged = try StoreFile(first, of: other)
            defer { damaged.close() }
            let again = try StoreFile(second, of: other)
            defer { again.close() }
            #expect(archiveError { try again.save() }?.kind == .corrupt)
        }
    }

    @Test("A store and its open files have everything while another file is opened, and if that fails", arguments: [false, true])
    func openedMeanwhile(isDamaged: Bool) throws {
        try withFolder { folder in
            let urls = ["a", "b", "c"].map { folder.appendingPathComponent($0) }
            var writer = Archive.Writer()
            try writer.insert(people([2, 4, 5], "Other"))
            var bytes = try writer.bytes()
            if isDamaged {
                let image = try ArchiveImage(ArchiveBytes(bytes))
                bytes[try #require(try image.record(StoredIdentity(type: "people", name: "4", isLocal: false))?.text.lowerBound)] ^= 1
            }
            try Data(bytes).write(to: urls[2])
            let store = ResourceStore(limit: 0)
            let first = try StoreFile(urls[0], of: store)
            let second = try StoreFile(urls[1], of: store)
            try store.transaction { transaction in for person in people([1, 2, 3, 4]) { try transaction.ingest(person) } }
            for file in [first, second] { try file.save() }
            first.close()
            let (saved, own) = (urls[1], ["1", "2", "3", "4"])
            let policy = MergePolicy.custom { stored, _ in
                #expect(store.identifiers.compactMap(\.id) == own)
                #expect(try store.resource(Person.self, id: "1")?.name == "Name 1")
                try second.save()
                #expect(try ids(saved) == own)
                return stored
            }
            let third = Result { try StoreFile(urls[2], of: store, merging: policy) }
            defer { (try? third.get())?.close() }
            #expect((try? third.get()) == nil ? isDamaged : !isDamaged)
            try second.save()
            second.close()
            let all = isDamaged ? own : own + ["5"]
            #expect(store.identifiers.compactMap(\.id).sorted() == all)
            #expect(try ids(saved) == all)
            let other = ResourceStore()
            try StoreFile(saved, of: other).close()
            #expect(try other.resources(Person.self).map(\.name).sorted() == all.map { $0 == "5" ? "Other 5" : "Name \($0)" })
        }
    }

    @Test("A file that could not be opened leaves the other files and live values as they are")
    func notOpened() async throws {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, second) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
        let store = ResourceStore()
        let file = try StoreFile(first, of: store)
        try store.ingest(people([1]))
        try file.save()
        let copy = try StoreFile(second, of: store)
        defer { copy.close() }
        try copy.save()
        file.close()
        let other = try ArchiveFile(first)
        try other.commit {
            try $0.insert(people([2]))
            try $0.put("broken".utf8.span, forKey: "request:1:\(UUID().uuidString)")
        }
        other.close()
        var values = store.values([Person].self).makeAsyncIterator()
        #expect(await values.next()?.map(\.id) == ["1"])
        #expect(throws: ArchiveError.self) { _ = try StoreFile(first, of: store) }
        #expect(store.count == 1)
        try copy.save()
        #expect(try ids(second) == ["1"])
        try store.ingest(people([4]))
        #expect(await values.next()?.map(\.id).contains("2") == false)
    }

    /// Opens, closes, saves and changes three files in random order, as this and as another program.
    private struct Files {
        var random: SeededRandom
        let urls: [URL]
        var open: [StoreFile?] = [nil, nil, nil]
        let store: ResourceStore
        var value = 0
        var log: [String] = []

        private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

        private mutating func person() -> Person {
            value += 1
            return Person(id: "\(number(5))", name: "\(value)", city: nil)
        }

        var contents: [String: String] {
            get throws { try Dictionary(uniqueKeysWithValues: store.resources(Person.self).map { ($0.id, $0.name) }) }
        }

        private func contents(_ archive: Archive) throws -> [String: String] {
            try Dictionary(uniqueKeysWithValues: archive.resources(Person.self).map { ($0.id, $0.name) })
        }

        mutating func step() throws {
            let index = number(3)
            switch number(9) {
            case 0, 1:
                let person = person()
                log.append("ingest \(person.id) \(person.name)")
                try store.ingest(person)
            case 2:
                let id = "\(number(5))"
                log.append("remove \(id)")
                store.remove(ResourceIdentifier(type: "people", id: id))
            case 3, 4, 5:
                if let file = open[index] {
                    log.append("close \(index)")
                    file.close()
                    open[index] = nil
                } else {
                    try reopen(index)
                }
            case 6:
                guard open[index] == nil else { return }
                let (person, removed) = (person(), "\(number(5))")
                log.append("another program: file \(index), \(person.id) \(person.name), without \(removed)")
                let file = try ArchiveFile(urls[index])
                defer { file.close() }
                try file.commit {
                    try $0.remove(ResourceIdentifier(type: "people", id: removed))
                    try $0.insert([person])
                }
            default:
                guard let file = open[index] else { return }
                log.append("save \(index)")
                try file.save()
                try check(try contents(file.archive), "file \(index)")
            }
        }

        /// Each resource is as it was in the store or as it is in the file.
        private mutating func reopen(_ index: Int) throws {
            log.append("open \(index)")
            let before = try contents
            let file = try StoreFile(urls[index], of: store)
            open[index] = file
            let (filed, after) = (try contents(file.archive), try contents)
            for id in (0..<5).map(String.init) where after[id] != before[id] && after[id] != filed[id] {
                throw Mismatch(description: "\(id) is \(after[id] ?? "-"), was \(before[id] ?? "-") and \(filed[id] ?? "-")")
            }
        }

        private func check(_ found: [String: String], _ what: String) throws {
            let expected = try contents
            if found != expected { throw Mismatch(description: "\(what): \(found), but the store has \(expected)") }
        }

        mutating func finish() throws {
            for index in open.indices {
                guard let file = open[index] else { continue }
                try file.save()
                try check(try contents(file.archive), "file \(index) at the end")
                file.close()
            }
        }
    }

    private struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    /// `STORE_SEEDS=1000` tries more seeds.
    private static let seeds = 0..<(ProcessInfo.processInfo.environment["STORE_SEEDS"].flatMap(UInt64.init) ?? 20)

    @Test("Files that are opened, closed, saved and changed by others in random order", arguments: seeds)
    func random(_ seed: UInt64) throws {
        try withFolder { folder in
            let urls = ["a", "b", "c"].map { folder.appendingPathComponent($0) }
            let store = seed % 3 == 0 ? ResourceStore(limit: 2) : ResourceStore()
            var files = Files(random: SeededRandom(seed: seed), urls: urls, store: store)
            do {
                for _ in 0..<60 { try files.step() }
                try files.finish()
            } catch {
                Issue.record("\(error)\n\(files.log.joined(separator: "\n"))")
            }
        }
    }
}

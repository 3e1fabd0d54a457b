import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIArchive

@Suite("Archives with commits")
struct ArchiveFileTests {
    @Test("A commit that adds a resource of a new type and removes it again leaves a file that can be opened")
    func addedAndRemoved() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            var writer = Archive.Writer()
            try writer.insert([Sample.marit])
            try writer.write(to: url)
            let file = try ArchiveFile(url)
            try file.commit { changes in
                try changes.insert(ResourceObject(type: "nodes", id: "1"))
                try changes.remove(ResourceIdentifier(type: "nodes", id: "1"))
                try changes.encode(1, forKey: "key")
            }
            file.close()
            let archive = try Archive(contentsOf: url)
            #expect(archive.verify().isEmpty)
            #expect(try archive.resources(Person.self) == [Sample.marit] && archive.resources(Node.self).isEmpty)
        }
    }

    @Test("Commits persist when the file is opened again")
    func commits() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode(Sample.articles, forKey: "home") }
            let snapshot = try file.archive
            try file.commit { changes in
                try changes.encode(Sample.settings, forKey: "settings")
                try changes.remove(ResourceIdentifier(type: "comments", id: "5"))
                try changes.insert([Person(id: "2", name: "Ben", city: "Oslo")])
            }
            file.close()
            for archive in [try Archive(contentsOf: url), try file.archive, try ArchiveFile(url).archive] {
                #expect(archive.keys == ["home", "settings"])
                #expect(archive.count == 5)
                #expect(try archive.resource(Person.self, id: "2")?.city == "Oslo")
                #expect(try archive.resource(Comment.self, id: "5") == nil)
                #expect(try archive.decode([Article].self, forKey: "home")[1].author?.city == "Oslo")
                #expect(archive.verify().isEmpty)
            }
            // The older state has not changed.
            #expect(try snapshot.decode([Article].self, forKey: "home") == Sample.articles)
            #expect(snapshot.keys == ["home"])
        }
    }

    @Test("A commit writes only changes")
    func increments() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            var people = (0..<3000).map { Person(id: "\($0)", name: "Name \($0)", city: nil) }
            try file.commit { try $0.encode(people, forKey: "people") }
            let size = file.byteCount
            try file.commit { try $0.encode(people, forKey: "people") }
            #expect(file.byteCount == size)
            people[1234].city = "Kampala"
            try file.commit { try $0.encode(people, forKey: "people") }
            // A commit fills its page.
            #expect(file.byteCount - size <= 4096)
            #expect(try file.archive.decode([Person].self, forKey: "people") == people)
        }
    }

    @Test("Many small commits keep few directories")
    func manyCommits() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            var expected: [String: String] = [:]
            var random = SystemRandomNumberGenerator()
            for round in 0..<300 {
                try file.commit { changes in
                    for _ in 0..<Int.random(in: 1...4, using: &random) {
                        let id = "\(Int.random(in: 0..<150, using: &random))"
                        if Int.random(in: 0..<4, using: &random) == 0 {
                            try changes.remove(ResourceIdentifier(type: "people", id: id))
                            expected[id] = nil
                        } else {
                            try changes.insert([Person(id: id, name: "\(round)", city: nil)])
                            expected[id] = "\(round)"
                        }
                    }
                }
            }
            for archive in [try Archive(contentsOf: url), try file.archive] {
                #expect(archive.count == expected.count)
                #expect(archive.image.directories.count < 12)
                let people = try archive.resources(Person.self)
                #expect(Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0.name) }) == expected)
                for id in 0..<150 { #expect(try archive.resource(Person.self, id: "\(id)")?.name == expected["\(id)"]) }
                #expect(archive.verify().isEmpty)
            }
            let (before, wasted) = (file.byteCount, file.wastedByteCount)
            #expect(wasted > before / 2)
            try file.compact()
            #expect(file.wastedByteCount == 0 && file.byteCount < before / 2)
            #expect(try Dictionary(uniqueKeysWithValues: file.archive.resources(Person.self).map { ($0.id, $0.name) }) == expected)
            try file.commit { try $0.insert([Sample.marit]) }
            #expect(try Archive(contentsOf: url).verify().isEmpty)
        }
    }

    @Test("Removed resources are omitted from a list, an error alone, and nil as an optional")
    func removed() throws {
        try withFolder { folder in
            let file = try ArchiveFile(folder.appendingPathComponent("a"))
            try file.commit { changes in
                try changes.encode([Sample.marit, Sample.ben], forKey: "all")
                try changes.encode(Sample.ben, forKey: "one")
            }
            try file.commit { try $0.remove(ResourceIdentifier(type: "people", id: "2")) }
            for _ in 0..<2 {
                let archive = try file.archive
                #expect(try archive.decode([Person].self, forKey: "all") == [Sample.marit])
                #expect(try archive.decodeIfPresent(Person?.self, forKey: "one") ?? nil == nil)
                if archive.keys.contains("one") {
                    #expect(archiveError { _ = try archive.decode(Person.self, forKey: "one") }?.kind == .missingResource)
                }
                try file.compact()
            }
        }
    }

    @Test("Saving what was read from the archive keeps later changes of what it refers to", arguments: [false, true])
    func laterChangesOfReferences(isCompacted: Bool) throws {
        try withFolder { folder in
            let file = try ArchiveFile(folder.appendingPathComponent("a"))
            defer { file.close() }
            try file.commit { try $0.encode(Sample.comments, forKey: "last") }
            var read = try file.archive.decode([Comment].self, forKey: "last")
            #expect(read.map { $0.author.value } == [Sample.ben, Sample.marit])
            let changed = Person(id: "2", name: "New", city: nil)
            try file.commit { changes in
                try changes.insert([changed])
                try changes.remove(ResourceIdentifier(type: "people", id: "9"))
            }
            if isCompacted { try file.compact() }
            read[0].body = "B"
            let saves: [(inout Archive.Writer) throws -> Void] = [
                { try $0.encode(read, forKey: "last") }, { try $0.encode(read[0], forKey: "first") },
                { try $0.insert(read) }, { try $0.encode(["all": read], forKey: "value") },
                { try $0.encode(Document<[Comment]>(read), forKey: "document") },
            ]
            for save in saves {
                try file.commit(save)
                #expect(try file.archive.resources(Person.self) == [changed])
            }
            #expect(try file.archive.decode([Comment].self, forKey: "last").map(\.body) == ["B", "I like XML better"])
            // A copy has the contents, too.
            var copy = try Archive.Writer(try file.archive)
            try copy.encode(read, forKey: "copy")
            #expect(try Archive(data: copy.data()).resources(Person.self) == [changed])
        }
    }

    @Test("One commit can save a changed resource, and then a value that refers to it")
    func changedReferenceInOneCommit() throws {
        try withFolder { folder in
            let file = try ArchiveFile(folder.appendingPathComponent("a"))
            defer { file.close() }
            try file.commit { try $0.encode(Sample.comments[0], forKey: "last") }
            let comment = try file.archive.decode(Comment.self, forKey: "last")
            let changed = Person(id: "2", name: "New", city: nil)
            try file.commit { changes in
                try changes.insert([changed])
                try changes.encode(comment, forKey: "last")
            }
            #expect(try file.archive.decode(Comment.self, forKey: "last").author.value == changed)
        }
    }

    @Test("Another archive gets what a value refers to in the archive from which it was read")
    func referencesFromAnotherArchive() throws {
        let comments = try Sample.archive().resources(Comment.self)
        var writer = Archive.Writer()
        try writer.encode(comments, forKey: "comments")
        #expect(Set(try Archive(data: writer.data()).resources(Person.self).map(\.id)) == ["2", "9"])
    }

    @Test("A commit that throws changes nothing")
    func thrown() throws {
        struct Stop: Error {}
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode(1, forKey: "number") }
            let bytes = try Data(contentsOf: url)
            #expect(throws: Stop.self) {
                try file.commit { changes in
                    try changes.encode(2, forKey: "number")
                    throw Stop()
                }
            }
            #expect(try Data(contentsOf: url) == bytes)
            #expect(archiveError { try file.commit { _ in try file.commit { _ in } } }?.kind == .locked)
            try file.commit { try $0.removeValue(forKey: "number") }
            #expect(try file.archive.keys.isEmpty)
        }
    }

    @Test("A call that throws at one of its resources has stored none of them")
    func failedCall() throws {
        let people = (0..<400).map { Person(id: "\($0)", name: "old", city: nil) }
        var writer = Archive.Writer()
        try writer.insert(people)
        var bytes = try writer.bytes()
        // The last page of the directory.
        let directory = try #require(try ArchiveImage(ArchiveBytes(bytes)).footer.directorySections.first)
        bytes[directory.end - 1] ^= 1
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Data(bytes).write(to: url)
            let file = try ArchiveFile(url)
            defer { file.close() }
            let image = file.image
            func isFound(_ person: Person) -> Bool {
                (try? image.has(StoredIdentity(type: "people", name: person.id, isLocal: false))) == true
            }
            var both = [try #require(people.first(where: isFound)), try #require(people.first { !isFound($0) })]
            for index in both.indices { both[index].name = "new" }
            try file.commit { changes in
                let encoding = archiveError { try changes.encode(both, forKey: "both") }
                let insertion = archiveError { try changes.insert(both) }
                #expect(encoding?.kind == .corrupt && insertion?.kind == .corrupt)
                try changes.encode(1, forKey: "number")
            }
            #expect(try file.archive.keys == ["number"])
            #expect(try file.archive.resource(Person.self, id: both[0].id)?.name == "old")
        }
    }

    @Test("One writer at a time, readers are not affected, and replacement is detected")
    func locking() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode(1, forKey: "number") }
            #expect(archiveError { _ = try ArchiveFile(url) }?.kind == .locked)
            #expect(archiveError { try Sample.writer().write(to: url) }?.kind == .locked)
            try file.compact()
            #expect(archiveError { _ = try ArchiveFile(url) }?.kind == .locked)
            #expect(try Archive(contentsOf: url).decode(Int.self, forKey: "number") == 1)
            try FileManager.default.removeItem(at: url)
            #expect(archiveError { try file.commit { try $0.encode(2, forKey: "number") } }?.kind == .replaced)
            file.close()
            #expect(archiveError { try file.commit { _ in } }?.kind == .closed)
            #expect(try ArchiveFile(url).archive.keys.isEmpty)
        }
    }

    @Test func `another process that opens the file does not prevent its owner from replacing it`() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try ArchiveFile(url).commit { try $0.encode(1, forKey: "number") }
            let (other, errors) = (StoppedFiles(), Locked<[ArchiveError.Kind?]>([]))
            defer { other.closeAll() }
            let files = CreatingFiles {
                let error = archiveError { _ = try ArchiveFile(url, files: other) }
                errors.withLock { $0.append(error?.kind) }
            }
            let file = try ArchiveFile(url, files: files)
            try file.compact()
            #expect(errors.withLock { $0 } == [.locked])
            #expect(try file.archive.decode(Int.self, forKey: "number") == 1)
        }
    }

    @Test("Data of an interrupted commit is ignored, reported by verify, and removed by the next commit")
    func tornTail() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try ArchiveFile(url).commit { try $0.encode(1, forKey: "number") }
            let whole = [UInt8](try Data(contentsOf: url))
            try ArchiveFile(url).commit { try $0.encode(2, forKey: "number") }
            let later = [UInt8](try Data(contentsOf: url))
            for count in stride(from: whole.count, to: later.count, by: TestEffort.count(1, debug: 4)) {
                // The slots are still those of the first commit.
                let torn = whole + later[whole.count..<count]
                try Data(torn).write(to: url)
                let archive = try Archive(contentsOf: url)
                #expect(try archive.decode(Int.self, forKey: "number") == 1)
                #expect(archive.verify().map(\.kind) == (count > whole.count ? [.unfinishedCommit] : []))
            }
            try ArchiveFile(url).commit { try $0.encode(3, forKey: "number") }
            #expect(try Archive(contentsOf: url).verify().isEmpty)
            #expect(try Archive(contentsOf: url).decode(Int.self, forKey: "number") == 3)
        }
    }

    @Test("A torn slot still gives the commit that it was for")
    func tornSlot() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            for number in 1...5 {
                let before = [UInt8](try Data(contentsOf: url))
                try file.commit { try $0.encode(number, forKey: "number") }
                let after = [UInt8](try Data(contentsOf: url))
                for count in 1..<32 {
                    var torn = after
                    for slot in Forgery.slots where before[slot..<slot + 32] != after[slot..<slot + 32] {
                        torn.replaceSubrange(slot + count..<slot + 32, with: before[slot + count..<slot + 32])
                    }
                    #expect(try Archive(data: Data(torn)).decode(Int.self, forKey: "number") == number)
                }
            }
        }
    }

    @Test("Opening repairs a damaged slot, and never writes the intact one")
    func slots() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            for number in 1...4 { try file.commit { try $0.encode(number, forKey: "number") } }
            file.close()
            let sound = try Data(contentsOf: url)
            for slot in Forgery.slots {
                var damaged = sound
                damaged[slot + 3] ^= 1
                try damaged.write(to: url)
                let image = try ArchiveImage(ArchiveBytes(damaged))
                #expect(image.header.slotOffsets[image.nextSlot] == slot)
                #expect(try Archive(contentsOf: url).verify().map(\.section) == [.slot])
                let again = try ArchiveFile(url)
                #expect(try Archive(contentsOf: url).verify().isEmpty)
                try again.commit { try $0.encode(5, forKey: "number") }
                again.close()
                #expect(try Archive(contentsOf: url).decode(Int.self, forKey: "number") == 5)
            }
        }
    }

    @Test("A commit whose closure closes the file writes nothing, also not into a file that is opened next")
    func closingInsideACommit() throws {
        try withFolder { folder in
            let urls = ["a", "b"].map { folder.appendingPathComponent($0) }
            let file = try ArchiveFile(urls[0])
            try file.commit { try $0.encode("kept", forKey: "key") }
            var other: ArchiveFile?
            let error = archiveError {
                try file.commit { changes in
                    try changes.encode("lost", forKey: "key")
                    file.close()
                    // The new file can have the descriptor of the closed one.
                    other = try ArchiveFile(urls[1])
                    try other?.commit { try $0.encode("other", forKey: "key") }
                }
            }
            #expect(error?.kind == .closed)
            try other?.commit { try $0.encode("later", forKey: "later") }
            let archives = try urls.map { try Archive(contentsOf: $0) }
            #expect(try archives.map { try $0.decode(String.self, forKey: "key") } == ["kept", "other"])
            #expect(archives[1].keys == ["key", "later"] && archives.allSatisfy { $0.verify().isEmpty })
        }
    }

    @Test("Concurrent commits and reads lose nothing")
    func threads() throws {
        try withFolder { folder in
            let file = try ArchiveFile(folder.appendingPathComponent("a"))
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for round in 0..<20 {
                    do {
                        try file.commit { try $0.insert([Person(id: "\(thread)-\(round)", name: "\(round)", city: nil)]) }
                        _ = try file.archive.resources(Person.self)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            #expect(try file.archive.count == 80)
            #expect(try file.archive.verify().isEmpty)
        }
    }
}

/// Files that call a closure after a new file was created, and before it is locked.
private struct CreatingFiles: WrappingFiles {
    let files = SystemFiles()
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 {
        let descriptor = try files.open(path, flags, rights: rights)
        if flags & O_CREAT != 0 { body() }
        return descriptor
    }
}

/// Files of a process that is stopped before it closes a file, so that it keeps its locks.
private final class StoppedFiles: WrappingFiles {
    let files = SystemFiles()
    private let stopped = Locked<[Int32]>([])

    func close(_ descriptor: Int32) throws(SystemFault) { stopped.withLock { $0.append(descriptor) } }

    func closeAll() {
        for descriptor in stopped.withLock({ $0 }) { try? files.close(descriptor) }
    }
}

import Foundation
import JSONAPICodec
import TestSupport
import Testing

@testable import JSONAPIArchive

/// Garbage can look like records of any length. It must not cost what is intact.
@Suite("Salvaging an archive with garbage")
struct SalvageOfGarbageTests {
    private func person(_ id: Int) -> Person { Person(id: "\(id)", name: "Number \(id)", city: nil) }

    /// A file with the given commits.
    private func file(_ commits: [(inout Archive.Writer) throws -> Void]) throws -> [UInt8] {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            defer { file.close() }
            for commit in commits { try file.commit(commit) }
            return [UInt8](try Data(contentsOf: url))
        }
    }

    @Test(arguments: [false, true], 1...3)
    func `random bytes cost only the records in them, and no removed resource returns`(isDirectoryDamaged: Bool, seed: UInt64) throws {
        let people = (0..<5000).map(person)
        let bytes = try file([
            { try $0.insert(people) }, { try $0.remove(ResourceIdentifier(type: "people", id: "0")) },
            { try $0.encode(people[4999], forKey: "last") },
        ])
        let image = try ArchiveImage(ArchiveBytes(bytes))
        let garbage = 4 * ArchiveFormat.pageSize + 10..<12 * ArchiveFormat.pageSize
        var intact: Set<String> = []
        for record in try image.records() where !record.range.overlaps(garbage) { intact.insert(image.key(of: record).name) }
        #expect((4000..<4999).contains(intact.count))
        var damaged = bytes
        var random = SeededRandom(seed: seed)
        for index in garbage { damaged[index] = .random(in: 0...255, using: &random) }
        if isDirectoryDamaged { for section in image.footer.directorySections { damaged[section.offset] ^= 1 } }
        let salvage = try ArchiveFile.salvage(Data(damaged))
        #expect(Set(try salvage.archive.resources(Person.self).map(\.id)) == intact)
        #expect(try salvage.archive.decode(Person.self, forKey: "last") == people[4999])
        #expect(!salvage.losses.isEmpty)
    }

    @Test(arguments: Forgery.slots) func `a damaged slot and a damaged record cost that record, and not its commit`(slot: Int) throws {
        var bytes = try file([{ try $0.insert((0..<100).map(person)) }])
        bytes[slot] ^= 1
        let image = try ArchiveImage(ArchiveBytes(bytes))
        let record = try #require(try image.record(StoredIdentity(type: "people", name: "50", isLocal: false)))
        bytes[record.text.lowerBound + 3] ^= 1
        let salvage = try ArchiveFile.salvage(Data(bytes))
        #expect(try salvage.archive.resources(Person.self) == (0..<100).filter { $0 != 50 }.map(person))
        #expect(!salvage.losses.isEmpty)
    }

    @Test func `a key of an array is reported if only the text of one of its resources is damaged`() throws {
        var writer = Archive.Writer()
        try writer.insert([person(9)])
        try writer.encode((1...5).map(person), forKey: "list")
        try writer.encode([person(1), person(9)], forKey: "removed")
        try writer.remove(ResourceIdentifier(type: "people", id: "9"))
        var data = try writer.data()
        let text = try #require(data.range(of: Data("Number 3".utf8)))
        data[text.lowerBound] ^= 1
        let salvage = try ArchiveFile.salvage(data)
        #expect(try salvage.archive.decode([Person].self, forKey: "list") == [1, 2, 4, 5].map(person))
        #expect(salvage.losses.contains { $0.reason.contains("a part of the value of the key `list`") })
        #expect(try salvage.archive.decode([Person].self, forKey: "removed") == [person(1)])
        #expect(!salvage.losses.contains { $0.reason.contains("the key `removed`") })
    }

    @Test func `a reference is not lost because a record before it claims to be longer`() throws {
        var writer = Archive.Writer()
        try writer.encode((1...5).map(person), forKey: "list")
        var bytes = try writer.bytes()
        let image = try ArchiveImage(ArchiveBytes(bytes))
        let record = try #require(try image.record(StoredIdentity(type: "people", name: "2", isLocal: false)))
        // Its length and that of its key.
        bytes[record.range.lowerBound + 4] = 120
        bytes[record.key.lowerBound - 1] = 100
        let salvage = try ArchiveFile.salvage(Data(bytes))
        #expect(try salvage.archive.decode([Person].self, forKey: "list") == [1, 3, 4, 5].map(person))
        #expect(salvage.losses.contains { $0.reason.contains("a part of the value of the key `list`") })
    }

    @Test func `a removed key returns only if the footer or the keys are damaged`() throws {
        let bytes = try file([
            { try $0.encode("old", forKey: "kept") }, { try $0.encode("request", forKey: "removed") },
            { changes in
                try changes.encode("new", forKey: "kept")
                try changes.removeValue(forKey: "removed")
                try changes.insert([person(1)])
            },
        ])
        let image = try ArchiveImage(ArchiveBytes(bytes))
        let types = try #require(image.footer.section(ArchiveFormat.typesSection))
        let keys = try #require(image.footer.section(ArchiveFormat.keysSection))
        for (offset, returns) in [(types.offset, false), (image.directories[0].section.offset, false), (keys.offset, true)] {
            var damaged = bytes
            damaged[offset] ^= 1
            let salvage = try ArchiveFile.salvage(Data(damaged))
            #expect(salvage.archive.keys == (returns ? ["kept", "removed"] : ["kept"]))
            #expect(try salvage.archive.decode(String.self, forKey: "kept") == "new")
            #expect(salvage.losses.contains { $0.reason.contains("keys that were may be back") } == returns)
        }
    }

    @Test func `a damaged value is named although the whole file is searched`() throws {
        var bytes = try file([{ try $0.encode("first", forKey: "a") }, { try $0.insert([person(1)]) }])
        let image = try ArchiveImage(ArchiveBytes(bytes))
        bytes[try #require(try image.root("a") as ArchiveRecord?).text.lowerBound] ^= 1
        bytes[image.directories[0].section.offset] ^= 1
        let salvage = try ArchiveFile.salvage(Data(bytes))
        #expect(salvage.archive.keys == [])
        #expect(salvage.losses.contains { $0.reason.contains("the value of the key `a`") })
    }
}

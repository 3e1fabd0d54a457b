import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIArchive

@Suite struct ArchiveRecoveryTests {
    private func file(_ folder: URL) -> URL { folder.appendingPathComponent("archive") }

    private func size(_ url: URL) throws -> Int { try Data(contentsOf: url).count }

    private func append(_ count: Int, to url: URL) throws {
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(repeating: 0xA5, count: count))
    }

    @Test(arguments: [1, 100, 100_000])
    func theNextCommitRemovesAnUnfinishedOne(count: Int) throws {
        try withFolder { folder in
            let url = file(folder)
            try Sample.writer().write(to: url)
            try append(count, to: url)
            #expect(try Archive(contentsOf: url).verify().map(\.kind) == [.unfinishedCommit])
            let archive = try ArchiveFile(url)
            defer { archive.close() }
            try archive.commit { try $0.encode("new", forKey: "new") }
            #expect(try Archive(contentsOf: url).verify().isEmpty)
            #expect(try size(url) == archive.byteCount)
            #expect(try Archive(contentsOf: url).decode(String.self, forKey: "new") == "new")
        }
    }

    @Test func aFailedWriteLeavesNothingAfterTheLastCommit() throws {
        try withFolder { folder in
            let url = file(folder)
            try Sample.writer().write(to: url)
            let before = try size(url)
            // The first write of a commit succeeds, and the second one, of its head, never happens.
            let files = FaultyFiles("write", number: 1, .error(ENOSPC))
            let archive = try ArchiveFile(url, files: HalfWriting(files))
            defer { archive.close() }
            #expect(archiveError { try archive.commit { try $0.encode("lost", forKey: "new") } }?.kind == .io)
            #expect(try size(url) == before)
            #expect(try Archive(contentsOf: url).verify().isEmpty)
            try archive.commit { try $0.encode("kept", forKey: "new") }
            #expect(try Archive(contentsOf: url).decode(String.self, forKey: "new") == "kept")
        }
    }

    @Test func removingAKeyKeepsTheValuesOfOthers() throws {
        var writer = Archive.Writer()
        for key in ["a", "b", "c", "d"] { try writer.encode("value of \(key)", forKey: key) }
        try writer.removeValue(forKey: "b")
        try writer.encode("other value of c", forKey: "c")
        try writer.encode("value of e", forKey: "e")
        let archive = try Archive(data: writer.data())
        #expect(archive.keys == ["a", "c", "d", "e"])
        #expect(
            try archive.keys.map { try archive.decode(String.self, forKey: $0) } == [
                "value of a", "other value of c", "value of d", "value of e",
            ])
        #expect(archive.verify().isEmpty)
    }

    @Test func migrationsRunInTheOrderOfTheirVersions() throws {
        func step(_ version: Int) -> ArchiveModel.Migration {
            .init(to: version) { resource, _ in
                var resource = resource
                resource[attribute: "name"] = .string((resource[attribute: "name"]?.string ?? "") + " \(version)")
                return [resource]
            }
        }
        var writer = Archive.Writer(modelVersion: 1)
        try writer.insert([Person(id: "1", name: "Ann", city: nil)])
        let model = ArchiveModel(version: 4, migrations: [step(4), step(2), step(3)])
        let archive = try Archive(data: writer.data(), model: model)
        #expect(try archive.resource(Person.self, id: "1")?.name == "Ann 2 3 4")
    }

    @Test func anOptionalForAKeyWithARemovedResourceIsNil() throws {
        try withFolder { folder in
            let url = file(folder)
            try Sample.writer().write(to: url)
            let archive = try ArchiveFile(url)
            defer { archive.close() }
            try archive.commit { try $0.remove(ResourceIdentifier(type: "people", id: "9")) }
            #expect(try archive.archive.decode(Person?.self, forKey: "me") == nil)
            #expect(archiveError { _ = try archive.archive.decode(Person.self, forKey: "me") }?.kind == .missingResource)
            // The second time it is still absent, and other keys are unchanged.
            #expect(try archive.archive.decode(Settings.self, forKey: "settings") == Sample.settings)
        }
    }

    @Test func aDamagedSlotIsRepairedWhenTheFileIsOpenedForWriting() throws {
        for slot in Forgery.slots {
            try withFolder { folder in
                let url = file(folder)
                try Sample.writer().write(to: url)
                var bytes = try Data(contentsOf: url)
                bytes[slot] ^= 0xFF
                try bytes.write(to: url)
                #expect(try Archive(contentsOf: url).verify().map(\.section) == [.slot])
                try ArchiveFile(url).close()
                #expect(try Archive(contentsOf: url).verify().isEmpty)
            }
        }
    }
}

/// Files in which a failing write stores half of its bytes.
private struct HalfWriting: WrappingFiles {
    let files: FaultyFiles
    private let system = SystemFiles()

    init(_ files: FaultyFiles) { self.files = files }

    func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemFault) -> Int {
        do throws(SystemFault) { return try files.write(descriptor, bytes, at: offset) } catch {
            _ = try system.write(descriptor, bytes.extracting(0..<bytes.count / 2), at: offset)
            throw error
        }
    }
}

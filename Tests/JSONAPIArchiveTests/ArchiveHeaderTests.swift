import Foundation
import JSONAPICodec
import Testing

@testable import JSONAPIArchive

@Suite("The two headers of an archive")
struct ArchiveHeaderTests {
    private let pages = [0, 4096]

    private func garbled(_ bytes: [UInt8], page: Int) -> [UInt8] {
        var result = bytes
        for index in page..<page + 4096 { result[index] = UInt8.random(in: 0...255) }
        return result
    }

    @Test("Each of the two pages can be lost, and the next writer restores it", arguments: [1, 2, 3, 4])
    func lostPage(commits: Int) throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            for number in 1...commits { try file.commit { try $0.encode(number, forKey: "number") } }
            file.close()
            let sound = [UInt8](try Data(contentsOf: url))
            for page in pages {
                let damaged = garbled(sound, page: page)
                try Data(damaged).write(to: url)
                let archive = try Archive(contentsOf: url)
                #expect(try archive.decode(Int.self, forKey: "number") == commits)
                #expect(Set(archive.verify().map(\.section)) == [.slot, .header])
                #expect(try ArchiveFile.salvage(url).archive.decode(Int.self, forKey: "number") == commits)
                let again = try ArchiveFile(url)
                #expect(try again.archive.decode(Int.self, forKey: "number") == commits)
                try again.commit { try $0.encode(-1, forKey: "number") }
                again.close()
                #expect(try Archive(contentsOf: url).decode(Int.self, forKey: "number") == -1)
                // The bytes after a header mean nothing, so only `verify` reports them.
                #expect(try Archive(contentsOf: url).verify().allSatisfy { $0.offset ?? 0 >= page + 64 && $0.offset ?? 0 < page + 4096 })
            }
        }
    }

    @Test("Without both pages, opening and salvaging are errors")
    func bothLost() throws {
        let bytes = garbled(garbled([UInt8](try Sample.writer().data()), page: 0), page: 4096)
        #expect(archiveError { _ = try Archive(data: Data(bytes)) } != nil)
        #expect(archiveError { _ = try ArchiveFile.salvage(Data(bytes)) } != nil)
    }

    @Test("An archive inside another file is not an archive")
    func embedded() throws {
        let bytes = [UInt8](repeating: 0x20, count: 4096) + [UInt8](try Sample.writer().data())
        #expect(archiveError { _ = try Archive(data: Data(bytes)) }?.kind == .notAnArchive)
    }

    @Test("A newer first header is not replaced by an older second one")
    func newer() throws {
        var bytes = [UInt8](try Sample.writer().data())
        bytes[8] = 5
        var checksum = Checksum()
        checksum.update(bytes.span.extracting(..<28))
        for index in 0..<4 { bytes[28 + index] = UInt8(truncatingIfNeeded: checksum.value >> (8 * UInt32(index))) }
        #expect(archiveError { _ = try Archive(data: Data(bytes)) }?.kind == .unsupportedVersion)
    }

    @Test("The data of an archive stay those of its state while a writer commits")
    func dataOfAnEarlierState() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode(1, forKey: "number") }
            let archive = try Archive(contentsOf: url)
            for number in 2...5 {
                try file.commit { try $0.encode(number, forKey: "number") }
                let copy = try Archive(data: archive.data)
                #expect(try copy.decode(Int.self, forKey: "number") == 1)
                #expect(copy.verify().isEmpty)
            }
        }
    }

    @Test("A reader survives a writer that removes an unfinished commit in the meantime")
    func cutOff() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try ArchiveFile(url).commit { try $0.encode(1, forKey: "number") }
            let end = try Data(contentsOf: url).count
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode(String(repeating: "long ", count: 40_000), forKey: "text") }
            file.close()
            var bytes = [UInt8](try Data(contentsOf: url))
            // The slot of the commit is not on the disk, and its last byte is damaged.
            for slot in Forgery.slots where bytes[slot] == 3 {
                bytes.replaceSubrange(slot - 32..<slot + 32, with: [UInt8](repeating: 0, count: 64))
            }
            let sound = bytes
            bytes[end + 100] ^= 1
            try Data(bytes).write(to: url)
            #expect(archiveError { _ = try Archive(contentsOf: url) }?.kind == .corrupt)
            try Data(sound).write(to: url)
            #expect(try Archive(contentsOf: url).keys == ["number", "text"])
            // With both slots sound, the damaged commit is unfinished.
            let clean = try Archive(data: Data(sound[..<end])).data
            try (clean + Data(bytes[end...])).write(to: url)
            let image = try ArchiveStorage(CuttingFiles(url: url, end: end)).image(ofFile: url.path)
            #expect(image.head.end == end)
            #expect(try Data(contentsOf: url).count == end)
        }
    }

    @Test("A reader of version 3 survives a writer that removes a commit after a damaged slot")
    func cutOffInVersionThree() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try ArchiveSampleTests.copy(version: 3, to: url)
            let end = try Data(contentsOf: url).count
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode(String(repeating: "long ", count: 40_000), forKey: "text") }
            let newest = 1 - file.image.nextSlot
            file.close()
            var bytes = [UInt8](try Data(contentsOf: url))
            bytes[32 + 32 * newest] ^= 1
            try Data(bytes).write(to: url)
            // The commit is whole, so it is used.
            #expect(try Archive(contentsOf: url).contains(key: "text"))
            let files = CuttingFiles(url: url, end: end)
            #expect(archiveError { _ = try ArchiveStorage(files).image(ofFile: url.path) }?.kind == .corrupt)
        }
    }

    @Test("Salvaging survives a writer that removes an unfinished commit in the meantime")
    func cutOffWhileSalvaging() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Sample.writer().write(to: url)
            let end = try Data(contentsOf: url).count
            let handle = try FileHandle(forWritingTo: url)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(repeating: 0xA5, count: 3 << 20))
            let files = FaultyFiles()
            // The first call reads the start, and the second one the first megabyte.
            files.fail("read", number: 3, .none) { try? handle.truncate(atOffset: UInt64(end)) }
            let salvage = try ArchiveFile.salvage(url, decoder: JSONAPIDecoder(), ArchiveStorage(files))
            #expect(try salvage.archive.decode(Settings.self, forKey: "settings") == Sample.settings && salvage.losses.isEmpty)
            #expect(files.calls["mmap"] == nil && files.openCount == 0)
            #expect(try Data(contentsOf: url).count == end)
        }
    }
}

/// The system's files. After a file is mapped, another process cuts off its end.
private struct CuttingFiles: WrappingFiles {
    let files = SystemFiles()
    let url: URL
    let end: Int

    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> ArchiveBytes {
        let memory = try files.map(descriptor, count: count)
        try? FileHandle(forWritingTo: url).truncate(atOffset: UInt64(end))
        return memory
    }
}

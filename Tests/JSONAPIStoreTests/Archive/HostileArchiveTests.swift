import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIStore

/// Malicious files with valid checksums. Their cost must be proportional to their size.
@Suite("Hostile archives have limited cost")
struct HostileArchiveTests {
    private func opened(_ bytes: [UInt8]) throws -> Archive { try Archive(data: Data(bytes)) }

    @Test("A footer with a repeated section is an error", arguments: [2, 3000])
    func repeatedSection(count: Int) throws {
        var writer = Archive.Writer()
        try writer.insert((0..<200).map { Person(id: "\($0)", name: "n", city: nil) })
        let forged = Forgery([UInt8](try writer.data())).withDirectoryRepeated(count)
        #expect(archiveError { _ = try opened(forged) }?.kind == .malformed)
    }

    @Test("Overlapping records are errors")
    func nestedRoots() {
        // The text of each record is the next record, so each record is as long as all records inside it.
        func seconds(_ count: Int) -> Double {
            let forged = ForgedRoots.nested(count: count)
            return processorSeconds {
                let archive = try? opened(forged)
                #expect(archive?.verify().isEmpty != true)
                #expect(throws: ArchiveError.self) { _ = try Archive.Writer(try opened(forged)).data() }
            }
        }
        let (small, large) = (seconds(1000), seconds(8000))
        // Reading every byte once for each record would take 64 times as long.
        #expect(large < small * 24, "\(small) s for 1,000 records, \(large) s for 8,000")
    }

    @Test("A commit omits an unknown section, unless it is marked as safe to copy")
    func unknownSections() throws {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            for (kind, isKept) in [(UInt64(0x8000_0063), false), (0xC000_0063, true)] {
                try Data(try Forgery([UInt8](try Sample.writer().data())).withSection(kind: kind)).write(to: url)
                let file = try ArchiveFile(url)
                try file.commit { try $0.encode("new", forKey: "state") }
                let image = try ArchiveStorage().image(ofFile: url.path)
                #expect(image.footer.sections.contains { UInt64($0.kind) == kind } == isKept)
                file.close()
            }
        }
    }
}

@Suite("Cost of a change among many keys")
struct ArchiveKeyCostTests {
    private func key(_ number: Int) -> String { "a key of some length, number \(number)" }

    private func file(_ folder: URL, keys: Int) throws -> ArchiveFile {
        var writer = Archive.Writer()
        for number in 0..<keys { try writer.encode(number, forKey: key(number)) }
        let url = folder.appendingPathComponent("a")
        try writer.write(to: url)
        return try ArchiveFile(url)
    }

    @Test("A commit that changes one value among 20,000 keys writes little")
    func smallCommits() throws {
        try withFolder { folder in
            let file = try file(folder, keys: 20_000)
            let before = file.byteCount
            for number in 0..<64 { try file.commit { try $0.encode(-1, forKey: key(number)) } }
            // Most commits fill one page.
            #expect(file.byteCount - before < 64 * 6000)
            let archive = try file.archive
            #expect(try archive.decode(Int.self, forKey: key(0)) == -1)
            #expect(try archive.decode(Int.self, forKey: key(100)) == 100)
            #expect(archive.contains(key: key(19_999)) && !archive.contains(key: key(20_000)))
            #expect(archive.keys.count == 20_000 && archive.keys.first == key(0) && archive.keys.last == key(19_999))
            #expect(archive.verify() == [])
        }
    }

    @Test("Removing, setting, and compacting keep the order of keys")
    func order() throws {
        try withFolder { folder in
            let file = try file(folder, keys: 6)
            try file.commit { changes in
                try changes.removeValue(forKey: key(1))
                try changes.encode("other", forKey: key(3))
                try changes.encode("new", forKey: "new")
            }
            try file.commit { changes in
                try changes.encode("again", forKey: key(1))
                try changes.removeValue(forKey: key(4))
                try changes.removeValue(forKey: "never there")
            }
            let expected = [key(0), key(2), key(3), key(5), "new", key(1)]
            #expect(try file.archive.keys == expected)
            #expect(try file.archive.decodeIfPresent(String.self, forKey: key(4)) == nil)
            #expect(try file.archive.verify() == [])
            let wasted = file.wastedByteCount
            try file.compact()
            #expect(try file.archive.keys == expected)
            #expect(try file.archive.decode(String.self, forKey: key(1)) == "again")
            #expect(try file.archive.decode(Int.self, forKey: key(5)) == 5)
            #expect(file.wastedByteCount < wasted && file.wastedByteCount < 200)
            #expect(try file.archive.verify() == [])
        }
    }

    @Test("An unchanged value is not written again")
    func unchanged() throws {
        try withFolder { folder in
            let file = try file(folder, keys: 3)
            let before = file.byteCount
            try file.commit { changes in
                try changes.encode(2, forKey: key(2))
                try changes.encode(7, forKey: "for a moment")
                try changes.removeValue(forKey: "for a moment")
            }
            #expect(file.byteCount == before)
        }
    }
}

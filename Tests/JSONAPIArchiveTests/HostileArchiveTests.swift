import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIArchive

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
        let growth = TimeGrowth(from: TestEffort.count(1000, debug: 300)) { count in
            let forged = ForgedRoots.nested(count: count)
            return processorSeconds {
                let archive = try? opened(forged)
                #expect(archive?.verify().isEmpty != true)
                #expect(throws: ArchiveError.self) { _ = try Archive.Writer(try opened(forged)).data() }
            }
        }
        // Reading every byte once for each record would take 64 times as long.
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Resources whose records overlap are not listed")
    func nestedResources() throws {
        let archive = try opened(ForgedResources.nested(count: 3))
        // Each record is intact.
        for id in ["0", "1", "2"] { #expect(try archive.contains(ResourceIdentifier(type: "people", id: id))) }
        let uses: [() throws -> Void] = [
            { _ = try archive.identifiers }, { _ = try archive.resources(Person.self) }, { _ = try Archive.Writer(archive).data() },
        ]
        for use in uses {
            let error = archiveError(use)
            #expect(error?.kind == .malformed && error?.description.contains("two records overlap") == true)
        }
        #expect(archive.verify().contains { $0.kind == .malformed })
        #expect(try opened(ForgedResources.nested(count: 1)).identifiers == [ResourceIdentifier(type: "people", id: "0")])
    }

    @Test func `identifiers of a key that are larger than a decoder may read are an error`() throws {
        let archive = try opened(ForgedReferences.repeated(100_000, idLength: 40_000))
        #expect(archiveError { _ = try archive.json(forKey: "all") }?.kind == .tooLarge)
        var small = try opened(ForgedReferences.repeated(100, idLength: 1000))
        #expect(try small.json(forKey: "all")?.array?.count == 100)
        small.decoder.reading.maximumBytes = 100_000
        #expect(archiveError { _ = try small.json(forKey: "all") }?.kind == .tooLarge)
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

@Suite("A commit to a hostile archive can be read")
struct HostileCommitTests {
    /// Opens a forged file, commits to it, and returns the error, if there is one. The file can be read afterwards.
    private func commit(_ bytes: [UInt8], _ change: (inout Archive.Writer) throws -> Void) throws -> ArchiveError? {
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            try Data(bytes).write(to: url)
            let before = try ArchiveDamageTests.everything(bytes)
            let file = try ArchiveFile(url)
            let error = archiveError { try file.commit(change) }
            file.close()
            let after = try ArchiveDamageTests.everything([UInt8](try Data(contentsOf: url)))
            #expect((after == before) == (error != nil))
            // Compaction helps.
            let again = try ArchiveFile(url)
            try again.compact()
            try again.commit(change)
            #expect(try again.archive.verify().isEmpty)
            again.close()
            return error
        }
    }

    @Test("The number of a commit cannot exceed its maximum")
    func number() throws {
        let sound = [UInt8](try Sample.writer().data())
        let last = UInt64(Int64.max)
        for number in [last - 1, last] {
            let bytes = Forgery(Forgery(sound).withFooterField(8, number)).withHead(0, number)
            let error = try commit(bytes) { try $0.encode(1, forKey: "a") }
            #expect(error?.kind == (number == last ? .tooLarge : nil))
        }
    }

    @Test("Unknown sections can leave no room for those of a commit", arguments: [1000, 1022, 1023, 1024])
    func unknownSections(count: Int) throws {
        let bytes = [UInt8](try Sample.writer().data())
        let own = try ArchiveImage(ArchiveBytes(bytes)).footer.sections.count
        let forged = try Forgery(bytes).withSection(kind: 0xC000_0063, count: count - own)
        let error = try commit(forged) { changes in
            try changes.insert([Person(id: "new", name: "n", city: nil)])
            try changes.encode(1, forKey: "new")
        }
        // Types, counts, and two sections each of keys and entries, because the old ones are much larger.
        #expect(error?.kind == (count <= 1022 ? nil : .tooLarge))
    }

    @Test("A commit merges sections of which there are too many", arguments: [46, 47, 48])
    func manySections(count: Int) throws {
        for ofKeys in [false, true] {
            let bytes = try ForgedSections.many(count, ofKeys: ofKeys)
            #expect(
                try commit(bytes) { changes in
                    try changes.insert([Person(id: "new", name: "n", city: nil)])
                    try changes.encode(1, forKey: "new")
                } == nil)
        }
    }
}

@Suite("Salvaging a hostile file has limited cost")
struct HostileSalvageTests {
    /// The start of a file whose slot refers to a commit that is not there.
    private func start(_ header: ArchiveHeader, end: Int) -> [UInt8] {
        header.bytes(CommitHead(number: 1, footer: end - 4096, end: end))
    }

    /// Expects that salvaging takes less time than the checksums of 800 times as many bytes. A debug build needs about 300 times as long.
    private func expectLimitedCost(_ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        let bound = processorSeconds {
            for _ in 0..<800 {
                var checksum = Checksum()
                checksum.update(bytes.span)
            }
        }
        let seconds = leastSeconds { processorSeconds { _ = try? ArchiveFile.salvage(Data(bytes)) } }
        #expect(seconds < bound, "\(bytes.count) bytes", sourceLocation: location)
    }

    @Test func `a long id to which a key refers many times is read once`() throws {
        let count = TestEffort.count(100_000, debug: 20_000)
        let image = try ArchiveImage(ArchiveBytes(ForgedReferences.repeated(count, idLength: 40_000)))
        // A copy of the id for each reference would need gigabytes.
        let remains = try ArchiveRemains(of: image)
        #expect(remains.losses == [])
        guard case .many(let keys)? = remains.roots.first?.root else {
            Issue.record("the key does not name resources")
            return
        }
        #expect(keys.count == count)
    }

    @Test("Bytes that look like the starts of many long footers", arguments: [1 << 17, 1 << 18])
    func footers(size: Int) {
        let pattern = (0..<8).flatMap { _ in Array("FTR1".utf8) } + (0..<8).flatMap { _ in [0, 4, 0, 0] as [UInt8] }
        var bytes = start(ArchiveHeader(fileID: 7), end: 1 << 30)
        while bytes.count < size { bytes += pattern }
        expectLimitedCost(bytes)
    }

    @Test func `bytes that look like the starts of many long records`() {
        // Each of them ends with the last byte of another one, which is `}`.
        let pattern: [UInt8] = [0, 0, 0, 0, 0xC5, 0xA9, 7, 0, 1, UInt8(ascii: "a"), UInt8(ascii: ","), UInt8(ascii: "}")]
        var bytes = start(ArchiveHeader(fileID: 7), end: 1 << 30)
        while bytes.count < 1 << 20 { bytes += pattern }
        expectLimitedCost(bytes)
    }

    @Test(arguments: [false, true]) func `nested records are read once`(ofKeys: Bool) {
        let growth = TimeGrowth(from: TestEffort.count(1000, debug: 300)) { count in
            let forged = Data(ofKeys ? ForgedRoots.nested(count: count) : ForgedResources.nested(count: count))
            return processorSeconds { #expect(throws: Never.self) { try ArchiveFile.salvage(forged) } }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Many footers of one long section of types", arguments: [1 << 17, 1 << 18])
    func types(size: Int) {
        let header = ArchiveHeader(fileID: 7, version: 3)
        var sink = ByteSink(base: header.size, header: header)
        sink.append([UInt8](repeating: 0, count: size / 2))
        let section = sink.section(ArchiveFormat.typesSection, from: header.size)
        var number: UInt64 = 1
        while sink.offset < size {
            _ = sink.append(ArchiveFooter(modelVersion: 0, number: number, resourceCount: 0, usedBytes: 0, sections: [section]))
            number += 1
        }
        // In version 4, no commit can end here.
        expectLimitedCost(start(header, end: 1 << 30 + 1) + sink.bytes)
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

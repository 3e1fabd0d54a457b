import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@testable import JSONAPIArchive

@Suite("Damaged and hostile archives")
struct ArchiveDamageTests {
    /// The contents of an archive, or the error of the first part that cannot be read.
    static func everything(_ bytes: [UInt8]) throws -> [String] {
        let archive = try Archive(ArchiveImage(ArchiveBytes(bytes)), file: nil, model: nil, decoder: JSONAPIDecoder())
        var found = ["\(archive.modelVersion) \(archive.count)"]
        for key in archive.keys { found.append("\(key): \(try archive.json(forKey: key)?.description ?? "")") }
        try archive.forEachResource { identifier, text in
            found.append(String(decoding: text, as: UTF8.self))
            let again = try archive.resourceText(identifier)
            if again != text { throw ArchiveError(.malformed, "two readings differ") }
        }
        return found
    }

    /// Returns whether each byte is one of at least 64 zeros in a row. These fill the pages of headers and commits. They are all alike, so
    /// tests use a sample of them.
    static func fill(_ bytes: [UInt8]) -> [Bool] {
        var isFill = [Bool](repeating: false, count: bytes.count)
        var start = 0
        for index in 0...bytes.count where index == bytes.count || bytes[index] != 0 {
            if index - start >= 64 { for zero in start..<index { isFill[zero] = true } }
            start = index + 1
        }
        return isFill
    }

    /// An archive of three commits.
    static func logBytes() throws -> [UInt8] {
        try withFolder { folder in
            let url = folder.appendingPathComponent("log")
            let file = try ArchiveFile(url)
            try file.commit { try $0.encode(Sample.articles, forKey: "home") }
            try file.commit { try $0.encode(Sample.settings, forKey: "settings") }
            try file.commit { changes in
                try changes.remove(ResourceIdentifier(type: "people", id: "2"))
                try changes.encode(Person(id: "9", name: "Marit", city: nil), forKey: "me")
            }
            return [UInt8](try Data(contentsOf: url))
        }
    }

    private func samples() throws -> [[UInt8]] { [[UInt8](try Sample.writer().data()), try Self.logBytes()] }

    @Test("A flipped bit is reported on use or by verify")
    func bits() throws {
        for bytes in try samples() {
            let sound = try Self.everything(bytes)
            let isFill = Self.fill(bytes)
            var (tried, harmless) = (0, 0)
            for index in bytes.indices {
                if isFill[index], index % 37 != 0 { continue }
                for bit in 0..<8 where (index + bit) % TestEffort.count(3, debug: 8) == 0 {
                    var damaged = bytes
                    damaged[index] ^= 1 << UInt8(bit)
                    if !isFill[index] { tried += 1 }
                    do {
                        let found = try Self.everything(damaged)
                        #expect(found == sound, "byte \(index) bit \(bit)")
                        if !isFill[index] { harmless += 1 }
                        // Describing all of it takes longer than finding it, so the test uses a sample.
                        if index % 5 == bit % 5 { #expect(try Archive(data: Data(damaged)).verify() != [], "byte \(index) bit \(bit)") }
                    } catch {
                        #expect(error is ArchiveError, "byte \(index) bit \(bit): \(error)")
                    }
                }
            }
            // One of the two headers, and heads and records that are no longer current.
            #expect(harmless < tried * 2 / 3)
        }
    }

    @Test("Every truncation is reported")
    func truncations() throws {
        for bytes in try samples() {
            for count in 0..<bytes.count {
                let error = archiveError { _ = try Self.everything(Array(bytes[..<count])) }
                #expect(error != nil, "\(count) bytes")
                #expect(count < 32 || error?.kind == .truncated, "\(count) bytes: \(String(describing: error))")
            }
        }
    }

    @Test("Bytes after the end are harmless, and verify reports them")
    func trailing() throws {
        for bytes in try samples() {
            let longer = bytes + [1, 2, 3]
            var both = longer
            both[Forgery.slots[1]] ^= 1
            // Either the damaged slot was the unused one, or its commit is found after the other one.
            if let found = try? Self.everything(both) { #expect(found == (try Self.everything(bytes))) }
            #expect(try Self.everything(longer) == Self.everything(bytes))
            #expect(try Archive(data: Data(longer)).verify().map(\.kind) == [.unfinishedCommit])
        }
    }

    @Test("Every byte set to 00 and to FF", arguments: [0x00, 0xFF] as [UInt8])
    func bytes(value: UInt8) throws {
        for bytes in try samples() {
            let sound = try Self.everything(bytes)
            let isFill = Self.fill(bytes)
            for index in bytes.indices where bytes[index] != value && (!isFill[index] || index % 37 == 0) {
                var damaged = bytes
                damaged[index] = value
                if let found = try? Self.everything(damaged) { #expect(found == sound, "byte \(index)") }
            }
        }
    }

    @Test("Swapped parts, and parts of other archives, are detected")
    func swapped() throws {
        let (first, second) = ([UInt8](try Sample.writer().data()), [UInt8](try Sample.writer().data()))
        let sound = try Self.everything(first)
        #expect(try Self.everything(second) == sound)
        #expect(first.count == second.count)
        for start in stride(from: 0, to: first.count - 64, by: 16) {
            var mixed = first
            mixed.replaceSubrange(start..<start + 64, with: second[start..<start + 64])
            #expect(archiveError { _ = try Self.everything(mixed) } != nil || (try? Self.everything(mixed)) == sound, "at \(start)")
        }
    }

    @Test("Random edits never give a wrong value")
    func edits() throws {
        for bytes in try samples() {
            let sound = try Self.everything(bytes)
            for _ in 0..<2000 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 2...12) { damaged[Int.random(in: damaged.indices)] = UInt8.random(in: 0...255) }
                if let found = try? Self.everything(damaged) { #expect(found == sound) }
            }
        }
    }

    @Test("Random bytes are not an archive", arguments: 0..<50)
    func random(count: Int) {
        let bytes = (0..<count * 7).map { _ in UInt8.random(in: 0...255) }
        #expect(archiveError { _ = try Archive(data: Data(bytes)) } != nil)
        #expect(archiveError { _ = try Archive(data: Data(ArchiveFormat.magic + bytes)) } != nil)
    }

    @Test("Texts, images, and empty files are not archives", arguments: ["", "{}", "\u{89}PNG\r\n", "J"])
    func foreign(text: String) {
        #expect(archiveError { _ = try Archive(data: Data(text.utf8)) }?.kind == .notAnArchive)
    }

    @Test("Newer major versions and unknown features are errors; newer minor versions are read")
    func versions() throws {
        let bytes = [UInt8](try Sample.writer().data())
        let newer = try Forgery(bytes).with { $0[8] = 5 }
        let error = archiveError { _ = try Archive(data: Data(newer)) }
        #expect(error?.kind == .unsupportedVersion)
        #expect(error?.reason == "the archive has format version 5, this library reads 1 to 4")
        #expect(archiveError { _ = try Archive(data: Data(Forgery(bytes).with { $0[8] = 0 })) }?.kind == .unsupportedVersion)
        #expect(archiveError { _ = try Archive(data: Data(Forgery(bytes).with { $0[24] = 1 })) }?.kind == .unsupportedFeature)
        #expect(try Self.everything(Forgery(bytes).with { $0[10] = 9 }) == Self.everything(bytes))
    }

    @Test("Unknown sections are skipped if marked so, and are errors otherwise")
    func sections() throws {
        let bytes = [UInt8](try Sample.writer().data())
        let forgery = Forgery(bytes)
        let skipped = try forgery.withSection(kind: 0x8000_0063)
        #expect(try Self.everything(skipped) == Self.everything(bytes))
        #expect(archiveError { _ = try Archive(data: Data(try forgery.withSection(kind: 0x63))) }?.kind == .unsupportedFeature)
    }

    @Test(
        "Impossible sizes are errors, even with valid checksums",
        arguments: [UInt64.max, 1 << 63, UInt64(Int64.max), 1 << 40, 1 << 39, 0, 1, 95, 8191])
    func claims(number: UInt64) throws {
        let forgery = Forgery([UInt8](try Sample.writer().data()))
        for place in [8, 16] {
            let forged = forgery.withHead(place, number)
            #expect(archiveError { _ = try Self.everything(forged) } != nil)
        }
        for section in 0..<4 {
            for place in [8, 16] {
                let forged = try forgery.withSectionField(section, place, number)
                if let found = try? Self.everything(forged) { #expect(found == (try Self.everything(forgery.bytes))) }
                _ = try? Archive(data: Data(forged)).verify()
            }
        }
        for place in [16, 24, 32] { _ = try? Self.everything(forgery.withFooterField(place, number)) }
    }

    @Test(
        "A wrong entry in the directory is an error, and never another resource",
        arguments: [0, 96, 8192, Forgery.firstRecord, 8300, 1 << 39])
    func misled(offset: Int) throws {
        let forgery = Forgery([UInt8](try Sample.writer().data()))
        let forged = try forgery.withDirectoryOffset(UInt64(offset))
        if let found = try? Self.everything(forged) { #expect(found == (try Self.everything(forgery.bytes))) }
        #expect((try? Archive(data: Data(forged)))?.verify().isEmpty != true || offset == Forgery.firstRecord)
    }

    @Test(
        "Texts that are not resource objects are errors",
        arguments: [
            "", "null", "[]", "1", "{}", "{", #"{"type":"a","id":"1"},{"type":"a","id":"2"}"#, #"{"type":"a","x":"#, #"}"#,
            #"null,"meta":{}"#,
        ])
    func texts(text: String) throws {
        var writer = Archive.Writer()
        let identifiers = (0..<3).map { ResourceIdentifier(type: "a", id: "\($0)") }
        for identifier in identifiers { try writer.insert(identifier, Array(text.utf8).span) }
        try writer.setRoot("many", identifiers, isMany: true)
        try writer.setRoot("one", [identifiers[0]], isMany: false)
        let archive = try Archive(data: try writer.data())
        #expect(throws: (any Error).self) { try archive.decode([ResourceObject].self, forKey: "many") }
        #expect(throws: (any Error).self) { try archive.resource(ResourceObject.self, identifiers[0]) }
        #expect(throws: (any Error).self) { try archive.decode(ResourceObject.self, forKey: "one") }
        _ = try? archive.resource(Person.self, identifiers[0])
        _ = try? archive.decode([Person].self, forKey: "many")
        #expect(archive.verify().first?.kind == .malformed)
    }

    @Test(
        "Footers with wrong counts are rejected or repaired", arguments: [UInt64.max, 1 << 62, 1 << 20, 0, 1])
    func counts(number: UInt64) throws {
        let forgery = Forgery([UInt8](try Sample.writer().data()))
        try withFolder { folder in
            let url = folder.appendingPathComponent("a")
            for place in [16, 24] {
                try Data(forgery.withFooterField(place, number)).write(to: url)
                guard let file = try? ArchiveFile(url) else { continue }
                try file.commit { changes in
                    for identifier in try file.archive.identifiers { try changes.remove(identifier) }
                    try changes.removeValue(forKey: "settings")
                }
                #expect(file.wastedByteCount >= 0)
                #expect(try file.archive.verify().allSatisfy { $0.kind == .malformed })
            }
        }
    }

    @Test("More resources of a type than the file has bytes are refused", arguments: [UInt64(1) << 40 - 1, 1 << 31, 1 << 24])
    func countOfType(number: UInt64) throws {
        let forgery = Forgery([UInt8](try Sample.writer().data()))
        #expect(archiveError { _ = try Archive(data: Data(forgery.withCount(number))) }?.kind == .malformed)
        #expect(throws: Never.self) { try Archive(data: Data(forgery.withCount(1000))) }
    }

    @Test("A plain value that is not JSON is malformed, even with a valid checksum")
    func valueWithoutJSON() throws {
        let bytes = [UInt8](try Sample.writer().data())
        let json = try #require(try Archive(data: Data(bytes)).json(forKey: "settings"))
        let text = try JSONWriter().write(json)
        let start = try #require((0..<bytes.count - text.count).first { bytes[$0..<$0 + text.count].elementsEqual(text) })
        var damaged = Forgery(bytes)
        damaged.bytes[start] = UInt8(ascii: "x")
        damaged.repairChecksums()
        let archive = try Archive(data: Data(damaged.bytes))
        #expect(archiveError { _ = try archive.json(forKey: "settings") }?.kind == .malformed)
    }

    @Test("Random damage with valid checksums never stops the process")
    func forged() throws {
        for bytes in try samples() {
            let isFill = Self.fill(bytes)
            let places = (8192..<bytes.count).filter { !isFill[$0] }
            for _ in 0..<TestEffort.count(1500, debug: 500) {
                var damaged = Forgery(bytes)
                for _ in 0..<Int.random(in: 1...3) { damaged.bytes[places.randomElement() ?? 8192] = UInt8.random(in: 0...255) }
                damaged.repairChecksums()
                _ = try? Self.everything(damaged.bytes)
                if let archive = try? Archive(data: Data(damaged.bytes)) {
                    _ = archive.verify()
                    _ = try? archive.decode([Article].self, forKey: "home")
                    _ = try? archive.decode(Settings.self, forKey: "settings")
                }
            }
        }
    }
}

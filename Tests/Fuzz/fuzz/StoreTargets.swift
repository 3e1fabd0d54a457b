import Foundation
import Fuzzing
import JSONAPICodec
import JSONAPIStore
import JSONText

extension FuzzTarget {
    /// A store that ingests documents: every identity occurs once, everything can be read, and a rejected document changes nothing.
    static let store = FuzzTarget(name: "store", seeds: { $0.sound }) { input, random in
        let store = ResourceStore(decoder: JSONAPIDecoder(mode: random.pick([.standard, .lenient])))
        for round in 0..<2 + random.below(2) {
            let before = try store.document
            let count = store.count
            var text = input
            if round > 0 {
                var mutator = FuzzMutator(random: random, others: [input])
                mutator.mutate(&text)
                random = mutator.random
            }
            do {
                let document = try store.decoder.decode(DocumentObject.self, from: Data(text))
                let report = try store.ingest(document, merging: random.pick([.fields, .replace, .fields]))
                try require(store.count == count + report.inserted, "\(count) and \(report.inserted) are not \(store.count)")
            } catch is FuzzFinding {
                throw FuzzFinding("the number of resources is not that of the report")
            } catch {
                try require(try store.document == before, "a refused document has changed the store")
            }
        }
        let identifiers = store.identifiers
        try require(Set(identifiers).count == identifiers.count && identifiers.count == store.count, "an identity stands there twice")
        for identifier in identifiers {
            try require(store.contains(identifier), "a resource cannot be found")
            do { _ = try store.resource(FuzzModels.Contributor.self, identifier) } catch is DecodingError {}
            do { _ = try store.resource(FuzzModels.Story.self, identifier)?.comments } catch is DecodingError {}
        }
        do { for article in try store.resources(FuzzModels.Article.self) { _ = article.comments.values } } catch is DecodingError {}
        try require(store.remove(identifiers) == identifiers.count && store.isEmpty, "resources stay behind")
    }

    /// Archives with valid checksums after mutations, so that later checks are also tested.
    static let archive = FuzzTarget(name: "archive", seeds: { $0.archives + [ArchiveSeeds.made] }) { input, random in
        var bytes = input
        if random.chance(3, in: 4) { ArchiveRepair.repair(&bytes) }
        do {
            let archive = try Archive(data: Data(bytes))
            _ = archive.verify()
            for key in archive.keys {
                do { _ = try archive.json(forKey: key) } catch is ArchiveError {}
                do { _ = try archive.decode([FuzzModels.Contributor].self, forKey: key) } catch is ArchiveError {} catch is DecodingError {}
            }
            try archive.forEachResource { identifier, _ in
                do {
                    _ = try archive.resource(FuzzModels.Contributor.self, identifier)
                    _ = try archive.resource(FuzzModels.Story.self, identifier)
                } catch is DecodingError {
                }
            }
            _ = try Archive.Writer(archive).data()
        } catch is ArchiveError {
        } catch is DecodingError {
        } catch is EncodingError {
        }
    }
}

/// An archive of the current version, with most kinds of contents.
private enum ArchiveSeeds {
    /// Empty if it cannot be created, which the tests of archives would report.
    static let made = (try? make()) ?? []

    private static func make() throws -> [UInt8] {
        var writer = Archive.Writer(modelVersion: 3)
        let text = #"""
            {"data":[{"type":"articles","id":"1","attributes":{"title":"T"},"relationships":{
              "author":{"data":{"type":"people","id":"9"}},"comments":{"data":[{"type":"comments","id":"5"}]}}}],
             "included":[{"type":"people","id":"9","attributes":{"name":"Dan"},
              "relationships":{"articles":{"data":[{"type":"articles","id":"1"}]}}},{"type":"comments","id":"5"}]}
            """#
        let articles = try JSONAPIDecoder().decode([FuzzModels.Article].self, from: Data(text.utf8))
        try writer.encode(articles, forKey: "home")
        try writer.encode(["a": [1, 2]], forKey: "settings")
        try writer.encode(articles[0], forKey: "one")
        var bytes = [UInt8](try writer.data())
        // Without this, the random number of the file would make each run different.
        bytes.replaceSubrange(16..<24, with: [1, 2, 3, 4, 5, 6, 7, 8])
        ArchiveRepair.repair(&bytes)
        return bytes
    }
}

/// Corrects the checksums of a damaged archive, as far as its lengths are readable. `ArchiveFormat` describes the layout.
private enum ArchiveRepair {
    private static let slots = [32, 4128]
    private static let firstRecord = 8192 + 32

    static func repair(_ bytes: inout [UInt8]) {
        guard bytes.count >= firstRecord else { return }
        put(checksum(bytes[0..<28]), at: 28, in: &bytes)
        bytes.replaceSubrange(4096..<4128, with: bytes[0..<32])
        for slot in slots { seal(slot..<slot + 28, at: slot + 28, in: &bytes) }
        let slot = number(slots[0], 8, bytes) >= number(slots[1], 8, bytes) ? slots[0] : slots[1]
        let (footer, end) = (number(slot + 8, 8, bytes), number(slot + 16, 8, bytes))
        guard footer >= firstRecord, end >= footer, end - footer >= 40, end <= bytes.count else { return }
        var position = firstRecord
        // The records end where the first section begins.
        let sections = (0..<min(number(footer + 32, 4, bytes), 16)).map { footer + 36 + 24 * $0 }.filter { $0 + 24 <= end }
        let recordsEnd = sections.map { number($0 + 8, 8, bytes) }.filter { $0 >= firstRecord && $0 < footer }.min() ?? footer
        while position < recordsEnd {
            var next = position + 4
            guard let length = varint(&next, bytes), length >= 0, length <= footer - next else { break }
            seal(position + 4..<next + length, from: position, at: position, in: &bytes)
            position = next + length
        }
        for section in sections {
            let (start, length) = (number(section + 8, 8, bytes), number(section + 16, 8, bytes))
            guard start >= 0, length >= 0, start <= bytes.count, length <= bytes.count - start else { continue }
            if number(section, 4, bytes) == 5 { sealPages(start, start + length, in: &bytes) }
            seal(start..<start + length, at: section + 4, in: &bytes)
        }
        let footerEnd = footer + 40 + 24 * number(footer + 32, 4, bytes)
        guard footerEnd <= end else { return }
        seal(footer..<footerEnd - 4, at: footerEnd - 4, in: &bytes)
        // The only commit of the archive.
        for head in [8192] + slots {
            seal(firstRecord..<end, at: head + 24, in: &bytes)
            seal(head..<head + 28, at: head + 28, in: &bytes)
        }
    }

    /// The head and the pages of a directory.
    private static func sealPages(_ start: Int, _ end: Int, in bytes: inout [UInt8]) {
        let types = number(start + 4, 4, bytes)
        guard end - start >= 8, types <= (end - start - 8) / 9 else { return }
        var page = start + 8 + 9 * types
        seal(start + 4..<page, from: start, at: start, in: &bytes)
        while page + 4 <= end {
            seal(page + 4..<min(page + 4092, end), from: page, at: page, in: &bytes)
            page += 4092
        }
    }

    private static func number(_ offset: Int, _ size: Int, _ bytes: [UInt8]) -> Int {
        guard offset >= 0, offset <= bytes.count - size else { return -1 }
        return (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }

    private static func varint(_ position: inout Int, _ bytes: [UInt8]) -> Int? {
        var value = 0
        for shift in stride(from: 0, to: 56, by: 7) where position < bytes.count {
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        return nil
    }

    private static func seal(_ range: Range<Int>, from start: Int? = nil, at place: Int, in bytes: inout [UInt8]) {
        var prefix = Array(bytes[16..<24])
        for shift in stride(from: 0, to: 64, by: 8) { prefix.append(UInt8(truncatingIfNeeded: (start ?? range.lowerBound) >> shift)) }
        put(checksum(prefix + bytes[range]), at: place, in: &bytes)
    }

    private static func put(_ number: UInt32, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * index)) }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { entry, _ in entry >> 1 ^ (entry & 1 == 1 ? 0x82F6_3B78 : 0) }
    }

    /// CRC-32C.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
    }
}

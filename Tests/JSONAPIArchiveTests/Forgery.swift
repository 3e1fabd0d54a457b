import JSONText
import Testing

@testable import JSONAPIArchive

/// An archive of the current version that is changed by somebody who can compute checksums.
struct Forgery {
    static let slots = [32, 4128]
    static let firstRecord = 8192 + 32

    var bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private func number(_ offset: Int, _ size: Int) -> Int {
        (0..<size).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) }
    }

    private mutating func put(_ number: UInt64, at offset: Int, size: Int) {
        for index in 0..<size { bytes[offset + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
    }

    private var header: ArchiveHeader { ArchiveHeader(fileID: UInt64(truncatingIfNeeded: number(16, 8))) }

    /// The current slot.
    private var slot: Int { number(Self.slots[0], 8) >= number(Self.slots[1], 8) ? Self.slots[0] : Self.slots[1] }
    private var footer: Int { number(slot + 8, 8) }
    private var end: Int { number(slot + 16, 8) }
    /// The end of the footer, before the zeros.
    private var footerEnd: Int {
        let (start, sections) = (footer, number(footer + 32, 4))
        return sections <= (end - start - 40) / 24 ? start + 40 + 24 * sections : end
    }
    /// The start of the last commit. Its head has the number of the slot.
    private var commit: Int {
        var start = 8192
        while start < footer, number(start, 8) != number(slot, 8), (start + 1...end) ~= number(start + 16, 8) {
            start = number(start + 16, 8)
        }
        return start
    }

    private mutating func seal(_ range: Range<Int>, at place: Int, from start: Int? = nil) {
        let checksum = header.checksum(at: start ?? range.lowerBound, bytes.span.extracting(range))
        put(UInt64(checksum), at: place, size: 4)
    }

    private mutating func sealHeader() {
        var checksum = Checksum()
        checksum.update(bytes.span.extracting(..<28))
        put(UInt64(checksum.value), at: 28, size: 4)
        bytes.replaceSubrange(4096..<4128, with: bytes[..<32])
    }

    private mutating func sealFooter() {
        let end = footerEnd
        seal(footer..<end - 4, at: end - 4)
        sealContent()
    }

    /// The head of the last commit, and the slots that are copies of it.
    private mutating func sealContent() {
        let (start, end, number) = (commit, end, number(slot, 8))
        guard start + 32 <= end else { return }
        for head in [start] + Self.slots where self.number(head, 8) == number {
            seal(start + 32..<end, at: head + 24)
            seal(head..<head + 28, at: head + 28)
        }
    }

    /// Inserts bytes before the checksum of the footer, and moves the end of the archive.
    private mutating func extendFooter(by more: [UInt8], sections: Int) {
        let (start, end, oldEnd, oldSlot) = (commit, footerEnd, end, slot)
        let newEnd = (end + more.count + 4095) / 4096 * 4096
        let fill = [UInt8](repeating: 0, count: newEnd - end - more.count)
        bytes.replaceSubrange(end - 4..<oldEnd, with: more + [0, 0, 0, 0] + fill)
        put(UInt64(sections), at: footer + 32, size: 4)
        let number = number(oldSlot, 8)
        for head in [start] + Self.slots where self.number(head, 8) == number { put(UInt64(newEnd), at: head + 16, size: 8) }
        sealFooter()
    }

    /// The header with a change.
    func with(_ change: (inout [UInt8]) -> Void) throws -> [UInt8] {
        var copy = self
        change(&copy.bytes)
        copy.sealHeader()
        return copy.bytes
    }

    /// Both slots with another number at the given place.
    func withHead(_ place: Int, _ number: UInt64) -> [UInt8] {
        var copy = self
        for slot in Self.slots {
            copy.put(number, at: slot + place, size: 8)
            copy.seal(slot..<slot + 28, at: slot + 28)
        }
        return copy.bytes
    }

    func withFooterField(_ place: Int, _ number: UInt64) -> [UInt8] {
        var copy = self
        copy.put(number, at: footer + place, size: place == 32 ? 4 : 8)
        copy.sealFooter()
        return copy.bytes
    }

    func withSectionField(_ section: Int, _ place: Int, _ number: UInt64) throws -> [UInt8] {
        var copy = self
        copy.put(number, at: footer + 36 + 24 * section + place, size: 8)
        copy.sealFooter()
        return copy.bytes
    }

    /// The footer with more, empty sections at the end.
    func withSection(kind: UInt64, count: Int = 1) throws -> [UInt8] {
        var copy = self
        var section = [UInt8](repeating: 0, count: 24)
        for index in 0..<4 { section[index] = UInt8(truncatingIfNeeded: kind >> UInt64(8 * index)) }
        for index in 0..<8 { section[8 + index] = UInt8(truncatingIfNeeded: footer >> (8 * index)) }
        copy.extendFooter(by: (0..<count).flatMap { _ in section }, sections: number(footer + 32, 4) + count)
        return copy.bytes
    }

    /// The footer with the directory listed more than once, which costs 24 bytes each time.
    func withDirectoryRepeated(_ count: Int) -> [UInt8] {
        var copy = self
        let sections = number(footer + 32, 4)
        guard let directory = (0..<sections).map({ footer + 36 + 24 * $0 }).first(where: { number($0, 4) == 5 }) else { return bytes }
        let entry = Array(bytes[directory..<directory + 24])
        copy.extendFooter(by: (1..<count).flatMap { _ in entry }, sections: sections + count - 1)
        return copy.bytes
    }

    /// The first entry of the directory with another offset.
    func withDirectoryOffset(_ offset: UInt64) throws -> [UInt8] {
        var copy = self
        for index in 0..<number(footer + 32, 4) {
            let section = footer + 36 + 24 * index
            guard number(section, 4) == 5 else { continue }
            let (start, length) = (number(section + 8, 8), number(section + 16, 8))
            let page = start + 8 + 9 * number(start + 4, 4)
            copy.put(offset, at: page + 8, size: 5)
            copy.sealPages(of: start..<start + length)
            copy.seal(start..<start + length, at: section + 4)
        }
        copy.sealFooter()
        return copy.bytes
    }

    /// Another number of resources of the first type.
    func withCount(_ number: UInt64) -> [UInt8] {
        var copy = self
        for index in 0..<self.number(footer + 32, 4) {
            let section = footer + 36 + 24 * index
            guard self.number(section, 4) == 6 else { continue }
            let (start, length) = (self.number(section + 8, 8), self.number(section + 16, 8))
            copy.put(number, at: start, size: 5)
            copy.seal(start..<start + length, at: section + 4)
        }
        copy.sealFooter()
        return copy.bytes
    }

    /// The head and the pages of a directory.
    private mutating func sealPages(of section: Range<Int>) {
        let (start, end) = (section.lowerBound, section.upperBound)
        guard section.count >= 8, number(start + 4, 4) <= (section.count - 8) / 9 else { return }
        var page = start + 8 + 9 * number(start + 4, 4)
        seal(start + 4..<page, at: start, from: start)
        while page + 4 <= end {
            seal(page + 4..<min(page + 4092, end), at: page, from: page)
            page += 4092
        }
    }

    /// Corrects all checksums, as far as the lengths are readable.
    mutating func repairChecksums() {
        sealHeader()
        guard footer >= Self.firstRecord, footer <= bytes.count - 40, end >= footer + 40, end <= bytes.count else { return }
        let archive = ArchiveBytes(bytes)
        var position = commit + 32
        // The records end where the first section begins.
        let sections = (0..<min(number(footer + 32, 4), 16)).map { footer + 36 + 24 * $0 }.filter { $0 + 24 <= end }
        let recordsEnd = sections.map { number($0 + 8, 8) }.filter { $0 >= position && $0 < footer }.min() ?? footer
        while position < recordsEnd {
            var next = position + 4
            guard let length = archive.varint(&next, end: footer), length <= footer - next else { break }
            seal(position + 4..<next + length, at: position, from: position)
            position = next + length
        }
        for index in 0..<min(number(footer + 32, 4), 16) {
            let section = footer + 36 + 24 * index
            guard section + 24 <= end else { break }
            let (start, length) = (number(section + 8, 8), number(section + 16, 8))
            guard start >= 0, length >= 0, start <= bytes.count, length <= bytes.count - start else { continue }
            if number(section, 4) == 5 { sealPages(of: start..<start + length) }
            seal(start..<start + length, at: section + 4)
        }
        sealFooter()
    }
}

/// An archive whose directories, or sections of keys, all have three entries.
enum ForgedSections {
    static func many(_ count: Int, ofKeys: Bool) throws -> [UInt8] {
        let header = ArchiveHeader(fileID: 7)
        var sink = ByteSink(base: header.size, header: header)
        sink.append([UInt8](repeating: 0, count: ArchiveFormat.headSize))
        let text = Array(#"{"type":"people","id":"0"}"#.utf8)
        sink.appendRecord(.typeName, type: 0, "people", [UInt8]().span)
        var groups: [[(key: String, offset: Int, size: Int)]] = []
        for group in 0..<count {
            groups.append(
                (0..<3).map { number in
                    let (key, start) = ("\(group)-\(number)", sink.offset)
                    if ofKeys {
                        sink.appendRecord(.value, type: 0, key, Array("1".utf8).span)
                    } else {
                        sink.appendRecord(.id, type: 0, key, Array(text.suffix(1)).span)
                    }
                    return (key, start, sink.offset - start)
                })
        }
        var sections: [ArchiveSection] = []
        func add(_ kind: UInt32, _ body: (inout ByteSink) -> Void) {
            let start = sink.offset
            body(&sink)
            sections.append(sink.section(kind, from: start))
        }
        add(ArchiveFormat.typesSection) { $0.append(types: ["people"]) }
        for group in groups {
            if ofKeys {
                let entries = group.map { (ByteText($0.key), KeyDirectory.Entry(offset: $0.offset, place: $0.offset)) }
                add(ArchiveFormat.keysSection) { KeyMerge(Dictionary(uniqueKeysWithValues: entries)).append(to: &$0) }
            } else {
                let entries = group.map { item in
                    let key = StoredIdentity(type: "people", name: item.key, isLocal: false)
                    return ArchiveDirectory.Entry(hash: key.directoryHash, offset: item.offset, place: item.offset)
                }
                let ordered = entries.sorted { $0.hash < $1.hash }.map { DirectoryMerge.Entry(type: 0, entry: $0) }
                add(ArchiveFormat.pagesSection) { DirectoryMerge(ordered: ordered).append(to: &$0) }
            }
        }
        add(ArchiveFormat.countsSection) { $0.append(counts: [ofKeys ? 0 : 3 * count]) }
        let footer = ArchiveFooter(
            modelVersion: 0, number: 1, resourceCount: ofKeys ? 0 : 3 * count,
            usedBytes: groups.joined().reduce(0) { $0 + $1.size }, sections: sections)
        var head = CommitHead(number: 1, footer: sink.append(footer), end: sink.offset)
        head.content = sink.checksum(from: header.firstRecord)
        sink.replace(at: header.size, with: head.bytes(at: header.size, header))
        return header.bytes(head) + sink.bytes
    }
}

/// An archive of format version 1 whose keys refer to nested records: the text of each record is the next one.
enum ForgedRoots {
    static func nested(count: Int) -> [UInt8] {
        let header = ArchiveHeader(fileID: 7, version: 1)
        let names = (0..<count).map { "k\($0)" }
        var sizes = [Int](repeating: 0, count: count)
        var inner = 0
        for index in names.indices.reversed() {
            inner += 2 + names[index].utf8.count
            sizes[index] = inner
            inner += 4 + ByteSink.size(ofVarint: inner)
        }
        var sink = ByteSink(base: 96, header: header)
        sink.append([UInt8](repeating: 0, count: ArchiveFormat.headSize))
        var offsets: [Int] = []
        for index in names.indices {
            offsets.append(sink.offset)
            sink.append(0, size: 4)
            sink.append(varint: sizes[index])
            sink.append(varint: RecordKind.value.rawValue)
            sink.append(varint: names[index].utf8.count)
            sink.append(names[index])
        }
        for offset in offsets.reversed() { sink.seal(at: offset) }
        let start = sink.offset
        for (name, offset) in zip(names, offsets) {
            sink.append(varint: name.utf8.count)
            sink.append(name)
            sink.append(UInt64(offset), size: 5)
        }
        let section = ArchiveSection(
            kind: ArchiveFormat.rootsSection, checksum: sink.checksum(from: start), offset: start, length: sink.offset - start)
        let footer = ArchiveFooter(modelVersion: 0, number: 1, resourceCount: 0, usedBytes: 0, sections: [section])
        let place = sink.append(footer)
        let head = CommitHead(number: 1, footer: place, end: sink.offset)
        sink.replace(at: 96, with: head.bytes(at: 96, header))
        return header.bytes(head) + sink.bytes
    }
}

/// An archive whose resources are nested: the text of each record is the next record.
enum ForgedResources {
    static func nested(count: Int) -> [UInt8] {
        let header = ArchiveHeader(fileID: 7)
        let ids = (0..<count).map { "\($0)" }
        var sizes = [Int](repeating: 0, count: count)
        var inner = 0
        for index in ids.indices.reversed() {
            sizes[index] = ByteSink.length(ofRecord: .id, type: 0, ids[index], inner)
            inner = ByteSink.size(ofRecord: .id, type: 0, ids[index], inner)
        }
        var sink = ByteSink(base: header.size, header: header)
        sink.append([UInt8](repeating: 0, count: ArchiveFormat.headSize))
        sink.appendRecord(.typeName, type: 0, "people", [UInt8]().span)
        let offsets = ids.indices.map { index in
            let start = sink.offset
            sink.append(0, size: 4)
            sink.append(varint: sizes[index])
            sink.append(varint: RecordKind.id.rawValue)
            sink.append(varint: ids[index].utf8.count)
            sink.append(ids[index])
            return start
        }
        for offset in offsets.reversed() { sink.seal(at: offset) }
        let entries = zip(ids, offsets).map { id, offset in
            let key = StoredIdentity(type: "people", name: id, isLocal: false)
            return DirectoryMerge.Entry(type: 0, entry: .init(hash: key.directoryHash, offset: offset, place: offset))
        }
        let ordered = entries.sorted { $0.entry.hash < $1.entry.hash }
        let sections = [
            sink.appendSection(ArchiveFormat.typesSection) { $0.append(types: ["people"]) },
            sink.appendSection(ArchiveFormat.pagesSection) { DirectoryMerge(ordered: ordered).append(to: &$0) },
            sink.appendSection(ArchiveFormat.countsSection) { $0.append(counts: [count]) },
        ]
        let footer = ArchiveFooter(modelVersion: 0, number: 1, resourceCount: count, usedBytes: 0, sections: sections)
        var head = CommitHead(number: 1, footer: sink.append(footer), end: sink.offset)
        head.content = sink.checksum(from: header.firstRecord)
        sink.replace(at: header.size, with: head.bytes(at: header.size, header))
        return header.bytes(head) + sink.bytes
    }
}

/// An archive with one resource, whose id is long, and the key `all`, which refers to it many times. A reference costs one byte.
enum ForgedReferences {
    static func repeated(_ count: Int, idLength: Int) -> [UInt8] {
        let header = ArchiveHeader(fileID: 7)
        let id = String(repeating: "n", count: idLength)
        var sink = ByteSink(base: header.size, header: header)
        sink.append([UInt8](repeating: 0, count: ArchiveFormat.headSize))
        sink.appendRecord(.typeName, type: 0, "people", [UInt8]().span)
        let person = sink.offset
        sink.appendRecord(.id, type: 0, id, Array("}".utf8).span)
        let root = sink.offset
        var references = ByteSink(base: 0, header: header)
        references.append(references: Array(repeating: person, count: count))
        sink.appendRecord(.many, type: 0, "all", references.bytes.span)
        let usedBytes = sink.offset - person
        let keys = [ByteText("all"): KeyDirectory.Entry(offset: root, place: root)]
        let hash = StoredIdentity(type: "people", name: id, isLocal: false).directoryHash
        let entry = DirectoryMerge.Entry(type: 0, entry: .init(hash: hash, offset: person, place: person))
        let sections = [
            sink.appendSection(ArchiveFormat.typesSection) { $0.append(types: ["people"]) },
            sink.appendSection(ArchiveFormat.keysSection) { KeyMerge(keys).append(to: &$0) },
            sink.appendSection(ArchiveFormat.pagesSection) { DirectoryMerge(ordered: [entry]).append(to: &$0) },
            sink.appendSection(ArchiveFormat.countsSection) { $0.append(counts: [1]) },
        ]
        let footer = ArchiveFooter(modelVersion: 0, number: 1, resourceCount: 1, usedBytes: usedBytes, sections: sections)
        var head = CommitHead(number: 1, footer: sink.append(footer), end: sink.offset)
        head.content = sink.checksum(from: header.firstRecord)
        sink.replace(at: header.size, with: head.bytes(at: header.size, header))
        return header.bytes(head) + sink.bytes
    }
}

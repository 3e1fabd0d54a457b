/// The bytes of an archive while they are written, from a given offset of the file on.
struct ByteSink: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The offset of the first byte in the file.
    let base: Int
    let header: ArchiveHeader

    init(base: Int, header: ArchiveHeader) {
        self.base = base
        self.header = header
    }

    /// The offset of the next byte in the file.
    var offset: Int { base + bytes.count }

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    mutating func append(_ more: Span<UInt8>) { bytes.append(copying: more) }

    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends a number with the lowest byte first.
    mutating func append(_ number: UInt64, size: Int) {
        for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
    }

    mutating func append(varint number: Int) {
        var number = UInt64(number)
        while number >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
            number >>= 7
        }
        bytes.append(UInt8(number))
    }

    /// Returns the number of bytes of a varint.
    static func size(ofVarint number: Int) -> Int { max(1, (Int.bitWidth - number.leadingZeroBitCount + 6) / 7) }

    /// Returns the number of bytes that follow the length of a record.
    static func length(ofRecord kind: RecordKind, type: Int, _ key: String, _ textCount: Int) -> Int {
        let keyCount = key.utf8.count
        return size(ofVarint: type << 4 | kind.rawValue) + size(ofVarint: keyCount) + keyCount + textCount
    }

    /// Returns the number of bytes of a whole record.
    static func size(ofRecord kind: RecordKind, type: Int, _ key: String, _ textCount: Int) -> Int {
        let length = length(ofRecord: kind, type: type, key, textCount)
        return 4 + size(ofVarint: length) + length
    }

    /// Replaces bytes that were written before.
    mutating func replace(at offset: Int, with more: [UInt8]) {
        bytes.replaceSubrange(offset - base..<offset - base + more.count, with: more)
    }

    /// Returns the checksum of all bytes from an offset on.
    func checksum(from offset: Int) -> UInt32 { header.checksum(at: offset, bytes.span.extracting((offset - base)...)) }

    /// Stores a checksum in the four bytes at an offset. It covers all bytes after them.
    mutating func seal(at offset: Int) {
        let checksum = header.checksum(at: offset, bytes.span.extracting((offset - base + 4)...))
        for index in 0..<4 { bytes[offset - base + index] = UInt8(truncatingIfNeeded: checksum >> (8 * UInt32(index))) }
    }
}

// MARK: - Records and sections

extension ByteSink {
    mutating func appendRecord(_ kind: RecordKind, type: Int, _ key: String, _ text: Span<UInt8>) {
        let start = offset
        append(0, size: 4)
        append(varint: Self.length(ofRecord: kind, type: type, key, text.count))
        append(varint: type << 4 | kind.rawValue)
        append(varint: key.utf8.count)
        append(key)
        append(text)
        seal(at: start)
    }

    /// Appends the references of a root: the first offset, then the differences.
    mutating func append(references offsets: [Int]) {
        var last: Int?
        for offset in offsets {
            let difference = offset - (last ?? 0)
            append(varint: last == nil ? offset : difference << 1 ^ (difference >> (Int.bitWidth - 1)))
            last = offset
        }
    }

    mutating func append(types: [String]) {
        for type in types {
            append(varint: type.utf8.count)
            append(type)
        }
    }

    mutating func append(counts: [Int]) {
        // Wrong counts in a malicious archive can make these negative.
        for count in counts { append(UInt64(max(0, count)), size: 5) }
    }

    /// Returns the section whose bytes begin at an offset.
    func section(_ kind: UInt32, from start: Int) -> ArchiveSection {
        ArchiveSection(kind: kind, checksum: checksum(from: start), offset: start, length: offset - start)
    }

    /// Appends a section with the bytes that `body` appends.
    mutating func appendSection(_ kind: UInt32, _ body: (inout ByteSink) -> Void) -> ArchiveSection {
        let start = offset
        body(&self)
        return section(kind, from: start)
    }
}

// MARK: - Fixed parts

extension ArchiveHeader {
    /// Returns the start of a file, with the head in both slots.
    func bytes(_ head: CommitHead) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, page) in pages.enumerated() {
            bytes += [UInt8](repeating: 0, count: page - bytes.count) + fixedBytes + head.bytes(at: slotOffsets[index], self)
        }
        if !hasPages { bytes += head.bytes(at: slotOffsets[1], self) }
        return bytes + [UInt8](repeating: 0, count: size - bytes.count)
    }

    /// Returns what to write for a new slot, and its offset. With two headers, each slot is written together with its header.
    func slot(_ index: Int, _ head: CommitHead) -> (bytes: [UInt8], offset: Int) {
        let slot = head.bytes(at: slotOffsets[index], self)
        return hasPages ? (fixedBytes + slot, pages[index]) : (slot, slotOffsets[index])
    }

    /// The header without its slots.
    var fixedBytes: [UInt8] {
        var sink = ByteSink(base: 0, header: self)
        sink.append(ArchiveFormat.magic)
        sink.append(UInt64(version), size: 2)
        sink.append(UInt64(minorVersion), size: 2)
        sink.append(UInt64(size), size: 4)
        sink.append(fileID, size: 8)
        sink.append(0, size: 4)
        var checksum = Checksum()
        checksum.update(sink.bytes.span)
        sink.append(UInt64(checksum.value), size: 4)
        return sink.bytes
    }
}

extension CommitHead {
    /// Returns the bytes of the head at an offset.
    func bytes(at offset: Int, _ header: ArchiveHeader) -> [UInt8] {
        var sink = ByteSink(base: offset, header: header)
        sink.append(number, size: 8)
        sink.append(UInt64(footer), size: 8)
        sink.append(UInt64(end), size: 8)
        sink.append(UInt64(content), size: 4)
        sink.append(UInt64(sink.checksum(from: offset)), size: 4)
        return sink.bytes
    }
}

extension ByteSink {
    /// Appends a footer and the zeros after it. Returns the offset of the footer.
    mutating func append(_ footer: ArchiveFooter) -> Int {
        let start = offset
        append(ArchiveFormat.footerMagic, size: 4)
        append(UInt64(footer.modelVersion), size: 4)
        append(footer.number, size: 8)
        append(UInt64(footer.resourceCount), size: 8)
        append(UInt64(footer.usedBytes), size: 8)
        append(UInt64(footer.sections.count), size: 4)
        for section in footer.sections {
            append(UInt64(section.kind), size: 4)
            append(UInt64(section.checksum), size: 4)
            append(UInt64(section.offset), size: 8)
            append(UInt64(section.length), size: 8)
        }
        append(UInt64(checksum(from: start)), size: 4)
        append([UInt8](repeating: 0, count: header.end(afterFooterAt: offset) - offset))
        return start
    }
}

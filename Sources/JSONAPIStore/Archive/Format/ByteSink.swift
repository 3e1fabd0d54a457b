/// Bytes of an archive that are being written, from a known offset of the file on.
struct ByteSink: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where the first of the bytes will stand.
    let base: Int
    let header: ArchiveHeader

    init(base: Int, header: ArchiveHeader) {
        self.base = base
        self.header = header
    }

    /// Where the next byte will stand.
    var offset: Int { base + bytes.count }

    mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

    mutating func append(_ more: Span<UInt8>) { bytes.append(copying: more) }

    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Appends a number, its lowest byte first.
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

    /// The bytes of a number of variable length.
    static func size(ofVarint number: Int) -> Int { max(1, (Int.bitWidth - number.leadingZeroBitCount + 6) / 7) }

    /// What follows the length in a record, in bytes.
    static func length(ofRecord kind: RecordKind, type: Int, _ key: String, _ textCount: Int) -> Int {
        let keyCount = key.utf8.count
        return size(ofVarint: type << 4 | kind.rawValue) + size(ofVarint: keyCount) + keyCount + textCount
    }

    /// All bytes of a record.
    static func size(ofRecord kind: RecordKind, type: Int, _ key: String, _ textCount: Int) -> Int {
        let length = length(ofRecord: kind, type: type, key, textCount)
        return 4 + size(ofVarint: length) + length
    }

    /// Replaces bytes that were written before.
    mutating func replace(at offset: Int, with more: [UInt8]) {
        bytes.replaceSubrange(offset - base..<offset - base + more.count, with: more)
    }

    /// The checksum of everything from an offset on.
    func checksum(from offset: Int) -> UInt32 { header.checksum(at: offset, bytes.span.extracting((offset - base)...)) }

    /// Writes the checksum of everything behind the four bytes at an offset into them.
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
        // An archive that lies about its counts can bring these below zero.
        for count in counts { append(UInt64(max(0, count)), size: 5) }
    }

    /// The section that was appended from an offset on.
    func section(_ kind: UInt32, from start: Int) -> ArchiveSection {
        ArchiveSection(kind: kind, checksum: checksum(from: start), offset: start, length: offset - start)
    }
}

// MARK: - Fixed parts

extension ArchiveHeader {
    /// The header of a file, both slots with that head.
    func bytes(_ head: CommitHead) -> [UInt8] {
        var sink = ByteSink(base: 0, header: self)
        sink.append(ArchiveFormat.magic)
        sink.append(UInt64(ArchiveFormat.majorVersion), size: 2)
        sink.append(UInt64(ArchiveFormat.minorVersion), size: 2)
        sink.append(UInt64(ArchiveFormat.headerSize), size: 4)
        sink.append(fileID, size: 8)
        sink.append(0, size: 4)
        var checksum = Checksum()
        checksum.update(sink.bytes.span)
        sink.append(UInt64(checksum.value), size: 4)
        for offset in ArchiveFormat.slotOffsets { sink.append(head.bytes(at: offset, self)) }
        return sink.bytes
    }
}

extension CommitHead {
    /// The head as it stands at an offset.
    func bytes(at offset: Int, _ header: ArchiveHeader) -> [UInt8] {
        var sink = ByteSink(base: offset, header: header)
        sink.append(number, size: 8)
        sink.append(UInt64(footer), size: 8)
        sink.append(UInt64(end), size: 8)
        sink.append(0, size: 4)
        sink.append(UInt64(sink.checksum(from: offset)), size: 4)
        return sink.bytes
    }
}

extension ByteSink {
    /// Appends a footer and returns its offset.
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
        return start
    }
}

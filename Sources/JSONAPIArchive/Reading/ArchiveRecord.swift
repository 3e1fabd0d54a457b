/// The positions of the parts of a record.
struct ArchiveRecord: Sendable {
    let kind: RecordKind
    let type: Int
    let key: Range<Int>
    let text: Range<Int>
    /// The range of the whole record.
    let range: Range<Int>
}

extension ArchiveRecord {
    /// Reads the record at an offset and checks it. `end` is the end of the archive.
    ///
    /// If `isChecked` is false, the checksum is not checked, so the cost does not depend on the length of the record. Only the key may then
    /// be used, and only for comparisons.
    init(
        _ bytes: ArchiveBytes, at offset: Int, end: Int, _ header: ArchiveHeader, isChecked: Bool = true
    ) throws(ArchiveError) {
        guard let (range, contents) = Self.range(bytes, at: offset, end: end, header) else {
            throw ArchiveError(.corrupt, "a record has no sound length", section: .record, offset: offset)
        }
        guard !isChecked || header.isSealed(bytes, at: offset, end: range.upperBound) else {
            throw ArchiveError(.corrupt, "the checksum of a record does not match", section: .record, offset: offset)
        }
        guard let record = Self(bytes, range, contents) else {
            throw ArchiveError(.malformed, "a record contradicts itself", section: .record, offset: offset)
        }
        self = record
    }

    /// Reads what looks like a record, as the other initializer does if `isChecked` is false. Returns nil for anything else, because an error
    /// for each byte of a file would be slow.
    init?(unchecked bytes: ArchiveBytes, at offset: Int, end: Int, _ header: ArchiveHeader) {
        guard let (range, contents) = Self.range(bytes, at: offset, end: end, header) else { return nil }
        self.init(bytes, range, contents)
    }

    /// Returns the range of a record, and the offset after its length.
    private static func range(
        _ bytes: ArchiveBytes, at offset: Int, end: Int, _ header: ArchiveHeader
    ) -> (range: Range<Int>, contents: Int)? {
        let end = min(end, bytes.count)
        // The offset is checked first, so that additions cannot overflow.
        let isInside = offset >= header.firstRecord && offset <= end - 7
        var position = isInside ? offset + 4 : 0
        guard isInside, let length = bytes.varint(&position, end: end), length <= end - position else { return nil }
        return (offset..<position + length, position)
    }

    private init?(_ bytes: ArchiveBytes, _ range: Range<Int>, _ contents: Int) {
        var position = contents
        guard let tag = bytes.varint(&position, end: range.upperBound), let kind = RecordKind(rawValue: tag & 15),
            let count = bytes.varint(&position, end: range.upperBound), count <= range.upperBound - position
        else { return nil }
        self.kind = kind
        type = tag >> 4
        key = position..<position + count
        text = position + count..<range.upperBound
        self.range = range
    }
}

extension ArchiveRecord {
    /// Returns the text of the record of a resource. `type` is the name of its type. An abridged record leaves out the beginning of the
    /// text, such as `{"type":"articles","id":"1"`.
    func text(_ bytes: ArchiveBytes, type: String) -> [UInt8] {
        var whole: [UInt8] = []
        whole.reserveCapacity(range.count + type.utf8.count + 32)
        appendText(bytes, type: type, to: &whole)
        return whole
    }

    /// Appends that text to others.
    func appendText(_ bytes: ArchiveBytes, type: String, to texts: inout [UInt8]) {
        if kind.isAbridged {
            texts.append(bytesOf: #"{"type":""#)
            texts.append(bytesOf: type)
            texts.append(bytesOf: kind.isLID ? #"","lid":""# : #"","id":""#)
            bytes.with(key) { texts.append(copying: $0) }
            texts.append(UInt8(ascii: "\""))
        }
        bytes.with(text) { texts.append(copying: $0) }
    }
}

extension CommitHead {
    /// Calls `body` with each record of the commit that begins at an offset. Returns the end of the records. Throws `ArchiveError` if one of
    /// them is damaged.
    @discardableResult
    func forEachRecord(
        from start: Int, _ footer: ArchiveFooter, _ bytes: ArchiveBytes, _ header: ArchiveHeader, _ body: (ArchiveRecord) -> Void = { _ in }
    ) throws(ArchiveError) -> Int {
        // The sections of the commit follow its records.
        let end = footer.sections.map(\.offset).filter { $0 >= start }.min() ?? self.footer
        var position = start + ArchiveFormat.headSize
        while position < end {
            let record = try ArchiveRecord(bytes, at: position, end: end, header)
            position = record.range.upperBound
            body(record)
        }
        return position
    }
}

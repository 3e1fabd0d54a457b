extension ArchiveRecord {
    /// Returns whether the text can be that of its kind, by its first and last bytes.
    ///
    /// Random bytes often look like the start of a long record. This check rejects nearly all of them without reading the whole text, whose
    /// checksum would be wrong.
    func isPlausible(_ bytes: ArchiveBytes) -> Bool {
        let first = text.isEmpty ? 0 : byte(text.lowerBound, bytes)
        let last = text.isEmpty ? 0 : byte(text.upperBound - 1, bytes)
        switch kind {
        // The rest of an object, after its id: `}` or `,"attributes":{…}}`.
        case .id, .lid: return (first == UInt8(ascii: ",") || text.count == 1) && last == UInt8(ascii: "}")
        case .wholeID, .wholeLID: return first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
        case .removedID, .removedLID, .typeName: return text.isEmpty
        case .value: return type == 0 && Self.isPrintable(first) && Self.isPrintable(last)
        case .one: return type == 0 && text.count < 10 && hasReference(bytes)
        // The last byte of a varint has no high bit.
        case .many: return type == 0 && (text.isEmpty || last < 0x80 && hasReference(bytes))
        }
    }

    /// Returns whether the text begins with a reference, which is the offset of an earlier record.
    private func hasReference(_ bytes: ArchiveBytes) -> Bool {
        var position = text.lowerBound
        return bytes.varint(&position, end: text.upperBound).map { $0 < range.lowerBound } ?? false
    }

    private func byte(_ offset: Int, _ bytes: ArchiveBytes) -> UInt8 { UInt8(bytes.number(at: offset, size: 1)) }

    /// JSON begins and ends with such a byte.
    private static func isPrintable(_ byte: UInt8) -> Bool { 0x20..<0x7F ~= byte }
}

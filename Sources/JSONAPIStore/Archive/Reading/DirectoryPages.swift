/// The entries of a directory, in pages with their own checksums. See `ArchiveFormat`, section 5.
///
/// A page is checked when one of its entries is first read. A lookup therefore reads a few pages, and opening an archive reads none.
final class DirectoryPages: Sendable {
    static let entrySize = 14
    static let entriesPerPage = 292
    static let pageSize = 4 + entriesPerPage * entrySize
    static let typeSize = 9

    private struct TypeEntries: Sendable {
        let type: Int
        /// The index after the last entry of the type.
        let end: Int
    }

    let count: Int
    private let types: [TypeEntries]
    private let start: Int
    private let header: ArchiveHeader
    /// One bit for each page. It is set if the page was checked and is intact.
    private let soundPages = Locked<[UInt64]>([])

    /// Reads and checks the head of a section.
    ///
    /// - Complexity: O(n), n = number of types.
    init(_ section: ArchiveSection, _ bytes: ArchiveBytes, _ header: ArchiveHeader) throws(ArchiveError) {
        self.header = header
        let typeCount = section.length < 8 ? .max : bytes.offset(at: section.offset + 4, size: 4)
        guard typeCount <= (section.length - 8) / Self.typeSize else { throw ArchiveImage.malformed(section, .directory) }
        start = section.offset + 8 + typeCount * Self.typeSize
        let checksum = bytes.with(section.offset + 4..<start) { header.checksum(at: section.offset, $0) }
        guard UInt64(checksum) == bytes.number(at: section.offset, size: 4) else {
            throw ArchiveError(
                .corrupt, "the checksum of a directory does not match", section: .directory, offset: section.offset)
        }
        var types: [TypeEntries] = []
        for index in 0..<typeCount {
            let place = section.offset + 8 + index * Self.typeSize
            let next = TypeEntries(type: bytes.offset(at: place, size: 4), end: bytes.offset(at: place + 4, size: 5))
            guard next.end > types.last?.end ?? 0, next.type > types.last?.type ?? -1 else {
                throw ArchiveImage.malformed(section, .directory)
            }
            types.append(next)
        }
        self.types = types
        count = types.last?.end ?? 0
        guard count <= section.length, section.end - start == Self.size(ofEntries: count) else {
            throw ArchiveImage.malformed(section, .directory)
        }
    }

    /// Returns the number of bytes of all pages.
    static func size(ofEntries count: Int) -> Int { (count + entriesPerPage - 1) / entriesPerPage * 4 + count * entrySize }

    /// Returns the range of the entries of a type, which is empty if there are none.
    func range(ofType type: Int) -> Range<Int> {
        var (low, high) = (0, types.count)
        while low < high {
            let middle = (low + high) / 2
            if types[middle].type < type { low = middle + 1 } else { high = middle }
        }
        guard low < types.count, types[low].type == type else { return 0..<0 }
        return (low == 0 ? 0 : types[low - 1].end)..<types[low].end
    }

    var typeNumbers: [Int] { types.map(\.type) }

    /// Calls `body` with each type and its entries, in order.
    func forEachType(_ body: (Int, Range<Int>) throws(ArchiveError) -> Void) throws(ArchiveError) {
        var start = 0
        for entries in types {
            try body(entries.type, start..<entries.end)
            start = entries.end
        }
    }

    func hash(_ index: Int, _ bytes: ArchiveBytes) throws(ArchiveError) -> UInt32 {
        UInt32(bytes.number(at: try place(of: index, bytes), size: 4))
    }

    func entry(_ index: Int, _ bytes: ArchiveBytes) throws(ArchiveError) -> ArchiveDirectory.Entry {
        let place = try place(of: index, bytes)
        return ArchiveDirectory.Entry(
            hash: UInt32(bytes.number(at: place, size: 4)), offset: bytes.offset(at: place + 4, size: 5),
            place: bytes.offset(at: place + 9, size: 5))
    }

    /// Returns the position of an entry in the file, after its page was checked.
    private func place(of index: Int, _ bytes: ArchiveBytes) throws(ArchiveError) -> Int {
        let (page, rest) = index.quotientAndRemainder(dividingBy: Self.entriesPerPage)
        try check(page, bytes)
        return start + page * Self.pageSize + 4 + rest * Self.entrySize
    }

    private func check(_ page: Int, _ bytes: ArchiveBytes) throws(ArchiveError) {
        let (word, bit) = (page / 64, UInt64(1) << UInt64(page % 64))
        if soundPages.withLock({ word < $0.count && $0[word] & bit != 0 }) { return }
        let offset = start + page * Self.pageSize
        let entries = min(Self.entriesPerPage, count - page * Self.entriesPerPage)
        let checksum = bytes.with(offset + 4..<offset + 4 + entries * Self.entrySize) { header.checksum(at: offset, $0) }
        guard UInt64(checksum) == bytes.number(at: offset, size: 4) else {
            throw ArchiveError(.corrupt, "the checksum of a page of the directory does not match", section: .directory, offset: offset)
        }
        soundPages.withLock { words in
            while words.count <= word { words.append(0) }
            words[word] |= bit
        }
    }
}

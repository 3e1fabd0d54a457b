/// A directory of resources. It contains the offset of each resource's record, and the position of the resource in lists.
///
/// Entries are sorted by type, then by hash. They are in pages with their own checksums; see `ArchiveFormat`, section 5. A page is checked
/// when one of its entries is first read. A lookup therefore reads a few pages, and opening an archive reads none.
///
/// In files of version 1 and 2, there are no pages. Entries are sorted by hash only, and the whole directory is checked when the archive is
/// opened.
final class ArchiveDirectory: Sendable {
    struct Entry: Sendable {
        let hash: UInt32
        /// The offset of the record.
        let offset: Int
        /// The position of the resource in lists, which is the offset of its first record. 0 if the resource was removed.
        let place: Int

        var isRemoved: Bool { place == 0 }
    }

    /// The result of a lookup.
    struct Found {
        /// The offset of the record.
        let offset: Int
        /// The record. Nil if it was not checked and has no sound beginning.
        let record: ArchiveRecord?
        let place: Int

        /// The number of bytes of the record; 0 if it is unknown because of damage.
        var size: Int { record?.range.count ?? 0 }
    }

    static let pageEntrySize = 14
    static let entriesPerPage = 292
    static let pageSize = 4 + entriesPerPage * pageEntrySize
    static let typeSize = 9

    let section: ArchiveSection
    let count: Int
    let hasPages: Bool
    /// The types with the indexes of their entries, in ascending order. Empty if there are no pages.
    private let types: [(type: Int, range: Range<Int>)]
    /// The offset of the first page, or of the first hash if there are no pages.
    private let start: Int
    private let header: ArchiveHeader
    /// Whether each page was checked and is intact.
    private let soundPages: Locked<[Bool]>

    /// Finds the parts of a section, and checks those before the first page.
    ///
    /// - Complexity: O(n), n = number of types.
    init(_ section: ArchiveSection, _ bytes: ArchiveBytes, _ header: ArchiveHeader) throws(ArchiveError) {
        self.section = section
        self.header = header
        hasPages = section.kind == ArchiveFormat.pagesSection
        guard hasPages else {
            guard section.length % ArchiveFormat.entrySize == 0 else { throw ArchiveImage.malformed(section, .directory) }
            (self.types, start, count) = ([], section.offset, section.length / ArchiveFormat.entrySize)
            soundPages = Locked([])
            return
        }
        let typeCount = section.length < 8 ? .max : bytes.offset(at: section.offset + 4, size: 4)
        guard typeCount <= (section.length - 8) / Self.typeSize else { throw ArchiveImage.malformed(section, .directory) }
        start = section.offset + 8 + typeCount * Self.typeSize
        guard header.isSealed(bytes, at: section.offset, end: start) else {
            throw ArchiveError(
                .corrupt, "the checksum of a directory does not match", section: .directory, offset: section.offset)
        }
        var types: [(type: Int, range: Range<Int>)] = []
        for index in 0..<typeCount {
            let place = section.offset + 8 + index * Self.typeSize
            let (type, end) = (bytes.offset(at: place, size: 4), bytes.offset(at: place + 4, size: 5))
            let first = types.last?.range.upperBound ?? 0
            guard end > first, type > types.last?.type ?? -1 else { throw ArchiveImage.malformed(section, .directory) }
            types.append((type, first..<end))
        }
        self.types = types
        count = types.last?.range.upperBound ?? 0
        soundPages = Locked([])
        guard count <= section.length, section.end - start == Self.size(ofEntries: count) else {
            throw ArchiveImage.malformed(section, .directory)
        }
    }

    /// Returns the number of bytes of all pages.
    static func size(ofEntries count: Int) -> Int { (count + entriesPerPage - 1) / entriesPerPage * 4 + count * pageEntrySize }

    /// The types with the indexes of their entries, in order. Without pages, a directory does not tell the types of its entries.
    var entriesByType: [(type: Int?, range: Range<Int>)] {
        guard hasPages else { return [(nil, 0..<count)] }
        return types.map { (Optional($0.type), $0.range) }
    }

    /// Returns the range of the entries that can have a type. In a file of version 1 or 2, these are all entries.
    func range(ofType type: Int?) -> Range<Int> {
        guard hasPages, let type else { return 0..<count }
        let index = types.indices.partitioningIndex { types[$0].type >= type }
        return index < types.count && types[index].type == type ? types[index].range : 0..<0
    }

    /// Returns the entries that can have a type, or all. In version 1 and 2, all of them have the type 0.
    func entries(ofType type: Int?, _ bytes: ArchiveBytes) throws(ArchiveError) -> [DirectoryMerge.Entry] {
        var entries: [DirectoryMerge.Entry] = []
        entries.reserveCapacity(range(ofType: type).count)
        var page: Int?
        for (number, range) in hasPages && type != nil ? [(type, range(ofType: type))] : entriesByType {
            for index in range { entries.append(.init(type: number ?? 0, entry: try entry(index, bytes, checked: &page))) }
        }
        return entries
    }

    /// Returns the entry at an index, after its page was checked. In version 1 and 2, an entry does not tell whether the resource was removed.
    func entry(_ index: Int, _ bytes: ArchiveBytes) throws(ArchiveError) -> Entry {
        var page: Int?
        return try entry(index, bytes, checked: &page)
    }

    /// - Parameter checked: the page that the caller's last call has checked.
    private func entry(_ index: Int, _ bytes: ArchiveBytes, checked: inout Int?) throws(ArchiveError) -> Entry {
        let hash = try hash(index, bytes, checked: &checked)
        guard hasPages else {
            let offset = bytes.offset(at: start + 4 * count + 5 * index, size: 5)
            return Entry(hash: hash, offset: offset, place: offset)
        }
        let place = place(index)
        return Entry(hash: hash, offset: bytes.offset(at: place + 4, size: 5), place: bytes.offset(at: place + 9, size: 5))
    }

    /// Returns the entries in the intact pages of a directory, or none if the directory itself is damaged. Each page is checked once.
    static func intactEntries(of section: ArchiveSection, _ bytes: ArchiveBytes, _ header: ArchiveHeader) -> [Entry] {
        guard section.kind == ArchiveFormat.pagesSection || section.isSound(bytes, header),
            let directory = try? ArchiveDirectory(section, bytes, header)
        else { return [] }
        var entries: [Entry] = []
        var index = 0
        while index < directory.count {
            if let entry = try? directory.entry(index, bytes) {
                entries.append(entry)
                index += 1
            } else {
                index += entriesPerPage - index % entriesPerPage
            }
        }
        return entries
    }

    /// Returns the hash of an entry alone.
    private func hash(_ index: Int, _ bytes: ArchiveBytes, checked: inout Int?) throws(ArchiveError) -> UInt32 {
        guard hasPages else { return UInt32(bytes.number(at: start + 4 * index, size: 4)) }
        let page = index / Self.entriesPerPage
        if page != checked { try check(page, bytes) }
        checked = page
        return UInt32(bytes.number(at: place(index), size: 4))
    }

    /// Returns the offset of an entry on its page.
    private func place(_ index: Int) -> Int {
        let (page, rest) = index.quotientAndRemainder(dividingBy: Self.entriesPerPage)
        return start + page * Self.pageSize + 4 + rest * Self.pageEntrySize
    }

    private func check(_ page: Int, _ bytes: ArchiveBytes) throws(ArchiveError) {
        if soundPages.withLock({ page < $0.count && $0[page] }) { return }
        let offset = start + page * Self.pageSize
        let entries = min(Self.entriesPerPage, count - page * Self.entriesPerPage)
        guard header.isSealed(bytes, at: offset, end: offset + 4 + entries * Self.pageEntrySize) else {
            throw ArchiveError(.corrupt, "the checksum of a page of the directory does not match", section: .directory, offset: offset)
        }
        soundPages.withLock { pages in
            if pages.isEmpty { pages = Array(repeating: false, count: count / Self.entriesPerPage + 1) }
            pages[page] = true
        }
    }

    /// Returns the record of a resource, or nil if this directory does not contain it.
    ///
    /// If `isChecked` is false, only the key of the record is known to be correct. A record whose key is damaged then counts as that of
    /// the resource if the hash in this directory is equal, because two resources rarely have equal hashes.
    ///
    /// - Complexity: O(log n), n = number of entries, even if many hashes were made equal on purpose.
    func find(
        _ hash: UInt32, _ type: Int, _ key: StoredIdentity, _ image: ArchiveImage, isChecked: Bool
    ) throws(ArchiveError) -> Found? {
        let range = range(ofType: type)
        var (low, high) = (range.lowerBound, range.upperBound)
        var page: Int?
        while low < high {
            let middle = (low + high) / 2
            let other = try self.hash(middle, image.bytes, checked: &page)
            if other < hash {
                low = middle + 1
            } else if other > hash {
                high = middle
            } else {
                let entry = try entry(middle, image.bytes, checked: &page)
                let order: Int
                do throws(ArchiveError) { order = try image.order(passing: entry.offset, hash, type, key) } catch {
                    guard !isChecked else { throw error }
                    return Found(offset: entry.offset, record: nil, place: entry.place)
                }
                switch order {
                case 0: return try self.found(entry, image, isChecked: isChecked)
                case ..<0: low = middle + 1
                default: high = middle
                }
            }
        }
        return nil
    }

    private func found(_ entry: Entry, _ image: ArchiveImage, isChecked: Bool) throws(ArchiveError) -> Found {
        let record = try image.resourceRecord(at: entry.offset, isChecked: isChecked)
        if !hasPages { return Found(offset: entry.offset, record: record, place: record.kind.isRemoval ? 0 : entry.place) }
        guard !isChecked || record.kind.isRemoval == entry.isRemoved else {
            throw ArchiveError(
                .malformed, "a directory and a record differ over whether a resource was removed", section: .record, offset: entry.offset)
        }
        return Found(offset: entry.offset, record: record, place: entry.place)
    }
}

extension ArchiveImage {
    /// Compares the record at an offset with a resource that has an equal hash. The result is negative if the record comes before the
    /// resource, positive if it comes after it, and 0 if it belongs to the resource.
    ///
    /// Records of other resources are not read completely, because a file can contain many large records with equal hashes. If the hash of
    /// a record is correct, its key is correct too.
    fileprivate func order(passing offset: Int, _ hash: UInt32, _ type: Int, _ key: StoredIdentity) throws(ArchiveError) -> Int {
        let record = try resourceRecord(at: offset, isChecked: false)
        let order = order(record, type, key)
        guard order == 0 || directoryHash(of: record) == hash else { throw Self.otherKey(offset) }
        return order
    }

    private func order(_ record: ArchiveRecord, _ type: Int, _ key: StoredIdentity) -> Int {
        if record.type != type { return record.type < type ? -1 : 1 }
        if record.kind.isLID != key.isLocal { return key.isLocal ? -1 : 1 }
        return bytes.with(record.key) { mine in
            key.name.withBytes { other in
                if mine.equals(other) { return 0 }
                return mine.precedes(other) ? -1 : 1
            }
        }
    }

    /// Returns the hash of the key of a record.
    func directoryHash(of record: ArchiveRecord) -> UInt32 {
        bytes.with(record.key) { StoredIdentity.directoryHash(type: types[record.type], isLocal: record.kind.isLID, $0) }
    }

    static func otherKey(_ offset: Int) -> ArchiveError {
        ArchiveError(.corrupt, "a record has another key than the directory says", section: .record, offset: offset)
    }
}

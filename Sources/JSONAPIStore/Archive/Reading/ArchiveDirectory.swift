/// A directory of resources. It contains the offset of each resource's record, and the position of the resource in lists.
///
/// Entries are sorted by type, then by hash. In files of version 1 and 2, they are sorted by hash only, and the whole directory is checked
/// when the archive is opened.
struct ArchiveDirectory: Sendable {
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

    let section: ArchiveSection
    let count: Int
    /// The pages; nil for a directory of version 1 or 2.
    let pages: DirectoryPages?

    init(_ section: ArchiveSection, _ bytes: ArchiveBytes, _ header: ArchiveHeader) throws(ArchiveError) {
        self.section = section
        if section.kind == ArchiveFormat.pagesSection {
            let pages = try DirectoryPages(section, bytes, header)
            (self.pages, count) = (pages, pages.count)
        } else {
            guard section.length % ArchiveFormat.entrySize == 0 else { throw ArchiveImage.malformed(section, .directory) }
            (pages, count) = (nil, section.length / ArchiveFormat.entrySize)
        }
    }

    /// The types of the entries. A directory of version 1 or 2 does not store them, so its result is a single nil.
    var types: [Int?] {
        guard let pages else { return [nil] }
        return pages.typeNumbers.map { $0 }
    }

    /// Returns the range of the entries that can have a type. In a file of version 1 or 2, these are all entries.
    func range(ofType type: Int?) -> Range<Int> {
        guard let pages, let type else { return 0..<count }
        return pages.range(ofType: type)
    }

    func hash(_ index: Int, _ bytes: ArchiveBytes) throws(ArchiveError) -> UInt32 {
        if let pages { return try pages.hash(index, bytes) }
        return UInt32(bytes.number(at: section.offset + 4 * index, size: 4))
    }

    /// Returns the entry at an index. In version 1 and 2, an entry does not tell whether the resource was removed.
    func entry(_ index: Int, _ bytes: ArchiveBytes) throws(ArchiveError) -> Entry {
        if let pages { return try pages.entry(index, bytes) }
        let offset = bytes.offset(at: section.offset + 4 * count + 5 * index, size: 5)
        return Entry(hash: try hash(index, bytes), offset: offset, place: offset)
    }

    /// Returns the record of a resource, or nil if this directory does not contain it.
    ///
    /// If `isChecked` is false, only the key of the record is known to be correct. A record whose key is damaged then counts as that of
    /// the resource if the hash in this directory is equal, because two resources rarely have equal hashes.
    ///
    /// - Complexity: O(log n), n = number of entries, even if many hashes were made equal on purpose.
    func find(
        _ hash: UInt32, _ type: Int, _ key: ArchiveKey, _ image: ArchiveImage, isChecked: Bool
    ) throws(ArchiveError) -> Found? {
        let range = range(ofType: type)
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            let found = try self.hash(middle, image.bytes)
            if found < hash {
                low = middle + 1
            } else if found > hash {
                high = middle
            } else {
                let entry = try entry(middle, image.bytes)
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
        if pages == nil { return Found(offset: entry.offset, record: record, place: record.kind.isRemoval ? 0 : entry.place) }
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
    fileprivate func order(passing offset: Int, _ hash: UInt32, _ type: Int, _ key: ArchiveKey) throws(ArchiveError) -> Int {
        let record = try resourceRecord(at: offset, isChecked: false)
        let order = order(record, type, key)
        guard order == 0 || directoryHash(of: record) == hash else { throw Self.otherKey(offset) }
        return order
    }

    private func order(_ record: ArchiveRecord, _ type: Int, _ key: ArchiveKey) -> Int {
        if record.type != type { return record.type < type ? -1 : 1 }
        if record.kind.isLID != key.isLID { return key.isLID ? -1 : 1 }
        return bytes.with(record.key) { mine in
            key.text.withBytes { other in
                if mine.equals(other) { return 0 }
                return mine.precedes(other) ? -1 : 1
            }
        }
    }

    /// Returns the hash of the key of a record.
    func directoryHash(of record: ArchiveRecord) -> UInt32 {
        bytes.with(record.key) { ArchiveKey.directoryHash(type: types[record.type], isLID: record.kind.isLID, $0) }
    }

    static func otherKey(_ offset: Int) -> ArchiveError {
        ArchiveError(.corrupt, "a record has another key than the directory says", section: .record, offset: offset)
    }
}

/// A directory of resources, in order of their hashes: where their records are.
struct ArchiveDirectory: Sendable {
    let section: ArchiveSection
    let count: Int

    init(_ section: ArchiveSection) throws(ArchiveError) {
        guard section.length % ArchiveFormat.entrySize == 0 else { throw ArchiveImage.malformed(section, .directory) }
        self.section = section
        count = section.length / ArchiveFormat.entrySize
    }

    func hash(_ index: Int, _ bytes: ArchiveBytes) -> UInt32 {
        UInt32(bytes.number(at: section.offset + 4 * index, size: 4))
    }

    func offset(_ index: Int, _ bytes: ArchiveBytes) -> Int {
        bytes.offset(at: section.offset + 4 * count + 5 * index, size: 5)
    }

    /// The record of a resource; nil when this directory has none.
    ///
    /// - Complexity: O(log n), also when somebody made many hashes equal.
    func record(_ hash: UInt32, _ type: Int, _ key: ArchiveKey, _ image: ArchiveImage) throws(ArchiveError) -> ArchiveRecord? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            let found = self.hash(middle, image.bytes)
            if found < hash {
                low = middle + 1
            } else if found > hash {
                high = middle
            } else {
                let place = offset(middle, image.bytes)
                switch try image.order(passing: place, hash, type, key) {
                case 0: return try image.resourceRecord(at: place)
                case ..<0: low = middle + 1
                default: high = middle
                }
            }
        }
        return nil
    }
}

extension ArchiveImage {
    /// Below 0 when the record at an offset stands before that resource among equal hashes, above 0 when behind it, 0 when it is its own.
    ///
    /// A record that is passed by is not read whole: somebody may have made the hashes of many large ones equal. That its hash is right
    /// tells that its key is.
    fileprivate func order(passing offset: Int, _ hash: UInt32, _ type: Int, _ key: ArchiveKey) throws(ArchiveError) -> Int {
        let record = try resourceRecord(at: offset, isChecked: false)
        let order = order(record, type, key)
        guard order == 0 || self.key(of: record).directoryHash == hash else {
            throw ArchiveError(.corrupt, "a record has another key than the directory says", section: .record, offset: offset)
        }
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
}

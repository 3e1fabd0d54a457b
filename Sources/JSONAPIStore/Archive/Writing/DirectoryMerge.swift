import JSONText

/// The entries of a new directory, in order: those of a commit, and of the older directories that it replaces.
struct DirectoryMerge {
    struct Entry {
        let hash: UInt32
        let offset: Int
    }

    private(set) var entries: [Entry]
    private let image: ArchiveImage?
    /// The keys of what is new, and of what was compared, by offset.
    private var keys: [Int: (type: Int, key: ArchiveKey)] = [:]

    var count: Int { entries.count }

    init(_ new: [ArchiveKey: CommitBuilder.Entry], _ typeNumbers: [ByteText: Int], _ image: ArchiveImage?) {
        self.image = image
        var sorted: [(order: UInt64, offset: Int, key: ArchiveKey)] = []
        sorted.reserveCapacity(new.count)
        for (key, entry) in new { sorted.append((UInt64(key.directoryHash), entry.offset, key)) }
        sorted.sort { $0.order < $1.order }
        Self.arrangeTies(&sorted, typeNumbers)
        entries = sorted.map { Entry(hash: UInt32($0.order), offset: $0.offset) }
        guard image != nil else { return }
        for (_, offset, key) in sorted { keys[offset] = (typeNumbers[ByteText(key.type)] ?? 0, key) }
    }

    /// Puts entries with equal hashes into the order of their keys.
    private static func arrangeTies(_ sorted: inout [(order: UInt64, offset: Int, key: ArchiveKey)], _ typeNumbers: [ByteText: Int]) {
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, sorted[end].order == sorted[start].order { end += 1 }
            if end - start > 1 {
                sorted[start..<end].sort {
                    precedes(
                        (typeNumbers[ByteText($0.key.type)] ?? 0, $0.key), (typeNumbers[ByteText($1.key.type)] ?? 0, $1.key))
                }
            }
            start = end
        }
    }

    private static func precedes(_ a: (type: Int, key: ArchiveKey), _ b: (type: Int, key: ArchiveKey)) -> Bool {
        if a.type != b.type { return a.type < b.type }
        if a.key.isLID != b.key.isLID { return b.key.isLID }
        return UTF8Bytes.isLess(a.key.text, b.key.text)
    }

    /// Takes an older directory in. Of two entries for one resource the newer one stays.
    ///
    /// - Complexity: O(entries of both); records are read only where hashes are equal.
    mutating func add(_ directory: ArchiveDirectory) throws(ArchiveError) {
        guard let image else { return }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + directory.count)
        var (new, old) = (0, 0)
        while new < entries.count || old < directory.count {
            guard old < directory.count else {
                merged += entries[new...]
                break
            }
            let older = Entry(hash: directory.hash(old, image.bytes), offset: directory.offset(old, image.bytes))
            guard new < entries.count, entries[new].hash <= older.hash else {
                merged.append(older)
                old += 1
                continue
            }
            if entries[new].hash == older.hash {
                let (mine, theirs) = (try key(entries[new].offset, image), try key(older.offset, image))
                if Self.precedes(theirs, mine) {
                    merged.append(older)
                    old += 1
                    continue
                }
                if !Self.precedes(mine, theirs) { old += 1 }
            }
            merged.append(entries[new])
            new += 1
        }
        entries = merged
    }

    private mutating func key(_ offset: Int, _ image: ArchiveImage) throws(ArchiveError) -> (type: Int, key: ArchiveKey) {
        if let known = keys[offset] { return known }
        let record = try image.resourceRecord(at: offset)
        let found = (type: record.type, key: image.key(of: record))
        keys[offset] = found
        return found
    }
}

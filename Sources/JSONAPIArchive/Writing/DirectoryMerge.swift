import JSONText

/// The entries of a new directory, in order. They come from a commit, and from the older directories that it replaces.
struct DirectoryMerge {
    struct Entry {
        let type: Int
        let entry: ArchiveDirectory.Entry
    }

    private(set) var entries: [Entry] = []
    private let image: ArchiveImage?
    /// The keys of new records and of records that were compared, by offset. Nil for a damaged key.
    private var keys: [Int: StoredIdentity?] = [:]

    var count: Int { entries.count }

    /// Creates a merge that begins with new entries in any order, and compares older ones with the records of an image. The keys of the
    /// records at the offsets `damaged` are not read.
    init(_ new: [(key: StoredIdentity, entry: Entry)], _ image: ArchiveImage?, damaged: [Int] = []) {
        self.image = image
        entries = Self.ordered(new)
        for offset in damaged { keys.updateValue(nil, forKey: offset) }
        if image != nil { for item in new { keys[item.entry.entry.offset] = item.key } }
    }

    /// Creates a merge from entries that are in order.
    init(ordered entries: [Entry]) {
        self.entries = entries
        image = nil
    }

    /// Returns entries in the order of a directory.
    static func ordered(_ entries: [(key: StoredIdentity, entry: Entry)]) -> [Entry] {
        let sorted = entries.sorted { a, b in
            if a.entry.type != b.entry.type { return a.entry.type < b.entry.type }
            if a.entry.entry.hash != b.entry.entry.hash { return a.entry.entry.hash < b.entry.entry.hash }
            return precedes(a.key, b.key)
        }
        return sorted.map(\.entry)
    }

    /// Returns whether `a` comes before `b`. Both have the same type and hash.
    static func precedes(_ a: StoredIdentity, _ b: StoredIdentity) -> Bool {
        a.isLocal == b.isLocal ? UTF8Bytes.isLess(a.name, b.name) : b.isLocal
    }

    /// Adds the entries of an older directory. If both contain an entry for the same resource, the newer one is kept.
    ///
    /// - Complexity: O(n), n = number of entries of both. Records are only read if hashes are equal.
    mutating func add(_ older: [Entry]) {
        guard let image, !entries.isEmpty else { return entries += older }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + older.count)
        var new = 0
        for older in older {
            var isReplaced = false
            while new < entries.count {
                let order = order(entries[new], older, image)
                if order > 0 { break }
                merged.append(entries[new])
                new += 1
                isReplaced = isReplaced || order == 0
            }
            if !isReplaced { merged.append(older) }
        }
        merged += entries[new...]
        entries = merged
    }

    /// Compares two entries. The result is negative if the first one comes first, and 0 if both belong to the same resource. A record whose
    /// key is damaged counts as that of the resource with an equal hash, as in `ArchiveDirectory.find`.
    private mutating func order(_ a: Entry, _ b: Entry, _ image: ArchiveImage) -> Int {
        if a.type != b.type { return a.type < b.type ? -1 : 1 }
        if a.entry.hash != b.entry.hash { return a.entry.hash < b.entry.hash ? -1 : 1 }
        guard let mine = key(a.entry, image), let theirs = key(b.entry, image), mine != theirs else { return 0 }
        return Self.precedes(mine, theirs) ? -1 : 1
    }

    /// Returns the key of a record; nil if the key is damaged.
    private mutating func key(_ entry: ArchiveDirectory.Entry, _ image: ArchiveImage) -> StoredIdentity? {
        if let known = keys[entry.offset] { return known }
        let record = try? image.resourceRecord(at: entry.offset, isChecked: false)
        let key = record.flatMap { image.directoryHash(of: $0) == entry.hash ? image.key(of: $0) : nil }
        keys[entry.offset] = key
        return key
    }

    /// Removes the entries of removed resources. Call this if there is no older directory.
    mutating func dropRemovals() { entries.removeAll(where: \.entry.isRemoved) }

    /// Appends the section.
    func append(to sink: inout ByteSink) {
        let start = sink.offset
        var types: [(type: Int, end: Int)] = []
        for (index, entry) in entries.enumerated() {
            if types.last?.type == entry.type { types[types.count - 1].end = index + 1 } else { types.append((entry.type, index + 1)) }
        }
        sink.reserve(8 + types.count * ArchiveDirectory.typeSize + ArchiveDirectory.size(ofEntries: count))
        sink.append(0, size: 4)
        sink.append(UInt64(types.count), size: 4)
        for (type, end) in types {
            sink.append(UInt64(type), size: 4)
            sink.append(UInt64(end), size: 5)
        }
        sink.seal(at: start)
        for first in stride(from: 0, to: count, by: ArchiveDirectory.entriesPerPage) {
            let page = sink.offset
            sink.append(0, size: 4)
            for entry in entries[first..<min(count, first + ArchiveDirectory.entriesPerPage)] {
                sink.append(UInt64(entry.entry.hash), size: 4)
                sink.append(UInt64(entry.entry.offset), size: 5)
                sink.append(UInt64(entry.entry.place), size: 5)
            }
            sink.seal(at: page)
        }
    }
}

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

    init(_ new: [StoredIdentity: CommitBuilder.Entry], _ typeNumbers: [ByteText: Int], _ image: ArchiveImage?) {
        self.image = image
        var numbered: [(type: Int, hash: UInt32, key: StoredIdentity, entry: CommitBuilder.Entry)] = []
        numbered.reserveCapacity(new.count)
        for (key, entry) in new { numbered.append((typeNumbers[ByteText(key.type)] ?? 0, key.directoryHash, key, entry)) }
        numbered.sort { a, b in
            if a.type != b.type { return a.type < b.type }
            return a.hash == b.hash ? Self.precedes(a.key, b.key) : a.hash < b.hash
        }
        entries = numbered.map {
            Entry(type: $0.type, entry: .init(hash: $0.hash, offset: $0.entry.offset, place: $0.entry.kind.isRemoval ? 0 : $0.entry.place))
        }
        guard image != nil else { return }
        for item in numbered { keys[item.entry.offset] = item.key }
    }

    /// Creates a merge from entries that are in order.
    init(ordered entries: [Entry]) {
        self.entries = entries
        image = nil
    }

    /// Returns whether `a` comes before `b`. Both have the same type and hash.
    static func precedes(_ a: StoredIdentity, _ b: StoredIdentity) -> Bool {
        a.isLocal == b.isLocal ? UTF8Bytes.isLess(a.name, b.name) : b.isLocal
    }

    /// Adds an older directory. If both contain an entry for the same resource, the newer one is kept.
    ///
    /// - Complexity: O(n), n = number of entries of both. Records are only read if hashes are equal.
    mutating func add(_ directory: ArchiveDirectory) throws(ArchiveError) {
        guard let image else { return }
        var merged: [Entry] = []
        merged.reserveCapacity(entries.count + directory.count)
        var new = 0
        for (type, range) in directory.entriesByType {
            guard let type else { continue }
            for index in range {
                let older = Entry(type: type, entry: try directory.entry(index, image.bytes))
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

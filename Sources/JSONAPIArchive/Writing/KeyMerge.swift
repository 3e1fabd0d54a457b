import JSONText

/// The entries of a new section of keys, sorted by name. They come from a commit, and from the older sections that it replaces.
struct KeyMerge {
    private(set) var entries: [(name: [UInt8], entry: KeyDirectory.Entry)]

    var count: Int { entries.count }
    /// The number of bytes of all names.
    var size: Int { entries.reduce(0) { $0 + $1.name.count } }

    init(_ new: [ByteText: KeyDirectory.Entry]) {
        entries = new.map { (Array($0.key.text.utf8), $0.value) }
        entries.sort { Self.precedes($0.name, $1.name) }
    }

    /// Adds an older section. If both contain an entry for the same root, the newer one is kept. Removals are dropped if `isOldest` is
    /// true.
    mutating func add(_ directory: KeyDirectory, _ bytes: ArchiveBytes, isOldest: Bool) {
        var merged: [(name: [UInt8], entry: KeyDirectory.Entry)] = []
        merged.reserveCapacity(entries.count + directory.count)
        func keep(_ name: [UInt8], _ entry: KeyDirectory.Entry) {
            if !isOldest || !entry.isRemoved { merged.append((name, entry)) }
        }
        var new = 0
        for old in 0..<directory.count {
            let name = bytes.array(directory.name(old, bytes))
            while new < entries.count, Self.precedes(entries[new].name, name) {
                keep(entries[new].name, entries[new].entry)
                new += 1
            }
            if new < entries.count, entries[new].name == name {
                keep(name, entries[new].entry)
                new += 1
            } else {
                keep(name, directory.entry(old, bytes))
            }
        }
        for (name, entry) in entries[new...] { keep(name, entry) }
        entries = merged
    }

    private static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.span.precedes(b.span) }

    /// Appends the bytes of the section.
    func append(to sink: inout ByteSink) {
        sink.append(UInt64(entries.count), size: 4)
        var end = 0
        for (name, entry) in entries {
            end += name.count
            sink.append(UInt64(end), size: 4)
            sink.append(UInt64(entry.offset), size: 5)
            sink.append(UInt64(entry.place), size: 5)
        }
        for (name, _) in entries { sink.append(name) }
    }
}

// The list of all resources. A resource that was changed has entries in several directories, and the one in the newest directory counts.

extension ArchiveImage {
    private typealias Entry = (entry: ArchiveDirectory.Entry, age: Int)
    private typealias Listed = (record: ArchiveRecord, place: Int)

    /// Returns the records of all resources, or of those of one type, in the order of their positions.
    ///
    /// If `isChecked` is false, only the keys of the records are known to be correct, and the texts are not read. Only the keys of replaced
    /// records are read. A replaced record may be damaged.
    ///
    /// - Complexity: O(n log n), n = number of entries of the directories, or of the type. Each record is read and checked once.
    func records(ofType type: Int? = nil, isChecked: Bool = true) throws(ArchiveError) -> [ArchiveRecord] {
        let entries = try entries(ofType: type)
        let newest = directories.count > 1 ? Self.newestAges(entries) : [:]
        var found: [Listed] = []
        found.reserveCapacity(entries.count)
        // The resources that were found and can have older entries.
        var known: Set<StoredIdentity> = []
        var older: [(key: StoredIdentity, entry: Entry)] = []
        var end = 0
        for entry in entries {
            let offset = entry.entry.offset
            // Overlapping records could make reading quadratic.
            guard offset >= end else { throw Self.overlap(offset) }
            let age = newest[entry.entry.hash]
            if let age, age < entry.age {
                guard let record = try? resourceRecord(at: offset, isChecked: false) else { continue }
                end = record.key.upperBound
                if directoryHash(of: record) == entry.entry.hash { older.append((key(of: record), entry)) }
            } else if let item = try listed(entry, type, isChecked: isChecked) {
                end = item.record.range.upperBound
                if age != nil { known.insert(key(of: item.record)) }
                found.append(item)
            }
        }
        // Different resources can have equal hashes.
        older.sort { $0.entry.age < $1.entry.age }
        found += try listed(older.filter { known.insert($0.key).inserted }.map(\.entry), type, isChecked: isChecked)
        found.removeAll { $0.place == 0 }
        found.sort { $0.place < $1.place }
        return found.map(\.record)
    }

    /// Returns the entries of all directories by offset. The newest directory has the age 0.
    private func entries(ofType type: Int?) throws(ArchiveError) -> [Entry] {
        var entries: [Entry] = []
        for (age, directory) in directories.enumerated() {
            for index in directory.range(ofType: type) { entries.append((try directory.entry(index, bytes), age)) }
        }
        entries.sort { $0.entry.offset < $1.entry.offset }
        return entries
    }

    /// Returns the age of the newest entry with each hash that occurs several times.
    private static func newestAges(_ entries: [Entry]) -> [UInt32: Int] {
        let sorted = entries.map { (hash: $0.entry.hash, age: $0.age) }.sorted { ($0.hash, $0.age) < ($1.hash, $1.age) }
        var ages: [UInt32: Int] = [:]
        for (one, next) in zip(sorted, sorted.dropFirst()) where one.hash == next.hash && ages[one.hash] == nil { ages[one.hash] = one.age }
        return ages
    }

    private func listed(_ entries: [Entry], _ type: Int?, isChecked: Bool) throws(ArchiveError) -> [Listed] {
        var found: [Listed] = []
        var end = 0
        for entry in entries.sorted(by: { $0.entry.offset < $1.entry.offset }) {
            guard entry.entry.offset >= end else { throw Self.overlap(entry.entry.offset) }
            guard let item = try listed(entry, type, isChecked: isChecked) else { continue }
            end = item.record.range.upperBound
            found.append(item)
        }
        return found
    }

    /// Returns the record and the position of an entry. The position is 0 if it was removed. Returns nil for an entry of another type.
    private func listed(
        _ item: Entry, _ type: Int?, isChecked: Bool
    ) throws(ArchiveError) -> Listed? {
        let entry = item.entry
        let hasPages = directories[item.age].hasPages
        let record = try resourceRecord(at: entry.offset, isChecked: isChecked || !hasPages)
        guard isChecked || directoryHash(of: record) == entry.hash else { throw Self.otherKey(entry.offset) }
        if let type, record.type != type {
            guard !hasPages else { throw Self.otherKey(entry.offset) }
            return nil
        }
        if hasPages, !isChecked { return (record, entry.place) }
        guard !hasPages || record.kind.isRemoval == entry.isRemoved else { throw Self.otherKey(entry.offset) }
        return (record, record.kind.isRemoval ? 0 : entry.place)
    }
}

// The list of all resources. A resource that was changed has entries in several directories, and the one in the newest directory counts.

extension ArchiveImage {
    /// The number of resources.
    package var count: Int { footer.resourceCount }

    /// Returns the records of all resources, or of those of one type, in the order of their positions.
    ///
    /// If `isChecked` is false, only the keys of the records are known to be correct, and the texts are not read. Only the keys of replaced
    /// records are read. A replaced record may be damaged.
    ///
    /// - Complexity: O(n log n), n = number of entries of the directories, or of the type. Each record is read and checked once.
    func records(ofType type: Int? = nil, isChecked: Bool = true) throws(ArchiveError) -> [ArchiveRecord] {
        let entries = try newestEntries(ofType: type).filter { !$0.entry.isRemoved }
        try checkOverlaps(entries) { $0.range }
        var found: [ArchiveRecord] = []
        found.reserveCapacity(entries.count)
        for item in entries {
            let record = try resourceRecord(at: item.entry.offset, isChecked: isChecked)
            guard record.type == item.type, directoryHash(of: record) == item.entry.hash, !record.kind.isRemoval else {
                throw Self.otherKey(item.entry.offset)
            }
            found.append(record)
        }
        return found
    }

    /// Calls `body` with each resource, in the order of their positions. Their texts are not read.
    package func forEachIdentity(_ body: (StoredIdentity) throws -> Void) throws {
        for record in try records(isChecked: false) { try body(key(of: record)) }
    }

    /// Returns the newest entry of each resource, or of each one of a type, in the order of their positions. Removed resources come first.
    /// Only the keys of replaced records are read.
    func newestEntries(ofType type: Int? = nil) throws(ArchiveError) -> [DirectoryMerge.Entry] {
        let lists = try entries(ofType: type)
        // A replaced record may be damaged, and only its key is read.
        try checkOverlaps(lists.joined()) { $0.key }
        return try newest(of: lists, ofType: type)
    }

    /// Returns the same for an archive with damaged records, and the bounds of all records. If the key of a record overlaps the next record,
    /// the key is damaged, and is not read.
    ///
    /// Throws as `newestEntries` does for a file of version 1 or 2, because its directories do not tell the types of damaged records.
    func newestEntriesDespiteDamage() throws(ArchiveError) -> (entries: [DirectoryMerge.Entry], bounds: RecordBounds) {
        let lists = try entries(ofType: nil)
        let offsets = lists.joined().map(\.entry.offset)
        let bounds = RecordBounds(offsets)
        guard directories.allSatisfy(\.hasPages) else { return (try newestEntries(), bounds) }
        let damaged = offsets.filter { offset in
            (try? record(at: offset, isChecked: false)).map { !bounds.hasRoom(forKeyOf: $0) } ?? true
        }
        return (try newest(of: lists, ofType: nil, damaged: damaged), bounds)
    }

    /// Returns the entries of each directory.
    private func entries(ofType type: Int?) throws(ArchiveError) -> [[DirectoryMerge.Entry]] {
        var lists: [[DirectoryMerge.Entry]] = []
        for directory in directories { lists.append(try directory.entries(ofType: type, bytes)) }
        return lists
    }

    private func newest(
        of lists: [[DirectoryMerge.Entry]], ofType type: Int?, damaged: [Int] = []
    ) throws(ArchiveError) -> [DirectoryMerge.Entry] {
        var merge = DirectoryMerge([], self, damaged: damaged)
        for (directory, entries) in zip(directories, lists) {
            merge.add(directory.hasPages ? entries : try ordered(entries, ofType: type, after: merge.entries))
        }
        return merge.entries.sorted { $0.entry.place < $1.entry.place }
    }

    /// Throws if the parts of records that will be read overlap, because reading them all could then take quadratic time. Records without a
    /// sound beginning are left out.
    private func checkOverlaps(
        _ entries: some Sequence<DirectoryMerge.Entry>, _ part: (ArchiveRecord) -> Range<Int>
    ) throws(ArchiveError) {
        var end = 0
        for offset in entries.map(\.entry.offset).sorted() {
            guard offset >= end else { throw Self.overlap(offset) }
            if let record = try? record(at: offset, isChecked: false) { end = part(record).upperBound }
        }
    }

    /// Returns the entries of a directory of version 1 or 2, with their types and removals from the records, and in the order of later
    /// versions. A damaged record must have been replaced by one of the newer entries.
    private func ordered(
        _ entries: [DirectoryMerge.Entry], ofType type: Int?, after newer: [DirectoryMerge.Entry]
    ) throws(ArchiveError) -> [DirectoryMerge.Entry] {
        let replaced = Set(newer.map(\.entry.hash))
        var found: [(key: StoredIdentity, entry: DirectoryMerge.Entry)] = []
        for entry in entries.map(\.entry) {
            let record: ArchiveRecord
            do throws(ArchiveError) { record = try resourceRecord(at: entry.offset) } catch {
                if replaced.contains(entry.hash) { continue }
                throw error
            }
            if let type, record.type != type { continue }
            let place = record.kind.isRemoval ? 0 : entry.place
            found.append((key(of: record), .init(type: record.type, entry: .init(hash: entry.hash, offset: entry.offset, place: place))))
        }
        return DirectoryMerge.ordered(found)
    }
}

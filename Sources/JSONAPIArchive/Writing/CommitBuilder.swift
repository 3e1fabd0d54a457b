import JSONAPICodec
import JSONText

/// Collects the records of a commit and determines their layout.
///
/// Without a base, the result is a whole archive. With a base, it contains only the changes. A resource whose text did not change is not
/// written. A resource or root whose record is damaged can be replaced and removed like any other.
struct CommitBuilder: Sendable {
    let base: ArchiveImage?
    private(set) var sink: ByteSink
    private var types: [String]
    private var typeNumbers: [ByteText: Int]
    private var entries: [StoredIdentity: Entry] = [:]
    /// The changes of roots. Nil for a removal.
    private var roots: [ByteText: Entry?] = [:]
    private var resourceCount: Int
    /// The number of resources of each type after the commit. Nil if the base does not store it.
    private var counts: [Int]?
    private var usedBytes: Int
    /// The end of the records that were copied from another archive. They can be replaced without a conflict.
    var copiedEnd = 0
    /// The resources that were put with the text that the base or the copied archive has. Another text is a conflict from then on.
    private var confirmed: Set<StoredIdentity> = []

    /// The newest record of a resource or a root in this commit.
    struct Entry: Sendable {
        let offset: Int
        let type: Int
        let kind: RecordKind
        let size: Int
        /// The range of its text in the sink.
        let text: Range<Int>
        /// The position of its resource in lists, or of its root among the keys.
        let place: Int
    }

    init(base: ArchiveImage?, header: ArchiveHeader) {
        self.base = base
        sink = ByteSink(base: base?.head.end ?? header.size, header: header)
        sink.append([UInt8](repeating: 0, count: ArchiveFormat.headSize))
        types = base?.types ?? []
        typeNumbers = Dictionary(types.enumerated().map { (ByteText($1), $0) }) { first, _ in first }
        resourceCount = base?.footer.resourceCount ?? 0
        usedBytes = base?.footer.usedBytes ?? 0
        counts = if let base { base.counts } else { [] }
    }

    /// Whether there is anything to write.
    var isEmpty: Bool { entries.isEmpty && roots.isEmpty }

    mutating func reserve(_ count: Int) { sink.reserve(count) }
}

// MARK: - Resources

extension CommitBuilder {
    /// Determines what `put` does if this commit already contains another text for the resource.
    enum Conflict { case replace, keepFirst }

    /// Adds a resource with the compact text of its resource object.
    ///
    /// - Parameter place: the position in lists of a resource that the archive does not have. It is at most the offset of the record, so that
    ///   records which are written later come after it. Nil for the offset.
    mutating func put(_ key: StoredIdentity, _ text: Span<UInt8>, _ conflict: Conflict, at place: Int? = nil) throws(ArchiveError) {
        let (kind, start) = Self.abridged(text, key)
        let rest = text.extracting(start...)
        var replaced: (size: Int, place: Int)?
        let earlier = entries[key]
        if conflict == .keepFirst, isGiven(key, earlier) { return }
        if let earlier {
            if earlier.kind == kind, sink.equals(earlier.text, rest) { return confirm(key, earlier) }
            if !earlier.kind.isRemoval { replaced = (earlier.size, earlier.place) }
        } else if let base, let found = try base.find(key, isChecked: false) {
            if base.has(kind, rest, in: found) { return confirm(key, nil) }
            replaced = (found.size, found.place)
        }
        let type = try typeNumber(key.type)
        let end = sink.offset
        let entry = try append(kind, type: type, key.name, rest, place: replaced?.place ?? min(max(place ?? end, 1), end))
        entries[key] = entry
        if replaced == nil { count(type, 1) }
        usedBytes += entry.size - (replaced?.size ?? 0)
    }

    /// Throws what putting the resources and a root would throw, so that a call that throws has changed nothing.
    func check(_ gathered: Gathering, rootSize: Int) throws {
        var size = rootSize + 64
        try gathered.forEach { key, text in
            // The name of its type may have to be written, too.
            size += ByteSink.size(ofRecord: .wholeID, type: types.count, key.name, text.count) + key.type.utf8.count + 32
            if let base, entries[key] == nil { _ = try base.find(key, isChecked: false) }
        }
        guard sink.offset < ArchiveFormat.maximumSize - size - 1 << 16 else { throw ArchiveFormat.tooLarge }
    }

    /// Throws `conflict` if another value of the resource was put into this commit. Values are equal with members in any order.
    func checkConflict(_ key: StoredIdentity, _ text: Span<UInt8>) throws(ArchiveError) {
        guard isGiven(key, entries[key]), let known = try self.text(of: key), !known.span.equals(text) else { return }
        var bytes: [UInt8] = []
        bytes.append(copying: text)
        guard let first = try? JSON(parsing: known, options: .unlimited), first == (try? JSON(parsing: bytes, options: .unlimited)) else {
            throw Self.conflict(key)
        }
    }

    /// Returns whether the resource was put into this commit. What was copied from another archive was not.
    private func isGiven(_ key: StoredIdentity, _ entry: Entry?) -> Bool {
        if let entry, !entry.kind.isRemoval, entry.offset >= copiedEnd { return true }
        return confirmed.contains(key)
    }

    private mutating func confirm(_ key: StoredIdentity, _ entry: Entry?) {
        if entry.map({ $0.offset < copiedEnd }) ?? true { confirmed.insert(key) }
    }

    /// Returns the text of a resource after this commit, or nil if there is no such resource.
    private func text(of key: StoredIdentity) throws(ArchiveError) -> [UInt8]? {
        guard let entry = entries[key] else {
            guard let base, let record = try base.record(key) else { return nil }
            return base.text(of: record)
        }
        if entry.kind.isRemoval { return nil }
        let beginning = entry.kind.isAbridged ? #"{"type":"\#(key.type)","\#(key.isLocal ? "lid" : "id")":"\#(key.name)""# : ""
        return Array(beginning.utf8) + sink.bytes[entry.text.lowerBound - sink.base..<entry.text.upperBound - sink.base]
    }

    /// Removes a resource. Does nothing if there is none.
    ///
    /// A resource that only this commit contains gets a record of its removal too. Its own record stays in the file, and salvage would find
    /// it there.
    mutating func remove(_ key: StoredIdentity) throws(ArchiveError) {
        guard let present = try size(of: key) else { return }
        let type = try typeNumber(key.type)
        let isInBase = try base?.has(key) == true
        let nothing: [UInt8] = []
        let removal = try append(key.isLocal ? .removedLID : .removedID, type: type, key.name, nothing.span)
        entries[key] = isInBase ? removal : nil
        confirmed.remove(key)
        count(type, -1)
        usedBytes -= present
    }

    private mutating func count(_ type: Int, _ difference: Int) {
        resourceCount += difference
        counts?[type] += difference
    }

    /// Returns the number of bytes of the resource's current record, or nil if there is no such resource.
    private func size(of key: StoredIdentity) throws(ArchiveError) -> Int? {
        if let entry = entries[key] { return entry.kind.isRemoval ? nil : entry.size }
        return try base?.find(key, isChecked: false)?.size
    }

    /// Returns the offset of a record of the resource.
    private func offset(of key: StoredIdentity) throws(ArchiveError) -> Int? {
        if let entry = entries[key] { return entry.kind.isRemoval ? nil : entry.offset }
        return try base?.record(key)?.range.lowerBound
    }

    /// Returns the number of a type. The name of a new type is written before its first record.
    private mutating func typeNumber(_ type: String) throws(ArchiveError) -> Int {
        let name = ByteText(type)
        if let number = typeNumbers[name] { return number }
        let nothing: [UInt8] = []
        _ = try append(.typeName, type: types.count, type, nothing.span)
        typeNumbers[name] = types.count
        types.append(type)
        counts?.append(0)
        return types.count - 1
    }

    /// Returns the kind of the record, and the start of the text that is stored. The part that the key determines is left out.
    private static func abridged(_ text: Span<UInt8>, _ key: StoredIdentity) -> (RecordKind, start: Int) {
        var position = 0
        let isAbridged =
            text.skips(#"{"type":""#, at: &position) && text.skips(key.type, at: &position)
            && text.skips(key.isLocal ? #"","lid":""# : #"","id":""#, at: &position) && text.skips(key.name, at: &position)
            && text.skips("\"", at: &position)
        guard isAbridged else { return (key.isLocal ? .wholeLID : .wholeID, 0) }
        return (key.isLocal ? .lid : .id, position)
    }

    private static func conflict(_ key: StoredIdentity) -> ArchiveError {
        ArchiveError(
            .conflict, "two values differ for the one resource \(key.identifier)",
            advice: "encode one of them, or set conflictingResources of the encoder to .keepFirst")
    }
}

// MARK: - Roots

extension CommitBuilder {
    /// Stores a plain value under a name.
    mutating func putRoot(_ name: String, value text: Span<UInt8>) throws(ArchiveError) {
        if let root = roots[ByteText(name)] {
            if let root, root.kind == .value, sink.equals(root.text, text) { return }
        } else if let base, let record = base.soundRoot(name), record.kind == .value, base.bytes.equals(record.text, text) {
            return
        }
        try setRoot(name, .value, text)
    }

    /// Lets a name refer to resources of the archive.
    mutating func putRoot(_ name: String, _ keys: [StoredIdentity], isMany: Bool) throws(ArchiveError) {
        let kind: RecordKind = isMany ? .many : .one
        if roots[ByteText(name)] == nil, let base, let record = base.soundRoot(name), record.kind == kind,
            (try? base.keys(of: record)) == keys
        {
            return
        }
        var offsets: [Int] = []
        for key in keys { if let offset = try offset(of: key) { offsets.append(offset) } }
        var references = ByteSink(base: 0, header: sink.header)
        references.append(references: offsets)
        try setRoot(name, kind, references.bytes.span)
    }

    /// Removes a name. The resources stay.
    mutating func removeRoot(_ name: String) throws(ArchiveError) {
        guard let present = presentRoot(name) else { return }
        usedBytes -= present.size
        roots[ByteText(name)] = base?.rootEntry(name) == nil ? nil : .some(nil)
    }

    /// Returns the size of the current record of a root, and the position of the root.
    private func presentRoot(_ name: String) -> (size: Int, place: Int)? {
        if let root = roots[ByteText(name)] { return root.map { ($0.size, $0.place) } }
        guard let base, let entry = base.rootEntry(name) else { return nil }
        return (base.size(ofRecordAt: entry.offset), entry.place)
    }

    private mutating func setRoot(_ name: String, _ kind: RecordKind, _ text: Span<UInt8>) throws(ArchiveError) {
        let present = presentRoot(name)
        // Offsets only increase, so a new root comes after all others.
        let record = try append(kind, type: 0, name, text, place: present?.place)
        usedBytes += record.size - (present?.size ?? 0)
        roots[ByteText(name)] = record
    }
}

// MARK: - Layout

extension CommitBuilder {
    private mutating func append(
        _ kind: RecordKind, type: Int, _ key: String, _ text: Span<UInt8>, place: Int? = nil
    ) throws(ArchiveError) -> Entry {
        let start = sink.offset
        guard start < ArchiveFormat.maximumSize - ByteSink.length(ofRecord: kind, type: type, key, text.count) - 1 << 16 else {
            throw ArchiveFormat.tooLarge
        }
        sink.appendRecord(kind, type: type, key, text)
        let end = sink.offset
        return Entry(offset: start, type: type, kind: kind, size: end - start, text: end - text.count..<end, place: place ?? start)
    }

    /// Returns the commit. It begins at the end of the base or, without a base, after the header.
    consuming func finish(modelVersion: UInt32) throws(ArchiveError) -> (bytes: [UInt8], head: CommitHead) {
        var sections = keptSections()
        let earlier = base?.footer
        // Every commit with resources has the names of all types, because salvage needs them if another copy is damaged.
        if entries.isEmpty, types.count == base?.types.count ?? 0 {
            if let section = earlier?.section(ArchiveFormat.typesSection) { sections.append(section) }
        } else {
            let types = types
            sections.append(sink.appendSection(ArchiveFormat.typesSection) { $0.append(types: types) })
        }
        sections += try appendKeys()
        sections += try appendDirectory()
        if let counts = appendCounts() { sections.append(counts) }
        try check(sections)
        let start = sink.base
        let footer = ArchiveFooter(
            modelVersion: modelVersion, number: (earlier?.number ?? 0) + 1,
            // Wrong numbers in a malicious footer can make these negative.
            resourceCount: max(0, resourceCount), usedBytes: max(0, usedBytes), sections: sections)
        let place = sink.append(footer)
        var head = CommitHead(number: footer.number, footer: place, end: sink.offset)
        if sink.header.hasPages { head.content = sink.checksum(from: start + ArchiveFormat.headSize) }
        sink.replace(at: start, with: head.bytes(at: start, sink.header))
        return (sink.bytes, head)
    }

    /// Checks that a reader will accept the commit.
    private func check(_ sections: [ArchiveSection]) throws(ArchiveError) {
        guard sections.count <= ArchiveFormat.maximumSections else {
            throw ArchiveFormat.tooMany("sections", ArchiveFormat.maximumSections)
        }
        guard base?.footer.number ?? 0 < ArchiveFormat.maximumNumber else {
            throw ArchiveFormat.tooMany("commits", ArchiveFormat.maximumNumber)
        }
    }

    /// Returns the sections that this library does not know, but that stay correct after any change.
    private func keptSections() -> [ArchiveSection] {
        let both = ArchiveFormat.skippable | ArchiveFormat.copyable
        return base?.footer.sections.filter { $0.kind & both == both } ?? []
    }

    /// Appends the keys of the new state. Sections are merged in the same way as directories. Keys of version 1 are converted with the
    /// first change.
    private mutating func appendKeys() throws(ArchiveError) -> [ArchiveSection] {
        guard !roots.isEmpty else {
            let earlier = base?.footer
            return (earlier?.sections(ArchiveFormat.keysSection) ?? []) + (earlier?.sections(ArchiveFormat.rootsSection) ?? [])
        }
        var entries = base?.oldRoots ?? [:]
        let removed = KeyDirectory.Entry(offset: 0, place: 0)
        for (name, root) in roots { entries[name] = root.map { .init(offset: $0.offset, place: $0.place) } ?? removed }
        var merge = KeyMerge(entries)
        var older = base?.keyDirectories ?? []
        while let base, let next = older.first, next.count <= 2 * merge.count || older.count >= ArchiveFormat.maximumSectionsOfKind {
            older.removeFirst()
            merge.add(next, base.bytes, isOldest: older.isEmpty)
        }
        guard UInt64(merge.size) <= UInt64(UInt32.max) else { throw ArchiveFormat.tooLarge }
        return [sink.appendSection(ArchiveFormat.keysSection) { merge.append(to: &$0) }] + older.map(\.section)
    }

    /// Appends the directory of the new state, merged with older directories that are at most twice as large. There are therefore only a
    /// few directories at any time, and each entry is copied only a few times.
    private mutating func appendDirectory() throws(ArchiveError) -> [ArchiveSection] {
        var older = base?.directories ?? []
        guard !entries.isEmpty else { return older.map(\.section) }
        let new = entries.map { key, entry in
            let place = entry.kind.isRemoval ? 0 : entry.place
            let listed = ArchiveDirectory.Entry(hash: key.directoryHash, offset: entry.offset, place: place)
            return (key: key, entry: DirectoryMerge.Entry(type: entry.type, entry: listed))
        }
        var merge = DirectoryMerge(new, base)
        // Directories of versions 1 and 2 come last. They do not change.
        while let base, let next = older.first, next.hasPages,
            next.count <= 2 * merge.count || older.count >= ArchiveFormat.maximumSectionsOfKind
        {
            merge.add(try next.entries(ofType: nil, base.bytes))
            older.removeFirst()
        }
        if older.isEmpty { merge.dropRemovals() }
        guard merge.count > 0 || !older.isEmpty else { return [] }
        return [sink.appendSection(ArchiveFormat.pagesSection) { merge.append(to: &$0) }] + older.map(\.section)
    }

    private mutating func appendCounts() -> ArchiveSection? {
        guard let counts, !counts.isEmpty else { return nil }
        if entries.isEmpty, types.count == base?.types.count { return base?.footer.section(ArchiveFormat.countsSection) }
        return sink.appendSection(ArchiveFormat.countsSection) { $0.append(counts: counts) }
    }
}

extension ByteSink {
    fileprivate func equals(_ range: Range<Int>, _ other: Span<UInt8>) -> Bool {
        bytes.span.extracting(range.lowerBound - base..<range.upperBound - base).equals(other)
    }
}

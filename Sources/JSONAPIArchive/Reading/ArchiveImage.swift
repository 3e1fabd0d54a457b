import JSONText

/// A state of an archive: its header, newest commit, types, keys and directories. Records are read when they are requested.
package final class ArchiveImage: Sendable {
    let bytes: ArchiveBytes
    let header: ArchiveHeader
    let head: CommitHead
    let footer: ArchiveFooter
    /// Harmless problems, which `verify` reports.
    let notes: [ArchiveError]
    /// The headers as they were when the file was opened. A writer checks that they have not changed.
    let start: [UInt8]
    /// The file that is mapped; nil for an archive in memory.
    let file: FileStatus?
    /// The indexes of the slots that a writer must repair.
    let damagedSlots: [Int]
    /// The bytes of commits that are whole, but have no slot. They may be missing on the disk.
    let unconfirmed: Range<Int>
    package let types: [String]
    let directories: [ArchiveDirectory]
    let keyDirectories: [KeyDirectory]
    /// The roots of a file of version 1.
    let oldRoots: [ByteText: KeyDirectory.Entry]
    /// The number of resources of each type, by type number. Nil if the file does not store it.
    let counts: [Int]?
    private let typeNumbers: [ByteText: Int]
    /// The identities of types that were listed before, by type number.
    let lists = Locked<[Int: [StoredIdentity]]>([:])
    /// The result of the last search for lids in this state or in an earlier one; nil if there was none.
    let localReferences: Locked<LocalReferences?>

    /// Reads and checks everything except records and the pages of directories.
    ///
    /// `start` contains the headers as they were before the size of the file was read. Another process can have written since then, so newer
    /// slots can refer to bytes that are not in `bytes`. `tail` reads bytes that another process can cut off; nil if nobody can. Sections
    /// that are also in `earlier`, a state of the same file, are not checked again.
    ///
    /// - Complexity: O(n), n = number of bytes of the new sections, and of the commits after those to which the slots refer.
    init(
        _ bytes: ArchiveBytes, start: [UInt8]? = nil, tail: ArchiveTail? = nil, since earlier: ArchiveImage? = nil,
        file: FileStatus? = nil
    ) throws(ArchiveError) {
        self.bytes = bytes
        self.file = file
        let headerBytes = ArchiveBytes(start ?? bytes.array(0..<min(bytes.count, ArchiveFormat.headerSize)))
        header = try ArchiveHeader(headerBytes)
        self.start = headerBytes.array(0..<header.size)
        let state = try CommitSearch(bytes, headerBytes, header, tail ?? ArchiveTail(of: bytes))
        (head, footer, notes, damagedSlots) = (state.head, state.footer, state.notes, state.damagedSlots)
        unconfirmed = state.confirmedEnd..<state.head.end
        let earlier = earlier?.header == header ? earlier : nil
        let known = Set(earlier?.footer.sections ?? [])
        localReferences = Locked(earlier?.localReferences.withLock { $0 })
        for section in footer.sections where !known.contains(section) { try Self.check(section, bytes, header) }
        types = try Self.types(footer, bytes)
        oldRoots = try Self.oldRoots(footer, bytes)
        directories = try Self.directories(footer, bytes, header, earlier?.directories ?? [])
        keyDirectories = try Self.keyDirectories(footer, bytes, known)
        typeNumbers = try Self.numbers(types)
        counts = try Self.counts(footer, bytes, types.count)
    }

    private static func check(_ section: ArchiveSection, _ bytes: ArchiveBytes, _ header: ArchiveHeader) throws(ArchiveError) {
        let name: ArchiveError.Section
        switch section.kind {
        case ArchiveFormat.typesSection: name = .types
        case ArchiveFormat.rootsSection, ArchiveFormat.keysSection: name = .roots
        case ArchiveFormat.directorySection, ArchiveFormat.countsSection: name = .directory
        // Each page has its own checksum, which is checked when the page is used.
        case ArchiveFormat.pagesSection: return
        default:
            guard section.kind & ArchiveFormat.skippable == 0 else { return }
            throw ArchiveError(
                .unsupportedFeature, "the archive has a section of kind \(section.kind), which this library does not know",
                advice: "update the program", section: .footer, offset: section.offset)
        }
        guard section.isSound(bytes, header) else {
            throw ArchiveError(.corrupt, "the checksum of a section does not match", section: name, offset: section.offset)
        }
    }

    static func types(_ footer: ArchiveFooter, _ bytes: ArchiveBytes) throws(ArchiveError) -> [String] {
        guard let section = footer.section(ArchiveFormat.typesSection) else { return [] }
        var names: [String] = []
        var position = section.offset
        while position < section.end { names.append(try name(&position, section, bytes, .types)) }
        return names
    }

    private static func directories(
        _ footer: ArchiveFooter, _ bytes: ArchiveBytes, _ header: ArchiveHeader, _ known: [ArchiveDirectory]
    ) throws(ArchiveError) -> [ArchiveDirectory] {
        var directories: [ArchiveDirectory] = []
        for section in footer.directorySections {
            let same = known.first { $0.section == section }
            if let same { directories.append(same) } else { directories.append(try ArchiveDirectory(section, bytes, header)) }
        }
        return directories
    }

    private static func counts(_ footer: ArchiveFooter, _ bytes: ArchiveBytes, _ typeCount: Int) throws(ArchiveError) -> [Int]? {
        guard footer.section(ArchiveFormat.directorySection) == nil else { return nil }
        guard let section = footer.section(ArchiveFormat.countsSection) else {
            return footer.section(ArchiveFormat.pagesSection) == nil ? Array(repeating: 0, count: typeCount) : nil
        }
        guard section.length == 5 * typeCount else { throw malformed(section, .directory) }
        let counts = (0..<typeCount).map { bytes.offset(at: section.offset + 5 * $0, size: 5) }
        // Each resource has a record, so a greater count is wrong. A writer could not add to the greatest ones on a 32-bit system.
        guard counts.allSatisfy({ $0 <= bytes.count }) else { throw malformed(section, .directory) }
        return counts
    }

    private static func keyDirectories(
        _ footer: ArchiveFooter, _ bytes: ArchiveBytes, _ known: Set<ArchiveSection>
    ) throws(ArchiveError) -> [KeyDirectory] {
        var directories: [KeyDirectory] = []
        for section in footer.sections(ArchiveFormat.keysSection) {
            directories.append(try KeyDirectory(section, bytes, isChecked: !known.contains(section)))
        }
        return directories
    }

    static func name(
        _ position: inout Int, _ section: ArchiveSection, _ bytes: ArchiveBytes, _ kind: ArchiveError.Section
    ) throws(ArchiveError) -> String {
        guard let count = bytes.varint(&position, end: section.end), count <= section.end - position else {
            throw malformed(section, kind)
        }
        defer { position += count }
        return bytes.text(position..<position + count)
    }

    private static func numbers(_ names: [String]) throws(ArchiveError) -> [ByteText: Int] {
        var numbers: [ByteText: Int] = [:]
        for (number, name) in names.enumerated() {
            guard numbers.updateValue(number, forKey: ByteText(name)) == nil else {
                throw ArchiveError(.malformed, "a name occurs twice", section: .types)
            }
        }
        return numbers
    }

    static func malformed(_ section: ArchiveSection, _ kind: ArchiveError.Section) -> ArchiveError {
        ArchiveError(.malformed, "a section contradicts itself", section: kind, offset: section.offset)
    }
}

// MARK: - Records

extension ArchiveImage {
    func typeNumber(_ type: String) -> Int? { typeNumbers[ByteText(type)] }

    func record(at offset: Int, isChecked: Bool = true) throws(ArchiveError) -> ArchiveRecord {
        try ArchiveRecord(bytes, at: offset, end: head.footer, header, isChecked: isChecked)
    }

    /// Returns the record at an offset, which must be the record of a resource.
    func resourceRecord(at offset: Int, isChecked: Bool = true) throws(ArchiveError) -> ArchiveRecord {
        let record = try record(at: offset, isChecked: isChecked)
        guard record.kind.isResource, record.type < types.count else {
            throw ArchiveError(.malformed, "a record that should be a resource is none", section: .record, offset: offset)
        }
        return record
    }

    /// Returns the record and the position of a resource, or nil if the archive does not contain it.
    ///
    /// If `isChecked` is false, a damaged record is no error, and only its key is known to be correct.
    ///
    /// - Complexity: O(d log n), d = number of directories, which is small, n = number of resources.
    func find(_ key: StoredIdentity, isChecked: Bool = true) throws(ArchiveError) -> ArchiveDirectory.Found? {
        guard let type = typeNumber(key.type) else { return nil }
        let hash = key.directoryHash
        for directory in directories {
            // The newest record counts, even if it is a removal.
            if let found = try directory.find(hash, type, key, self, isChecked: isChecked) { return found.place == 0 ? nil : found }
        }
        return nil
    }

    /// Returns whether the record of a resource is of this kind and has this text. Returns false if it is damaged.
    func has(_ kind: RecordKind, _ text: Span<UInt8>, in found: ArchiveDirectory.Found) -> Bool {
        guard found.record?.kind == kind, let record = try? record(at: found.offset) else { return false }
        return bytes.equals(record.text, text)
    }

    /// Returns the number of bytes of a record; 0 if it is unknown because of damage.
    func size(ofRecordAt offset: Int) -> Int { (try? record(at: offset, isChecked: false))?.range.count ?? 0 }

    /// Returns the record of a resource, or nil if the archive does not contain it.
    func record(_ key: StoredIdentity) throws(ArchiveError) -> ArchiveRecord? { try find(key)?.record }

    /// Returns whether the archive contains a resource, even if its record is damaged.
    package func has(_ key: StoredIdentity) throws(ArchiveError) -> Bool { try find(key, isChecked: false) != nil }

    /// Returns the position of a resource in lists, even if its record is damaged; nil if the archive does not contain it.
    package func place(of key: StoredIdentity) throws(ArchiveError) -> Int? { try find(key, isChecked: false)?.place }

    /// A number that is greater than all positions in lists, and at most as great as those of later commits.
    package var placesEnd: Int { head.end }

    /// What the positions in lists belong to. It stays the same until the archive is compacted.
    package var numbering: UInt64 { header.fileID }

    /// Returns the resource object of a record as JSON text.
    func text(of record: ArchiveRecord) -> [UInt8] { record.text(bytes, type: types[record.type]) }

    func key(of record: ArchiveRecord) -> StoredIdentity {
        StoredIdentity(type: types[record.type], name: bytes.text(record.key), isLocal: record.kind.isLID)
    }

    static func overlap(_ offset: Int) -> ArchiveError {
        ArchiveError(.malformed, "two records overlap", section: .record, offset: offset)
    }
}

// MARK: - Roots

extension ArchiveImage {
    /// Returns the record of the root with a name, or nil if there is none.
    func root(_ name: String) throws(ArchiveError) -> ArchiveRecord? {
        guard let entry = rootEntry(name) else { return nil }
        return try rootRecord(name, at: entry.offset)
    }

    /// Returns the record of the root with a name, or nil if there is none or if the record is damaged.
    func soundRoot(_ name: String) -> ArchiveRecord? { do { return try root(name) } catch { return nil } }

    private func rootRecord(_ name: String, at offset: Int) throws(ArchiveError) -> ArchiveRecord {
        let record = try record(at: offset)
        guard record.kind.isRoot, name.withBytes({ bytes.equals(record.key, $0) }) else {
            throw ArchiveError(.malformed, "a root leads to another record", section: .roots, offset: offset)
        }
        return record
    }

    /// Returns the records of all roots, in order. Each byte is read once.
    func rootRecords() throws(ArchiveError) -> [(name: String, record: ArchiveRecord)] {
        var records: [(name: String, record: ArchiveRecord)] = []
        for root in roots { records.append((root.name, try record(at: root.offset, isChecked: false))) }
        var end = 0
        for record in records.map(\.record).sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard record.range.lowerBound >= end else { throw Self.overlap(record.range.lowerBound) }
            end = record.range.upperBound
        }
        for index in records.indices {
            records[index].record = try rootRecord(records[index].name, at: records[index].record.range.lowerBound)
        }
        return records
    }

    /// Returns the offsets of the records to which a root refers. They can be older records, because only their identity counts.
    func references(_ root: ArchiveRecord) throws(ArchiveError) -> [Int] {
        try Self.references(root, bytes, end: head.footer)
    }

    static func references(_ root: ArchiveRecord, _ bytes: ArchiveBytes, end: Int) throws(ArchiveError) -> [Int] {
        var offsets: [Int] = []
        var position = root.text.lowerBound
        var last = 0
        while position < root.text.upperBound {
            guard let number = bytes.varint(&position, end: root.text.upperBound) else { throw malformed(root) }
            // Neither the sum nor the difference can overflow, because both stay within the archive.
            let difference = offsets.isEmpty ? number : (number & 1 == 0 ? number >> 1 : ~(number >> 1))
            last = last &+ difference
            guard last >= 0, last < end else { throw malformed(root) }
            offsets.append(last)
        }
        guard root.kind == .many || offsets.count == 1 else { throw malformed(root) }
        return offsets
    }

    private static func malformed(_ root: ArchiveRecord) -> ArchiveError {
        ArchiveError(.malformed, "a root contradicts itself", section: .record, offset: root.range.lowerBound)
    }
}

// MARK: - Resources of a root

extension ArchiveImage {
    /// Returns the identities to which a root refers, in order. Each record is read once, even if the root refers to it several times.
    func keys(of root: ArchiveRecord) throws(ArchiveError) -> [StoredIdentity] {
        let references = try references(root)
        let keys = try keys(at: Set(references))
        return references.compactMap { keys[$0] }
    }

    /// Returns the identities of the resources whose records are at the given offsets. Each byte is read once.
    func keys(at offsets: Set<Int>) throws(ArchiveError) -> [Int: StoredIdentity] {
        var keys: [Int: StoredIdentity] = [:]
        keys.reserveCapacity(offsets.count)
        var end = 0
        for offset in offsets.sorted() {
            guard offset >= end else { throw Self.overlap(offset) }
            let record = try resourceRecord(at: offset)
            end = record.range.upperBound
            keys[offset] = key(of: record)
        }
        return keys
    }
}

// MARK: - Resources of a type

extension ArchiveImage {
    /// Returns the resources of a type, in the order of their positions. Their texts are not read.
    ///
    /// - Complexity: O(n log n) in the first call, then O(1). n = number of resources of the type. In a file of version 1 or 2, only the
    ///   first call for any type costs O(n log n), n = number of all resources.
    package func identities(ofType type: String) throws(ArchiveError) -> [StoredIdentity] {
        guard let number = typeNumber(type) else { return [] }
        if let list = lists.withLock({ $0[number] }) { return list }
        // Directories of version 1 or 2 do not contain the types, so that each list needs all records. If another type is damaged, the list
        // is still read alone.
        if counts == nil, let all = try? identitiesByType() {
            lists.withLock { $0 = all }
            return all[number] ?? []
        }
        let list = try records(ofType: number, isChecked: false).map { key(of: $0) }
        lists.withLock { $0[number] = list }
        return list
    }

    /// Returns the resources of all types, by type number. Each record is read once.
    private func identitiesByType() throws(ArchiveError) -> [Int: [StoredIdentity]] {
        var all: [Int: [StoredIdentity]] = [:]
        for number in types.indices { all[number] = [] }
        for record in try records(isChecked: false) { all[record.type, default: []].append(key(of: record)) }
        return all
    }

    /// Returns the number of resources of a type.
    ///
    /// - Complexity: O(1). In a file of version 1 or 2, that of `identities(ofType:)`.
    package func count(ofType type: String) throws(ArchiveError) -> Int {
        guard let number = typeNumber(type) else { return 0 }
        if let counts { return counts[number] }
        return try identities(ofType: type).count
    }
}

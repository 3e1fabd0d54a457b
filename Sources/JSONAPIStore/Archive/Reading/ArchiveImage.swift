import JSONText

/// One state of an archive: header, the newest commit, its types, keys and directories. Records are read when they are asked for.
final class ArchiveImage: Sendable {
    let bytes: ArchiveBytes
    let header: ArchiveHeader
    let head: CommitHead
    let footer: ArchiveFooter
    /// What was found amiss without harm, for `verify`.
    let notes: [ArchiveError]
    /// The header as it was when the file was opened: what a writer finds there has to be the same.
    let start: [UInt8]
    let types: [String]
    let directories: [ArchiveDirectory]
    let keyDirectories: [KeyDirectory]
    /// The roots of a file of version 1.
    let oldRoots: [ByteText: KeyDirectory.Entry]
    private let typeNumbers: [ByteText: Int]

    /// Reads and checks everything but the records.
    ///
    /// `start` holds the header as it was before the size of the file was asked: a writer may have gone on since, and what its newer slots
    /// say need not be in `bytes`. Sections that stand unchanged in `earlier`, a state of the same file, are not checked again.
    ///
    /// - Complexity: O(bytes of the sections that are new).
    init(_ bytes: ArchiveBytes, start: [UInt8]? = nil, since earlier: ArchiveImage? = nil) throws(ArchiveError) {
        self.bytes = bytes
        self.start = start ?? bytes.array(0..<min(bytes.count, ArchiveFormat.headerSize))
        let headerBytes = ArchiveBytes(self.start)
        header = try ArchiveHeader(headerBytes)
        let state = try CommitSearch(bytes, headerBytes, header)
        (head, footer, notes) = (state.head, state.footer, state.notes)
        let known: Set<ArchiveSection> = if let earlier, earlier.header == header { Set(earlier.footer.sections) } else { [] }
        for section in footer.sections where !known.contains(section) { try Self.check(section, bytes, header) }
        types = try Self.types(footer, bytes)
        oldRoots = try Self.oldRoots(footer, bytes)
        directories = try Self.directories(footer)
        keyDirectories = try Self.keyDirectories(footer, bytes, known)
        typeNumbers = try Self.numbers(types, .types, footer)
    }

    private static func check(_ section: ArchiveSection, _ bytes: ArchiveBytes, _ header: ArchiveHeader) throws(ArchiveError) {
        let name: ArchiveError.Section
        switch section.kind {
        case ArchiveFormat.typesSection: name = .types
        case ArchiveFormat.rootsSection, ArchiveFormat.keysSection: name = .roots
        case ArchiveFormat.directorySection: name = .directory
        default:
            guard section.kind & ArchiveFormat.skippable == 0 else { return }
            throw ArchiveError(
                .unsupportedFeature, "the archive has a section of kind \(section.kind), which this library does not know",
                advice: "update the program", section: .footer, offset: section.offset)
        }
        guard bytes.with(section.range, { header.checksum(at: section.offset, $0) }) == section.checksum else {
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

    private static func directories(_ footer: ArchiveFooter) throws(ArchiveError) -> [ArchiveDirectory] {
        var directories: [ArchiveDirectory] = []
        for section in footer.sections(ArchiveFormat.directorySection) { directories.append(try ArchiveDirectory(section)) }
        return directories
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

    private static func numbers(
        _ names: [String], _ kind: ArchiveError.Section, _ footer: ArchiveFooter
    ) throws(ArchiveError) -> [ByteText: Int] {
        var numbers: [ByteText: Int] = [:]
        for (number, name) in names.enumerated() {
            guard numbers.updateValue(number, forKey: ByteText(name)) == nil else {
                throw ArchiveError(.malformed, "a name stands twice", section: kind)
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

    /// The record at an offset, which has to be one of a resource.
    func resourceRecord(at offset: Int, isChecked: Bool = true) throws(ArchiveError) -> ArchiveRecord {
        let record = try record(at: offset, isChecked: isChecked)
        guard record.kind.isResource, record.type < types.count else {
            throw ArchiveError(.malformed, "a record that should be a resource is none", section: .record, offset: offset)
        }
        return record
    }

    /// The newest record of a resource, its removal included; nil when there is none.
    ///
    /// - Complexity: O(directories × log resources), a handful of directories at most.
    func newestRecord(_ key: ArchiveKey) throws(ArchiveError) -> ArchiveRecord? {
        guard let type = typeNumber(key.type) else { return nil }
        let hash = key.directoryHash
        for directory in directories {
            if let record = try directory.record(hash, type, key, self) { return record }
        }
        return nil
    }

    /// The record of a resource that is there.
    func record(_ key: ArchiveKey) throws(ArchiveError) -> ArchiveRecord? {
        guard let record = try newestRecord(key), !record.kind.isRemoval else { return nil }
        return record
    }

    /// The resource object of a record as JSON text.
    func text(of record: ArchiveRecord) -> [UInt8] {
        guard record.kind.isAbridged else { return bytes.array(record.text) }
        var text: [UInt8] = []
        text.reserveCapacity(record.range.count + 32)
        ArchiveKey.appendBeginning(type: types[record.type], isLID: record.kind.isLID, to: &text)
        bytes.with(record.key) { text.append(copying: $0) }
        text.append(UInt8(ascii: "\""))
        bytes.with(record.text) { text.append(copying: $0) }
        return text
    }

    func key(of record: ArchiveRecord) -> ArchiveKey {
        ArchiveKey(type: types[record.type], text: bytes.text(record.key), isLID: record.kind.isLID)
    }

    /// The records of all resources that are there, in the order in which they were written.
    ///
    /// - Complexity: O(n log n), n = entries of the directories; the records themselves are read and checked, each once.
    func records() throws(ArchiveError) -> [ArchiveRecord] {
        var entries: [(offset: Int, hash: UInt32, age: Int)] = []
        for (age, directory) in directories.enumerated() {
            for index in 0..<directory.count { entries.append((directory.offset(index, bytes), directory.hash(index, bytes), age)) }
        }
        entries.sort { $0.offset < $1.offset }
        let shared = directories.count > 1 ? Self.repeated(entries.map(\.hash)) : []
        var records: [(record: ArchiveRecord, age: Int, isShared: Bool)] = []
        records.reserveCapacity(entries.count)
        // The age of the newest entry of each resource that may have several.
        var newest: [ArchiveKey: Int] = [:]
        var end = 0
        for (offset, hash, age) in entries {
            // Records that overlap could make reading quadratic.
            guard offset >= end else { throw Self.overlap(offset) }
            let record = try resourceRecord(at: offset)
            end = record.range.upperBound
            let isShared = shared.contains(hash)
            if isShared {
                let key = key(of: record)
                newest[key] = min(age, newest[key] ?? age)
            }
            records.append((record, age, isShared))
        }
        return records.compactMap { record, age, isShared in
            record.kind.isRemoval || isShared && newest[key(of: record)] != age ? nil : record
        }
    }

    private static func repeated(_ hashes: [UInt32]) -> Set<UInt32> {
        var repeated: Set<UInt32> = []
        let sorted = hashes.sorted()
        for (one, next) in zip(sorted, sorted.dropFirst()) where one == next { repeated.insert(one) }
        return repeated
    }

    static func overlap(_ offset: Int) -> ArchiveError {
        ArchiveError(.malformed, "two records overlap", section: .record, offset: offset)
    }
}

// MARK: - Roots

extension ArchiveImage {
    /// The record of a root; nil when there is none of that name.
    func root(_ name: String) throws(ArchiveError) -> ArchiveRecord? {
        guard let entry = rootEntry(name) else { return nil }
        return try rootRecord(name, at: entry.offset)
    }

    private func rootRecord(_ name: String, at offset: Int) throws(ArchiveError) -> ArchiveRecord {
        let record = try record(at: offset)
        guard record.kind.isRoot, name.withBytes({ bytes.equals(record.key, $0) }) else {
            throw ArchiveError(.malformed, "a root leads to another record", section: .roots, offset: offset)
        }
        return record
    }

    /// The records of all roots, in their order. Each byte is read once.
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

    /// The records that a root refers to, as they were when it was written: only their identity counts.
    func references(_ root: ArchiveRecord) throws(ArchiveError) -> [Int] {
        try Self.references(root, bytes, end: head.footer)
    }

    static func references(_ root: ArchiveRecord, _ bytes: ArchiveBytes, end: Int) throws(ArchiveError) -> [Int] {
        var offsets: [Int] = []
        var position = root.text.lowerBound
        var last = 0
        while position < root.text.upperBound {
            guard let number = bytes.varint(&position, end: root.text.upperBound) else { throw malformed(root) }
            // Neither the sum nor the difference can overflow: both stay within the archive.
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

extension ArchiveKey {
    /// The beginning of a resource object up to its id, quotation mark included.
    static func appendBeginning(type: String, isLID: Bool, to text: inout [UInt8]) {
        text.append(contentsOf: #"{"type":""#.utf8)
        text.append(contentsOf: type.utf8)
        text.append(contentsOf: (isLID ? #"","lid":""# : #"","id":""#).utf8)
    }
}

// MARK: - Resources of a root

extension ArchiveImage {
    /// The identities that a root refers to, in order. Every record is read once, however often it is referred to.
    func keys(of root: ArchiveRecord) throws(ArchiveError) -> [ArchiveKey] {
        let references = try references(root)
        let keys = try keys(at: Set(references))
        return references.compactMap { keys[$0] }
    }

    /// The identities of the resources whose records stand at these offsets. Each byte is read once.
    func keys(at offsets: Set<Int>) throws(ArchiveError) -> [Int: ArchiveKey] {
        var keys: [Int: ArchiveKey] = [:]
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

    /// Whether a root refers to exactly these resources.
    func references(_ root: ArchiveRecord, matches keys: [ArchiveKey]) throws(ArchiveError) -> Bool {
        let references = try references(root)
        guard references.count == keys.count else { return false }
        for (offset, key) in zip(references, keys) {
            guard self.key(of: try resourceRecord(at: offset)) == key else { return false }
        }
        return true
    }
}

import JSONText

/// Gathers the records of a commit, and lays it out.
///
/// Without a base it makes a whole archive; with one, what changes: a resource that has the same text as before is not written.
struct CommitBuilder: Sendable {
    let base: ArchiveImage?
    private(set) var sink: ByteSink
    private var types: [String]
    private var typeNumbers: [ByteText: Int]
    private var entries: [ArchiveKey: Entry] = [:]
    private var roots: [(name: String, offset: Int)]
    private var rootNumbers: [ByteText: Int]
    /// The sizes of the roots that this commit has written, by offset.
    private var rootSizes: [Int: Int] = [:]
    private var hasNewRoots = false
    private var resourceCount: Int
    private var usedBytes: Int

    /// The newest record of a resource in this commit.
    struct Entry: Sendable {
        let offset: Int
        let kind: RecordKind
        let size: Int
        /// Where its text is in the sink.
        let text: Range<Int>
    }

    init(base: ArchiveImage?, header: ArchiveHeader) {
        self.base = base
        sink = ByteSink(base: base?.head.end ?? ArchiveFormat.headerSize, header: header)
        sink.append([UInt8](repeating: 0, count: ArchiveFormat.headSize))
        types = base?.types ?? []
        roots = base?.roots ?? []
        typeNumbers = Dictionary(types.enumerated().map { (ByteText($1), $0) }) { first, _ in first }
        rootNumbers = Dictionary(roots.enumerated().map { (ByteText($1.name), $0) }) { first, _ in first }
        resourceCount = base?.footer.resourceCount ?? 0
        usedBytes = base?.footer.usedBytes ?? 0
    }

    /// Whether there is anything to write.
    var isEmpty: Bool { entries.isEmpty && !hasNewRoots }

    mutating func reserve(_ count: Int) { sink.reserve(count) }
}

// MARK: - Resources

extension CommitBuilder {
    /// What `put` does when this commit has another text for the resource already.
    enum Conflict { case replace, keepFirst }

    /// Takes a resource with the compact text of its resource object.
    mutating func put(_ key: ArchiveKey, _ text: Span<UInt8>, _ conflict: Conflict) throws(ArchiveError) {
        let (kind, start) = Self.abridged(text, key)
        let rest = text.extracting(start...)
        var replaced: Int?
        if let entry = entries[key] {
            guard entry.kind != kind || !sink.equals(entry.text, rest) else { return }
            if !entry.kind.isRemoval {
                if conflict == .keepFirst { return }
                replaced = entry.size
            }
        } else if let record = try base?.record(key), let base {
            guard record.kind != kind || !base.bytes.equals(record.text, rest) else { return }
            replaced = record.range.count
        }
        let entry = try append(kind, type: typeNumber(key.type), key.text, rest)
        entries[key] = entry
        resourceCount += replaced == nil ? 1 : 0
        usedBytes += entry.size - (replaced ?? 0)
    }

    /// Throws when this commit has another text for the resource already.
    func checkConflict(_ key: ArchiveKey, _ text: Span<UInt8>) throws(ArchiveError) {
        guard let entry = entries[key], !entry.kind.isRemoval else { return }
        let (kind, start) = Self.abridged(text, key)
        guard entry.kind == kind, sink.equals(entry.text, text.extracting(start...)) else { throw Self.conflict(key) }
    }

    /// Removes a resource; nothing happens when there is none.
    mutating func remove(_ key: ArchiveKey) throws(ArchiveError) {
        let present = try size(of: key)
        guard let present else { return }
        resourceCount -= 1
        usedBytes -= present
        if try base?.record(key) == nil {
            entries[key] = nil
        } else {
            let kind: RecordKind = key.isLID ? .removedLID : .removedID
            let nothing: [UInt8] = []
            entries[key] = try append(kind, type: typeNumber(key.type), key.text, nothing.span)
        }
    }

    func contains(_ key: ArchiveKey) throws(ArchiveError) -> Bool { try size(of: key) != nil }

    /// The bytes of the record that is in force; nil when the resource is not there.
    private func size(of key: ArchiveKey) throws(ArchiveError) -> Int? {
        if let entry = entries[key] { return entry.kind.isRemoval ? nil : entry.size }
        return try base?.record(key)?.range.count
    }

    /// Where a record of the resource is.
    private func offset(of key: ArchiveKey) throws(ArchiveError) -> Int? {
        if let entry = entries[key] { return entry.kind.isRemoval ? nil : entry.offset }
        return try base?.record(key)?.range.lowerBound
    }

    private mutating func typeNumber(_ type: String) -> Int {
        let name = ByteText(type)
        if let number = typeNumbers[name] { return number }
        typeNumbers[name] = types.count
        types.append(type)
        return types.count - 1
    }

    /// Where the text begins that is not what the key says anyway, and the kind that this makes of the record.
    private static func abridged(_ text: Span<UInt8>, _ key: ArchiveKey) -> (RecordKind, start: Int) {
        let whole: (RecordKind, start: Int) = (key.isLID ? .wholeLID : .wholeID, 0)
        // Neither type nor key can hide an end of their own here: an unescaped quotation mark in them would not be JSON.
        guard !needsEscape(key.type), !needsEscape(key.text) else { return whole }
        var position = 0
        for part in [#"{"type":""#, key.type, key.isLID ? #"","lid":""# : #"","id":""#, key.text, "\""] {
            let isNext = part.withBytes { part in
                text.count - position >= part.count && text.extracting(position..<position + part.count).equals(part)
            }
            guard isNext else { return whole }
            position += part.utf8.count
        }
        return (key.isLID ? .lid : .id, position)
    }

    /// Whether a text stands in JSON otherwise than it is.
    private static func needsEscape(_ text: String) -> Bool {
        text.utf8.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
    }

    private static func conflict(_ key: ArchiveKey) -> ArchiveError {
        ArchiveError(
            .conflict, "two values differ for the one resource \(key.identifier)",
            advice: "encode one of them, or set conflictingResources of the encoder to .keepFirst")
    }
}

// MARK: - Roots

extension CommitBuilder {
    /// Names a plain value.
    mutating func putRoot(_ name: String, value text: Span<UInt8>) throws(ArchiveError) {
        if let number = rootNumbers[ByteText(name)], let old = try oldRoot(number), old.record.kind == .value,
            old.image.bytes.equals(old.record.text, text)
        {
            return
        }
        try setRoot(name, .value, text)
    }

    /// Names resources that are in the archive.
    mutating func putRoot(_ name: String, _ keys: [ArchiveKey], isMany: Bool) throws(ArchiveError) {
        let kind: RecordKind = isMany ? .many : .one
        if let number = rootNumbers[ByteText(name)], let old = try oldRoot(number), old.record.kind == kind,
            try old.image.references(old.record, matches: keys)
        {
            return
        }
        var references = ByteSink(base: 0, header: sink.header)
        var last: Int?
        for key in keys {
            guard let offset = try offset(of: key) else { continue }
            let difference = offset - (last ?? 0)
            references.append(varint: last == nil ? offset : difference << 1 ^ (difference >> (Int.bitWidth - 1)))
            last = offset
        }
        try setRoot(name, kind, references.bytes.span)
    }

    /// Forgets a name; the resources stay.
    mutating func removeRoot(_ name: String) throws(ArchiveError) {
        guard let number = rootNumbers[ByteText(name)] else { return }
        usedBytes -= try size(ofRoot: number)
        roots.remove(at: number)
        rootNumbers = Dictionary(roots.enumerated().map { (ByteText($1.name), $0) }) { first, _ in first }
        hasNewRoots = true
    }

    private func oldRoot(_ number: Int) throws(ArchiveError) -> (image: ArchiveImage, record: ArchiveRecord)? {
        guard let base, roots[number].offset < sink.base, let record = try base.root(roots[number].name) else { return nil }
        return (base, record)
    }

    private func size(ofRoot number: Int) throws(ArchiveError) -> Int {
        if let size = rootSizes[roots[number].offset] { return size }
        return try oldRoot(number)?.record.range.count ?? 0
    }

    private mutating func setRoot(_ name: String, _ kind: RecordKind, _ text: Span<UInt8>) throws(ArchiveError) {
        let entry = try append(kind, type: 0, name, text)
        usedBytes += entry.size
        rootSizes[entry.offset] = entry.size
        hasNewRoots = true
        if let number = rootNumbers[ByteText(name)] {
            usedBytes -= try size(ofRoot: number)
            roots[number].offset = entry.offset
        } else {
            rootNumbers[ByteText(name)] = roots.count
            roots.append((name, entry.offset))
        }
    }
}

// MARK: - Layout

extension CommitBuilder {
    private mutating func append(
        _ kind: RecordKind, type: Int, _ key: String, _ text: Span<UInt8>
    ) throws(ArchiveError) -> Entry {
        let start = sink.offset
        let tag = type << 4 | kind.rawValue
        let keyCount = key.utf8.count
        let length = ByteSink.size(ofVarint: tag) + ByteSink.size(ofVarint: keyCount) + keyCount + text.count
        guard start < ArchiveFormat.maximumSize - length - 1 << 16 else {
            throw ArchiveFormat.tooLarge
        }
        sink.append(0, size: 4)
        sink.append(varint: length)
        sink.append(varint: tag)
        sink.append(varint: keyCount)
        sink.append(key)
        sink.append(text)
        sink.seal(at: start)
        let end = sink.offset
        return Entry(offset: start, kind: kind, size: end - start, text: end - text.count..<end)
    }

    /// The commit, which stands at the end of its base; or, without one, at the end of a header.
    consuming func finish(modelVersion: UInt32) throws(ArchiveError) -> (bytes: [UInt8], head: CommitHead) {
        var sections = keptSections()
        let earlier = base?.footer
        if types.count == earlier.map({ _ in base?.types.count ?? 0 }) ?? 0 {
            if let section = earlier?.section(ArchiveFormat.typesSection) { sections.append(section) }
        } else {
            sections.append(appendNames(ArchiveFormat.typesSection, types.map { ($0, nil) }))
        }
        if hasNewRoots {
            sections.append(appendNames(ArchiveFormat.rootsSection, roots.map { ($0.name, $0.offset) }))
        } else if let section = earlier?.section(ArchiveFormat.rootsSection) {
            sections.append(section)
        }
        sections += try appendDirectory()
        let start = sink.base
        let footer = ArchiveFooter(
            modelVersion: modelVersion, number: (earlier?.number ?? 0) + 1,
            // An archive whose footer lies can bring these below zero.
            resourceCount: max(0, resourceCount), usedBytes: max(0, usedBytes), sections: sections)
        let place = sink.append(footer)
        let head = CommitHead(number: footer.number, footer: place, end: sink.offset)
        sink.replace(at: start, with: head.bytes(at: start, sink.header))
        return (sink.bytes, head)
    }

    /// Sections of a later minor version, which others may still want.
    private func keptSections() -> [ArchiveSection] {
        base?.footer.sections.filter { $0.kind & ArchiveFormat.skippable != 0 } ?? []
    }

    private mutating func appendNames(_ kind: UInt32, _ names: [(text: String, offset: Int?)]) -> ArchiveSection {
        let start = sink.offset
        for name in names {
            sink.append(varint: name.text.utf8.count)
            sink.append(name.text)
            if let offset = name.offset { sink.append(UInt64(offset), size: 5) }
        }
        return section(kind, from: start)
    }

    private func section(_ kind: UInt32, from start: Int) -> ArchiveSection {
        ArchiveSection(kind: kind, checksum: sink.checksum(from: start), offset: start, length: sink.offset - start)
    }

    /// The directories of the new state: one with what is new, merged with older ones that are not much larger, so that there
    /// are never more than a handful, and an entry is copied only a few times in its life.
    private mutating func appendDirectory() throws(ArchiveError) -> [ArchiveSection] {
        var older = base?.directories ?? []
        guard !entries.isEmpty else { return older.map(\.section) }
        var merge = DirectoryMerge(entries, typeNumbers, base)
        while let next = older.first, next.count <= 2 * merge.count {
            try merge.add(next)
            older.removeFirst()
        }
        let start = sink.offset
        for entry in merge.entries { sink.append(UInt64(entry.hash), size: 4) }
        for entry in merge.entries { sink.append(UInt64(entry.offset), size: 5) }
        return [section(ArchiveFormat.directorySection, from: start)] + older.map(\.section)
    }
}

extension ByteSink {
    fileprivate func equals(_ range: Range<Int>, _ other: Span<UInt8>) -> Bool {
        bytes.span.extracting(range.lowerBound - base..<range.upperBound - base).equals(other)
    }
}

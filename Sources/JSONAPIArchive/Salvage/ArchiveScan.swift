import JSONText

/// Searches all bytes of an archive for records. It is used if the parts that contain their positions are damaged.
///
/// The checksum of a record depends on its position, so a record that is found was written there. The last record of each resource and root
/// counts. If the header is intact, only records up to its end count.
struct ArchiveScan {
    private let bytes: ArchiveBytes
    private let header: ArchiveHeader
    private let end: Int
    private let footers: [ArchiveFooter]
    /// The starts and ends of parts that contain no records.
    private var gaps: [Int: Int] = [:]
    private var losses: [ArchiveError]
    /// The number of bytes whose checksums can still be computed. A malicious file could make every byte look like the start of a long
    /// record or footer.
    private var budget: Int

    /// Throws if the number of the file is lost.
    init(_ bytes: ArchiveBytes, _ error: ArchiveError) throws(ArchiveError) {
        guard let header = Self.header(bytes) else { throw error }
        self.bytes = bytes
        self.header = header
        losses = [error]
        budget = Int(clamping: 64 * (Int64(bytes.count) + 1024))
        end = Self.end(bytes, header)
        let found = Self.footers(bytes, header, end, &budget)
        footers = found.map(\.footer)
        for (footer, range) in found {
            for section in footer.sections { gaps[section.offset] = section.end }
            gaps[range.lowerBound] = range.upperBound
        }
    }

    mutating func remains() -> ArchiveRemains {
        let records = records()
        let types = types(records)
        var remains = ArchiveRemains(modelVersion: footers.last?.modelVersion ?? 0, losses: losses)
        // The keys of the records by their offsets, to resolve references.
        var keys: [Int: StoredIdentity] = [:]
        var newest: [StoredIdentity: Int] = [:]
        for (index, record) in records.enumerated() where record.kind.isResource {
            guard let type = types[record.type] else {
                remains.losses.append(ArchiveRemains.lost("a resource whose type", at: record.range.lowerBound))
                continue
            }
            let key = StoredIdentity(type: type, name: bytes.text(record.key), isLocal: record.kind.isLID)
            keys[record.range.lowerBound] = key
            newest[key] = index
        }
        for (index, record) in records.enumerated() where record.kind.isResource && !record.kind.isRemoval {
            guard let key = keys[record.range.lowerBound], newest[key] == index else { continue }
            remains.resources.append((key, record.text(bytes, type: key.type)))
        }
        addRoots(records, keys, Set(remains.resources.map(\.key)), to: &remains)
        return remains
    }
}

// MARK: - Landmarks

extension ArchiveScan {
    /// Returns the header with the number on which all checksums depend. One flipped bit is repaired, if a part of the file confirms it.
    ///
    /// `bytes` can be only the start of the file, up to the end of the first head.
    static func header(_ bytes: ArchiveBytes) -> ArchiveHeader? {
        var headers: [ArchiveHeader] = []
        for version in [ArchiveFormat.majorVersion, ArchiveFormat.lastOldVersion] {
            for page in ArchiveHeader(fileID: 0, version: version).pages where bytes.has(page, ArchiveFormat.fixedSize) {
                let number = bytes.number(at: page + 16, size: 8)
                let numbers = [number] + (0..<64).map { number ^ 1 << UInt64($0) }
                headers += numbers.map { ArchiveHeader(fileID: $0, version: version) }
            }
        }
        // The first commit confirms the version too. The offsets in a slot can be possible in both layouts.
        return headers.first { CommitHead(bytes, at: $0.size, $0)?.number == 1 }
            ?? headers.first { header in header.slotOffsets.contains { CommitHead(bytes, at: $0, header) != nil } }
    }

    /// Returns the end of the last commit that was finished, as far as that is known.
    private static func end(_ bytes: ArchiveBytes, _ header: ArchiveHeader) -> Int {
        guard var end = header.slotOffsets.compactMap({ CommitHead(bytes, at: $0, header)?.end }).max(), end < bytes.count else {
            return bytes.count
        }
        while header.hasPages, let next = CommitHead(bytes, at: end, header), next.end > end, next.end <= bytes.count {
            let start = end + ArchiveFormat.headSize
            guard start <= next.end, header.checksum(of: start..<next.end, in: bytes) == next.content else { break }
            end = next.end
        }
        return end
    }

    /// Returns the intact footers, in the order of their positions.
    private static func footers(
        _ bytes: ArchiveBytes, _ header: ArchiveHeader, _ end: Int, _ budget: inout Int
    ) -> [(footer: ArchiveFooter, range: Range<Int>)] {
        var footers: [(footer: ArchiveFooter, range: Range<Int>)] = []
        var start = header.size
        while start + ArchiveFormat.smallestFooter <= end {
            let count = bytes.number(at: start, size: 4) == ArchiveFormat.footerMagic ? bytes.offset(at: start + 32, size: 4) : .max
            guard count <= ArchiveFormat.maximumSections, budget > 0 else {
                start += 1
                continue
            }
            let size = ArchiveFormat.smallestFooter + count * ArchiveFormat.sectionSize
            let head = CommitHead(
                number: bytes.number(at: start + 8, size: 8), footer: start, end: header.end(afterFooterAt: start + size))
            budget -= size
            guard head.end <= end, let footer = try? ArchiveFooter(bytes, of: head, header) else {
                start += 1
                continue
            }
            footers.append((footer, start..<head.end))
            start = head.end
        }
        return footers
    }
}

// MARK: - Records

extension ArchiveScan {
    /// Returns all intact records, in the order in which they were written. Adds a loss for bytes that cannot be identified.
    private mutating func records() -> [ArchiveRecord] {
        var records: [ArchiveRecord] = []
        var lostFrom: Int?
        var position = header.size
        while position < end {
            let start = position
            if let gap = gaps[position], gap > position {
                position = gap
            } else if CommitHead(bytes, at: position, header) != nil {
                position += ArchiveFormat.headSize
            } else if let record = record(at: position) {
                records.append(record)
                position = record.range.upperBound
            } else {
                lostFrom = lostFrom ?? position
                position += 1
                continue
            }
            note(lostFrom, start)
            lostFrom = nil
        }
        note(lostFrom, end)
        return records
    }

    private mutating func note(_ from: Int?, _ to: Int) {
        guard let from else { return }
        losses.append(ArchiveRemains.lost("what \(to - from) bytes held", at: from))
    }

    private mutating func record(at offset: Int) -> ArchiveRecord? {
        guard budget > 0, let record = try? ArchiveRecord(bytes, at: offset, end: end, header, isChecked: false) else { return nil }
        budget -= record.range.count
        return try? ArchiveRecord(bytes, at: offset, end: end, header)
    }

    /// Returns the names of types by their numbers, from the intact sections and from the records that name types.
    private mutating func types(_ records: [ArchiveRecord]) -> [Int: String] {
        var types: [Int: String] = [:]
        var known: Set<ArchiveSection> = []
        for footer in footers {
            guard let section = footer.section(ArchiveFormat.typesSection), section.end <= bytes.count, known.insert(section).inserted,
                budget > 0
            else { continue }
            budget -= section.length
            guard section.isSound(bytes, header), let names = try? ArchiveImage.types(footer, bytes) else { continue }
            for (number, name) in names.enumerated() { types[number] = name }
        }
        for record in records where record.kind == .typeName { types[record.type] = bytes.text(record.key) }
        return types
    }
}

// MARK: - Roots

extension ArchiveScan {
    private func addRoots(
        _ records: [ArchiveRecord], _ keys: [Int: StoredIdentity], _ kept: Set<StoredIdentity>, to remains: inout ArchiveRemains
    ) {
        let targets = keys.filter { kept.contains($0.value) }
        var newest: [ByteText: ArchiveRecord] = [:]
        var order: [ByteText] = []
        for record in records where record.kind.isRoot {
            let name = ByteText(bytes.text(record.key))
            if newest.updateValue(record, forKey: name) == nil { order.append(name) }
        }
        if !order.isEmpty {
            let warning = ArchiveError(.corrupt, "which keys were removed is lost; keys that were may be back", section: .roots)
            remains.losses.append(warning)
        }
        for name in order {
            guard let record = newest[name] else { continue }
            let references = record.kind == .value ? [] : (try? ArchiveImage.references(record, bytes, end: end))
            if let root = ArchiveRoot(record, (references ?? []).compactMap { targets[$0] }, bytes) {
                remains.roots.append((name.text, root))
            }
            // A resource that is known, but not kept, was removed. That is no loss.
            if references?.allSatisfy({ keys[$0] != nil }) != true {
                remains.losses.append(ArchiveRemains.lostValue(of: name.text, record.kind, at: record.range.lowerBound))
            }
        }
    }
}

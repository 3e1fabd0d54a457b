import JSONText

/// Searches all bytes of an archive for records. It is used if the parts that contain their positions are damaged.
///
/// The checksum of a record depends on its position, so a record that is found was written there. The last record of each resource and root
/// counts. If both slots are intact, only records up to the end of the last commit count.
///
/// Any byte can look like the start of a long record, by accident or on purpose. The places where something begins for certain divide the
/// file into parts. A record does not go beyond its part, and the work for each part is limited. So damage in one part costs nothing in the
/// others.
struct ArchiveScan {
    let bytes: ArchiveBytes
    let header: ArchiveHeader
    let end: Int
    /// The intact footers with their ranges, in the order of their positions.
    let footers: [(footer: ArchiveFooter, range: Range<Int>)]
    /// The starts and ends of parts that contain no records.
    private var gaps: [Int: Int] = [:]
    private var losses: [ArchiveError]
    /// The number of bytes whose checksums can still be computed in the current part.
    private var budget: Int

    /// Throws if the number of the file is lost.
    init(_ bytes: ArchiveBytes, _ error: ArchiveError) throws(ArchiveError) {
        guard let header = Self.header(bytes) else { throw error }
        self.bytes = bytes
        self.header = header
        losses = [error]
        end = Self.end(bytes, header)
        budget = Self.budget(for: bytes.count)
        footers = Self.footers(bytes, header, end, &budget)
        for (footer, range) in footers {
            for section in footer.sections { gaps[section.offset] = section.end }
            gaps[range.lowerBound] = range.upperBound
        }
        budget = Self.budget(for: bytes.count)
    }

    /// Returns the number of bytes whose checksums may be computed to read a part with `count` bytes.
    private static func budget(for count: Int) -> Int { Int(clamping: 64 * Int64(count)) }

    /// Returns whether a section is intact and was not read too often. Several footers can refer to the same section.
    mutating func isSound(_ section: ArchiveSection) -> Bool {
        guard section.end <= bytes.count, budget > 0 else { return false }
        budget -= section.length
        return section.isSound(bytes, header)
    }

    mutating func remains() -> ArchiveRemains {
        var types = types()
        let roots = knownRoots()
        let records = records()
        for record in records where record.kind == .typeName { types[record.type] = bytes.text(record.key) }
        var remains = ArchiveRemains(modelVersion: footers.last?.footer.modelVersion ?? 0, losses: losses)
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
        addRoots(roots, records, keys, to: &remains)
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
        let ends = header.slotOffsets.compactMap { CommitHead(bytes, at: $0, header)?.end }
        // A damaged slot may have been the newer one.
        guard ends.count == header.slotOffsets.count, var end = ends.max(), end < bytes.count else { return bytes.count }
        while header.hasPages, let next = CommitHead(bytes, at: end, header), next.end > end, next.end <= bytes.count {
            let start = end + ArchiveFormat.headSize
            guard start <= next.end, header.checksum(of: start..<next.end, in: bytes) == next.content else { break }
            end = next.end
        }
        return end
    }

    /// Returns the intact footers.
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
        for limit in landmarks() + [end] {
            budget = Self.budget(for: limit - position)
            while position < limit {
                let start = position
                if let gap = gaps[position], gap > position {
                    position = gap
                } else if header.canEnd(at: position), CommitHead(bytes, at: position, header) != nil {
                    position += ArchiveFormat.headSize
                } else if let record = record(at: position, end: limit) {
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
        }
        note(lostFrom, end)
        return records
    }

    /// Returns the offsets at which something begins for certain, in ascending order: parts without records, commits, and the records that
    /// intact directories contain.
    private func landmarks() -> [Int] {
        var landmarks = Set(gaps.keys)
        if header.hasPages {
            for page in stride(from: header.size, to: end, by: ArchiveFormat.pageSize) where CommitHead(bytes, at: page, header) != nil {
                landmarks.insert(page)
            }
        }
        var known: Set<ArchiveSection> = []
        var budget = Self.budget(for: bytes.count)
        for section in footers.lazy.flatMap(\.footer.directorySections) where budget > 0 && known.insert(section).inserted {
            budget -= section.length
            for entry in ArchiveDirectory.intactEntries(of: section, bytes, header) { landmarks.insert(entry.offset) }
        }
        return landmarks.filter { $0 < end }.sorted()
    }

    private mutating func note(_ from: Int?, _ to: Int) {
        guard let from else { return }
        losses.append(ArchiveRemains.lost("what \(to - from) bytes held", at: from))
    }

    private mutating func record(at offset: Int, end: Int) -> ArchiveRecord? {
        guard budget > 0, let record = ArchiveRecord(unchecked: bytes, at: offset, end: end, header), record.isPlausible(bytes) else {
            return nil
        }
        budget -= record.range.count
        return header.isSealed(bytes, at: offset, end: record.range.upperBound) ? record : nil
    }

    /// Returns the names of types by their numbers, from the intact sections.
    private mutating func types() -> [Int: String] {
        var types: [Int: String] = [:]
        var known: Set<ArchiveSection> = []
        for (footer, _) in footers {
            guard let section = footer.section(ArchiveFormat.typesSection), known.insert(section).inserted, isSound(section),
                let names = try? ArchiveImage.types(footer, bytes)
            else { continue }
            for (number, name) in names.enumerated() { types[number] = name }
        }
        return types
    }
}

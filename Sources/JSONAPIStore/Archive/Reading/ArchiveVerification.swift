import JSONAPICodec
import JSONText

extension Archive {
    /// Checks every byte and returns all problems. An intact archive has none.
    ///
    /// Opening an archive does not detect damage to a resource, an old commit or the spare slot. This method also reports contents that
    /// contradict each other, and an unfinished commit at the end.
    ///
    /// - Complexity: O(n log m), n = number of bytes, m = number of resources.
    public func verify() -> [ArchiveError] {
        var verification = ArchiveVerification(image)
        verification.run()
        return verification.problems.map { $0.of(file) }
    }
}

/// Checks every part of an archive.
struct ArchiveVerification {
    private let image: ArchiveImage
    private(set) var problems: [ArchiveError]

    init(_ image: ArchiveImage) {
        self.image = image
        problems = image.notes
    }

    mutating func run() {
        checkPages()
        checkCommits()
        checkDirectories()
        checkRoots()
        checkResources()
        var known: Set<ArchiveError> = []
        problems = problems.filter { known.insert($0).inserted }
    }

    private mutating func note(_ body: () throws -> Void) {
        do { try body() } catch {
            problems.append(error as? ArchiveError ?? ArchiveError(.malformed, "\(error)", section: .record))
        }
    }

    // MARK: - Layout

    /// Checks that nothing is written after the headers.
    private mutating func checkPages() {
        let ends = image.header.pages.dropFirst() + [image.header.size]
        guard image.header.hasPages else { return }
        for (page, end) in zip(image.header.pages, ends) {
            let rest = page + ArchiveFormat.fixedSize + ArchiveFormat.headSize..<end
            guard let place = image.bytes.array(rest).firstIndex(where: { $0 != 0 }) else { continue }
            problems.append(
                ArchiveError(.corrupt, "there are bytes that belong to nothing", section: .header, offset: rest.lowerBound + place))
        }
    }

    /// Visits all commits and their records, so that no byte is left out.
    private mutating func checkCommits() {
        var start = image.header.size
        var number: UInt64 = 0
        while start < image.head.end {
            guard let head = CommitHead(image.bytes, at: start, image.header), head.number == number + 1, head.end <= image.head.end,
                head.footer >= start + ArchiveFormat.headSize
            else {
                problems.append(ArchiveError(.corrupt, "the head of a commit is damaged", section: .commit, offset: start))
                return
            }
            checkCommit(head, start)
            number = head.number
            start = head.end
        }
        guard start == image.head.end, number == image.head.number else {
            problems.append(ArchiveError(.malformed, "the commits do not end where the header says", section: .commit, offset: start))
            return
        }
    }

    private mutating func checkCommit(_ head: CommitHead, _ start: Int) {
        let image = image
        note {
            let contentStart = start + ArchiveFormat.headSize
            guard
                !image.header.hasPages
                    || image.bytes.with(contentStart..<head.end, { image.header.checksum(at: contentStart, $0) }) == head.content
            else { throw ArchiveError(.corrupt, "the checksum of a commit does not match", section: .commit, offset: start) }
            let footer = try ArchiveFooter(image.bytes, of: head, image.header)
            let sections = footer.sections.filter { $0.offset >= start }.sorted { $0.offset < $1.offset }
            var position = start + ArchiveFormat.headSize
            let recordsEnd = sections.first?.offset ?? head.footer
            while position < recordsEnd {
                position = try ArchiveRecord(image.bytes, at: position, end: recordsEnd, image.header).range.upperBound
            }
            for section in sections {
                guard section.offset == position,
                    image.bytes.with(section.range, { image.header.checksum(at: section.offset, $0) }) == section.checksum
                else {
                    throw ArchiveError(
                        .corrupt, "a section is damaged, or not where it should be", section: .commit, offset: section.offset)
                }
                position = section.end
            }
            guard position == head.footer else {
                throw ArchiveError(.malformed, "there are bytes that belong to nothing", section: .commit, offset: position)
            }
        }
    }

    // MARK: - Contents

    /// Checks that entries are in order and lead to resources with their hash and type. Otherwise lookups would fail.
    private mutating func checkDirectories() {
        let image = image
        // Overlapping records would be read repeatedly.
        do { _ = try image.records() } catch { return note { throw error } }
        for directory in image.directories {
            var last: Entry?
            for type in directory.types {
                for index in directory.range(ofType: type) {
                    note {
                        let next = try Self.entry(index, type, directory, image)
                        guard last.map({ Self.isOrdered($0, next, byType: type != nil) }) ?? true else {
                            throw Self.misplaced(index, directory)
                        }
                        last = next
                    }
                }
            }
        }
    }

    private typealias Entry = (hash: UInt32, type: Int, key: ArchiveKey)

    private static func entry(
        _ index: Int, _ type: Int?, _ directory: ArchiveDirectory, _ image: ArchiveImage
    ) throws(ArchiveError) -> Entry {
        let entry = try directory.entry(index, image.bytes)
        let record = try image.resourceRecord(at: entry.offset)
        let isListed = type == nil || type == record.type && entry.isRemoved == record.kind.isRemoval && entry.place <= entry.offset
        let key = image.key(of: record)
        guard isListed, key.directoryHash == entry.hash else { throw misplaced(index, directory) }
        return (entry.hash, record.type, key)
    }

    private static func misplaced(_ index: Int, _ directory: ArchiveDirectory) -> ArchiveError {
        ArchiveError(
            .malformed, "entry \(index) is not where a look-up looks for it", section: .directory, offset: directory.section.offset)
    }

    private static func isOrdered(_ a: Entry, _ b: Entry, byType: Bool) -> Bool {
        if byType, a.type != b.type { return a.type < b.type }
        if a.hash != b.hash { return a.hash < b.hash }
        if a.type != b.type { return a.type < b.type }
        if a.key.isLID != b.key.isLID { return b.key.isLID }
        return UTF8Bytes.isLess(a.key.text, b.key.text)
    }

    private mutating func checkRoots() {
        let image = image
        var faults: [ArchiveError] = []
        note {
            try image.forEachRoot { name, root in
                guard case .value(let text) = root else { return }
                do {
                    try Self.parse(text, "the value of a root", image.rootEntry(name)?.offset ?? 0)
                } catch let error as ArchiveError { faults.append(error) }
            }
        }
        problems += faults
    }

    /// Checks that every text is the resource object of its key.
    private mutating func checkResources() {
        let image = image
        note {
            let records = try image.records()
            var usedBytes = 0
            for record in records {
                usedBytes += record.range.count
                let json = try Self.parse(image.text(of: record), "the text of a resource", record.range.lowerBound)
                let found = json.object.flatMap { ResourceObject(members: $0).identifier }.flatMap(ArchiveKey.init)
                guard found == image.key(of: record) else {
                    throw ArchiveError(
                        .malformed, "a record is filed under another identity than its text has", section: .record,
                        offset: record.range.lowerBound)
                }
            }
            let counts = Dictionary(grouping: records, by: \.type).mapValues(\.count)
            guard image.counts?.enumerated().allSatisfy({ counts[$0.offset, default: 0] == $0.element }) ?? true else {
                throw ArchiveError(.malformed, "a type has other resources than its count says", section: .directory)
            }
            for root in try image.rootRecords() { usedBytes += root.record.range.count }
            guard records.count == image.footer.resourceCount, usedBytes == image.footer.usedBytes else {
                throw ArchiveError(
                    .malformed, "the footer counts other resources than there are", section: .footer, offset: image.head.footer)
            }
        }
    }

    @discardableResult
    private static func parse(_ text: [UInt8], _ what: String, _ offset: Int) throws -> JSON {
        do { return try JSON(parsing: text) } catch {
            throw ArchiveError(.malformed, "\(what) is not JSON: \(error.reason)", section: .record, offset: offset)
        }
    }
}

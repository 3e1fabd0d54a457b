import JSONAPICodec

extension Archive {
    /// Checks every part of the archive, and returns at least the first problem of each damaged part. If the result is empty, every byte is
    /// intact.
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
            guard !image.header.hasPages || image.header.checksum(of: contentStart..<head.end, in: image.bytes) == head.content else {
                throw ArchiveError(.corrupt, "the checksum of a commit does not match", section: .commit, offset: start)
            }
            let footer = try ArchiveFooter(image.bytes, of: head, image.header)
            var position = try head.forEachRecord(from: start, footer, image.bytes, image.header)
            for section in footer.sections.filter({ $0.offset >= start }).sorted(by: { $0.offset < $1.offset }) {
                guard section.offset == position, section.isSound(image.bytes, image.header) else {
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
            for (type, range) in directory.entriesByType {
                for index in range {
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

    private typealias Entry = (hash: UInt32, type: Int, key: StoredIdentity)

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
        return DirectoryMerge.precedes(a.key, b.key)
    }

    private mutating func checkRoots() {
        let image = image
        var faults: [ArchiveError] = []
        note {
            try image.forEachRoot { name, root in
                guard case .value(let text) = root else { return }
                do throws(ArchiveError) {
                    _ = try ArchiveForm.json(text, "the value of a root", at: image.rootEntry(name)?.offset ?? 0)
                } catch { faults.append(error) }
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
                let json = try ArchiveForm.json(image.text(of: record), "the text of a resource", at: record.range.lowerBound)
                let found = json.object.flatMap { ResourceObject(members: $0).identifier }.flatMap(StoredIdentity.init)
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
}

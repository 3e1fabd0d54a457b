/// Finds the newest valid commit.
///
/// A slot is written after its commit is on the disk. An intact slot therefore refers to a complete commit, and anything else is damage. If
/// only one slot is intact, the other one may have been newer. In this case, its complete commit comes after the end, and is used. Any
/// other bytes after the end are damage in this case, because writers repair a slot before they append.
struct CommitSearch {
    let head: CommitHead
    let footer: ArchiveFooter
    /// Harmless problems that were found.
    private(set) var notes: [ArchiveError] = []

    /// Finds the commit. `start` contains the slots as they were before the size of `bytes` was read.
    init(_ bytes: ArchiveBytes, _ start: ArchiveBytes, _ header: ArchiveHeader) throws(ArchiveError) {
        let slots = ArchiveFormat.slotOffsets.map { CommitHead(start, at: $0, header) }
        for (slot, offset) in zip(slots, ArchiveFormat.slotOffsets) where slot == nil {
            notes.append(ArchiveError(.corrupt, "a slot is damaged; the other one is sound", section: .slot, offset: offset))
        }
        guard let newest = slots.compactMap({ $0 }).max(by: { $0.number < $1.number }) else {
            throw ArchiveError(.corrupt, "both slots of the header are damaged", section: .slot, offset: ArchiveFormat.slotOffsets[0])
        }
        let confirmed = try ArchiveFooter(bytes, of: newest, header)
        if !notes.isEmpty, bytes.count > newest.end {
            guard let later = Self.wholeCommit(after: newest, bytes, header) else {
                throw ArchiveError(
                    .corrupt, "a slot is damaged, and the commit behind the one of the other slot too", section: .commit, offset: newest.end
                )
            }
            (head, footer) = later
        } else {
            (head, footer) = (newest, confirmed)
        }
        if bytes.count > head.end {
            notes.append(
                ArchiveError(
                    .unfinishedCommit, "\(bytes.count - head.end) bytes behind the last commit, which were never confirmed",
                    section: .commit, offset: head.end))
        }
    }

    /// Returns the commit after another one if it is complete and intact, and otherwise nil.
    private static func wholeCommit(
        after last: CommitHead, _ bytes: ArchiveBytes, _ header: ArchiveHeader
    ) -> (CommitHead, ArchiveFooter)? {
        guard let head = CommitHead(bytes, at: last.end, header), head.number == last.number + 1, head.end <= bytes.count,
            head.footer >= last.end + ArchiveFormat.headSize, let footer = try? ArchiveFooter(bytes, of: head, header)
        else { return nil }
        // The parts of this commit: its own sections at the end, and the records before them.
        let sections = footer.sections.filter { $0.offset >= last.end }
        for section in sections {
            guard bytes.with(section.range, { header.checksum(at: section.offset, $0) }) == section.checksum else { return nil }
        }
        let recordsEnd = sections.map(\.offset).min() ?? head.footer
        var position = last.end + ArchiveFormat.headSize
        while position < recordsEnd {
            guard let record = try? ArchiveRecord(bytes, at: position, end: recordsEnd, header) else { return nil }
            position = record.range.upperBound
        }
        return (head, footer)
    }
}

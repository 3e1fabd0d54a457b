/// Finds the newest valid commit.
///
/// A slot is written after its commit is on the disk. An intact slot therefore refers to a complete commit, and anything else is damage. The
/// commits after it that are whole are newer: their slots were not written yet, or not saved. If only one slot is intact, the other one was
/// damaged while it was written, so its whole commit must follow, or it was damaged later. Writers repair a slot before they append.
///
/// In files of version 1 to 3, a commit without a slot is only used if a slot is damaged.
struct CommitSearch {
    let head: CommitHead
    let footer: ArchiveFooter
    /// The end of the commit to which the newer intact slot refers.
    let confirmedEnd: Int
    /// The indexes of the damaged slots and headers. Slots come first.
    let damagedSlots: [Int]
    /// Harmless problems that were found.
    private(set) var notes: [ArchiveError]

    /// Finds the commit. `start` contains the headers as they were before the size of `bytes` was read. `tail` reads the bytes after the
    /// commits to which the slots refer.
    init(_ bytes: ArchiveBytes, _ start: ArchiveBytes, _ header: ArchiveHeader, _ tail: ArchiveTail) throws(ArchiveError) {
        let slots = Slots(start, header)
        let confirmed = try slots.newest(header)
        var last = (head: confirmed, footer: try ArchiveFooter(bytes, of: confirmed, header))
        if header.hasPages {
            while let next = try Self.wholeCommit(after: last.head, bytes, header, tail) { last = next }
        } else if slots.isOneDamaged {
            // These versions have no checksum of a whole commit, so all its parts are checked, in memory that nobody can cut off.
            let copy = try tail.copy(from: confirmed.end, to: bytes.count)
            while let next = try Self.wholeCommit(after: last.head, copy, header, ArchiveTail(of: copy)) { last = next }
        }
        (head, footer, confirmedEnd) = (last.head, last.footer, confirmed.end)
        (damagedSlots, notes) = (slots.damaged, slots.notes)
        guard bytes.count > head.end else { return }
        guard !slots.isOneDamaged || head != confirmed else {
            throw ArchiveError(
                .corrupt, "a slot is damaged, and the commit behind the one of the other slot too", section: .commit, offset: head.end)
        }
        notes.append(
            ArchiveError(
                .unfinishedCommit, "\(bytes.count - head.end) bytes behind the last commit, which were never confirmed",
                advice: "the next commit removes them", section: .commit, offset: head.end))
    }

    /// The two slots, and which of them or of their headers are damaged.
    private struct Slots {
        private let heads: [CommitHead?]
        private(set) var damaged: [Int] = []
        private(set) var notes: [ArchiveError] = []

        init(_ start: ArchiveBytes, _ header: ArchiveHeader) {
            heads = header.slotOffsets.map { CommitHead(start, at: $0, header) }
            for (index, offset) in header.slotOffsets.enumerated() where heads[index] == nil {
                notes.append(Self.note("a slot", .slot, offset))
                damaged.append(index)
            }
            for (index, page) in header.pages.enumerated() where start.array(page..<page + ArchiveFormat.fixedSize) != header.fixedBytes {
                notes.append(Self.note("a header", .header, page))
                if heads[index] != nil { damaged.append(index) }
            }
        }

        private static func note(_ what: String, _ section: ArchiveError.Section, _ offset: Int) -> ArchiveError {
            ArchiveError(
                .corrupt, "\(what) is damaged; the other one is sound", advice: "ArchiveFile repairs it when it opens the file",
                section: section, offset: offset)
        }

        /// Whether a slot is damaged. A slot whose header is damaged can be intact.
        var isOneDamaged: Bool { heads.contains { $0 == nil } }

        func newest(_ header: ArchiveHeader) throws(ArchiveError) -> CommitHead {
            guard let newest = heads.compactMap({ $0 }).max(by: { $0.number < $1.number }) else {
                throw ArchiveError(.corrupt, "both slots of the header are damaged", section: .slot, offset: header.slotOffsets[0])
            }
            return newest
        }
    }

    /// Returns the commit after another one if it is whole, and otherwise nil.
    private static func wholeCommit(
        after last: CommitHead, _ bytes: ArchiveBytes, _ header: ArchiveHeader, _ tail: ArchiveTail
    ) throws(ArchiveError) -> (CommitHead, ArchiveFooter)? {
        guard bytes.count > last.end else { return nil }
        let first = ArchiveBytes(try tail.read(last.end, ArchiveFormat.headSize))
        guard let head = CommitHead(first, at: 0, from: last.end, header), head.number == last.number + 1, head.end <= bytes.count,
            head.footer >= last.end + ArchiveFormat.headSize
        else { return nil }
        guard header.hasPages else { return checkedCommit(head, after: last, bytes, header) }
        // Whole commits are never cut off, so their bytes can be used from here on.
        guard try tail.checksum(last.end + ArchiveFormat.headSize..<head.end, header) == head.content,
            let footer = try? ArchiveFooter(bytes, of: head, header)
        else { return nil }
        return (head, footer)
    }

    /// Returns a commit of version 1 to 3 if all its parts are intact, and otherwise nil.
    private static func checkedCommit(
        _ head: CommitHead, after last: CommitHead, _ bytes: ArchiveBytes, _ header: ArchiveHeader
    ) -> (CommitHead, ArchiveFooter)? {
        guard let footer = try? ArchiveFooter(bytes, of: head, header) else { return nil }
        // The parts of this commit: its own sections at the end, and the records before them.
        guard footer.sections.allSatisfy({ $0.offset < last.end || $0.isSound(bytes, header) }),
            (try? head.forEachRecord(from: last.end, footer, bytes, header)) != nil
        else { return nil }
        return (head, footer)
    }
}

/// Reads the bytes of an archive after its last confirmed commit.
///
/// Another process can cut off an unfinished commit at any time. Mapped memory must not be read there, because that would stop the process.
struct ArchiveTail: Sendable {
    /// Returns up to the given number of bytes at an offset.
    let read: @Sendable (_ offset: Int, _ count: Int) throws(ArchiveError) -> [UInt8]

    /// Reads bytes that cannot be cut off.
    init(of bytes: ArchiveBytes) {
        read = { offset, count throws(ArchiveError) in
            offset < bytes.count ? bytes.array(offset..<min(bytes.count, offset + count)) : []
        }
    }

    init(_ read: @escaping @Sendable (_ offset: Int, _ count: Int) throws(ArchiveError) -> [UInt8]) { self.read = read }

    /// Returns a copy of a range, as far as it exists, with zeros instead of the bytes before it.
    func copy(from start: Int, to end: Int) throws(ArchiveError) -> ArchiveBytes {
        var bytes = [UInt8](repeating: 0, count: start)
        while bytes.count < end {
            let piece = try read(bytes.count, min(1 << 20, end - bytes.count))
            if piece.isEmpty { break }
            bytes += piece
        }
        return ArchiveBytes(bytes)
    }

    /// Returns the checksum of a range, or nil if a part of it is missing.
    func checksum(_ range: Range<Int>, _ header: ArchiveHeader) throws(ArchiveError) -> UInt32? {
        var checksum = header.checksum(at: range.lowerBound)
        var position = range.lowerBound
        while position < range.upperBound {
            let piece = try read(position, min(1 << 20, range.upperBound - position))
            if piece.isEmpty { return nil }
            checksum.update(piece.span)
            position += piece.count
        }
        return checksum.value
    }
}

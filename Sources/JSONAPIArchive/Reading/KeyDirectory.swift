import JSONText

/// The roots that some commits set or removed, sorted by the bytes of their names. See `ArchiveFormat`, section 4.
struct KeyDirectory: Sendable {
    /// A root in a section.
    struct Entry: Sendable {
        /// The offset of its record, or 0 if the root was removed.
        let offset: Int
        /// Its position among the keys of the archive.
        let place: Int

        var isRemoved: Bool { offset == 0 }
    }

    let section: ArchiveSection
    let count: Int
    private let namesStart: Int

    private static let entrySize = 14

    /// Finds the parts of a section. If `isChecked` is false, the section was checked before.
    ///
    /// - Complexity: O(n), n = number of bytes, because the order of the names is checked.
    init(_ section: ArchiveSection, _ bytes: ArchiveBytes, isChecked: Bool) throws(ArchiveError) {
        self.section = section
        let count = section.length < 4 ? Int.max : bytes.offset(at: section.offset, size: 4)
        guard count <= (section.length - 4) / Self.entrySize else { throw ArchiveImage.malformed(section, .roots) }
        self.count = count
        namesStart = section.offset + 4 + count * Self.entrySize
        if isChecked { try check(bytes) }
    }

    private func check(_ bytes: ArchiveBytes) throws(ArchiveError) {
        var end = namesStart
        for index in 0..<count {
            let next = namesStart + nameEnd(index, bytes)
            guard next >= end, next <= section.end else { throw ArchiveImage.malformed(section, .roots) }
            let isInOrder =
                index == 0
                || bytes.with(name(index - 1, bytes)) { last in bytes.with(end..<next) { last.precedes($0) } }
            guard isInOrder else { throw ArchiveImage.malformed(section, .roots) }
            end = next
        }
        guard end == section.end else { throw ArchiveImage.malformed(section, .roots) }
    }

    private func nameEnd(_ index: Int, _ bytes: ArchiveBytes) -> Int {
        bytes.offset(at: section.offset + 4 + index * Self.entrySize, size: 4)
    }

    func name(_ index: Int, _ bytes: ArchiveBytes) -> Range<Int> {
        let start = index == 0 ? 0 : nameEnd(index - 1, bytes)
        return namesStart + start..<namesStart + nameEnd(index, bytes)
    }

    func entry(_ index: Int, _ bytes: ArchiveBytes) -> Entry {
        let start = section.offset + 4 + index * Self.entrySize
        return Entry(offset: bytes.offset(at: start + 4, size: 5), place: bytes.offset(at: start + 9, size: 5))
    }

    /// Returns the root with a name, or nil if this section does not contain it.
    ///
    /// - Complexity: O(log n), n = number of roots.
    func entry(named name: String, _ bytes: ArchiveBytes) -> Entry? {
        name.withBytes { name in
            let index = (0..<count).partitioningIndex { middle in !bytes.with(self.name(middle, bytes)) { $0.precedes(name) } }
            guard index < count, bytes.equals(self.name(index, bytes), name) else { return nil }
            return entry(index, bytes)
        }
    }
}

extension ArchiveImage {
    /// Returns the root with a name from the newest section that contains it, or nil if there is none.
    ///
    /// - Complexity: O(s log n), s = number of sections, which is small, n = number of roots.
    func rootEntry(_ name: String) -> KeyDirectory.Entry? {
        for directory in keyDirectories {
            if let entry = directory.entry(named: name, bytes) { return entry.isRemoved ? nil : entry }
        }
        return oldRoots[ByteText(name)]
    }

    /// All roots with the offsets of their records, in the order of their first use.
    ///
    /// - Complexity: O(n log n), n = number of roots, including removed ones.
    var roots: [(name: String, offset: Int)] { Self.roots(oldRoots, keyDirectories, bytes) }

    /// Returns the roots of some sections, newest first, and of a section of version 1.
    static func roots(
        _ oldRoots: [ByteText: KeyDirectory.Entry], _ directories: [KeyDirectory], _ bytes: ArchiveBytes
    ) -> [(name: String, offset: Int)] {
        var entries = oldRoots
        for directory in directories.reversed() {
            for index in 0..<directory.count {
                let name = ByteText(bytes.text(directory.name(index, bytes)))
                let entry = directory.entry(index, bytes)
                entries[name] = entry.isRemoved ? nil : entry
            }
        }
        return entries.sorted { $0.value.place < $1.value.place }.map { ($0.key.text, $0.value.offset) }
    }

    /// Returns the roots of a file of version 1. Their positions are their numbers.
    static func oldRoots(_ footer: ArchiveFooter, _ bytes: ArchiveBytes) throws(ArchiveError) -> [ByteText: KeyDirectory.Entry] {
        guard let section = footer.section(ArchiveFormat.rootsSection) else { return [:] }
        var roots: [ByteText: KeyDirectory.Entry] = [:]
        var position = section.offset
        while position < section.end {
            let name = try name(&position, section, bytes, .roots)
            guard section.end - position >= 5 else { throw malformed(section, .roots) }
            let entry = KeyDirectory.Entry(offset: bytes.offset(at: position, size: 5), place: roots.count)
            guard roots.updateValue(entry, forKey: ByteText(name)) == nil else {
                throw ArchiveError(.malformed, "a name occurs twice", section: .roots)
            }
            position += 5
        }
        return roots
    }
}

import JSONText

extension ArchiveScan {
    /// The roots at the end of a commit.
    struct KnownRoots {
        var roots: [(name: String, offset: Int)] = []
        /// The end of the commit. Roots after it are newer.
        var end = 0
    }

    /// Returns the roots of the newest commit whose footer and sections of keys are intact. A root that was removed before is not among
    /// them, although its record is still there.
    mutating func knownRoots() -> KnownRoots {
        var known: [ArchiveSection: Bool] = [:]
        for (footer, range) in footers.reversed() {
            let sections = footer.sections(ArchiveFormat.keysSection) + footer.sections(ArchiveFormat.rootsSection)
            for section in sections where known[section] == nil { known[section] = isSound(section) }
            if sections.allSatisfy({ known[$0] == true }), let roots = try? roots(of: footer) {
                return KnownRoots(roots: roots, end: range.upperBound)
            }
        }
        return KnownRoots()
    }

    private func roots(of footer: ArchiveFooter) throws(ArchiveError) -> [(name: String, offset: Int)] {
        var directories: [KeyDirectory] = []
        for section in footer.sections(ArchiveFormat.keysSection) {
            directories.append(try KeyDirectory(section, bytes, isChecked: true))
        }
        return ArchiveImage.roots(try ArchiveImage.oldRoots(footer, bytes), directories, bytes)
    }

    /// Adds the known roots, and those of the records after them.
    ///
    /// - Parameter keys: the identities of the intact records of resources, by offset.
    func addRoots(_ known: KnownRoots, _ records: [ArchiveRecord], _ keys: [Int: StoredIdentity], to remains: inout ArchiveRemains) {
        let kept = Set(remains.resources.map(\.key))
        let targets = keys.filter { kept.contains($0.value) }
        var found: [Int: ArchiveRecord] = [:]
        var newest: [ByteText: Int] = [:]
        var order: [ByteText] = []
        func add(_ name: ByteText, at offset: Int) {
            if newest.updateValue(offset, forKey: name) == nil { order.append(name) }
        }
        for (name, offset) in known.roots { add(ByteText(name), at: offset) }
        for record in records where record.kind.isRoot {
            found[record.range.lowerBound] = record
            if record.range.lowerBound >= known.end { add(ByteText(bytes.text(record.key)), at: record.range.lowerBound) }
        }
        if !order.isEmpty, known.end != end {
            let warning = ArchiveError(.corrupt, "which keys were removed is lost; keys that were may be back", section: .roots)
            remains.losses.append(warning)
        }
        for name in order.map(\.text) {
            guard let offset = newest[ByteText(name)] else { continue }
            guard let record = found[offset], name.withBytes({ bytes.equals(record.key, $0) }) else {
                remains.losses.append(ArchiveRemains.lostValue(of: name, at: offset))
                continue
            }
            let references = record.kind == .value ? [] : (try? ArchiveImage.references(record, bytes, end: end))
            if let root = ArchiveRoot(record, (references ?? []).compactMap { targets[$0] }, bytes) { remains.roots.append((name, root)) }
            // A resource that is known, but not kept, was removed. That is no loss.
            if references?.allSatisfy({ keys[$0] != nil }) != true {
                remains.losses.append(ArchiveRemains.lostValue(of: name, record.kind, at: record.range.lowerBound))
            }
        }
    }
}

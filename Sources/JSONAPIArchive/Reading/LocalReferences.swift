/// The resources of an archive by the lids that their texts mention, in the commits that were searched.
///
/// A store looks for a lid when it replaces it by an id. Later states of the file continue the search after the earlier ones, so each commit
/// is read once.
struct LocalReferences: Sendable {
    private var byLID: [StoredIdentity: Set<StoredIdentity>] = [:]
    /// The start of the first commit that was not searched.
    fileprivate(set) var end: Int

    init(_ header: ArchiveHeader) { end = header.size }

    fileprivate mutating func note(_ key: StoredIdentity, _ text: [UInt8]) {
        for lid in StoredText.lids(in: text) { byLID[lid, default: []].insert(key) }
    }

    /// Returns the resources that mention a lid, in the order of their names.
    fileprivate func resources(mentioning lid: StoredIdentity) -> [StoredIdentity] {
        (byLID[lid] ?? []).sorted { ($0.type, $0.name) < ($1.type, $1.name) }
    }
}

extension ArchiveImage {
    /// Returns the resources whose texts mention a lid. Some of them may have been changed or removed later. Damaged ones are left out.
    ///
    /// Throws `ArchiveError` if a commit and a directory are damaged.
    ///
    /// - Complexity: O(n), n = number of bytes of the commits since the last search. If one of them is damaged, O(n log n), n = number of
    ///   bytes of the archive.
    package func resources(mentioning lid: StoredIdentity) throws(ArchiveError) -> [StoredIdentity] {
        // Taken out, so that the search changes the only copy.
        var references =
            localReferences.withLock { known in
                defer { known = nil }
                return known
            } ?? LocalReferences(header)
        defer { localReferences.withLock { $0 = references } }
        do throws(ArchiveError) { try searchCommits(&references) } catch { references = try searchOfDirectories() }
        return references.resources(mentioning: lid)
    }

    private func searchCommits(_ references: inout LocalReferences) throws(ArchiveError) {
        while references.end < head.end {
            guard let commit = CommitHead(bytes, at: references.end, header), commit.end <= head.end, commit.end > references.end else {
                throw ArchiveError(.corrupt, "the head of a commit is damaged", section: .commit, offset: references.end)
            }
            let footer = try ArchiveFooter(bytes, of: commit, header)
            try commit.forEachRecord(from: references.end, footer, bytes, header) { note($0, in: &references) }
            references.end = commit.end
        }
    }

    /// Searches the resources of this state, which the directories find also behind a damaged record.
    private func searchOfDirectories() throws(ArchiveError) -> LocalReferences {
        var references = LocalReferences(header)
        let offsets = try newestEntries().filter { !$0.entry.isRemoved }.map(\.entry.offset).sorted()
        for (index, offset) in offsets.enumerated() {
            // A damaged length must not lead into the next record, because each byte is read once.
            let end = index + 1 < offsets.count ? offsets[index + 1] : head.footer
            if let record = try? ArchiveRecord(bytes, at: offset, end: end, header) { note(record, in: &references) }
        }
        references.end = head.end
        return references
    }

    private func note(_ record: ArchiveRecord, in references: inout LocalReferences) {
        guard record.kind.isResource, record.type < types.count, bytes.with(record.text, { $0.contains(StoredText.lidMember) }) else {
            return
        }
        references.note(key(of: record), text(of: record))
    }
}

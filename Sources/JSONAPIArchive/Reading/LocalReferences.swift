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
    /// Returns the resources whose texts mention a lid. Some of them may have been changed or removed later.
    ///
    /// Throws `ArchiveError` if a commit is damaged.
    ///
    /// - Complexity: O(n), n = number of bytes of the commits since the last search.
    package func resources(mentioning lid: StoredIdentity) throws(ArchiveError) -> [StoredIdentity] {
        // Taken out, so that the search changes the only copy.
        var references =
            localReferences.withLock { known in
                defer { known = nil }
                return known
            } ?? LocalReferences(header)
        defer { localReferences.withLock { $0 = references } }
        try searchCommits(&references)
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

    private func note(_ record: ArchiveRecord, in references: inout LocalReferences) {
        guard record.kind.isResource, record.type < types.count, bytes.with(record.text, { $0.contains(StoredText.lidMember) }) else {
            return
        }
        references.note(key(of: record), text(of: record))
    }
}

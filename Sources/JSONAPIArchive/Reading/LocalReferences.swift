/// The resources of an archive whose texts may contain a lid, in the commits that were searched.
///
/// A store looks for a lid when it replaces it by an id. Later states of the file continue the search after the earlier ones, so each commit
/// is read once.
struct LocalReferences: Sendable {
    fileprivate(set) var keys: [StoredIdentity] = []
    fileprivate var known: Set<StoredIdentity> = []
    /// The start of the first commit that was not searched.
    fileprivate(set) var end: Int

    init(_ header: ArchiveHeader) { end = header.size }
}

extension ArchiveImage {
    /// Returns the resources whose texts may contain a lid. Some of them may have been changed or removed later.
    ///
    /// Throws `ArchiveError` if a commit is damaged.
    ///
    /// - Complexity: O(n), n = number of bytes of the commits since the last search.
    package func resourcesWithLIDs() throws(ArchiveError) -> [StoredIdentity] {
        var references = localReferences.withLock { $0 } ?? LocalReferences(header)
        while references.end < head.end {
            guard let commit = CommitHead(bytes, at: references.end, header), commit.end <= head.end, commit.end > references.end else {
                throw ArchiveError(.corrupt, "the head of a commit is damaged", section: .commit, offset: references.end)
            }
            try search(commit, from: references.end, &references)
            references.end = commit.end
        }
        localReferences.withLock { $0 = references }
        return references.keys
    }

    private func search(_ commit: CommitHead, from start: Int, _ references: inout LocalReferences) throws(ArchiveError) {
        let footer = try ArchiveFooter(bytes, of: commit, header)
        try commit.forEachRecord(from: start, footer, bytes, header) { record in
            guard record.kind.isResource, record.type < types.count, bytes.with(record.text, { $0.contains(Self.lidMember) }) else {
                return
            }
            let key = key(of: record)
            if references.known.insert(key).inserted { references.keys.append(key) }
        }
    }

    /// A member `lid` in compact JSON.
    private static let lidMember = Array(#""lid":"#.utf8)
}

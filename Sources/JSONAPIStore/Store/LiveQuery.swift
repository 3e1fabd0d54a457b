import JSONAPICodec
import JSONText

/// Tracks the resources that a live sequence shows, and whether they have changed.
///
/// Every commit tells all queries which resources it has changed. If a query shows one of them, it becomes stale and wakes its reader. The
/// value is made again when the reader asks for it, so several commits can give one value.
final class LiveQuery: Sendable {
    /// The type whose resources are all shown; nil for a query of single resources.
    private let type: ByteText?
    /// The kept document or the queue that the query shows; nil for resources only.
    private let kept: Kept?
    /// The versions of the resources that the last value was made from, and of those that its references lead to.
    private let versions = Locked<[StoredIdentity: Int]>([:])
    private let wake: AsyncStream<Void>.Continuation

    /// A part of the store that a query can show in addition to resources.
    enum Kept: Sendable {
        case key(StoreKey)
        case requests

        func shows(_ key: StoreKey) -> Bool {
            switch (self, key) {
            case (.key(let own), _): own == key
            case (.requests, .request): true
            case (.requests, _): false
            }
        }
    }

    init(_ type: ByteText?, _ kept: Kept? = nil, _ wake: AsyncStream<Void>.Continuation) {
        self.type = type
        self.kept = kept
        self.wake = wake
    }

    /// Called under the lock of the store, after a commit.
    fileprivate func note(_ commit: LiveQueries.Commit, _ table: borrowing ResourceTable) {
        if shows(commit, table) { wake.yield() }
    }

    /// - Complexity: O(min(m, n)), m = number of changed resources, n = number of resources that the query shows.
    private func shows(_ commit: LiveQueries.Commit, _ table: borrowing ResourceTable) -> Bool {
        if let kept, commit.keys.contains(where: kept.shows) { return true }
        if let type, commit.types.contains(type) { return true }
        return versions.withLock { versions in
            guard versions.count < commit.touched.count else {
                return commit.touched.contains { identity in versions[identity].map { table.version(of: identity) != $0 } ?? false }
            }
            return versions.contains { commit.touched.contains($0.key) && table.version(of: $0.key) != $0.value }
        }
    }

    /// Notes the versions that a value shows. Called under the lock of the store.
    ///
    /// - Parameter isCurrent: whether the value shows the current state of the store.
    func show(_ versions: [StoredIdentity: Int], isCurrent: Bool) {
        self.versions.withLock { $0 = versions }
        // Commits in the meantime were compared with the earlier value.
        if !isCurrent { wake.yield() }
    }

    /// Called when the store starts to read through another file, and when a lid that it does not have gets its id.
    func lookAgain() { wake.yield() }

    func end() { wake.finish() }
}

extension ByteText {
    func isType(of identity: StoredIdentity) -> Bool { UTF8Bytes.areEqual(text, identity.type) }
}

/// All queries of a store. The store does not keep them alive.
struct LiveQueries {
    /// What a commit has changed.
    struct Commit {
        let touched: Set<StoredIdentity>
        let types: Set<ByteText>
        let keys: [StoreKey]
    }

    private var queries: [Weak<LiveQuery>] = []
    private var countAtNextSweep = 64

    mutating func add(_ query: LiveQuery) {
        if queries.count >= countAtNextSweep {
            queries.removeAll { $0.value == nil }
            countAtNextSweep = max(64, 2 * queries.count)
        }
        queries.append(Weak(value: query))
    }

    func forEach(_ body: (LiveQuery) -> Void) {
        for query in queries { if let query = query.value { body(query) } }
    }

    /// Called under the lock of the store, after a commit.
    func note(_ touched: [StoredIdentity], _ keys: [StoreKey], _ table: borrowing ResourceTable) {
        guard !queries.isEmpty else { return }
        let commit = Commit(touched: Set(touched), types: Set(touched.map { ByteText($0.type) }), keys: keys)
        for query in queries { query.value?.note(commit, table) }
    }
}

import JSONAPIArchive
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

    /// What the query shows. Called under the lock of the store.
    fileprivate var interests: LiveQueries.Interests {
        // Those of the type are found by it.
        let others = versions.withLock { versions in
            type.map { type in versions.keys.filter { !type.isType(of: $0) } } ?? Array(versions.keys)
        }
        return LiveQueries.Interests(identities: others, type: type, kept: kept)
    }

    /// Called under the lock of the store, after a commit that has changed something that the query shows.
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
    fileprivate func show(_ versions: [StoredIdentity: Int], isCurrent: Bool) {
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

/// All queries of a store, by what they show. The store does not keep them alive.
struct LiveQueries {
    /// What a commit has changed.
    struct Commit {
        let touched: Set<StoredIdentity>
        let types: Set<ByteText>
        let keys: [StoreKey]
    }

    /// What a query shows.
    struct Interests {
        let identities: [StoredIdentity]
        let type: ByteText?
        let kept: LiveQuery.Kept?
    }

    private var queries: [ObjectIdentifier: Weak<LiveQuery>] = [:]
    private var byIdentity: [StoredIdentity: Set<ObjectIdentifier>] = [:]
    private var byType: [ByteText: Set<ObjectIdentifier>] = [:]
    private var byKey: [StoreKey: Set<ObjectIdentifier>] = [:]
    private var ofRequests: Set<ObjectIdentifier> = []
    private var countAtNextSweep = 64

    mutating func add(_ query: LiveQuery) {
        if queries.count >= countAtNextSweep { sweep() }
        insert(query)
    }

    /// Forgets the queries that are gone. A new one can have the place in memory of one that is gone, and is then asked once too often.
    private mutating func sweep() {
        let present = queries.values.compactMap(\.value)
        self = LiveQueries()
        for query in present { insert(query) }
        countAtNextSweep = max(64, 2 * present.count)
    }

    private mutating func insert(_ query: LiveQuery) {
        let id = ObjectIdentifier(query)
        queries[id] = Weak(value: query)
        let interests = query.interests
        for identity in interests.identities { byIdentity[identity, default: []].insert(id) }
        if let type = interests.type { byType[type, default: []].insert(id) }
        switch interests.kept {
        case .key(let key): byKey[key, default: []].insert(id)
        case .requests: ofRequests.insert(id)
        case nil: break
        }
    }

    /// Notes the versions that a value of a query shows.
    ///
    /// - Complexity: O(n), n = number of resources that this value and the last one show.
    mutating func show(_ versions: [StoredIdentity: Int], in query: LiveQuery, isCurrent: Bool) {
        let id = ObjectIdentifier(query)
        for identity in query.interests.identities where versions[identity] == nil {
            byIdentity[identity]?.remove(id)
            if byIdentity[identity]?.isEmpty == true { byIdentity[identity] = nil }
        }
        query.show(versions, isCurrent: isCurrent)
        for identity in query.interests.identities { byIdentity[identity, default: []].insert(id) }
    }

    func forEach(_ body: (LiveQuery) -> Void) {
        for query in queries.values { if let query = query.value { body(query) } }
    }

    /// Called under the lock of the store, after a commit.
    ///
    /// - Complexity: O(n), n = number of changes and of queries that show them.
    func note(_ touched: [StoredIdentity], _ keys: [StoreKey], _ table: borrowing ResourceTable) {
        guard !queries.isEmpty else { return }
        let commit = Commit(touched: Set(touched), types: Set(touched.map { ByteText($0.type) }), keys: keys)
        var concerned: Set<ObjectIdentifier> = []
        for identity in commit.touched { concerned.formUnion(byIdentity[identity] ?? []) }
        for type in commit.types { concerned.formUnion(byType[type] ?? []) }
        for key in keys {
            concerned.formUnion(byKey[key] ?? [])
            if case .request = key { concerned.formUnion(ofRequests) }
        }
        for id in concerned { queries[id]?.value?.note(commit, table) }
    }
}

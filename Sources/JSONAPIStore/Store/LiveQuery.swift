import JSONAPICodec
import JSONText

/// Tracks the resources that a live sequence shows, and whether they have changed.
///
/// Every commit tells all queries which resources it has changed. If a query shows one of them, it becomes stale and wakes its reader. The
/// value is made again when the reader asks for it, so several commits can give one value.
final class LiveQuery: Sendable {
    private struct State {
        /// The versions of the resources that the last value was made from, and of those that its references lead to.
        var versions: [StoredIdentity: Int] = [:]
        /// The last version of the store that the query has examined.
        var lookedAt = -1
    }

    /// The type whose resources are all shown; nil for a query of single resources.
    private let type: TypeName?
    /// The kept document or the queue that the query shows; nil for resources only.
    private let kept: Kept?
    private let state = Locked(State())
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

    init(_ type: TypeName?, _ kept: Kept? = nil, _ wake: AsyncStream<Void>.Continuation) {
        self.type = type
        self.kept = kept
        self.wake = wake
    }

    /// Called under the lock of the store, after a commit.
    func note(_ touched: [StoredIdentity], _ keys: [StoreKey], _ table: borrowing ResourceTable) {
        if let kept, keys.contains(where: kept.shows) {
            wake.yield()
            return
        }
        let isConcerned = state.withLock { state in
            touched.contains { identity in
                if type?.isType(of: identity) == true { return true }
                guard let version = state.versions[identity] else { return false }
                return table.version(of: identity) != version
            }
        }
        if isConcerned { wake.yield() }
    }

    /// Notes the versions that a value shows. Called under the lock of the store.
    ///
    /// - Parameter isCurrent: whether the value shows the current state of the store.
    func show(_ versions: [StoredIdentity: Int], isCurrent: Bool) {
        state.withLock { $0.versions = versions }
        // Commits in the meantime were compared with the earlier value.
        if !isCurrent { wake.yield() }
    }

    /// Called when the store starts to read through another file.
    func lookAgain() { wake.yield() }

    func end() { wake.finish() }
}

extension TypeName {
    func isType(of identity: StoredIdentity) -> Bool { UTF8Bytes.areEqual(text, identity.type) }
}

import JSONAPICodec
import JSONText

/// What a live sequence shows of a store, and whether that has changed.
///
/// A commit tells every query which resources it touched. A query that shows one of them is stale, and its reader is woken; what it shows is
/// made anew when the reader asks, so several commits make one value.
final class LiveQuery: Sendable {
    private struct State {
        /// The versions of everything that the last value was made of, and of what its references lead to.
        var versions: [StoredIdentity: Int] = [:]
        /// The version of the store that is known to have been looked at.
        var lookedAt = -1
    }

    /// The type of which all resources are shown; nil for a query of single ones.
    private let type: TypeName?
    /// What it shows beside resources.
    private let kept: Kept?
    private let state = Locked(State())
    private let wake: AsyncStream<Void>.Continuation

    /// What a query shows beside resources.
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

    /// Notes what a value shows. Called under the lock of the store.
    ///
    /// - Parameter isCurrent: whether the value shows the store as it is now.
    func show(_ versions: [StoredIdentity: Int], isCurrent: Bool) {
        state.withLock { $0.versions = versions }
        // What was committed meanwhile was compared with the value before.
        if !isCurrent { wake.yield() }
    }

    /// Called when the store has begun to read through another file.
    func lookAgain() { wake.yield() }

    func end() { wake.finish() }
}

extension TypeName {
    func isType(of identity: StoredIdentity) -> Bool { UTF8Bytes.areEqual(text, identity.type) }
}

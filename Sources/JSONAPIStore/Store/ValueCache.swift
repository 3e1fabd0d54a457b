import JSONAPICodec

/// The values that a store has made of its resources, each with the versions of all resources that went into it.
///
/// Whether a value still counts is told by these versions alone; it is taken out when its own resource is written, to free
/// memory. Values that go out are let go of outside the lock.
final class ValueCache: Sendable {
    struct Entry: Sendable {
        let value: any Sendable
        let dependencies: [StoredIdentity: Int]
        /// The change of the store as of which it counts for certain.
        var confirmedAt: Int
    }

    private let entries = Locked<[StoredIdentity: [ObjectIdentifier: Entry]]>([:])

    func entry(_ identity: StoredIdentity, _ type: Any.Type) -> Entry? {
        entries.withLock { $0[identity]?[ObjectIdentifier(type)] }
    }

    func insert(_ entry: Entry, _ identity: StoredIdentity, _ type: Any.Type) {
        let old = entries.withLock { $0[identity, default: [:]].updateValue(entry, forKey: ObjectIdentifier(type)) }
        withExtendedLifetime(old) {}
    }

    func confirm(_ identity: StoredIdentity, _ type: Any.Type, at change: Int) {
        entries.withLock { $0[identity]?[ObjectIdentifier(type)]?.confirmedAt = change }
    }

    func remove(_ identities: [StoredIdentity]) {
        let old: [[ObjectIdentifier: Entry]] = entries.withLock { entries in
            guard !entries.isEmpty else { return [] }
            let old = identities.compactMap { entries.removeValue(forKey: $0) }
            if entries.isEmpty { entries = [:] }
            return old
        }
        withExtendedLifetime(old) {}
    }
}

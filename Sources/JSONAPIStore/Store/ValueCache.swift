import JSONAPICodec

/// The values that a store has made of its resources, each with the versions of all resources that went into it.
///
/// Whether a value still counts is told by these versions alone; it is taken out when its own resource is written, to free
/// memory. Values that are taken out are released outside the lock.
final class ValueCache: Sendable {
    struct Entry: Sendable {
        let value: any Sendable
        let dependencies: [StoredIdentity: Int]
        /// The change of the store as of which it counts for certain.
        var confirmedAt: Int
    }

    private struct Table {
        var values: [StoredIdentity: [ObjectIdentifier: Entry]] = [:]
        /// The resources whose texts the store does not hold in memory, oldest first.
        var absent: [StoredIdentity] = []
    }

    private let table = Locked(Table())

    func entry(_ identity: StoredIdentity, _ type: Any.Type) -> Entry? {
        table.withLock { $0.values[identity]?[ObjectIdentifier(type)] }
    }

    /// - Parameter absentLimit: how many values are kept of resources that the store does not hold in memory; nil for a resource that it holds,
    ///   or for no limit.
    func insert(_ entry: Entry, _ identity: StoredIdentity, _ type: Any.Type, absentLimit: Int?) {
        let (old, gone) = table.withLock { table in
            let isNew = table.values[identity] == nil
            let old = table.values[identity, default: [:]].updateValue(entry, forKey: ObjectIdentifier(type))
            guard let absentLimit, isNew else { return (old, [[ObjectIdentifier: Entry]]()) }
            table.absent.append(identity)
            guard table.absent.count > max(absentLimit, 16) else { return (old, []) }
            // Half of them at a time, so that each costs the same.
            let oldest = table.absent[..<(table.absent.count / 2)]
            table.absent.removeFirst(oldest.count)
            return (old, oldest.compactMap { table.values.removeValue(forKey: $0) })
        }
        withExtendedLifetime((old, gone)) {}
    }

    func confirm(_ identity: StoredIdentity, _ type: Any.Type, at change: Int) {
        table.withLock { $0.values[identity]?[ObjectIdentifier(type)]?.confirmedAt = change }
    }

    func remove(_ identities: [StoredIdentity]) {
        let old: [[ObjectIdentifier: Entry]] = table.withLock { table in
            guard !table.values.isEmpty else { return [] }
            let old = identities.compactMap { table.values.removeValue(forKey: $0) }
            if table.values.isEmpty { table = Table() }
            return old
        }
        withExtendedLifetime(old) {}
    }
}

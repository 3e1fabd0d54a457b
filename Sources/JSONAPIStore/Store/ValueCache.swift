import JSONAPIArchive
import JSONAPICodec

/// The models that a store has read, each with the versions of all resources that it was made from.
///
/// These versions alone decide whether a model is still valid. When a resource is written, its models are removed to free memory. Removed
/// models are released outside the lock.
final class ValueCache: Sendable {
    struct Entry: Sendable {
        let value: any Sendable
        let dependencies: [StoredIdentity: Int]
        /// The number of the change for which the model was made. Models of one resource with the same number are equal.
        let madeAt: Int
        /// The number of the last change for which the model is known to be valid.
        var confirmedAt: Int
    }

    private struct Table {
        var values: [StoredIdentity: [ObjectIdentifier: Entry]] = [:]
        /// The resources with cached models whose texts are not in memory, oldest first.
        var absent: [StoredIdentity] = []
    }

    private let table = Locked(Table())

    func entry(_ identity: StoredIdentity, _ type: Any.Type) -> Entry? {
        table.withLock { $0.values[identity]?[ObjectIdentifier(type)] }
    }

    /// Adds an entry, unless there is one that is known to be valid for a later change. A reader of earlier contents can be late.
    ///
    /// - Parameter absentLimit: how many resources not in memory may have cached models, but at least 16. Nil for a resource in memory, or
    ///   for no limit.
    func insert(_ entry: Entry, _ identity: StoredIdentity, _ type: Any.Type, absentLimit: Int?) {
        let (old, gone) = table.withLock { table -> (Entry?, [[ObjectIdentifier: Entry]]) in
            let present = table.values[identity]?[ObjectIdentifier(type)]
            if let present, present.confirmedAt > entry.confirmedAt { return (nil, []) }
            let isNew = table.values[identity] == nil
            let old = table.values[identity, default: [:]].updateValue(entry, forKey: ObjectIdentifier(type))
            guard let absentLimit, isNew else { return (old, []) }
            table.absent.append(identity)
            guard table.absent.count > max(absentLimit, 16) else { return (old, []) }
            // Removes half of them at a time, so the average cost per insertion is constant.
            let oldest = table.absent[..<(table.absent.count / 2)]
            table.absent.removeFirst(oldest.count)
            return (old, oldest.compactMap { table.values.removeValue(forKey: $0) })
        }
        withExtendedLifetime((old, gone)) {}
    }

    /// Notes that an entry is valid for a later change, unless another thread has replaced it in the meantime.
    func confirm(_ entry: Entry, _ identity: StoredIdentity, _ type: Any.Type, at change: Int) {
        table.withLock { table in
            guard let present = table.values[identity]?[ObjectIdentifier(type)], present.madeAt == entry.madeAt,
                present.confirmedAt < change
            else { return }
            table.values[identity]?[ObjectIdentifier(type)]?.confirmedAt = change
        }
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

/// Finds the slots of a table by the identities that they hold. Slots are numbers of four bytes in an open hash table, at most half full,
/// so a resource costs 8 to 16 bytes here, where a dictionary would hold its identity once more.
///
/// The identities stay where they are: each call says how the one of a slot is found.
struct SlotIndex: Sendable {
    private static let empty: Int32 = -1
    private static let removed: Int32 = -2

    private var buckets: [Int32] = []
    /// The buckets that are not empty.
    private var usedCount = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// The slot of an identity; nil when there is none.
    func slot(of identity: StoredIdentity, _ identityOf: (Int) -> StoredIdentity?) -> Int? {
        bucket(of: identity, identityOf).map { Int(buckets[$0]) }
    }

    /// Adds a slot, whose identity is not in the index.
    mutating func insert(_ slot: Int, _ identity: StoredIdentity, _ identityOf: (Int) -> StoredIdentity?) {
        if 2 * (usedCount + 1) > buckets.count { rebuild(identityOf) }
        place(Int32(slot), identity)
        count += 1
    }

    /// Removes the slot of an identity and returns it.
    mutating func remove(_ identity: StoredIdentity, _ identityOf: (Int) -> StoredIdentity?) -> Int? {
        guard let bucket = bucket(of: identity, identityOf) else { return nil }
        defer { buckets[bucket] = Self.removed }
        count -= 1
        return Int(buckets[bucket])
    }

    private func bucket(of identity: StoredIdentity, _ identityOf: (Int) -> StoredIdentity?) -> Int? {
        guard !buckets.isEmpty else { return nil }
        var bucket = start(of: identity)
        // At least half of the buckets are empty, so there is an end.
        while buckets[bucket] != Self.empty {
            if buckets[bucket] >= 0, identityOf(Int(buckets[bucket])) == identity { return bucket }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    private func start(of identity: StoredIdentity) -> Int {
        var hasher = Hasher()
        identity.hash(into: &hasher)
        return hasher.finalize() & (buckets.count - 1)
    }

    private mutating func place(_ slot: Int32, _ identity: StoredIdentity) {
        var bucket = start(of: identity)
        while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        if buckets[bucket] == Self.empty { usedCount += 1 }
        buckets[bucket] = slot
    }

    /// Makes room: doubles the size, or only drops removed buckets if most are.
    private mutating func rebuild(_ identityOf: (Int) -> StoredIdentity?) {
        let slots = buckets.filter { $0 >= 0 }
        var size = 16
        while size < 4 * (slots.count + 1) { size *= 2 }
        buckets = Array(repeating: Self.empty, count: size)
        usedCount = 0
        for slot in slots { if let identity = identityOf(Int(slot)) { place(slot, identity) } }
    }
}

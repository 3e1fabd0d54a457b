import JSONAPIArchive

/// Finds the slots of a table by the identities that they hold. The index is an open hash table of four-byte slot numbers, at most half
/// full. It needs 8 to 16 bytes for each resource. A dictionary would store every identity once more.
///
/// The index does not store the identities. Each call passes a function that returns the identity of a slot.
struct SlotIndex: Sendable {
    private static let empty: Int32 = -1
    private static let removed: Int32 = -2

    private var buckets: [Int32] = []
    /// The number of buckets that are not empty.
    private var usedCount = 0
    private(set) var count = 0

    /// Creates an empty index with room for a number of slots.
    init(capacity: Int = 0) {
        if capacity > 0 { resize(forCount: capacity) }
    }

    var isEmpty: Bool { count == 0 }

    /// Returns the slot of an identity; nil if there is none.
    func slot(of identity: StoredIdentity, _ identityOf: (Int) -> StoredIdentity?) -> Int? {
        bucket(of: identity, identityOf).map { Int(buckets[$0]) }
    }

    /// Adds a slot. Its identity must not be in the index yet.
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
        // The loop ends, because at least half of the buckets are empty.
        while buckets[bucket] != Self.empty {
            if buckets[bucket] >= 0, identityOf(Int(buckets[bucket])) == identity { return bucket }
            bucket = (bucket + 1) & (buckets.count - 1)
        }
        return nil
    }

    private func start(of identity: StoredIdentity) -> Int { Int(truncatingIfNeeded: identity.hash) & (buckets.count - 1) }

    private mutating func place(_ slot: Int32, _ identity: StoredIdentity) {
        var bucket = start(of: identity)
        while buckets[bucket] >= 0 { bucket = (bucket + 1) & (buckets.count - 1) }
        if buckets[bucket] == Self.empty { usedCount += 1 }
        buckets[bucket] = slot
    }

    /// Makes room. Doubles the size or, if most of the used buckets are removed ones, only drops those.
    private mutating func rebuild(_ identityOf: (Int) -> StoredIdentity?) {
        let slots = buckets.filter { $0 >= 0 }
        resize(forCount: slots.count + 1)
        for slot in slots { if let identity = identityOf(Int(slot)) { place(slot, identity) } }
    }

    private mutating func resize(forCount count: Int) {
        var size = 16
        while size < 4 * count { size *= 2 }
        buckets = Array(repeating: Self.empty, count: size)
        usedCount = 0
    }
}

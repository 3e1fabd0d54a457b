/// Finds ordinals by hash, with open addressing.
///
/// Each slot also stores 32 bits of the hash, so that the object itself is compared only when it is very likely the right one.
final class OrdinalTable {
    /// The upper half of the hash, and the ordinal plus 1; 0 for a free slot. The lower bits of the hash select the first slot.
    // Unchecked: nothing calls back while the table changes.
    @safe @exclusivity(unchecked) private var slots: [UInt64]
    private var count = 0

    private static let smallest = 64

    init() { slots = Array(repeating: 0, count: Self.smallest) }

    /// Forgets all ordinals.
    func removeAll() {
        if count == 0 { return }
        count = 0
        guard slots.count == Self.smallest else { return slots = Array(repeating: 0, count: Self.smallest) }
        for slot in slots.indices { slots[slot] = 0 }
    }

    /// Returns the ordinal with the given hash for which `isOne` is true; nil when there is none. Terminates because some slots are free.
    @inline(__always)
    func ordinal(of hash: UInt64, where isOne: (Int) -> Bool) -> Int? {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while true {
            let entry = slots[slot]
            if entry == 0 { return nil }
            if (entry ^ hash) >> 32 == 0 {
                let ordinal = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
                if isOne(ordinal) { return ordinal }
            }
            slot = (slot &+ 1) & mask
        }
    }

    /// Adds the next ordinal, which must be new. Returns whether the table has to grow before the next one is added.
    @inline(__always)
    func insert(_ ordinal: Int, _ hash: UInt64) -> Bool {
        put(ordinal, hash)
        count += 1
        return count * 4 > slots.count * 3
    }

    @inline(__always)
    private func put(_ ordinal: Int, _ hash: UInt64) {
        let mask = slots.count &- 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = hash & ~0xFFFF_FFFF | UInt64(UInt32(truncatingIfNeeded: ordinal &+ 1))
    }

    /// Makes room for more ordinals.
    ///
    /// - Parameter hashes: Returns the hash of each ordinal.
    @inline(never)
    func grow(_ hashes: (Int) -> UInt64) {
        slots = Array(repeating: 0, count: slots.count * 4)
        for ordinal in 0..<count { put(ordinal, hashes(ordinal)) }
    }
}

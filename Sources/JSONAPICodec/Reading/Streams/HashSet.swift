/// A set of evenly distributed hashes, such as those of `KeyedHash`. It uses open addressing on their lowest bits and does not hash them
/// again.
struct HashSet {
    /// 0 for a free slot.
    private var slots = [UInt64](repeating: 0, count: 64)
    private var count = 0
    private var hasZero = false

    /// Inserts a hash. Returns false when the set already contains it.
    mutating func insert(_ hash: UInt64) -> Bool {
        guard hash != 0 else {
            defer { hasZero = true }
            return !hasZero
        }
        let slot = slot(of: hash)
        guard slots[slot] == 0 else { return false }
        slots[slot] = hash
        count += 1
        if count * 2 > slots.count { grow() }
        return true
    }

    /// Returns the slot that contains the hash, or the free slot for it. Terminates because half of the slots are free.
    private func slot(of hash: UInt64) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0, slots[slot] != hash { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: old.count * 2)
        for hash in old where hash != 0 { slots[slot(of: hash)] = hash }
    }
}

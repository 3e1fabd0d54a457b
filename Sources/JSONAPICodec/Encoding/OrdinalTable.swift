/// Finds ordinals by the hash of what they stand for.
///
/// Beside each ordinal stand 32 bits of the hash, so that what it stands for is looked at only when it is most probably the one.
final class OrdinalTable {
    /// The upper half of the hash and the ordinal plus 1; 0 for a free slot. The lower bits of the hash say where it is looked for.
    private var slots: ScratchList<UInt64>
    private var memory: Scratch<UInt64>
    private var mask: Int
    private var count = 0

    init() {
        memory = Scratch(zeroes: 256)
        slots = memory.list
        mask = 255
    }

    func removeAll() {
        memory = Scratch(zeroes: 256)
        slots = memory.list
        mask = 255
        count = 0
    }

    /// The ordinal with this hash for which `isOne` holds. Ends: some of the slots are free.
    @inline(__always)
    func ordinal(of hash: UInt64, where isOne: (Int) -> Bool) -> Int? {
        var slot = Int(truncatingIfNeeded: hash) & mask
        // In bounds: there is a slot for each value of the mask.
        while slots[slot] != 0 {
            let entry = slots[slot]
            if (entry ^ hash) >> 32 == 0 {
                let ordinal = Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1
                if isOne(ordinal) { return ordinal }
            }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    /// Adds the next ordinal, which is not there yet.
    ///
    /// - Parameter hashes: the hash of each ordinal, this one included.
    @inline(__always)
    func insert(_ ordinal: Int, _ hash: UInt64, hashes: (Int) -> UInt64) {
        put(ordinal, hash)
        count &+= 1
        if count &* 4 > mask &* 3 { grow(hashes) }
    }

    @inline(__always)
    private func put(_ ordinal: Int, _ hash: UInt64) {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 { slot = (slot &+ 1) & mask }
        slots[slot] = hash & ~0xFFFF_FFFF | UInt64(UInt32(truncatingIfNeeded: ordinal &+ 1))
    }

    @inline(never)
    private func grow(_ hashes: (Int) -> UInt64) {
        mask = mask &* 4 &+ 3
        memory = Scratch(zeroes: mask + 1)
        slots = memory.list
        for ordinal in 0..<count { put(ordinal, hashes(ordinal)) }
    }
}

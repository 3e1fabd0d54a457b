/// Finds the position of the last member with a name in an object.
///
/// The index is a hash table with open addressing that is at most half full. It stores positions, and the names stay in the members.
/// The keys of the hash are random in each process, so an attacker cannot choose names that collide.
struct NameIndex {
    /// Up to this many members are searched one by one, which is as fast and needs no memory.
    static let linearLimit = 16

    /// The slots. 0 is free. Otherwise the low 40 bits hold the position plus 1, and the high 24 bits are those of the hash.
    private var slots: [UInt64]
    /// The number of different names.
    private(set) var distinctCount = 0

    private static let positionMask: UInt64 = (1 << 40) - 1

    /// Creates the index of an array of members, with room for the capacity of the array.
    ///
    /// - Complexity: O(n), n = number of members.
    init(_ members: ContiguousArray<JSONObject.Member>) {
        slots = NameIndex.emptySlots(for: members.capacity)
        for position in members.indices { insert(position, in: members) }
    }

    /// Returns the position of the last member with a name, or nil if there is none.
    ///
    /// - Complexity: O(n), n = number of bytes in the name.
    func position(of name: String, in members: ContiguousArray<JSONObject.Member>) -> Int? {
        let hash = NameIndex.hash(name)
        let slot = slot(of: name, hash: hash, in: members)
        return slots[slot] == 0 ? nil : NameIndex.position(slots[slot])
    }

    /// Adds the last member of the array. A look-up of its name then finds it.
    mutating func insertLast(of members: ContiguousArray<JSONObject.Member>) {
        if (distinctCount + 1) * 2 > slots.count {
            self = NameIndex(members)
        } else {
            insert(members.count - 1, in: members)
        }
    }

    private mutating func insert(_ position: Int, in members: ContiguousArray<JSONObject.Member>) {
        let name = members[position].name
        let hash = NameIndex.hash(name)
        let slot = slot(of: name, hash: hash, in: members)
        if slots[slot] == 0 { distinctCount += 1 }
        slots[slot] = hash & ~NameIndex.positionMask | UInt64(position + 1) & NameIndex.positionMask
    }

    /// Returns the slot of a name, or the free slot for it.
    private func slot(of name: String, hash: UInt64, in members: ContiguousArray<JSONObject.Member>) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if (slots[slot] ^ hash) & ~NameIndex.positionMask == 0,
                UTF8Bytes.areEqual(members[NameIndex.position(slots[slot])].name, name)
            {
                return slot
            }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private static func position(_ slot: UInt64) -> Int {
        Int(slot & positionMask) - 1
    }

    private static func hash(_ name: String) -> UInt64 { UTF8Bytes.withBytes(of: name) { KeyedHash.shared.mix($0, into: 0) } }

    private static func emptySlots(for count: Int) -> [UInt64] {
        var size = 64
        while size < count * 2 + 2 { size *= 2 }
        return [UInt64](repeating: 0, count: size)
    }
}

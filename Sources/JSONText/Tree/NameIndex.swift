/// Finds the position of the last member of a name in an object.
///
/// A table of slots with open addressing, at most half full. It holds positions, not names; the names stay in the
/// members. Swift's `Hasher` is seeded anew in each process, so nobody can choose names that collide.
struct NameIndex {
    /// Objects of at most this many members are searched one by one, which is as quick and needs no memory.
    static let linearLimit = 16

    /// 0 is free; else the low 40 bits are the position + 1 and the high 24 bits are taken from the hash.
    private var slots: [UInt64]
    /// How many different names there are.
    private(set) var distinctCount = 0

    private static let positionMask: UInt64 = (1 << 40) - 1

    /// The index of those members, with room for as many as `members` has room for.
    ///
    /// - Complexity: O(n), n = members.
    init(_ members: ContiguousArray<JSONObject.Member>) {
        slots = NameIndex.emptySlots(for: members.capacity)
        for position in members.indices { insert(position, in: members) }
    }

    /// The position of the last member of that name.
    ///
    /// - Complexity: O(n), n = bytes of the name.
    func position(of name: String, in members: ContiguousArray<JSONObject.Member>) -> Int? {
        let hash = NameIndex.hash(name)
        let slot = slot(of: name, hash: hash, in: members)
        return slots[slot] == 0 ? nil : NameIndex.position(slots[slot])
    }

    /// Adds the last of `members`, which becomes the one that is found for its name.
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

    /// The slot that holds the name, or the free one where it belongs.
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

    private static func hash(_ name: String) -> UInt64 {
        var hasher = Hasher()
        UTF8Bytes.hash(name, into: &hasher)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    private static func emptySlots(for count: Int) -> [UInt64] {
        var size = 64
        while size < count * 2 + 2 { size *= 2 }
        return [UInt64](repeating: 0, count: size)
    }
}

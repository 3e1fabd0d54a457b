/// A doubly linked list of slots with removal in constant time. The owner of the chain stores the links, one for each slot.
struct Chain: Sendable {
    struct Link: Sendable {
        fileprivate var previous = Chain.unlinked
        fileprivate var next = Chain.unlinked

        var isLinked: Bool { next != Chain.unlinked }
    }

    // Four bytes number two billion slots.
    private static let none: Int32 = -1
    private static let unlinked: Int32 = -2
    private var head = Chain.none
    private var tail = Chain.none
    private(set) var count = 0

    var first: Int? { head == Chain.none ? nil : Int(head) }

    /// Returns the slot after one in the chain.
    func next(after slot: Int, _ links: [Link]) -> Int? { links[slot].next < 0 ? nil : Int(links[slot].next) }

    /// Appends a slot that is not in any chain with these links.
    mutating func append(_ slot: Int, _ links: inout [Link]) {
        links[slot] = Link(previous: tail, next: Chain.none)
        if tail == Chain.none { head = Int32(slot) } else { links[Int(tail)].next = Int32(slot) }
        tail = Int32(slot)
        count += 1
    }

    /// Removes a slot. Does nothing if the slot is not in the chain.
    mutating func remove(_ slot: Int, _ links: inout [Link]) {
        let link = links[slot]
        guard link.isLinked else { return }
        if link.previous == Chain.none { head = link.next } else { links[Int(link.previous)].next = link.next }
        if link.next == Chain.none { tail = link.previous } else { links[Int(link.next)].previous = link.previous }
        links[slot] = Link()
        count -= 1
    }

    /// Returns all slots in order.
    func members(_ links: [Link]) -> [Int] {
        var members: [Int] = []
        members.reserveCapacity(count)
        var slot = head
        while slot != Chain.none {
            members.append(Int(slot))
            slot = links[Int(slot)].next
        }
        return members
    }
}

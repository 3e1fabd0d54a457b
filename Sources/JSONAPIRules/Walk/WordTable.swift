import JSONText

/// A set of strings, or pairs of strings, by their indices on the tape. The keys of the hash are random in each process, so that an
/// attacker cannot choose strings that collide.
package struct WordTable {
    /// The slots: the position of an element in `words` plus 1, or 0 for a free slot.
    private var slots: [UInt32]
    private var words: [(first: Int, second: Int)] = []
    private let mask: Int

    /// Creates a table for at most `capacity` elements.
    package init(capacity: Int) {
        var size = 16
        while size < capacity * 2 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        mask = size - 1
    }

    /// Inserts the strings at two indices. Pass 0 as the second for a single string. Returns false if an equal element is present.
    @discardableResult package mutating func insert(_ first: Int, _ second: Int = 0, _ view: TapeView) -> Bool {
        var slot = slot(first, second, view)
        while slots[slot] != 0 {
            if matches(slots[slot], first, second, view) { return false }
            slot = (slot + 1) & mask
        }
        words.append((first, second))
        slots[slot] = UInt32(truncatingIfNeeded: words.count)
        return true
    }

    package func contains(_ first: Int, _ second: Int = 0, _ view: TapeView) -> Bool { number(of: first, second, view) != nil }

    /// Returns the position of an equal element in the order of insertion, or nil if there is none.
    package func number(of first: Int, _ second: Int = 0, _ view: TapeView) -> Int? {
        var slot = slot(first, second, view)
        while slots[slot] != 0 {
            if matches(slots[slot], first, second, view) { return Int(slots[slot]) - 1 }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func slot(_ first: Int, _ second: Int, _ view: TapeView) -> Int {
        var hash = view.hash(stringAt: first, .shared, into: 0)
        if second != 0 { hash = view.hash(stringAt: second, .shared, into: hash) }
        return Int(truncatingIfNeeded: hash) & mask
    }

    private func matches(_ slot: UInt32, _ first: Int, _ second: Int, _ view: TapeView) -> Bool {
        let other = words[Int(slot) - 1]
        guard (other.second == 0) == (second == 0), view.string(at: other.first, equalsStringAt: first) else { return false }
        return second == 0 || view.string(at: other.second, equalsStringAt: second)
    }
}

import JSONText

/// Finds members of objects on the tape, trying first the name behind the one that was found last in the same object.
///
/// A reader that asks in the order of the text compares one name for each member, whatever the size of the object. The result never
/// depends on what was asked before: a position is looked at only for the very object in which it was left. Positions are kept in
/// slots, so that a reader of an object and the readers of the values inside it do not disturb each other.
///
/// - Complexity: O(1) in the order of the text. Else O(members) for objects of up to 64 members; for larger ones O(1) on average,
///   as the names of an object are put into a table once searching has taken more steps than the document has values.
final class MemberFinder {
    /// Slots for attributes, relationships and values, 64 each.
    static let slotCount = 3 * levels
    private static let levels = 64

    /// The slot for the attributes of the resource at that depth; relationships and values have slots of their own.
    @inline(__always)
    static func attributeSlot(_ depth: Int) -> Int { depth & (levels - 1) }
    @inline(__always)
    static func relationshipSlot(_ depth: Int) -> Int { depth & (levels - 1) | levels }
    @inline(__always)
    static func valueSlot(_ depth: Int) -> Int { (depth & (levels - 1)) + 2 * levels }

    /// The object's word plus 1, and in the lower half the position in it: a name, or the end of the object. 0 for none.
    private let slots = Scratch<UInt64>(zeroes: slotCount)
    /// How many more names may be passed in large objects without a table.
    private var patience = 0
    /// Tables of large objects, by their words.
    private var tables: [Int: TapeNameIndex] = [:]

    /// Objects of up to this many members have no table.
    private static let smallCount = 64

    /// Makes it ready for another document.
    func begin(_ wordCount: Int) {
        slots.clear()
        patience = wordCount
        if !tables.isEmpty { tables = [:] }
    }

    /// The value of the member of that name in `object`; of several with that name the last.
    @inline(__always)
    func member(_ name: FieldName, of object: Int, slot: Int, in view: TapeView) -> Int? {
        let kept = slots[slot]
        let isSame = kept >> 32 == UInt64(truncatingIfNeeded: object &+ 1)
        let position = isSame ? Int(truncatingIfNeeded: kept & 0xFFFF_FFFF) : view.first(in: object)
        if position < view.end(of: object), !view.hasDuplicates(object), view.string(at: position, equals: name) {
            let value = view.next(after: position)
            keep(view.next(after: value), in: object, slot)
            return value
        }
        return search(name, of: object, slot: slot, from: position, in: view)
    }

    @inline(__always)
    private func keep(_ position: Int, in object: Int, _ slot: Int) {
        slots[slot] = UInt64(truncatingIfNeeded: object &+ 1) << 32 | UInt64(truncatingIfNeeded: position)
    }

    /// Goes round the object once, from the position on; looks at all of it where names stand twice.
    @inline(never)
    private func search(_ name: FieldName, of object: Int, slot: Int, from start: Int, in view: TapeView) -> Int? {
        if let table = table(of: object, in: view) { return table.value(name, in: view) }
        if view.hasDuplicates(object) { return lastMember(name, of: object, in: view) }
        let first = view.first(in: object)
        let end = view.end(of: object)
        for range in [start..<end, first..<start] {
            var position = range.lowerBound
            while position < range.upperBound {
                let value = view.next(after: position)
                let next = view.next(after: value)
                if view.string(at: position, equals: name) {
                    keep(next, in: object, slot)
                    return value
                }
                position = next
            }
        }
        return nil
    }

    private func lastMember(_ name: FieldName, of object: Int, in view: TapeView) -> Int? {
        var position = view.first(in: object)
        let end = view.end(of: object)
        var found: Int?
        while position < end {
            let value = view.next(after: position)
            if view.string(at: position, equals: name) { found = value }
            position = view.next(after: value)
        }
        return found
    }

    /// The table of a large object, made when searching without one has taken long enough.
    private func table(of object: Int, in view: TapeView) -> TapeNameIndex? {
        let count = view.count(at: object)
        guard count > Self.smallCount else { return nil }
        if let table = tables[object] { return table }
        guard patience < count else {
            patience -= count
            return nil
        }
        let table = TapeNameIndex(object, of: view)
        tables[object] = table
        return table
    }
}

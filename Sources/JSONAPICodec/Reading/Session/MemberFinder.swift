import JSONText

/// Finds members of objects on the tape. It first tries the name after the one that was found last in the same object.
///
/// A reader that follows the order of the text compares one name for each member, whatever the size of the object. The result never depends
/// on earlier requests, because a position is used only for the object that it belongs to. Positions are kept in slots, so that the reader
/// of an object and the readers of the values inside it do not interfere.
///
/// - Complexity: O(1) in the order of the text, and for most names that are absent, after the first. Otherwise O(members) for objects of up
///   to 64 members, and O(1) on average for larger ones: the names of an object are put into a table once searching has taken more steps
///   than the document has values.
final class MemberFinder {
    /// Slots for attributes, relationships and values, 64 each.
    static let slotCount = 3 * levels
    private static let levels = 64

    /// Returns the slot for the attributes of the resource at the given depth. Relationships and values have separate slots.
    @inline(__always)
    static func attributeSlot(_ depth: Int) -> Int { depth & (levels - 1) }
    @inline(__always)
    static func relationshipSlot(_ depth: Int) -> Int { depth & (levels - 1) | levels }
    @inline(__always)
    static func valueSlot(_ depth: Int) -> Int { (depth & (levels - 1)) + 2 * levels }

    /// The object's word plus 1 and, in the lower half, the position in it: a name, or the end of the object. 0 for none.
    private let slots = Scratch<UInt64>(zeroes: slotCount)
    /// The object's word plus 1 for each slot in which a name was absent, and the filter of that object's names: models with many optionals
    /// ask for more names than an object has.
    private let filtered = Scratch<UInt32>(zeroes: slotCount)
    private let filters = Scratch<UInt64>(zeroes: slotCount)
    // Unchecked: one thread uses a session, and nothing calls back while these change.
    /// The number of names that may still be compared in large objects without a table.
    @safe @exclusivity(unchecked) private var patience = 0
    /// Tables of large objects, by their words.
    @safe @exclusivity(unchecked) private var tables: [Int: TapeNameIndex] = [:]

    /// The maximum number of members of an object without a table.
    private static let smallCount = 64

    /// Prepares the finder for another document.
    func begin(_ wordCount: Int) {
        slots.renew(Self.slotCount)
        filtered.renew(Self.slotCount)
        patience = wordCount
        if !tables.isEmpty { tables = [:] }
    }

    /// Returns the value of the member with the given name in `object`; of several, the last.
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

    /// Searches the object once, starting at the given position. When names are repeated, searches all of it.
    @inline(never)
    private func search(_ name: FieldName, of object: Int, slot: Int, from start: Int, in view: TapeView) -> Int? {
        let isFiltered = filtered[slot] == UInt32(truncatingIfNeeded: object &+ 1)
        if isFiltered, !NameFilter(bits: filters[slot]).mayContain(name) { return nil }
        if let table = table(of: object, in: view) { return table.value(name, in: view) }
        if view.hasDuplicates(object) { return view.member(name, of: object) }
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
        if !isFiltered {
            filtered[slot] = UInt32(truncatingIfNeeded: object &+ 1)
            filters[slot] = NameFilter(namesOf: object, in: view).bits
        }
        return nil
    }

    /// Returns the table of a large object. It is created once searching without one has taken long enough.
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

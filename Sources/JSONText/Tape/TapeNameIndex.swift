/// Finds the members of one object on a tape by their names: for large objects, and for those that repeat names.
///
/// ```
/// {"a":1,"b":2,"a":3}     "a" leads to 3, "b" to 2; two different names
/// ```
///
/// `TapeView.member(_:of:)` walks the members each time, which is quadratic for a reader that asks for all of them. Of several
/// members of one name the last one counts, as everywhere. Names are compared by their unescaped bytes: composed and decomposed é are
/// two names.
///
/// A table of slots with open addressing, at most half full. It holds the indices of names; the names stay where they are in the text.
/// `KeyedHash` is seeded anew in each process, so that nobody can choose names that collide.
package struct TapeNameIndex: Sendable {
    /// The object whose names are in the table.
    package let object: Int
    /// How many different names the object has.
    package private(set) var distinctCount = 0

    /// 0 is free; else the low half is the index of a name + 1, and the high half is that of the hash.
    private var slots: [UInt64]
    private let keys: KeyedHash

    /// The index of the object at `object`; of any other value it is empty.
    ///
    /// - Complexity: O(bytes of all names).
    package init(_ object: Int, of view: TapeView, keys: KeyedHash = .shared) {
        self.object = object
        self.keys = keys
        var size = 16
        while size < view.count(at: object) * 2 { size *= 2 }
        slots = [UInt64](repeating: 0, count: view.isObject(object) ? size : 1)
        guard view.isObject(object) else { return }
        view.forEachMember(of: object) { name, _ in
            let hash = view.hash(stringAt: name, keys, into: 0)
            let slot = slot(hash) { view.string(at: $0, equalsStringAt: name) }
            if slots[slot] == 0 { distinctCount += 1 }
            slots[slot] = hash & Self.hashMask | UInt64(truncatingIfNeeded: name + 1)
        }
    }

    /// The index of the last name that has these bytes; nil when there is none.
    ///
    /// - Parameter view: the view that the index was made of.
    /// - Complexity: O(n), n = bytes of the name.
    package func name(_ bytes: Span<UInt8>, in view: TapeView) -> Int? {
        let slot = slots[slot(keys.mix(bytes, into: 0)) { view.string(at: $0, equals: bytes) }]
        return slot == 0 ? nil : Self.name(slot)
    }

    /// The value of the last member of that name; nil when there is none.
    ///
    /// - Parameter view: the view that the index was made of.
    /// - Complexity: O(n), n = bytes of the name.
    package func value(_ bytes: Span<UInt8>, in view: TapeView) -> Int? {
        name(bytes, in: view).map { view.value(ofName: $0) }
    }

    /// The value of the last member of that name; nil when there is none.
    ///
    /// - Parameter view: the view that the index was made of.
    /// - Complexity: O(n), n = bytes of the name.
    package func value(_ name: String, in view: TapeView) -> Int? {
        UTF8Bytes.withBytes(of: name) { value($0, in: view) }
    }

    /// Whether the name at `name` is the last one of its text in the object, the one that counts.
    ///
    /// - Parameter view: the view that the index was made of.
    /// - Complexity: O(n), n = bytes of the name.
    package func isLast(nameAt name: Int, in view: TapeView) -> Bool {
        let slot = slots[slot(view.hash(stringAt: name, keys, into: 0)) { view.string(at: $0, equalsStringAt: name) }]
        return slot != 0 && Self.name(slot) == name
    }

    // MARK: - Slots

    private static let hashMask: UInt64 = 0xFFFF_FFFF_0000_0000

    private static func name(_ slot: UInt64) -> Int { Int(truncatingIfNeeded: slot & ~hashMask) - 1 }

    /// The slot of the name that is equal to the one looked for, or the free one where that belongs.
    private func slot(_ hash: UInt64, _ isEqual: (Int) -> Bool) -> Int {
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0 {
            if (slots[slot] ^ hash) & Self.hashMask == 0, isEqual(Self.name(slots[slot])) { return slot }
            slot = (slot + 1) & mask
        }
        return slot
    }
}

/// An index of the names of one object on a tape. It finds the members of large objects, and of objects that repeat names.
///
/// ```
/// {"a":1,"b":2,"a":3}     "a" leads to 3, "b" to 2; two different names
/// ```
///
/// `TapeView.member(_:of:)` walks over the members in each call. Finding all members in this way takes quadratic time. If several members
/// have the same name, the last one counts. Names are compared by their bytes with escapes decoded, so composed and decomposed é differ.
///
/// The index is a hash table with open addressing, at most half full. It contains the indices of names; the names stay in the text.
/// The keys of `KeyedHash` are random in each process, so that an attacker cannot choose names that collide.
package struct TapeNameIndex: Sendable {
    /// The object whose names are in the table.
    package let object: Int
    /// The number of different names in the object.
    package private(set) var distinctCount = 0

    /// A slot is 0 if it is free. Otherwise, its low half is the index of a name plus 1, and its high half is that of the hash.
    private var slots: [UInt64]
    private let keys = KeyedHash.shared

    /// Creates the index of the object at `object`. For any other value, the index is empty.
    ///
    /// - Complexity: O(n), n = number of bytes of all names.
    package init(_ object: Int, of view: TapeView) {
        self.object = object
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

    /// Returns the index of the last name with these bytes, or nil if there is none.
    ///
    /// - Parameter view: The view from which the index was created.
    /// - Complexity: O(n), n = number of bytes of the name.
    package func name(_ bytes: Span<UInt8>, in view: TapeView) -> Int? {
        let slot = slots[slot(keys.mix(bytes, into: 0)) { view.string(at: $0, equals: bytes) }]
        return slot == 0 ? nil : Self.name(slot)
    }

    /// Returns the index of the value of the last member with a name, or nil if there is none.
    ///
    /// - Parameter view: The view from which the index was created.
    /// - Complexity: O(n), n = number of bytes of the name.
    package func value(_ bytes: Span<UInt8>, in view: TapeView) -> Int? {
        name(bytes, in: view).map { view.value(ofName: $0) }
    }

    /// Returns the index of the value of the last member with a name, or nil if there is none.
    ///
    /// - Parameter view: The view from which the index was created.
    /// - Complexity: O(n), n = number of bytes of the name.
    package func value(_ name: String, in view: TapeView) -> Int? {
        UTF8Bytes.withBytes(of: name) { value($0, in: view) }
    }

    /// Returns whether the name at `name` is the last one with its text in the object.
    ///
    /// - Parameter view: The view from which the index was created.
    /// - Complexity: O(n), n = number of bytes of the name.
    package func isLast(nameAt name: Int, in view: TapeView) -> Bool {
        let slot = slots[slot(view.hash(stringAt: name, keys, into: 0)) { view.string(at: $0, equalsStringAt: name) }]
        return slot != 0 && Self.name(slot) == name
    }

    // MARK: - Slots

    private static let hashMask: UInt64 = 0xFFFF_FFFF_0000_0000

    private static func name(_ slot: UInt64) -> Int { Int(truncatingIfNeeded: slot & ~hashMask) - 1 }

    /// Returns the slot of the name that `isEqual` accepts, or the free slot where it belongs.
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

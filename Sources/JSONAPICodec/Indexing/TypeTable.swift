/// Objects by Swift type: open addressing on the address of the type's metadata, a third of a dictionary's cost. Types are
/// chosen by the program, never by the input.
struct TypeTable {
    private var keys: [ObjectIdentifier?]
    private var values: [AnyObject?]
    private var count = 0

    init() {
        keys = Array(repeating: nil, count: 32)
        values = Array(repeating: nil, count: 32)
    }

    @inline(__always)
    private static func slot(_ key: ObjectIdentifier, _ capacity: Int) -> Int {
        // Metadata is aligned to 8 bytes or more: the lowest bits say nothing.
        let bits = UInt(bitPattern: key)
        return Int(truncatingIfNeeded: (bits >> 4) ^ (bits >> 9)) & (capacity - 1)
    }

    subscript(key: ObjectIdentifier) -> AnyObject? {
        @inline(__always)
        get {
            var slot = Self.slot(key, keys.count)
            while let present = keys[slot] {
                if present == key { return values[slot] }
                slot = (slot + 1) & (keys.count - 1)
            }
            return nil
        }
        set {
            if count * 2 >= keys.count { grow() }
            var slot = Self.slot(key, keys.count)
            while let present = keys[slot], present != key { slot = (slot + 1) & (keys.count - 1) }
            if keys[slot] == nil { count += 1 }
            keys[slot] = key
            values[slot] = newValue
        }
    }

    private mutating func grow() {
        let old = zip(keys, values)
        keys = Array(repeating: nil, count: keys.count * 2)
        values = Array(repeating: nil, count: values.count * 2)
        count = 0
        for case (let key?, let value) in old { self[key] = value }
    }
}

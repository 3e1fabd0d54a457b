import JSONText

// The one place of this module that uses unsafe memory: small tables that a session writes for every resource and every
// member. As arrays in a class each write would be checked for uniqueness and exclusive access at run time, which together
// took 11 % of the instructions of decoding a compound document.

/// A fixed number of trivial values, all the same at first.
///
/// Indexes are checked in debug builds; each caller says why its indexes are in bounds.
final class Scratch<Element: BitwiseCopyable> {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating element: Element, count: Int) {
        self.count = count
        base = .allocate(capacity: max(count, 1))
        base.initialize(repeating: element, count: count)
    }

    deinit { base.deallocate() }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return base[index]
        }
        set {
            assert(index >= 0 && index < count)
            base[index] = newValue
        }
    }
}

/// A stack of trivial values that grows by doubling.
final class ScratchStack<Element: BitwiseCopyable> {
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    @inline(__always)
    func push(_ element: Element) {
        if count == capacity { grow() }
        // In bounds: count < capacity.
        (base + count).initialize(to: element)
        count += 1
    }

    /// Does nothing on an empty stack.
    @inline(__always)
    func pop() { if count > 0 { count -= 1 } }

    private func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count)
        return base[index]
    }

    /// The values from the bottom up.
    var elements: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }

    var last: Element? { count > 0 ? base[count - 1] : nil }
}

/// Values of any type, kept in the order in which they were added. An `Array` would do, but in unspecialized generic code each
/// use of one asks the runtime for its type.
final class ValueStore<Value> {
    private var base: UnsafeMutablePointer<Value>
    private var capacity = 16
    private(set) var count = 0

    init() { base = .allocate(capacity: 16) }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    func append(_ value: Value) {
        if count == capacity { grow() }
        // In bounds: count < capacity.
        (base + count).initialize(to: value)
        count += 1
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity *= 2
    }

    func removeAll() {
        base.deinitialize(count: count)
        count = 0
    }

    subscript(index: Int) -> Value {
        precondition(index >= 0 && index < count)
        return base[index]
    }
}

extension Array {
    /// At most `capacity` elements, made one by one; nil from `next` leaves one out. The array is asked for its type once, not
    /// once per element.
    static func collecting(atMost capacity: Int, _ body: (_ append: (Element) -> Void) throws -> Void) rethrows -> [Element] {
        try [Element](unsafeUninitializedCapacity: capacity) { buffer, count in
            try body { element in
                // In bounds: callers append at most `capacity` times; more would stop here, not write.
                precondition(count < buffer.count)
                buffer.initializeElement(at: count, to: element)
                count += 1
            }
        }
    }
}

extension Array {
    /// Goes through the elements where they are: `for` would copy each, and in unspecialized generic code a copy is a call for
    /// every property.
    func forEachInPlace(_ body: (_ index: Int, _ element: borrowing Element) throws -> Void) rethrows {
        try withUnsafeBufferPointer { buffer in
            for index in 0..<buffer.count { try body(index, buffer[index]) }
        }
    }
}

/// Whether two values of one type are equal to the last bit, which means that they are the same: same scalars, same storage.
/// Values that are equal in another way, or that differ in unused bytes only, may be told apart.
enum SameBits {
    static func areEqual<Value>(_ a: Value, _ b: Value) -> Bool {
        withUnsafeBytes(of: a) { left in
            withUnsafeBytes(of: b) { right in UTF8Bytes.areEqual(left.bindMemory(to: UInt8.self), right.bindMemory(to: UInt8.self)) }
        }
    }
}

/// Objects by Swift type: open addressing on the address of the type's metadata, a third of a dictionary's cost. Types are
/// chosen by the program, never by the input.
final class TypeTable {
    /// Pairs of key and unretained object; key 0 is free. `owned` keeps the objects alive as long as the table.
    private var slots = Scratch<UInt>(repeating: 0, count: 64)
    private var mask = 31
    private var owned: [(key: UInt, object: AnyObject)] = []

    @inline(__always)
    private func slot(_ key: UInt) -> Int {
        // Metadata is aligned to 8 bytes or more: the lowest bits say nothing.
        Int(truncatingIfNeeded: (key >> 4) ^ (key >> 9)) & mask
    }

    @inline(__always)
    func object(for type: ObjectIdentifier) -> AnyObject? {
        let key = UInt(bitPattern: type)
        var slot = slot(key)
        // In bounds: slot <= mask, and there are two words for each slot. Ends: at most half of the slots are taken.
        while true {
            let present = slots[slot * 2]
            if present == key, let pointer = UnsafeRawPointer(bitPattern: slots[slot * 2 + 1]) {
                return Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
            }
            if present == 0 { return nil }
            slot = (slot + 1) & mask
        }
    }

    /// Adds an object for a type that has none yet.
    func insert(_ object: AnyObject, for type: ObjectIdentifier) {
        if owned.count * 2 > mask { grow() }
        let key = UInt(bitPattern: type)
        owned.append((key, object))
        place(key, object)
    }

    private func place(_ key: UInt, _ object: AnyObject) {
        var slot = slot(key)
        while slots[slot * 2] != 0 { slot = (slot + 1) & mask }
        slots[slot * 2] = key
        slots[slot * 2 + 1] = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    private func grow() {
        mask = mask * 2 + 1
        slots = Scratch(repeating: 0, count: (mask + 1) * 2)
        for entry in owned { place(entry.key, entry.object) }
    }
}

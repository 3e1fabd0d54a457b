import JSONText

// The one place of this module that uses unsafe memory: small tables that a session writes for every resource and every
// member. As arrays in a class each write would be checked for uniqueness and exclusive access at run time, which together
// took 11 % of the instructions of decoding a compound document.

/// A fixed number of trivial values, all the same at first.
///
/// Indexes are checked in debug builds; each caller says why its indexes are in bounds. `@unchecked Sendable`: one thread writes,
/// and the table of a document's index is not written any more once it is made.
final class Scratch<Element: BitwiseCopyable>: @unchecked Sendable {
    private let base: UnsafeMutablePointer<Element>
    let count: Int

    init(repeating element: Element, count: Int) {
        self.count = count
        base = .allocate(capacity: max(count, 1))
        base.initialize(repeating: element, count: count)
    }

    init(_ elements: some Collection<Element>) {
        count = elements.count
        base = .allocate(capacity: max(count, 1))
        var place = base
        for element in elements {
            place.initialize(to: element)
            place += 1
        }
    }

    deinit { base.deallocate() }

    /// All values; valid as long as the table lives.
    @inline(__always)
    var buffer: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

    /// The same, to be written as well.
    var list: ScratchList<Element> { ScratchList(base: base, count: count) }

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

/// A stack of trivial values that grows by doubling. `@unchecked Sendable` as `Scratch` is.
final class ScratchStack<Element: BitwiseCopyable>: @unchecked Sendable {
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

    @inline(never)
    private func grow() { reserve(capacity * 2) }

    /// Makes room for so many values in all.
    func reserve(_ capacity: Int) {
        guard capacity > self.capacity else { return }
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        self.capacity = capacity
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count)
        return base[index]
    }

    /// The values where they are; void once the stack grows or is gone.
    var list: ScratchList<Element> { ScratchList(base: base, count: count) }

    /// The values from the bottom up.
    var elements: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }

    var last: Element? { count > 0 ? base[count - 1] : nil }
}

/// The values of a table, or of a stack that does not grow any more, without the cost of reaching through the object that owns
/// them. Who keeps a list keeps that object.
struct ScratchList<Element: BitwiseCopyable>: RandomAccessCollection, @unchecked Sendable {
    fileprivate let base: UnsafeMutablePointer<Element>
    let count: Int

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count)
            return base[index]
        }
        nonmutating set {
            precondition(index >= 0 && index < count)
            base[index] = newValue
        }
    }
}

/// Whether two values of one type are equal to the last bit, which means that they are the same: same scalars, same storage.
/// Values that are equal in another way, or that differ in unused bytes only, may be told apart.
enum SameBits {
    static func areEqual<Value>(_ a: UnsafePointer<Value>, _ b: UnsafePointer<Value>) -> Bool {
        let size = MemoryLayout<Value>.size
        let left = UnsafeRawBufferPointer(start: a, count: size)
        let right = UnsafeRawBufferPointer(start: b, count: size)
        return UTF8Bytes.areEqual(left.bindMemory(to: UInt8.self), right.bindMemory(to: UInt8.self))
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
    func object(for type: ObjectIdentifier) -> AnyObject? { lent(for: type)?.takeUnretainedValue() }

    /// The object without counting the reference: valid as long as the table.
    @inline(__always)
    func lent(for type: ObjectIdentifier) -> Unmanaged<AnyObject>? {
        let key = UInt(bitPattern: type)
        var slot = slot(key)
        // In bounds: slot <= mask, and there are two words for each slot. Ends: at most half of the slots are taken.
        while true {
            let present = slots[slot * 2]
            if present == key, let pointer = UnsafeRawPointer(bitPattern: slots[slot * 2 + 1]) {
                return Unmanaged<AnyObject>.fromOpaque(pointer)
            }
            if present == 0 { return nil }
            slot = (slot + 1) & mask
        }
    }

    /// All objects, in the order in which they were added.
    var objects: [AnyObject] { owned.map(\.object) }

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

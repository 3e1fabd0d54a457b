import Foundation
import JSONText

// Unsafe memory: small tables that a session writes for every resource and every member. With arrays in a class, each write would be
// checked for uniqueness and exclusive access at run time, which took 11 % of the instructions of decoding a compound document. Each type
// owns its memory and checks every index, in release builds too.

/// Allocates the memory of tables, directly with `malloc`. On Linux, `UnsafeMutablePointer.allocate` requests aligned memory, which takes
/// twice as long. Zeroed memory is not written, so that unused pages need no physical memory.
enum ScratchMemory {
    /// Returns uninitialized memory for the given number of values. The alignment of their type must be at most 16 bytes.
    @inline(__always)
    static func allocate<Element: BitwiseCopyable>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        unsafe bind(malloc(max(count, 1) * MemoryLayout<Element>.stride), count)
    }

    /// Returns memory for the given number of values, with every byte 0.
    @inline(__always)
    static func zeroes<Element: BitwiseCopyable & FixedWidthInteger>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        unsafe bind(calloc(max(count, 1), MemoryLayout<Element>.stride), count)
    }

    @inline(__always)
    private static func bind<Element>(_ memory: UnsafeMutableRawPointer?, _ count: Int) -> UnsafeMutablePointer<Element> {
        assert(MemoryLayout<Element>.alignment <= 16)
        guard let memory = unsafe memory else { preconditionFailure("out of memory") }
        return unsafe memory.bindMemory(to: Element.self, capacity: max(count, 1))
    }

    @inline(__always)
    static func free(_ memory: UnsafeMutableRawPointer) { unsafe Foundation.free(memory) }
}

/// A table of trivial values, which are initially zero, and which a later use sets to zero again.
///
/// Every index is checked, in release builds too. `@unchecked Sendable`: only one thread writes, and the table of a document's index is no
/// longer written once it is complete.
@safe final class Scratch<Element: BitwiseCopyable & FixedWidthInteger>: @unchecked Sendable {
    private var base: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    /// The number of values in the current use.
    private(set) var count: Int

    init(zeroes count: Int) {
        self.count = count
        capacity = count
        unsafe base = ScratchMemory.zeroes(Element.self, count: count)
    }

    deinit { unsafe ScratchMemory.free(base) }

    /// Resizes the table to the given number of zeroes.
    func renew(_ count: Int) {
        if count > capacity { return replace(with: count) }
        unsafe base.update(repeating: 0, count: count)
        self.count = count
    }

    /// Replaces the memory with memory for the given number of zeroes.
    func replace(with count: Int) {
        unsafe ScratchMemory.free(base)
        unsafe base = ScratchMemory.zeroes(Element.self, count: count)
        capacity = count
        self.count = count
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count)
            return unsafe base[index]
        }
        set {
            precondition(index >= 0 && index < count)
            unsafe base[index] = newValue
        }
    }
}

/// A stack of trivial values that grows by doubling. `@unchecked Sendable`, as `Scratch` is.
@safe final class ScratchStack<Element: BitwiseCopyable>: RandomAccessCollection, @unchecked Sendable {
    private var base: UnsafeMutablePointer<Element>
    private(set) var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = Swift.max(capacity, 1)
        unsafe base = ScratchMemory.allocate(Element.self, count: self.capacity)
    }

    deinit { unsafe ScratchMemory.free(base) }

    @inline(__always)
    func push(_ element: Element) {
        if count == capacity { grow() }
        // In bounds: count < capacity.
        unsafe (base + count).initialize(to: element)
        count += 1
    }

    /// Does nothing on an empty stack.
    @inline(__always)
    func pop() { if count > 0 { count -= 1 } }

    /// Removes all values and keeps the memory.
    func removeAll() { count = 0 }

    @inline(never)
    private func grow() { reserve(capacity * 2) }

    /// Reserves memory for the given total number of values.
    func reserve(_ capacity: Int) {
        guard capacity > self.capacity else { return }
        let larger = unsafe ScratchMemory.allocate(Element.self, count: capacity)
        unsafe larger.moveInitialize(from: base, count: count)
        unsafe ScratchMemory.free(base)
        unsafe base = larger
        self.capacity = capacity
    }

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    @inline(__always)
    subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count)
        return unsafe base[index]
    }

    /// The values from the bottom up.
    var elements: [Element] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

    var last: Element? { unsafe count > 0 ? base[count - 1] : nil }
}

/// Casts objects whose class is known.
@usableFromInline enum KnownObject {
    /// Returns the object as an instance of its class. A dynamic cast takes as long as creating a plan; it is made only in debug builds.
    @inlinable @inline(__always)
    static func of<Object: AnyObject>(_ object: AnyObject, as _: Object.Type) -> Object { unsafe unsafeDowncast(object, to: Object.self) }
}

/// Objects by Swift type, with open addressing on the address of the type's metadata. A look-up costs a third of a dictionary's. The
/// program chooses the types, never the input.
///
/// The memory is a single block: pairs of key and object, where key 0 is free, followed by the slots in the order in which they were taken.
/// The table holds one reference to each object.
@safe final class TypeTable {
    // Unchecked: one thread uses a table, and nothing calls back while these change.
    @safe @exclusivity(unchecked) private var memory: UnsafeMutablePointer<UInt>
    @safe @exclusivity(unchecked) private var mask: Int
    /// The number of objects.
    private(set) var count = 0

    /// - Parameter capacity: The number of objects that fit before the table grows; a power of two.
    init(capacity: Int = 16) {
        mask = capacity * 2 - 1
        memory = unsafe Self.memory(mask)
    }

    deinit {
        for number in 0..<count { unsafe Unmanaged<AnyObject>.fromOpaque(pointer(number)).release() }
        unsafe ScratchMemory.free(memory)
    }

    private static func memory(_ mask: Int) -> UnsafeMutablePointer<UInt> {
        let slots = mask + 1
        return unsafe ScratchMemory.zeroes(UInt.self, count: slots * 2 + slots / 2)
    }

    @inline(__always)
    private func slot(_ key: UInt) -> Int {
        // Metadata is aligned to at least 8 bytes, so the lowest bits are always zero.
        Int(truncatingIfNeeded: (key >> 4) ^ (key >> 9)) & mask
    }

    @inline(__always)
    func object(for type: ObjectIdentifier) -> AnyObject? {
        let key = UInt(bitPattern: type)
        var slot = slot(key)
        // In bounds: slot <= mask, and there are two words for each slot. Terminates: at most half of the slots are taken.
        while true {
            let present = memory[slot &* 2]
            if present == key, let pointer = unsafe UnsafeRawPointer(bitPattern: memory[slot &* 2 &+ 1]) {
                return unsafe Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue()
            }
            if present == 0 { return nil }
            slot = (slot &+ 1) & mask
        }
    }

    /// Returns the object for a type, in a table whose objects for it all have the given class. Checked in debug builds.
    @inline(__always)
    func object<Object: AnyObject>(for type: ObjectIdentifier, as _: Object.Type) -> Object? {
        guard let object = object(for: type) else { return nil }
        return unsafe unsafeDowncast(object, to: Object.self)
    }

    /// Returns the object for a type, in a table whose objects for it all have the given class. If there is none, it is made and added.
    @inline(__always)
    func object<Object: AnyObject>(for type: Any.Type, orInsert make: () -> Object) -> Object {
        KnownObject.of(object(for: ObjectIdentifier(type)) ?? inserted({ make() }, for: ObjectIdentifier(type)), as: Object.self)
    }

    // Not generic, because the runtime would have to look up the class.
    @inline(never)
    private func inserted(_ make: () -> AnyObject, for type: ObjectIdentifier) -> AnyObject {
        let object = make()
        insert(object, for: type)
        return object
    }

    /// Returns the object that was added at the given position in the order.
    private func pointer(_ number: Int) -> UnsafeRawPointer {
        // In bounds: number < count, and there is a place for half of the slots. Not nil: it was set together with the place.
        let slot = Int(bitPattern: memory[(mask + 1) * 2 + number])
        return unsafe UnsafeRawPointer(bitPattern: memory[slot * 2 + 1]).unsafelyUnwrapped
    }

    /// Calls `body` with all objects.
    @inline(__always)
    func forEach<Object: AnyObject>(_: Object.Type, _ body: (Object) -> Void) {
        for number in 0..<count {
            unsafe body(unsafeDowncast(Unmanaged<AnyObject>.fromOpaque(pointer(number)).takeUnretainedValue(), to: Object.self))
        }
    }

    /// Removes all objects and keeps the memory.
    func removeAll() {
        let taken = count
        for number in 0..<taken {
            let slot = Int(bitPattern: memory[(mask + 1) * 2 + number])
            let object = unsafe Unmanaged<AnyObject>.fromOpaque(pointer(number))
            memory[slot * 2] = 0
            unsafe object.release()
        }
        count = 0
    }

    /// Adds an object for a type that has none.
    func insert(_ object: AnyObject, for type: ObjectIdentifier) {
        if count * 2 > mask { grow() }
        unsafe place(UInt(bitPattern: type), UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()))
    }

    private func place(_ key: UInt, _ object: UInt) {
        var slot = slot(key)
        while memory[slot * 2] != 0 { slot = (slot + 1) & mask }
        memory[slot * 2] = key
        memory[slot * 2 + 1] = object
        memory[(mask + 1) * 2 + count] = UInt(bitPattern: slot)
        count += 1
    }

    private func grow() {
        let old = memory
        let slots = mask + 1
        let taken = count
        mask = mask * 2 + 1
        memory = unsafe Self.memory(mask)
        count = 0
        for number in 0..<taken {
            let slot = unsafe Int(bitPattern: old[slots * 2 + number])
            unsafe place(old[slot * 2], old[slot * 2 + 1])
        }
        unsafe ScratchMemory.free(old)
    }
}

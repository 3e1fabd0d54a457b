/// Looks at a value somewhere in memory without copying it.
///
/// `address.pointee.method()` copies the value first, as the method might change that memory: a retain and a release for each
/// string in it. Here the bits alone are copied, and given up again when `body` returns.
///
/// Unsafe memory, with these rules: the value behind `address` is initialized, and nobody changes it or takes it away before `body`
/// returns, so that everything which the bits refer to lives. The copy is handed out as borrowed and is never released.
@usableFromInline
enum Lending {
    @inlinable
    @inline(__always)
    static func lend<Value, Result>(
        _ address: UnsafeRawPointer, as type: Value.Type, to body: (borrowing Value) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(byteCount: max(MemoryLayout<Value>.size, 1), alignment: MemoryLayout<Value>.alignment) { memory in
            let copy = memory.baseAddress.unsafelyUnwrapped.bindMemory(to: type, capacity: 1)
            UnsafeMutableRawPointer(copy).copyMemory(from: address, byteCount: MemoryLayout<Value>.size)
            let value = copy.move()
            // The owner of the bits is elsewhere: they go back into memory that nobody releases.
            defer { copy.initialize(to: value) }
            return try body(value)
        }
    }
}

/// The elements of an array that is kept where it is, by address: `for` over the array would copy each element, and in unspecialized
/// generic code a copy is a call for every property. Good as long as the array is kept.
struct KeptArray<Element: ResourceRepresentable> {
    private let start: UnsafeRawPointer?
    let count: Int

    /// - Parameter array: has to stay where it is, and as it is.
    init(_ array: UnsafeMutablePointer<[Element]>) { (start, count) = Element._elements(of: array) }

    @inline(__always)
    subscript(index: Int) -> UnsafePointer<Element> {
        precondition(index >= 0 && index < count)
        // There: an array with elements has an address.
        return start.unsafelyUnwrapped.assumingMemoryBound(to: Element.self) + index
    }
}

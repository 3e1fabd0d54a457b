/// Texts of up to 64 bytes that are written again and again, such as a member's name with its quotes and colon. Each has a number.
///
/// A piece is copied in whole blocks, whatever its length, which costs a quarter of copying bytes whose number has to be looked at
/// first.
///
/// Memory: `capacity` slots of 64 bytes, of which the first `count` are initialized and end with zeroes. Every number is checked,
/// in all builds.
@safe package final class OutputPieces {
    /// The number of bytes of the longest piece, and of a slot.
    static let room = 64

    @safe @exclusivity(unchecked) private var slots: UnsafeMutableRawPointer
    @safe @exclusivity(unchecked) private var lengths: [UInt8] = []
    private var capacity: Int

    /// No pieces yet.
    package init() {
        capacity = 32
        slots = UnsafeMutableRawPointer.allocate(byteCount: capacity * Self.room, alignment: 16)
    }

    deinit { unsafe slots.deallocate() }

    /// How many pieces there are.
    package var count: Int { lengths.count }

    /// Adds a piece in which nothing has to be escaped: a text between two others. Returns its number, or nil for more than 64 bytes.
    package func append(_ prefix: StaticString, _ text: Span<UInt8>, _ suffix: StaticString) -> Int? {
        let length = prefix.utf8CodeUnitCount + text.count + suffix.utf8CodeUnitCount
        guard length <= Self.room else { return nil }
        if count == capacity { grow() }
        // In bounds: slot `count` is below `capacity`, and the three texts together are not longer than a slot.
        let slot = unsafe UnsafeMutableRawBufferPointer(start: slots + count * Self.room, count: Self.room)
        unsafe slot.initializeMemory(as: UInt8.self, repeating: 0)
        var end = 0
        func put(_ bytes: UnsafeBufferPointer<UInt8>) {
            unsafe UnsafeMutableRawBufferPointer(rebasing: slot[end...]).copyBytes(from: bytes)
            end += bytes.count
        }
        prefix.withUTF8Buffer { unsafe put($0) }
        unsafe text.withUnsafeBufferPointer { unsafe put($0) }
        suffix.withUTF8Buffer { unsafe put($0) }
        lengths.append(UInt8(length))
        return count - 1
    }

    /// Removes all pieces. Their numbers are no longer valid.
    package func removeAll() { lengths.removeAll(keepingCapacity: true) }

    private func grow() {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2 * Self.room, alignment: 16)
        // In bounds: both have room for `capacity` slots.
        unsafe larger.copyMemory(from: slots, byteCount: capacity * Self.room)
        unsafe slots.deallocate()
        unsafe slots = larger
        capacity *= 2
    }

    /// Whether the piece is that name between quotes, and a colon.
    @inline(__always)
    package func piece(_ number: Int, isName name: Span<UInt8>) -> Bool {
        guard Int(lengths[number]) == name.count &+ 3 else { return false }
        // In bounds: the piece has three bytes more than the name, the first of them in front of it.
        return unsafe name.withUnsafeBufferPointer { bytes in
            let start = unsafe (slots + (number &* Self.room &+ 1)).assumingMemoryBound(to: UInt8.self)
            let text = unsafe UnsafeBufferPointer(start: start, count: bytes.count)
            return unsafe UTF8Bytes.areEqual(text.span, bytes.span)
        }
    }

    /// Copies the piece to memory for 64 bytes. Returns how many belong to it.
    @inline(__always)
    func copy(_ number: Int, to target: UnsafeMutableRawPointer) -> Int {
        let length = Int(lengths[number])
        // In bounds: `number` was checked by the array, and both sides have 64 bytes.
        let slot = unsafe slots + number &* Self.room
        unsafe target.storeBytes(of: slot.load(as: SIMD2<UInt64>.self), as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: slot.load(fromByteOffset: 16, as: SIMD2<UInt64>.self), toByteOffset: 16, as: SIMD2<UInt64>.self)
        if length > 32 {
            unsafe target.storeBytes(of: slot.load(fromByteOffset: 32, as: SIMD2<UInt64>.self), toByteOffset: 32, as: SIMD2<UInt64>.self)
            unsafe target.storeBytes(of: slot.load(fromByteOffset: 48, as: SIMD2<UInt64>.self), toByteOffset: 48, as: SIMD2<UInt64>.self)
        }
        return length
    }
}

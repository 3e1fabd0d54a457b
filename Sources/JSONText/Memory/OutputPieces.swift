/// A collection of texts of up to 64 bytes that are written repeatedly, such as a member's name with its quotation marks and colon. Each
/// piece has a number.
///
/// A piece is copied in whole blocks, regardless of its length. This takes a quarter of the time of copying a variable number of bytes.
///
/// Memory: `capacity` slots of 64 bytes. The first `count` slots are initialized and filled up with zeros. Every number is checked in
/// all builds.
@safe package final class OutputPieces {
    /// The maximum number of bytes in a piece, which is the size of a slot.
    static let room = 64

    @safe @exclusivity(unchecked) private var slots: UnsafeMutableRawPointer
    @safe @exclusivity(unchecked) private var lengths: [UInt8] = []
    private var capacity: Int

    /// Creates an empty collection.
    package init() {
        capacity = 32
        slots = UnsafeMutableRawPointer.allocate(byteCount: capacity * Self.room, alignment: 16)
    }

    deinit { unsafe slots.deallocate() }

    /// The number of pieces.
    package var count: Int { lengths.count }

    /// Adds a piece that consists of a prefix, a text and a suffix, and needs no escapes. Returns its number, or nil if it has more than 64
    /// bytes.
    package func append(_ prefix: StaticString, _ text: Span<UInt8>, _ suffix: StaticString) -> Int? {
        let length = prefix.utf8CodeUnitCount + text.count + suffix.utf8CodeUnitCount
        guard length <= Self.room else { return nil }
        if count == capacity { grow() }
        // In bounds: `count` is less than `capacity`, and the three texts together are not longer than a slot.
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
        // In bounds: both blocks have room for `capacity` slots.
        unsafe larger.copyMemory(from: slots, byteCount: capacity * Self.room)
        unsafe slots.deallocate()
        unsafe slots = larger
        capacity *= 2
    }

    /// Returns whether a piece is the given name in quotation marks, and a colon.
    @inline(__always)
    package func piece(_ number: Int, isName name: Span<UInt8>) -> Bool {
        guard Int(lengths[number]) == name.count &+ 3 else { return false }
        // In bounds: the piece has three more bytes than the name, one of them before it.
        return unsafe name.withUnsafeBufferPointer { bytes in
            let start = unsafe (slots + (number &* Self.room &+ 1)).assumingMemoryBound(to: UInt8.self)
            let text = unsafe UnsafeBufferPointer(start: start, count: bytes.count)
            return unsafe Bytes.areEqual(text.span, bytes.span)
        }
    }

    /// Copies a piece to `target`, which must have room for 64 bytes. Returns the length of the piece.
    @inline(__always)
    func copy(_ number: Int, to target: UnsafeMutableRawPointer) -> Int {
        let length = Int(lengths[number])
        // In bounds: the array has checked `number`, and both sides have 64 bytes.
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

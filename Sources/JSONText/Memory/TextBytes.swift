/// The bytes of a text that the caller keeps in place.
///
/// Bounds: offsets from 0 up to, but not including, `count`. Every access checks its offsets, in release builds, too. The next branch
/// nearly always needs this comparison anyway.
@safe
struct TextBytes: @unchecked Sendable {
    /// The number of bytes.
    let count: Int
    private let start: UnsafePointer<UInt8>

    /// - Parameter start: The address of `count` bytes. They must stay in place as long as this value, or anything created from it, is
    ///   used.
    @unsafe
    init(start: UnsafePointer<UInt8>, count: Int) {
        precondition(count >= 0)
        unsafe self.start = start
        self.count = count
    }

    /// The address of the bytes, for the types in this folder.
    @unsafe
    var address: UnsafePointer<UInt8> { unsafe start }

    /// The byte at an offset.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        precondition(contains(offset), "an offset outside the text")
        // In bounds: checked.
        return unsafe start[offset]
    }

    /// Returns the byte at `offset`, or 0 if it is out of bounds. Valid JSON text contains no byte 0.
    @inline(__always)
    func byteOrZero(at offset: Int) -> UInt8 {
        // In bounds: checked.
        contains(offset) ? unsafe start[offset] : 0
    }

    @inline(__always)
    func contains(_ offset: Int) -> Bool { UInt(bitPattern: offset) < UInt(bitPattern: count) }

    /// Returns whether there are `length` bytes at `offset`.
    @inline(__always)
    func contains(_ length: Int, at offset: Int) -> Bool { offset >= 0 && offset <= count &- length }

    /// Returns the four bytes at `offset` as a number, with the first byte in the lowest position.
    @inline(__always)
    func fourBytes(at offset: Int) -> UInt32 {
        precondition(contains(4, at: offset), "an offset outside the text")
        // In bounds: checked.
        return UInt32(littleEndian: unsafe UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Returns the eight bytes at `offset` as a number, with the first byte in the lowest position.
    @inline(__always)
    func eightBytes(at offset: Int) -> UInt64 {
        precondition(contains(8, at: offset), "an offset outside the text")
        // In bounds: checked.
        return UInt64(littleEndian: unsafe UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension Sequence<UInt8> {
    /// Calls `body` with the bytes in contiguous memory. If the sequence does not store them contiguously, they are copied: at most `limit`
    /// bytes and one more, which shows that there are too many.
    func withBytes<Result, Failure: Error>(
        upTo limit: Int, _ body: (TextBytes) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = withContiguousStorageIfAvailable { bytes in
            Swift.Result { () throws(Failure) in try body(unsafe TextBytes(bytes)) }
        }
        if let result { return try result.get() }
        let room = limit < .max ? limit + 1 : limit
        var copy: [UInt8] = []
        copy.reserveCapacity(Swift.min(underestimatedCount, room))
        copy.append(contentsOf: prefix(room))
        let copied = unsafe copy.withUnsafeBufferPointer { bytes in
            Swift.Result { () throws(Failure) in try body(unsafe TextBytes(bytes)) }
        }
        return try copied.get()
    }
}

extension TextBytes {
    /// - Parameter bytes: The bytes. They must stay in place as long as this value, or anything created from it, is used.
    @unsafe
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // A buffer without an address is empty. The address of a literal is always valid.
        unsafe self.init(start: bytes.baseAddress ?? ("" as StaticString).utf8Start, count: bytes.count)
    }
}

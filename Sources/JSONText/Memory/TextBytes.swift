/// The bytes of a text that the caller keeps in place.
///
/// Bounds: the bytes at offsets from 0 up to, but not including, `count`. Every access checks its offsets, in release builds too: a
/// comparison that the next branch nearly always needs anyway.
@safe
struct TextBytes: @unchecked Sendable {
    /// Number of bytes.
    let count: Int
    private let start: UnsafePointer<UInt8>

    /// - Parameter start: `count` bytes that stay where they are as long as the value, or what is made from it, is used.
    @unsafe
    init(start: UnsafePointer<UInt8>, count: Int) {
        precondition(count >= 0)
        unsafe self.start = start
        self.count = count
    }

    /// Where the bytes are. For the types of this folder.
    @unsafe
    var address: UnsafePointer<UInt8> { unsafe start }

    /// The byte at `offset`.
    @inline(__always)
    subscript(offset: Int) -> UInt8 {
        precondition(contains(offset), "an offset outside of the text")
        // In bounds: checked.
        return unsafe start[offset]
    }

    /// The byte at `offset`, or 0 where there is none. JSON holds no byte 0 outside of errors.
    @inline(__always)
    func byteOrZero(at offset: Int) -> UInt8 {
        // In bounds: checked.
        contains(offset) ? unsafe start[offset] : 0
    }

    @inline(__always)
    func contains(_ offset: Int) -> Bool { UInt(bitPattern: offset) < UInt(bitPattern: count) }

    /// Whether `length` bytes stand at `offset`.
    @inline(__always)
    func contains(_ length: Int, at offset: Int) -> Bool { offset >= 0 && offset <= count &- length }

    /// The four bytes at `offset` as a number, the first one lowest.
    @inline(__always)
    func fourBytes(at offset: Int) -> UInt32 {
        precondition(contains(4, at: offset), "an offset outside of the text")
        // In bounds: checked.
        return UInt32(littleEndian: unsafe UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The eight bytes at `offset` as a number, the first one lowest.
    @inline(__always)
    func eightBytes(at offset: Int) -> UInt64 {
        precondition(contains(8, at: offset), "an offset outside of the text")
        // In bounds: checked.
        return UInt64(littleEndian: unsafe UnsafeRawPointer(start).loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension Sequence<UInt8> {
    /// Calls `body` with the bytes at once: where they are, when the sequence has them in one place, else with a copy of them.
    func withBytes<Result, Failure: Error>(_ body: (TextBytes) throws(Failure) -> Result) throws(Failure) -> Result {
        let result = withContiguousStorageIfAvailable { bytes in
            Swift.Result { () throws(Failure) in try body(unsafe TextBytes(bytes)) }
        }
        if let result { return try result.get() }
        let copy = unsafe Array(self).withUnsafeBufferPointer { bytes in
            Swift.Result { () throws(Failure) in try body(unsafe TextBytes(bytes)) }
        }
        return try copy.get()
    }
}

extension TextBytes {
    /// - Parameter bytes: stay where they are as long as the value, or what is made from it, is used.
    @unsafe
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        // A buffer without an address has no bytes; the literal lives for ever.
        unsafe self.init(start: bytes.baseAddress ?? ("" as StaticString).utf8Start, count: bytes.count)
    }
}

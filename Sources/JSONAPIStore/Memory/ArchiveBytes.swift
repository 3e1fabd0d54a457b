import Foundation

/// The bytes of an archive: a mapped file, or memory of their own. Every access is checked, in release builds too.
///
/// A mapped file costs nothing until it is read, and stays readable when the file is replaced or removed. Only when another
/// program shortens the file in place, reading beyond its new end stops the process; nothing in this library does that to
/// bytes that an archive refers to.
///
/// `@unchecked Sendable`: the bytes are never written to, and freed when the last reference goes.
@safe
final class ArchiveBytes: @unchecked Sendable {
    /// All bytes. Valid as long as this object lives.
    private let bytes: UnsafeRawBufferPointer
    /// What the bytes belong to; nil when they are our own.
    private let mapping: MappedMemory?

    /// Takes over a mapping.
    init(_ mapping: MappedMemory) {
        unsafe bytes = mapping.raw
        self.mapping = mapping
    }

    /// Copies bytes.
    init(_ source: some Sequence<UInt8>) {
        let source = ContiguousArray(source)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(source.count, 1), alignment: 8)
        // SAFETY: there is room for all bytes of the source, and no other reference to the copy yet.
        unsafe source.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
        unsafe bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<source.count])
        mapping = nil
    }

    deinit {
        // SAFETY: allocated in `init`; nothing refers to the bytes any more.
        if mapping == nil { unsafe bytes.deallocate() }
    }

    var count: Int { unsafe bytes.count }

    /// Whether all of that range is there, which may come from the file itself.
    func has(_ offset: Int, _ length: Int) -> Bool { offset >= 0 && length >= 0 && offset <= count && length <= count - offset }

    /// Calls `body` with a part of the bytes. The part has to be there: ask `has` first.
    @inline(__always)
    func with<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        // SAFETY: the range is within the bytes, which live as long as self; self lives to the end of the call.
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).bindMemory(to: UInt8.self)
        return try withExtendedLifetime(self) { try unsafe body(Span(_unsafeElements: part)) }
    }

    /// The number of `size` bytes at an offset, its lowest byte first. The bytes have to be there: ask `has` first.
    @inline(__always)
    func number(at offset: Int, size: Int) -> UInt64 {
        precondition(has(offset, size) && size <= 8)
        // SAFETY: checked in the line above.
        if size == 4 { return UInt64(UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))) }
        if size == 8 { return UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
        var number: UInt64 = 0
        for index in stride(from: size - 1, through: 0, by: -1) { number = unsafe number << 8 | UInt64(bytes[offset + index]) }
        return number
    }

    /// The same as an offset. One that `Int` does not hold, on systems of 32 bits, is one behind every archive.
    @inline(__always)
    func offset(at place: Int, size: Int) -> Int { Int(clamping: number(at: place, size: size)) }

    /// The number of variable length at a position, which moves behind it; nil when it breaks off at `end` or is too large.
    @inline(__always)
    func varint(_ position: inout Int, end: Int) -> Int? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        let end = min(end, count)
        while position >= 0, position < end, shift < 63 {
            // SAFETY: `position` is from 0 to below `count`.
            let byte = unsafe bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return byte == 0 && shift > 0 ? nil : Int(exactly: number) }
            shift += 7
        }
        return nil
    }

    func text(_ range: Range<Int>) -> String {
        // SAFETY: the buffer is used within the call.
        with(range) { unsafe $0.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
    }

    func array(_ range: Range<Int>) -> [UInt8] { with(range) { Array(copying: $0) } }

    func equals(_ range: Range<Int>, _ other: Span<UInt8>) -> Bool { with(range) { $0.equals(other) } }
}

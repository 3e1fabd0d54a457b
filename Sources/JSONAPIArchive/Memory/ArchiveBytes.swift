import Foundation

/// The bytes of an archive, either in a mapped file or in memory of their own. Every access is checked, in release builds, too.
///
/// A mapped file is only loaded when it is read. It stays readable if the file is replaced or removed. If another program truncates the
/// file in place, reading beyond the new end stops the process. This library truncates only commits that are not whole, and reads those
/// only from memory of its own.
///
/// `@unchecked Sendable`: the bytes never change, and are freed with the last reference.
@safe
package final class ArchiveBytes: @unchecked Sendable {
    /// All bytes. They are valid as long as this object exists.
    private let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Maps the first `count` bytes of an open file. Throws the fault of `mmap` with the system's error code.
    init(_ descriptor: Int32, count: Int) throws(SystemFault) {
        let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address = unsafe address, unsafe address != MAP_FAILED else { throw SystemFault("mmap", errno) }
        unsafe bytes = UnsafeRawBufferPointer(start: address, count: count)
        isMapped = true
    }

    /// Copies bytes.
    init(_ source: some Sequence<UInt8>) {
        let copy = source.withContiguousStorageIfAvailable { unsafe Self.copy($0) }
        unsafe bytes = unsafe copy ?? ContiguousArray(source).withUnsafeBufferPointer { unsafe Self.copy($0) }
        isMapped = false
    }

    @unsafe
    private static func copy(_ source: UnsafeBufferPointer<UInt8>) -> UnsafeRawBufferPointer {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(source.count, 1), alignment: 8)
        // SAFETY: there is room for all bytes of the source, and no other reference to the copy yet.
        unsafe copy.copyMemory(from: UnsafeRawBufferPointer(source))
        return unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<source.count])
    }

    deinit {
        // SAFETY: the bytes were mapped or allocated in `init`, and nothing refers to them anymore.
        if isMapped { unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) } else { unsafe bytes.deallocate() }
    }

    var count: Int { unsafe bytes.count }

    /// Returns whether a range is in bounds. The range can come from the file itself.
    func has(_ offset: Int, _ length: Int) -> Bool { offset >= 0 && length >= 0 && offset <= count && length <= count - offset }

    /// Calls `body` with a part of the bytes, which must be in bounds. Call `has` first.
    @inline(__always)
    func with<Result>(_ range: Range<Int>, _ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        // SAFETY: the range is within the bytes, which live as long as self; self lives to the end of the call.
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).bindMemory(to: UInt8.self)
        return try withExtendedLifetime(self) { try unsafe body(Span(_unsafeElements: part)) }
    }

    /// Returns the number of `size` bytes at an offset, with the lowest byte first. The bytes must be in bounds. Call `has` first.
    @inline(__always)
    func number(at offset: Int, size: Int) -> UInt64 {
        precondition(has(offset, size) && size <= 8)
        // SAFETY: checked in the line above.
        func word() -> UInt64 { UInt64(UInt32(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))) }
        if size == 4 { return word() }
        if size == 5 { return unsafe word() | UInt64(bytes[offset + 4]) << 32 }
        if size == 8 { return UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
        var number: UInt64 = 0
        for index in stride(from: size - 1, through: 0, by: -1) { number = unsafe number << 8 | UInt64(bytes[offset + index]) }
        return number
    }

    /// Does the same for an offset. If it does not fit in `Int` on a 32-bit system, the result is an offset beyond every archive.
    @inline(__always)
    func offset(at place: Int, size: Int) -> Int { Int(clamping: number(at: place, size: size)) }

    /// Returns the varint at a position, and moves the position past it. Returns nil if the varint is cut off at `end` or too large.
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

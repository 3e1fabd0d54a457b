import Foundation

/// The bytes of an archive: a mapped file, or memory of their own. All unsafe reading is here and in `Checksum`.
///
/// A mapped file costs nothing until it is read, and stays readable when the file is replaced or removed. Only when another
/// program shortens the file in place, reading beyond its new end stops the process; nothing in this library does that to
/// bytes that an archive refers to.
///
/// `@unchecked Sendable`: the bytes are never written to, and freed when the last reference goes.
final class ArchiveBytes: @unchecked Sendable {
    /// All bytes. Valid as long as this object lives.
    private let bytes: UnsafeRawBufferPointer
    private let isMapped: Bool

    /// Takes over a mapping.
    init(mapping start: UnsafeRawPointer, count: Int) {
        bytes = UnsafeRawBufferPointer(start: start, count: count)
        isMapped = true
    }

    /// Copies bytes.
    init(_ source: some Sequence<UInt8>) {
        let source = ContiguousArray(source)
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(source.count, 1), alignment: 8)
        source.withUnsafeBytes { copy.copyMemory(from: $0) }
        bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<source.count])
        isMapped = false
    }

    deinit {
        if isMapped {
            munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
        } else {
            bytes.deallocate()
        }
    }

    var count: Int { bytes.count }

    /// Whether all of that range is there, which may come from the file itself.
    func has(_ offset: Int, _ length: Int) -> Bool { offset >= 0 && length >= 0 && offset <= count && length <= count - offset }

    /// What `body` answers for a part of the bytes. The part has to be there: ask `has` first.
    @inline(__always)
    func with<Answer>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Answer) rethrows -> Answer {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        // SAFETY: the range is within the bytes, which live as long as self; self lives to the end of the call.
        let part = UnsafeRawBufferPointer(rebasing: bytes[range]).bindMemory(to: UInt8.self)
        return try withExtendedLifetime(self) { try body(part) }
    }

    /// The number of `size` bytes at an offset, its lowest byte first. The bytes have to be there: ask `has` first.
    @inline(__always)
    func number(at offset: Int, size: Int) -> UInt64 {
        precondition(has(offset, size) && size <= 8)
        if size == 4 { return UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))) }
        if size == 8 { return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
        var number: UInt64 = 0
        for index in stride(from: size - 1, through: 0, by: -1) { number = number << 8 | UInt64(bytes[offset + index]) }
        return number
    }

    /// The number of variable length at a position, which moves behind it; nil when it breaks off at `end` or is too large.
    @inline(__always)
    func varint(_ position: inout Int, end: Int) -> Int? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        let end = min(end, bytes.count)
        while position >= 0, position < end, shift < 63 {
            let byte = bytes[position]
            position += 1
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return byte == 0 && shift > 0 ? nil : Int(number) }
            shift += 7
        }
        return nil
    }

    func text(_ range: Range<Int>) -> String { with(range) { String(decoding: $0, as: UTF8.self) } }

    func array(_ range: Range<Int>) -> [UInt8] { with(range) { Array($0) } }

    func equals(_ range: Range<Int>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        range.count == other.count && with(range) { $0.elementsEqual(other) }
    }
}

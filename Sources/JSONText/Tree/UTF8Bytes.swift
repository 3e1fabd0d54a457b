/// Strings seen as their UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence, so composed and decomposed é are equal to it. JSON knows only
/// bytes: member names and string values that differ in one byte differ.
@usableFromInline
package enum UTF8Bytes {
    /// What `body` answers for the bytes of `text`.
    ///
    /// The buffer is valid only inside `body`.
    /// - Complexity: O(1) before `body`; O(n) when the platform keeps the string in another encoding.
    @inlinable
    @inline(__always)
    package static func with<Answer>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer {
        if let answer = text.utf8.withContiguousStorageIfAvailable(body) {
            return answer
        }
        var copy = text
        return copy.withUTF8(body)
    }

    /// Whether both strings consist of the same bytes.
    @inlinable
    @inline(__always)
    package static func areEqual(_ lhs: String, _ rhs: String) -> Bool { areOne(lhs, rhs) || haveEqualBytes(lhs, rhs) }

    @usableFromInline
    static func haveEqualBytes(_ lhs: String, _ rhs: String) -> Bool {
        lhs.utf8.count == rhs.utf8.count && with(lhs) { left in with(rhs) { right in areEqual(left, right) } }
    }

    /// Whether both strings are the same storage, or hold the same few bytes in themselves. False says nothing.
    @inlinable
    @inline(__always)
    package static func areOne(_ lhs: String, _ rhs: String) -> Bool {
        withUnsafeBytes(of: lhs) { left in
            withUnsafeBytes(of: rhs) { right in
                // SAFETY: both are as long as a string, 16 bytes where addresses have 64 bits.
                left.count == 16 && left.loadUnaligned(as: UInt64.self) == right.loadUnaligned(as: UInt64.self)
                    && left.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                        == right.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            }
        }
    }

    /// Whether both buffers hold the same bytes.
    package static func areEqual(_ lhs: UnsafeBufferPointer<UInt8>, _ rhs: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = lhs.count
        guard count == rhs.count else { return false }
        let left = UnsafeRawBufferPointer(lhs)
        let right = UnsafeRawBufferPointer(rhs)
        // SAFETY: a word is loaded only where there are eight bytes in both buffers, which are equally long.
        func differ(at offset: Int) -> UInt64 {
            left.loadUnaligned(fromByteOffset: offset, as: UInt64.self) ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        guard count >= 8 else { return (0..<count).allSatisfy { left[$0] == right[$0] } }
        var offset = 0
        while offset + 16 < count {
            guard differ(at: offset) | differ(at: offset + 8) == 0 else { return false }
            offset += 16
        }
        // Up to sixteen bytes are left: two words, which may overlap what was compared, or each other.
        return differ(at: max(count - 16, 0)) | differ(at: count - 8) == 0
    }

    /// Whether the bytes of `lhs` come before those of `rhs`, compared as unsigned numbers from the left.
    package static func isLess(_ lhs: String, _ rhs: String) -> Bool {
        with(lhs) { left in with(rhs) { right in left.lexicographicallyPrecedes(right) } }
    }

    /// Feeds the bytes of `text` and their end to `hasher`.
    package static func hash(_ text: String, into hasher: inout Hasher) {
        with(text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // No UTF-8 text holds this byte: it keeps "ab" + "c" apart from "a" + "bc".
        hasher.combine(0xFF as UInt8)
    }
}

/// Strings seen as their UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence, so composed and decomposed é are equal to it. JSON knows only
/// bytes: member names and string values that differ in one byte differ.
@usableFromInline
package enum UTF8Bytes {
    /// Calls `body` with the bytes of `text`.
    ///
    /// - Complexity: O(1) before `body`; O(n) when the platform keeps the string in another encoding.
    @inlinable
    @inline(__always)
    package static func withBytes<Result, Failure: Error>(
        of text: String, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let result = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            Swift.Result { () throws(Failure) in try body(unsafe bytes.span) }
        }
        if let result { return try result.get() }
        return try withCopiedBytes(of: text, body)
    }

    /// For a string of another language's runtime. Apart, because the copy would make the caller count references to every string.
    @inline(never)
    @usableFromInline
    static func withCopiedBytes<Result, Failure: Error>(
        of text: String, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var copy = text
        return try copy.withUTF8 { bytes in
            Swift.Result { () throws(Failure) in try body(unsafe bytes.span) }
        }.get()
    }

    /// Whether both strings consist of the same bytes.
    package static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
        guard lhs.utf8.count == rhs.utf8.count else { return false }
        let answer = unsafe lhs.utf8.withContiguousStorageIfAvailable { left in
            unsafe rhs.utf8.withContiguousStorageIfAvailable { right in unsafe Bytes.areEqual(left.span, right.span) }
        }
        // Without an answer, one is a string of another language's runtime.
        if case .some(.some(let isEqual)) = answer { return isEqual }
        return areEqualElsewhere(lhs, rhs)
    }

    @inline(never)
    private static func areEqualElsewhere(_ lhs: String, _ rhs: String) -> Bool { lhs.utf8.elementsEqual(rhs.utf8) }

    /// Whether both hold the same bytes.
    package static func areEqual(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> Bool { Bytes.areEqual(lhs, rhs) }

    /// Whether the byte is in the text.
    package static func contains(_ byte: UInt8, in text: String) -> Bool {
        withBytes(of: text) { bytes in
            for index in 0..<bytes.count where bytes[index] == byte { return true }
            return false
        }
    }

    /// Whether the bytes of `lhs` come before those of `rhs`, compared as unsigned numbers from the left.
    package static func isLess(_ lhs: String, _ rhs: String) -> Bool {
        withBytes(of: lhs) { left in withBytes(of: rhs) { right in Bytes.isLess(left, right) } }
    }

    /// Feeds the bytes of `text` and their end to `hasher`.
    package static func hash(_ text: String, into hasher: inout Hasher) {
        withBytes(of: text) { bytes in unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
        // No UTF-8 text holds this byte: it keeps "ab" + "c" apart from "a" + "bc".
        hasher.combine(0xFF as UInt8)
    }
}

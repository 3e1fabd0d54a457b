/// Compares and hashes strings by their UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence, so composed and decomposed é are equal. In JSON, names and strings are only equal if
/// all their bytes are equal.
@usableFromInline
package enum UTF8Bytes {
    /// Calls `body` with the bytes of `text`.
    ///
    /// - Complexity: O(1), or O(n) if the platform stores the string in another encoding.
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

    /// Does the same for a string of another language's runtime. As a separate function, it keeps reference counting out of the caller.
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

    /// Returns whether both strings have the same bytes.
    package static func areEqual(_ lhs: String, _ rhs: String) -> Bool {
        guard lhs.utf8.count == rhs.utf8.count else { return false }
        let result = unsafe lhs.utf8.withContiguousStorageIfAvailable { left in
            unsafe rhs.utf8.withContiguousStorageIfAvailable { right in unsafe Bytes.areEqual(left.span, right.span) }
        }
        if case .some(.some(let isEqual)) = result { return isEqual }
        // At least one string belongs to another language's runtime.
        return areEqualSlowly(lhs, rhs)
    }

    @inline(never)
    private static func areEqualSlowly(_ lhs: String, _ rhs: String) -> Bool { lhs.utf8.elementsEqual(rhs.utf8) }

    /// Returns whether a text contains a byte.
    package static func contains(_ byte: UInt8, in text: String) -> Bool {
        withBytes(of: text) { bytes in
            for index in 0..<bytes.count where bytes[index] == byte { return true }
            return false
        }
    }

    /// Returns the parts of a text between ASCII characters of one kind. Parts can be empty.
    ///
    /// To `String.split`, a dot and a combining character after it are one `Character`, so that it would not split there.
    package static func parts(of text: String, separatedBy separator: UInt8) -> [String] {
        text.utf8.split(separator: separator, omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// Returns whether the bytes of `lhs` sort before those of `rhs`.
    package static func isLess(_ lhs: String, _ rhs: String) -> Bool {
        withBytes(of: lhs) { left in withBytes(of: rhs) { right in Bytes.isLess(left, right) } }
    }

    /// Hashes the bytes of a text and their number. The hasher combines only their keyed hash, which is faster.
    package static func hash(_ text: String, into hasher: inout Hasher) {
        hasher.combine(withBytes(of: text) { KeyedHash.shared.mix($0, into: 0) })
    }
}

/// The bytes that a JSON string contains without an escape: all except control characters, `"`, `\` and, optionally, `/`.
struct PlainBytes {
    private let hasSlash: Bool

    init(withSlash: Bool) { hasSlash = withSlash }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C && (hasSlash || byte != 0x2F) }

    /// Returns the number of plain bytes before the first byte that is not plain, or 16 if all are plain. The first byte is the lowest byte
    /// of the first word.
    @inline(__always)
    func count(in words: SIMD2<UInt64>) -> Int {
        let found = marks(in: words)
        return found[0] | found[1] == 0 ? 16 : Bytes.lengthUpToMark(found[0], found[1])
    }

    /// Returns the number of plain bytes before the first byte that is not plain, or 32 if all are plain. This has no branches, so it is
    /// for texts with many such bytes.
    @inline(__always)
    func count(in first: SIMD2<UInt64>, _ second: SIMD2<UInt64>) -> Int {
        let first = marks(in: SIMD2(first[0].littleEndian, first[1].littleEndian))
        let second = marks(in: SIMD2(second[0].littleEndian, second[1].littleEndian))
        let count = Bytes.lengthUpToMark(first[0], first[1])
        return count &+ Bytes.lengthUpToMark(second[0], second[1]) & (0 &- count &>> 4)
    }

    /// Returns the highest bit of bytes that are not plain. The lowest mark is right. Those above it can be wrong.
    @inline(__always)
    private func marks(in words: SIMD2<UInt64>) -> SIMD2<UInt64> {
        // The first XOR maps control characters and `"` to values below 0x21. The second maps a backslash to 0.
        // Subtracting n sets the high bit of each byte below n. `~words` excludes bytes from 0x80 on.
        // A borrow can also mark a byte above a match, but never one below it, so the lowest mark is correct.
        // (The compiler turns a comparison of SIMD16<UInt8> into a loop, which takes twenty times as long.)
        var found = ((words ^ Self.each(0x02)) &- Self.each(0x21)) | ((words ^ Self.each(0x5C)) &- Self.each(0x01))
        if !hasSlash { found |= (words ^ Self.each(0x2F)) &- Self.each(0x01) }
        return found & ~words & Self.each(0x80)
    }

    /// Returns a block that repeats a byte.
    @inline(__always)
    private static func each(_ byte: UInt8) -> SIMD2<UInt64> {
        let word = 0x0101_0101_0101_0101 &* UInt64(byte)
        return SIMD2(word, word)
    }
}

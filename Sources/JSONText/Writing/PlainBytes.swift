/// The bytes that stand in a string of a JSON text as they are: all but the control characters, `"`, `\` and, when asked, `/`.
struct PlainBytes {
    private let hasSlash: Bool

    init(withSlash: Bool) { hasSlash = withSlash }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C && (hasSlash || byte != 0x2F) }

    /// Returns how many of sixteen bytes are plain in front of the first that is not: 16 when all are. The first byte is the lowest of
    /// the first word.
    @inline(__always)
    func count(in words: SIMD2<UInt64>) -> Int {
        // Control characters become 0 to 0x1F and `"` 0x20, all below 0x21; a backslash becomes 0, the only byte below 1.
        // Subtracting n borrows through the high bit of a byte below n; `~words` leaves bytes of 0x80 and more out.
        // A borrow may mark a byte above a found one too, never one below.
        // (The compiler turns a comparison of SIMD16<UInt8> into a loop, which costs twenty times as much.)
        var found = ((words ^ Self.each(0x02)) &- Self.each(0x21)) | ((words ^ Self.each(0x5C)) &- Self.each(0x01))
        if !hasSlash { found |= (words ^ Self.each(0x2F)) &- Self.each(0x01) }
        found &= ~words & Self.each(0x80)
        if found[0] | found[1] == 0 { return 16 }
        return found[0] != 0 ? found[0].trailingZeroBitCount >> 3 : 8 &+ found[1].trailingZeroBitCount >> 3
    }

    /// A block with the byte in each place.
    @inline(__always)
    private static func each(_ byte: UInt8) -> SIMD2<UInt64> {
        let word = 0x0101_0101_0101_0101 &* UInt64(byte)
        return SIMD2(word, word)
    }
}

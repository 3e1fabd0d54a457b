/// Escapes in the strings of a JSON text.
enum JSONEscaping {
    /// Appends the bytes of a string, with escapes for `"`, `\` and the control characters, which need them, and for
    /// `/` when asked.
    ///
    /// - Complexity: O(n), n = bytes. What needs no escape is copied in one piece.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout TextBuffer, escapesSlashes: Bool) {
        let plain = PlainBytes(withSlash: !escapesSlashes)
        output.reserve(text.count)
        let copied = output.putPlain(text, plain)
        if copied < text.count { appendRest(UnsafeBufferPointer(rebasing: text[copied...]), to: &output, plain) }
    }

    /// The same for a short text. There is room for sixteen bytes.
    @inline(__always)
    static func append(_ text: ShortText, to output: inout TextBuffer, escapesSlashes: Bool) {
        let plain = PlainBytes(withSlash: !escapesSlashes)
        let copied = output.putPlain(text, plain)
        if copied < text.count { appendRest(text, from: copied, to: &output, plain) }
    }

    @inline(never)
    private static func appendRest(_ text: ShortText, from start: Int, to output: inout TextBuffer, _ plain: PlainBytes) {
        withUnsafeBytes(of: (text.low.littleEndian, text.high.littleEndian)) { bytes in
            appendRest(UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[start..<text.count]), to: &output, plain)
        }
    }

    /// Appends bytes the first of which needs an escape.
    @inline(never)
    private static func appendRest(_ text: UnsafeBufferPointer<UInt8>, to output: inout TextBuffer, _ plain: PlainBytes) {
        var rest = text
        while let first = rest.first {
            append(escaped: first, to: &output)
            rest = UnsafeBufferPointer(rebasing: rest[1...])
            // An escape is six bytes at most, and the text grows when there is no room.
            output.reserve(rest.count)
            let copied = output.putPlain(rest, plain)
            rest = UnsafeBufferPointer(rebasing: rest[copied...])
        }
    }

    private static func append(escaped byte: UInt8, to output: inout TextBuffer) {
        output.append(0x5C)
        switch byte {
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0..<0x20:
            for digit in [UInt8(ascii: "u"), 0x30, 0x30] { output.append(digit) }
            output.append(0x30 + byte >> 4)
            let low = byte & 0xF
            output.append(low < 10 ? 0x30 + low : 0x57 + low)
        default: output.append(byte)
        }
    }
}

/// The bytes that stand in a string of a JSON text as they are: all but the control characters, `"`, `\` and, when asked, `/`.
struct PlainBytes {
    private let hasSlash: Bool

    init(withSlash: Bool) { hasSlash = withSlash }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C && (hasSlash || byte != 0x2F) }

    /// How many of sixteen bytes are plain in front of the first that is not: 16 when all are. The first byte is the lowest of the
    /// first word.
    @inline(__always)
    func count(in words: SIMD2<UInt64>) -> Int {
        // Control characters become 0 to 0x1F and `"` 0x20, all below 0x21; a backslash becomes 0, the only byte below 1.
        // Subtracting n borrows through the high bit of a byte below n; `~words` leaves bytes of 0x80 and more out.
        // A borrow may mark a byte above a found one too, never one below.
        // (Comparing bytes as SIMD16<UInt8> is made into a loop by the compiler, which costs twenty times as much.)
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

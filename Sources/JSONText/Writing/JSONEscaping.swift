/// Escapes in the strings of a JSON text.
enum JSONEscaping {
    /// Appends the bytes of a string, with escapes for `"`, `\` and the control characters, which need them, and for
    /// `/` when asked.
    ///
    /// - Complexity: O(n), n = bytes. What needs no escape is copied in one piece.
    static func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout TextBuffer, escapesSlashes: Bool) {
        var start = 0
        while true {
            let end = endOfRun(text, from: start, stopsAtSlash: escapesSlashes)
            output.append(UnsafeBufferPointer(rebasing: text[start..<end]))
            guard end < text.count else { return }
            append(escaped: text[end], to: &output)
            start = end + 1
        }
    }

    /// The offset of the first byte from `start` on that needs an escape, else the end.
    private static func endOfRun(_ text: UnsafeBufferPointer<UInt8>, from start: Int, stopsAtSlash: Bool) -> Int {
        let raw = UnsafeRawBufferPointer(text)
        let count = text.count
        var index = start
        // SAFETY: a word is loaded only while eight bytes remain.
        while count - index >= 8 {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if needsEscape(word, stopsAtSlash) { break }
            index += 8
        }
        // The byte in the word that ended the loop, or one of the last seven bytes.
        while index < count, !needsEscape(text[index], stopsAtSlash) { index += 1 }
        return index
    }

    private static func needsEscape(_ byte: UInt8, _ stopsAtSlash: Bool) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x2F && stopsAtSlash
    }

    /// Whether one of eight bytes needs an escape, whatever their order.
    private static func needsEscape(_ word: UInt64, _ stopsAtSlash: Bool) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        // Subtracting n borrows through the high bit of a byte below n; `~word` leaves bytes of 0x80 and more out.
        // A borrow may mark the byte above a found one too, which does not change whether there is one.
        var found = (word &- ones &* 0x20) & ~word
        // A byte equal to the wanted one becomes 0, the only byte below 1.
        let quotes = word ^ ones &* 0x22
        found |= (quotes &- ones) & ~quotes
        let backslashes = word ^ ones &* 0x5C
        found |= (backslashes &- ones) & ~backslashes
        if stopsAtSlash {
            let slashes = word ^ ones &* 0x2F
            found |= (slashes &- ones) & ~slashes
        }
        return found & highs != 0
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

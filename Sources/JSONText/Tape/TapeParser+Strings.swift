// Strings: found in steps of eight bytes, UTF-8 and escapes checked on the way.

extension TapeParser {
    /// Reads the string whose quotation mark is at `position` and writes its word.
    @inline(__always)
    mutating func parseString() throws(JSONSyntaxError) {
        let start = position + 1
        var flags: UInt64 = 0
        var position = start
        let raw = UnsafeRawPointer(bytes)
        while true {
            // In bounds: eight bytes are left.
            while position + 8 <= count {
                let special = Self.specialBytes(in: raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                if special != 0 {
                    position += special.trailingZeroBitCount >> 3
                    break
                }
                position += 8
            }
            guard position < count else {
                self.position = count
                throw unexpected("the end of a string")
            }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                self.position = position + 1
                try appendString(start: start, length: position - start, flags: flags)
                return
            case UInt8(ascii: "\\"):
                flags = TapeView.Flag.escaped
                position = try escapeEnd(position)
            case 0x80...:
                position = try runOfNonASCII(position)
            case ..<0x20:
                throw failure(
                    .controlCharacter, at: position,
                    "a control character (0x\(String(byte, radix: 16))) inside a string has to be escaped")
            default:
                position += 1
            }
        }
    }

    /// Marks, in the highest bit of each byte, the quotation marks, backslashes, control characters and non-ASCII bytes of
    /// eight bytes. Marks above the lowest one may be wrong (subtraction borrows), so only the lowest is used.
    @inline(__always)
    private static func specialBytes(in chunk: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let chunk = UInt64(littleEndian: chunk)
        let quotes = chunk ^ (ones &* 0x22)
        let backslashes = chunk ^ (ones &* 0x5C)
        // x - 1 borrows out of a byte that is zero; x - 0x20 out of one below 0x20.
        let zeroQuotes = (quotes &- ones) & ~quotes
        let zeroBackslashes = (backslashes &- ones) & ~backslashes
        let controls = (chunk &- ones &* 0x20) & ~chunk
        return (zeroQuotes | zeroBackslashes | controls | chunk) & (ones &* 0x80)
    }

    @inline(__always)
    private mutating func appendString(start: Int, length: Int, flags: UInt64) throws(JSONSyntaxError) {
        if length > options.maximumStringLength {
            throw failure(.stringLimit, at: start - 1, "a string is longer than \(options.maximumStringLength) bytes")
        }
        try append(kind: .string, flags: flags, start: start, length: length)
    }

    /// Writes the word of a string or number, and a second one for a length that does not fit.
    @inline(__always)
    mutating func append(kind: TapeView.Kind, flags: UInt64, start: Int, length: Int) throws(JSONSyntaxError) {
        if length <= TapeView.maximumShortLength {
            try append(TapeView.word(kind, flags: flags | UInt64(truncatingIfNeeded: length) << 32, offset: start))
        } else {
            try append(TapeView.word(kind, flags: flags | TapeView.Flag.long, offset: start))
            try append(UInt64(truncatingIfNeeded: length))
        }
    }

    /// Checks the escape at `start` (its backslash) and answers the offset behind it.
    @inline(never)
    private func escapeEnd(_ start: Int) throws(JSONSyntaxError) -> Int {
        guard start + 1 < count else { throw endInEscape() }
        switch bytes[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            return try unicodeEscapeEnd(start)
        default:
            throw failure(.invalidEscape, at: start, "a backslash that begins no escape; a backslash itself is written \\\\")
        }
    }

    private func unicodeEscapeEnd(_ start: Int) throws(JSONSyntaxError) -> Int {
        let unit = try codeUnit(start)
        switch unit & 0xFC00 {
        case 0xDC00:
            throw failure(.invalidSurrogate, at: start, "a low surrogate without the high one before it")
        case 0xD800:
            let second = start + 6
            if second >= count { throw endInEscape() }
            let isEscape = bytes[second] == UInt8(ascii: "\\") && (second + 1 >= count || bytes[second + 1] == UInt8(ascii: "u"))
            guard isEscape, try codeUnit(second) & 0xFC00 == 0xDC00 else {
                throw failure(.invalidSurrogate, at: start, "a high surrogate without the low one behind it")
            }
            return start + 12
        default:
            return start + 6
        }
    }

    /// The four digits of the escape at `start`.
    private func codeUnit(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for i in start + 2..<start + 6 {
            guard i < count else { throw endInEscape() }
            guard let digit = Escapes.hexadecimalDigit(bytes[i]) else {
                throw failure(.invalidEscape, at: start, "\\u has to be followed by four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private func endInEscape() -> JSONSyntaxError {
        failure(.unexpectedEnd, at: count, "the text ends inside an escape")
    }

    /// Checks the UTF-8 sequences from `start` to the next ASCII byte and answers its offset.
    @inline(never)
    private func runOfNonASCII(_ start: Int) throws(JSONSyntaxError) -> Int {
        var position = start
        while position < count, bytes[position] >= 0x80 {
            guard let length = UTF8Sequence.length(at: position, in: bytes, count: count) else {
                throw failure(.invalidUTF8, at: position, "bytes that are not UTF-8")
            }
            position += length
        }
        return position
    }
}

/// The well-formed byte sequences of UTF-8 (The Unicode Standard, table 3-7).
enum UTF8Sequence {
    /// Length in bytes of the sequence of two to four bytes at `start`, or nil when it is ill-formed or cut off.
    @inline(__always)
    static func length(at start: Int, in bytes: UnsafePointer<UInt8>, count: Int) -> Int? {
        func isContinuation(_ i: Int) -> Bool { i < count && bytes[i] & 0xC0 == 0x80 }
        let lead = bytes[start]
        guard isContinuation(start + 1) else { return nil }
        let second = bytes[start + 1]
        switch lead {
        case 0xC2...0xDF:
            return 2
        case 0xE0...0xEF:
            // No overlong forms, and no surrogates.
            if lead == 0xE0 && second < 0xA0 || lead == 0xED && second > 0x9F { return nil }
            return isContinuation(start + 2) ? 3 : nil
        case 0xF0...0xF4:
            // No overlong forms, nothing above U+10FFFF.
            if lead == 0xF0 && second < 0x90 || lead == 0xF4 && second > 0x8F { return nil }
            return isContinuation(start + 2) && isContinuation(start + 3) ? 4 : nil
        default:
            return nil
        }
    }
}

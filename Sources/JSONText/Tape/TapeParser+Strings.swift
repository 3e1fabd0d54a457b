// Strings: their ends are marked beforehand, UTF-8 and escapes checked on the way.

extension TapeParser {
    /// Reads the string whose quotation mark was taken and writes its word. Answers the four bytes from the closing quotation
    /// mark on, or 0 when they are not at hand.
    @inline(__always)
    func parseString(_ scan: inout TapeScan) throws(JSONSyntaxError) -> UInt32 {
        let start = scan.next
        if start <= scan.marks.end {
            let end = scan.marks.next(from: start)
            let length = end &- start
            // In bounds: marks leave four bytes of the text behind.
            let ending = UInt32(littleEndian: UnsafeRawPointer(scan.bytes).loadUnaligned(fromByteOffset: end, as: UInt32.self))
            if ending & 0xFF == 0x22, length <= scan.plainLength, scan.top < scan.capacity {
                // In bounds: top < capacity.
                scan.words[scan.top] = TapeView.word(.string, flags: UInt64(truncatingIfNeeded: length) << 32, offset: start)
                scan.top &+= 1
                scan.next = end &+ 1
                return ending
            }
        }
        settle(scan)
        try parseUnusualString()
        resume(&scan)
        return 0
    }

    /// The same for any string, at the parser's position.
    @inline(never)
    func parseUnusualString() throws(JSONSyntaxError) {
        let start = position + 1
        let (end, flags) = try endOfUnusualString(start)
        let length = end - start
        try checkLength(length, start)
        try append(kind: .string, flags: flags, start: start, length: length)
        position = end + 1
    }

    private func checkLength(_ length: Int, _ start: Int) throws(JSONSyntaxError) {
        guard length > options.maximumStringLength else { return }
        throw failure(.stringLimit, at: start - 1, "a string is longer than \(options.maximumStringLength) bytes")
    }

    /// The offset of the next quotation mark, backslash, control character or non-ASCII byte, or the end of the text.
    private func endOfPlainRun(_ start: Int) -> Int {
        var position = start
        while position < count - StringMarks.uncovered {
            if position >= marks.end { marks.cover(from: position, of: bytes, count: count) }
            position = marks.next(from: position)
            if position < marks.end { return position }
        }
        while position < count, !Self.isSpecial(bytes[position]) { position += 1 }
        return position
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// From the first byte of a string, the offset of its closing quotation mark, and its flags.
    private func endOfUnusualString(_ start: Int) throws(JSONSyntaxError) -> (end: Int, flags: UInt64) {
        var flags: UInt64 = 0
        var position = endOfPlainRun(start)
        while position < count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                return (position, flags)
            case UInt8(ascii: "\\"):
                flags = TapeView.Flag.escaped
                position = try escapeEnd(position)
            case 0x80...:
                position = try runOfNonASCII(position)
            default:
                throw failure(
                    .controlCharacter, at: position,
                    "a control character (0x\(String(byte, radix: 16))) inside a string has to be escaped")
            }
            position = endOfPlainRun(position)
        }
        self.position = count
        throw unexpected("the end of a string", kind: .unexpectedByte)
    }

    /// Checks the escape at `start` (its backslash) and answers the offset behind it.
    @inline(__always)
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
    @inline(__always)
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

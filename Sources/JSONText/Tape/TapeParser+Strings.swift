// Parses strings. The places where they can end are marked first. UTF-8 and escapes are checked during parsing.

extension TapeParser {
    /// Parses the string whose opening quotation mark was taken, and writes its word. Returns the four bytes from the closing quotation
    /// mark on, or 0 if they are not available.
    @inline(__always)
    func parseString(_ scan: inout TapeScan) throws(JSONSyntaxError) -> UInt32 {
        let start = scan.next
        if scan.marks.covers(start) {
            let end = scan.marks.next(from: start)
            let length = end &- start
            // The marks never cover the last four bytes of the text, so four bytes can be read here.
            let ending = scan.text.fourBytes(at: end)
            if ending & 0xFF == 0x22, length <= scan.plainLength, scan.words.contains(scan.top) {
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

    /// Does the same for any string, at the parser's position.
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

    /// Returns the offset of the next quotation mark, backslash or control character, or the end of the text. It also stops at a non-ASCII
    /// byte that was not found to be valid UTF-8.
    private func endOfPlainRun(_ start: Int) -> Int {
        var position = start
        while position < text.count - StringMarks.uncovered {
            if position >= marks.end { marks.cover(from: position, of: text) }
            // The last stretch can end here, before a character that extends into the bytes that are never covered.
            guard position < marks.end else { break }
            position = marks.next(from: position)
            if position < marks.end { return position }
        }
        while text.contains(position), !Self.isSpecial(text[position]) { position += 1 }
        return position
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Returns the offset of the closing quotation mark and the flags of the string whose first byte is at `start`.
    private func endOfUnusualString(_ start: Int) throws(JSONSyntaxError) -> (end: Int, flags: UInt64) {
        var flags: UInt64 = 0
        var position = endOfPlainRun(start)
        while text.contains(position) {
            let byte = text[position]
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
        self.position = text.count
        throw unexpected("the end of a string")
    }

    /// Checks the escape whose backslash is at `start`, and returns the offset after it.
    @inline(__always)
    private func escapeEnd(_ start: Int) throws(JSONSyntaxError) -> Int {
        guard text.contains(start + 1) else { throw endInEscape() }
        let escape = text[start + 1]
        if Escapes.isSimple(escape) { return start + 2 }
        guard escape != UInt8(ascii: "u") else { return try unicodeEscapeEnd(start) }
        throw failure(.invalidEscape, at: start, "a backslash that begins no escape; a backslash itself is written \\\\")
    }

    private func unicodeEscapeEnd(_ start: Int) throws(JSONSyntaxError) -> Int {
        let unit = try codeUnit(start)
        switch unit & 0xFC00 {
        case 0xDC00:
            throw failure(.invalidSurrogate, at: start, "a low surrogate without the high one before it")
        case 0xD800:
            let second = start + 6
            if !text.contains(second) { throw endInEscape() }
            let isEscape = text[second] == UInt8(ascii: "\\") && (!text.contains(second + 1) || text[second + 1] == UInt8(ascii: "u"))
            guard isEscape, try codeUnit(second) & 0xFC00 == 0xDC00 else {
                throw failure(.invalidSurrogate, at: start, "a high surrogate without the low one behind it")
            }
            return start + 12
        default:
            return start + 6
        }
    }

    /// Returns the value of the four digits of the escape at `start`.
    private func codeUnit(_ start: Int) throws(JSONSyntaxError) -> UInt32 {
        var value: UInt32 = 0
        for i in start + 2..<start + 6 {
            guard text.contains(i) else { throw endInEscape() }
            guard let digit = Escapes.hexadecimalDigit(text[i]) else {
                throw failure(.invalidEscape, at: start, "\\u has to be followed by four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private func endInEscape() -> JSONSyntaxError {
        failure(.unexpectedEnd, at: text.count, "the text ends inside an escape")
    }

    /// Checks the UTF-8 sequences from `start` to the next ASCII byte, and returns the offset of that byte.
    @inline(__always)
    private func runOfNonASCII(_ start: Int) throws(JSONSyntaxError) -> Int {
        var position = start
        while text.byteOrZero(at: position) >= 0x80 {
            guard let length = UTF8Sequence.length(at: position, in: text) else { throw invalidSequence(at: position) }
            position += length
        }
        return position
    }

    /// Returns the failure for bytes in a string that are not a whole character. If the text ends there, more bytes could make one of them.
    @inline(never)
    private func invalidSequence(at start: Int) -> JSONSyntaxError {
        guard UTF8Sequence.isCut(at: start, in: text) else { return failure(.invalidUTF8, at: start, "bytes that are not UTF-8") }
        return failure(.unexpectedEnd, at: text.count, "the text ends inside a character")
    }
}

/// Reads one JSON text onto a tape in a single pass: grammar, UTF-8 and limits are checked together. Only the places where strings
/// may end are marked ahead, a stretch of the text at a time.
///
/// No recursion: while a container is open, the second of its words holds the index of its parent (high half) and the number
/// of elements seen so far (low half); closing it replaces both by their final meaning.
final class TapeParser {
    let text: TextBytes
    let options: JSONReadingOptions

    /// The tape is written at the beginning of the memory; the marks lie at its end.
    private var memory: TapeMemory
    private(set) var words: TapeWords
    /// The greatest length that stands in the first word of a string or number.
    private let shortLength: Int
    /// The most words the tape may have.
    private let maximumWords: Int
    /// Number of words written; brought up to date from the scan when it ends or fails.
    var top = 0
    /// Offset of the next byte, likewise.
    var position = 0
    var duplicates: [Tape.Duplicate] = []
    /// The last object whose names were compared and found to differ, with how many they are; 0 for none.
    var distinctObject = 0
    var distinctCount = 0
    var marks: StringMarks

    /// Word of the innermost open container.
    private var container = TapeParser.none
    private var depth = 0

    /// No container. No tape has so many words, and the number fits where the index of a word does.
    static let none = TapeView.maximumWordCount

    private init(_ text: TextBytes, options: JSONReadingOptions, reusing old: TapeMemory?, shortLength: Int) {
        self.text = text
        self.options = options
        self.shortLength = min(shortLength, TapeView.maximumShortLength)
        maximumWords = max(min(options.maximumValues, TapeView.maximumWordCount), 0)
        // One word for eight bytes is right for most documents; dense ones grow.
        let room = min(text.count / 8 + 64, maximumWords)
        let markWords = StringMarks.wordCount(for: text.count)
        memory = TapeMemory(capacity: room + markWords, reusing: old)
        words = memory.words(min(memory.capacity - markWords, maximumWords))
        marks = memory.marks(forTextOf: text.count)
    }

    /// The tape of `text`, which has to stay where it is while the tape lives or until `takeOwnership()`.
    ///
    /// - Parameters:
    ///   - old: memory for the tape, instead of new one.
    ///   - shortLength: the greatest length that stands in the first word of a string or number; less only in tests.
    static func parse(
        _ text: TextBytes, options: JSONReadingOptions, reusing old: TapeMemory?, shortLength: Int = TapeView.maximumShortLength
    ) throws(JSONSyntaxError) -> Tape {
        let limit = min(options.maximumBytes, TapeView.maximumByteCount)
        guard text.count <= limit else {
            old?.deallocate()
            throw JSONSyntaxError(
                .sizeLimit, offset: limit, reason: "the text has \(text.count) bytes, the limit is \(limit)")
        }
        let parser = TapeParser(text, options: options, reusing: old, shortLength: shortLength)
        do throws(JSONSyntaxError) {
            try parser.parse()
        } catch {
            parser.memory.deallocate()
            throw error
        }
        return Tape(memory: parser.memory, text: text, wordCount: parser.top, duplicates: parser.duplicates)
    }
}

/// Where the scan is. The loop keeps it in registers: it is passed only to functions that are inlined. Whatever is out of the
/// ordinary works with the parser instead: `settle` before it, `resume` behind it.
struct TapeScan {
    let text: TextBytes
    /// Offset behind the byte that was taken last.
    var next: Int
    var top = 0
    /// Whether the innermost open container is an object.
    var isObject = false
    /// Elements or members of it that were read whole.
    var elements = 0
    /// Longer strings need a closer look: a second word, or an error.
    let plainLength: Int
    /// Copies of the parser's, renewed by `resume`.
    var words: TapeWords
    var marks: StringMarks
}

// MARK: - Grammar

extension TapeParser {
    private func parse() throws(JSONSyntaxError) {
        try checkEncoding()
        var scan = TapeScan(
            text: text, next: position, plainLength: min(options.maximumStringLength, shortLength), words: words,
            marks: marks)
        // The first byte of the next name or value is always taken already.
        var byte = take(&scan)
        guard Self.isOpening(byte) else { return try parseLoneScalar(byte, scan) }
        // The whole grammar in one loop, and each step in one place of it: more, and the compiler stops to inline, which took a
        // tenth more instructions.
        while true {
            if scan.isObject { byte = try parseName(byte, &scan) }
            if byte == UInt8(ascii: "\"") {
                let ending = try parseString(&scan)
                if let first = Self.byte(behind: UInt8(ascii: ","), ending, &scan) {
                    scan.elements &+= 1
                    byte = first
                    continue
                }
            } else if Self.isOpening(byte) {
                try open(byte, &scan)
                let first = take(&scan)
                guard first == Self.closing(byte) else {
                    byte = first
                    continue
                }
                // An empty one is closed below; the element that is counted there is none.
                scan.elements = -1
                scan.next &-= 1
            } else {
                settle(scan)
                try parseScalar(byte)
                resume(&scan)
            }
            // A value is whole. Behind the last element its container is whole as well, and so on.
            while true {
                byte = take(&scan)
                scan.elements &+= 1
                if byte == UInt8(ascii: ",") { break }
                guard byte == (scan.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { throw unexpectedAfterElement(scan) }
                try close(&scan)
                if container == Self.none {
                    settle(scan)
                    return try checkEnd(scan.next)
                }
            }
            byte = take(&scan)
        }
    }

    /// Reads a text that is neither an array nor an object.
    private func parseLoneScalar(_ first: UInt8, _ scan: TapeScan) throws(JSONSyntaxError) {
        settle(scan)
        try parseScalar(first)
        try checkEnd(position)
    }

    /// Nothing but blanks may stand behind the one value.
    private func checkEnd(_ start: Int) throws(JSONSyntaxError) {
        position = endOfBlanks(start)
        guard position == text.count else { throw unexpected("the text should end after its one value", kind: .trailingContent) }
    }

    /// Reads the name that begins with the byte that was taken, and the colon, and takes the first byte of the value.
    @inline(__always)
    private func parseName(_ first: UInt8, _ scan: inout TapeScan) throws(JSONSyntaxError) -> UInt8 {
        guard first == UInt8(ascii: "\"") else { throw unexpected("a member's name", scan) }
        let ending = try parseString(&scan)
        if let byte = Self.byte(behind: UInt8(ascii: ":"), ending, &scan) { return byte }
        guard take(&scan) == UInt8(ascii: ":") else { throw unexpected("\":\"", scan) }
        return take(&scan)
    }

    /// Takes the separator behind a string and the first byte behind that, when at most one space stands between them.
    ///
    /// The four bytes at the string's end are enough to know it. Byte for byte, the end of the next string would have to wait
    /// for the places in between: 3 % more time for compact texts, 10 % for indented ones.
    @inline(__always)
    private static func byte(behind separator: UInt8, _ ending: UInt32, _ scan: inout TapeScan) -> UInt8? {
        guard ending & 0xFFFF == UInt32(separator) << 8 | 0x22 else { return nil }
        let third = UInt8(truncatingIfNeeded: ending >> 16)
        if third > 0x20 {
            scan.next &+= 2
            return third
        }
        let fourth = UInt8(truncatingIfNeeded: ending >> 24)
        if third == 0x20, fourth > 0x20 {
            scan.next &+= 3
            return fourth
        }
        return nil
    }

    /// Reads the string, number or literal that begins at the parser's position with this byte, and writes its word.
    @inline(never)
    private func parseScalar(_ first: UInt8) throws(JSONSyntaxError) {
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let start = position
            try append(TapeView.word(kindOfLiteral(first), flags: 0, offset: start))
        case UInt8(ascii: "\""): try parseUnusualString()
        default: throw unexpected("a value", kind: .unexpectedByte)
        }
    }

    /// Steps over the literal that begins at the position with this byte.
    private func kindOfLiteral(_ first: UInt8) throws(JSONSyntaxError) -> TapeView.Kind {
        switch first {
        case UInt8(ascii: "t"):
            try skip(0x6575_7274, "the literal true")
            return .true
        case UInt8(ascii: "f"):
            position += 1
            try skip(0x6573_6C61, "the literal false")
            return .false
        default:
            try skip(0x6C6C_756E, "the literal null")
            return .null
        }
    }

    /// Steps over four letters, the first one in the lowest byte.
    private func skip(_ letters: UInt32, _ expected: StaticString) throws(JSONSyntaxError) {
        if text.contains(4, at: position), text.fourBytes(at: position) == letters {
            position += 4
            return
        }
        var rest = letters
        while text.byteOrZero(at: position) == UInt8(truncatingIfNeeded: rest) {
            position += 1
            rest >>= 8
        }
        throw unexpected(expected, kind: .unexpectedByte)
    }
}

// MARK: - Containers and words

extension TapeParser {
    /// Takes over what the scan knows; the position is that of the byte that was taken last.
    @inline(__always)
    func settle(_ scan: TapeScan) {
        position = scan.next &- 1
        top = scan.top
    }

    /// Goes on at the parser's position; its containers have not changed.
    @inline(__always)
    func resume(_ scan: inout TapeScan) {
        scan.next = position
        scan.top = top
        scan.words = words
        scan.marks = marks
    }

    /// Writes the word of a string or number, and a second one for a length that does not fit.
    func append(kind: TapeView.Kind, flags: UInt64, start: Int, length: Int) throws(JSONSyntaxError) {
        if length <= shortLength {
            try append(TapeView.word(kind, flags: flags | UInt64(truncatingIfNeeded: length) << 32, offset: start))
        } else {
            try append(TapeView.word(kind, flags: flags | TapeView.Flag.long, offset: start))
            try append(UInt64(truncatingIfNeeded: length))
        }
    }

    @inline(__always)
    private func append(_ word: UInt64) throws(JSONSyntaxError) {
        if !words.contains(top) { try grow() }
        words[top] = word
        top += 1
    }

    @inline(never)
    private func grow() throws(JSONSyntaxError) {
        guard words.capacity < maximumWords else {
            throw failure(.valueLimit, at: position, "the text has more than \(maximumWords) values")
        }
        let capacity = min(max(words.capacity, 64) * 2, maximumWords)
        let larger = TapeMemory(capacity: max(capacity + StringMarks.wordCount(for: text.count), memory.capacity))
        memory.copy(top, marksOf: text.count, to: larger)
        marks.move(to: larger.marks(forTextOf: text.count))
        memory.deallocate()
        memory = larger
        words = larger.words(capacity)
    }

    /// The parent's word and number of elements wait in the second word until the container is closed.
    @inline(__always)
    private func open(_ bracket: UInt8, _ scan: inout TapeScan) throws(JSONSyntaxError) {
        guard depth < options.maximumDepth else {
            settle(scan)
            throw tooDeep()
        }
        depth &+= 1
        while !scan.words.contains(scan.top &+ 1) {
            settle(scan)
            try grow()
            resume(&scan)
            scan.next &+= 1
        }
        let parent = container
        if parent != Self.none {
            scan.words[parent &+ 1] = scan.words[parent &+ 1] & Self.parentMask | UInt64(truncatingIfNeeded: scan.elements)
        }
        scan.isObject = bracket == UInt8(ascii: "{")
        scan.words[scan.top] = TapeView.word(scan.isObject ? .object : .array, flags: 0, offset: scan.next &- 1)
        scan.words[scan.top &+ 1] = UInt64(truncatingIfNeeded: parent) << 32
        container = scan.top
        scan.top &+= 2
        scan.elements = 0
    }

    @inline(__always)
    private static func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    /// Both brackets stand two before those that close what they open.
    @inline(__always)
    private static func closing(_ bracket: UInt8) -> UInt8 { bracket &+ 2 }

    private static var parentMask: UInt64 { 0xFFFF_FFFF_0000_0000 }

    @inline(__always)
    private func close(_ scan: inout TapeScan) throws(JSONSyntaxError) {
        let closed = container
        if scan.isObject, scan.elements > 1, !Self.isPlainPair(scan, closed),
            !Self.namesDiffer(in: closed, scan.elements, scan.words.view(scan.top, of: scan.text))
        {
            settle(scan)
            try checkNames(of: closed, members: scan.elements)
        }
        let parent = Int(truncatingIfNeeded: scan.words[closed &+ 1] >> 32)
        scan.words[closed &+ 1] = UInt64(truncatingIfNeeded: scan.top) << 32 | UInt64(truncatingIfNeeded: scan.elements)
        container = parent
        depth &-= 1
        guard parent != Self.none else { return }
        scan.isObject = scan.words[parent] >> 60 == UInt64(TapeView.Kind.object.rawValue)
        scan.elements = Int(truncatingIfNeeded: scan.words[parent &+ 1] & 0xFFFF_FFFF)
    }
}

// MARK: - Blanks and encoding

extension TapeParser {
    /// Takes the next byte that is not blank; 0, one behind the text, at its end.
    @inline(__always)
    private func take(_ scan: inout TapeScan) -> UInt8 {
        let byte = scan.text.byteOrZero(at: scan.next)
        if byte > 0x20 {
            scan.next &+= 1
            return byte
        }
        let place = endOfBlanks(scan.next)
        scan.next = place &+ 1
        return scan.text.byteOrZero(at: place)
    }

    @inline(never)
    private func endOfBlanks(_ start: Int) -> Int {
        var position = start
        // Indentation comes in runs of spaces: eight in one comparison while eight bytes are left.
        while text.contains(8, at: position) {
            let word = text.eightBytes(at: position)
            let others = word ^ 0x2020_2020_2020_2020
            if others == 0 {
                position += 8
                continue
            }
            let spaces = others.trailingZeroBitCount & ~7
            position += spaces >> 3
            guard Self.isBlank(UInt8(truncatingIfNeeded: word >> UInt64(spaces))) else { return position }
            position += 1
        }
        while Self.isBlank(text.byteOrZero(at: position)) { position += 1 }
        return position
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// Skips a UTF-8 byte-order mark and recognizes the encodings that JSON no longer has.
    private func checkEncoding() throws(JSONSyntaxError) {
        func byte(_ i: Int) -> UInt8? { text.contains(i) ? text[i] : nil }
        let name: String? =
            switch (byte(0), byte(1), byte(2), byte(3)) {
            case (0xEF, 0xBB, 0xBF, _):
                nil
            case (0xFF, 0xFE, 0, 0), (.some(1...), 0, 0, 0): "UTF-32, little endian"
            case (0, 0, 0xFE, 0xFF), (0, 0, 0, .some(1...)): "UTF-32, big endian"
            case (0xFE, 0xFF, _, _), (0, .some(1...), _, _): "UTF-16, big endian"
            case (0xFF, 0xFE, _, _), (.some(1...), 0, _, _): "UTF-16, little endian"
            default: nil
            }
        if let name {
            throw failure(.unsupportedEncoding, at: 0, "the text looks like \(name); JSON is UTF-8")
        }
        if byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF { position = 3 }
    }
}

// MARK: - Failures

extension TapeParser {
    @inline(never)
    private func tooDeep() -> JSONSyntaxError {
        failure(.depthLimit, at: position, "nesting goes deeper than \(options.maximumDepth) levels")
    }

    @inline(never)
    func failure(_ kind: JSONSyntaxError.Kind, at offset: Int, _ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(kind, offset: offset, reason: reason, pointer: openPointer())
    }

    /// The byte at the position (or the end) cannot stand here.
    @inline(never)
    func unexpected(
        _ expected: StaticString, _ scan: TapeScan, kind: JSONSyntaxError.Kind = .unexpectedByte
    ) -> JSONSyntaxError {
        settle(scan)
        return unexpected(expected, kind: kind)
    }

    /// Whether the bracket at the position follows a comma: nothing else is wrong with `[1,]`.
    private var closesBehindComma: Bool {
        guard text.contains(position), text[position] == UInt8(ascii: "]") || text[position] == UInt8(ascii: "}") else { return false }
        var before = position - 1
        while before > 0, text[before] <= 0x20 { before -= 1 }
        return before > 0 && text[before] == UInt8(ascii: ",")
    }

    @inline(never)
    private func unexpectedAfterElement(_ scan: TapeScan) -> JSONSyntaxError {
        unexpected(scan.isObject ? "\",\" or \"}\"" : "\",\" or \"]\"", scan)
    }

    @inline(never)
    func unexpected(_ expected: StaticString, kind: JSONSyntaxError.Kind) -> JSONSyntaxError {
        guard text.contains(position) else {
            return failure(.unexpectedEnd, at: text.count, "the text ends where \(expected) should stand")
        }
        let byte = text[position]
        if byte >= 0x80, UTF8Sequence.length(at: position, in: text) == nil {
            return failure(.invalidUTF8, at: position, "bytes that are not UTF-8")
        }
        let found = byte > 0x20 && byte < 0x7F ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
        if kind == .trailingContent { return failure(kind, at: position, "unexpected \(found): \(expected)") }
        if closesBehindComma { return failure(kind, at: position, "unexpected \(found): the comma before it is one too many") }
        return failure(kind, at: position, "unexpected \(found): expected \(expected)")
    }

    /// The path of the innermost open container.
    private func openPointer() -> JSONPointer {
        var chain: [Int] = []
        var index = container
        while index != Self.none {
            chain.append(index)
            index = Int(truncatingIfNeeded: words[index + 1] >> 32)
        }
        var tokens: [String] = []
        for (child, parent) in zip(chain, chain.dropFirst()).reversed() {
            if words[parent] >> 60 == UInt64(TapeView.Kind.array.rawValue) {
                tokens.append(String(words[parent + 1] & 0xFFFF_FFFF))
            } else {
                tokens.append(name(before: child, in: parent))
            }
        }
        return JSONPointer(tokens: tokens)
    }

    /// The name of the member of the open object `parent` whose value is the open container `child`.
    private func name(before child: Int, in parent: Int) -> String {
        let written = words.view(top, of: text)
        var position = parent + 2
        while position < child {
            let value = written.next(after: position)
            if value == child { return written.string(at: position) }
            position = written.next(after: value)
        }
        return ""
    }
}

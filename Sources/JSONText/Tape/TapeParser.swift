/// Parses a JSON text onto a tape in a single pass. Grammar, UTF-8 and limits are checked together. Only the places where strings can end
/// are marked in advance, one stretch of the text at a time.
///
/// The parser does not recurse. While a container is open, the high half of its second word contains the index of its parent, and the low
/// half the number of elements so far. When the container is closed, both are replaced by their final values.
final class TapeParser {
    let text: TextBytes
    let options: JSONReadingOptions

    /// The memory. The tape is at its start, and the marks are at its end.
    private(set) var memory: TapeMemory
    private(set) var words: TapeWords
    /// The maximum length that is stored in the first word of a string or number.
    private let shortLength: Int
    /// The maximum number of words of the tape.
    private let maximumWords: Int
    /// The number of words written. It is updated from the scan when the scan ends or fails.
    var top = 0
    /// The offset of the next byte. It is updated in the same way.
    var position = 0
    // Unchecked: one thread parses, and nothing calls back meanwhile.
    @safe @exclusivity(unchecked) var duplicates: [Tape.Duplicate] = []
    var marks: StringMarks

    /// The index of the innermost open container.
    private(set) var container = TapeParser.none
    private var depth = 0

    /// The value for no container. No tape has this many words, and the number fits where the index of a word does.
    static let none = TapeView.maximumWordCount

    /// - Parameter memory: The memory, which belongs to the parser from now on. It has room for the marks of the text.
    private init(_ text: TextBytes, options: JSONReadingOptions, in memory: TapeMemory, shortLength: Int) {
        self.text = text
        self.options = options
        self.shortLength = min(shortLength, TapeView.maximumShortLength)
        maximumWords = Self.maximumWords(options)
        self.memory = memory
        words = memory.words(min(memory.capacity - StringMarks.wordCount(for: text.count), maximumWords))
        marks = memory.marks(forTextOf: text.count)
    }

    private static func maximumWords(_ options: JSONReadingOptions) -> Int {
        max(min(options.maximumValues, TapeView.maximumWordCount), 0)
    }

    /// Returns the tape of `text`. The text must stay in place while the tape exists, or until `takeOwnership()` is called.
    ///
    /// - Parameters:
    ///   - old: Memory for the tape, to use instead of new memory.
    ///   - shortLength: The maximum length that is stored in the first word of a string or number. Only tests pass a smaller one.
    static func parse(
        _ text: TextBytes, options: JSONReadingOptions, reusing old: TapeMemory?, shortLength: Int = TapeView.maximumShortLength
    ) throws(JSONSyntaxError) -> Tape {
        do throws(JSONSyntaxError) {
            try checkSize(text.count, options)
        } catch {
            old?.deallocate()
            throw error
        }
        // One word for eight bytes is enough for most documents. Otherwise the memory grows.
        let room = min(text.count / 8 + 64, maximumWords(options)) + StringMarks.wordCount(for: text.count)
        let memory = TapeMemory(capacity: room, reusing: old)
        let parser = TapeParser(text, options: options, in: memory, shortLength: shortLength)
        do throws(JSONSyntaxError) {
            try parser.parse()
        } catch {
            parser.memory.deallocate()
            throw error
        }
        return Tape(memory: parser.memory, text: text, wordCount: parser.top, duplicates: parser.duplicates)
    }

    static func checkSize(_ byteCount: Int, _ options: JSONReadingOptions) throws(JSONSyntaxError) {
        let limit = maximumBytes(options)
        guard byteCount > limit else { return }
        throw JSONSyntaxError(.sizeLimit, offset: limit, reason: "the text has more than \(limit) bytes, which is the limit")
    }

    static func maximumBytes(_ options: JSONReadingOptions) -> Int { max(min(options.maximumBytes, TapeView.maximumByteCount), 0) }

    /// Creates a parser that continues a tape. At `start`, more elements of an array follow those of the tape. Then come the ends of the
    /// array and of the root object, whose last value the array is.
    ///
    /// - Parameter old: The memory of the tape, whose first `wordCount` words are taken. It belongs to the parser from now on.
    convenience init(
        _ text: TextBytes, options: JSONReadingOptions, from start: Int, continuing array: Int, in old: TapeMemory, wordCount: Int
    ) {
        let room = wordCount + (text.count - start) / 8 + 64 + StringMarks.wordCount(for: text.count)
        let memory = old.capacity < room ? old.grown(to: max(room, old.capacity * 2)) : old
        self.init(text, options: options, in: memory, shortLength: TapeView.maximumShortLength)
        (top, position, container, depth) = (wordCount, start, array, 2)
        let root = 0
        // The array is not a complete member of the root object any more.
        words[root + 1] = Self.secondWord(ofOpen: Self.none, elements(of: root) - 1)
        words[array + 1] = Self.secondWord(ofOpen: root, elements(of: array))
    }

    /// Returns the number of elements or members in the second word of a container.
    private func elements(of container: Int) -> Int { Int(truncatingIfNeeded: words[container + 1] & 0xFFFF_FFFF) }
}

/// The state of the scan. The loop keeps it in registers, because only inlined functions receive it. All other functions use the state of
/// the parser. Call `settle` before them, and `resume` after them.
struct TapeScan {
    let text: TextBytes
    /// The offset after the byte that was taken last.
    var next: Int
    var top = 0
    /// Whether the innermost open container is an object.
    var isObject = false
    /// The number of complete elements or members of that container.
    var elements = 0
    /// The maximum length of a plain string. A longer string needs a second word, or is an error.
    let plainLength: Int
    /// A copy of the parser's words, which `resume` updates.
    var words: TapeWords
    var marks: StringMarks
}

// MARK: - Grammar

extension TapeParser {
    func parse() throws(JSONSyntaxError) {
        let isContinued = container != Self.none
        if !isContinued { try checkEncoding() }
        var scan = TapeScan(
            text: text, next: position, top: top, elements: isContinued ? elements(of: container) : 0,
            plainLength: min(options.maximumStringLength, shortLength), words: words, marks: marks)
        // The first byte of the next name or value was already taken.
        var byte = take(&scan)
        guard isContinued || Self.isOpening(byte) else { return try parseLoneScalar(byte, scan) }
        // Each step of the grammar occurs once in this loop. With more code, the compiler stops inlining, which took 10 % more
        // instructions.
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
                // An empty container is closed below, which counts an element that does not exist.
                scan.elements = -1
                scan.next &-= 1
            } else {
                settle(scan)
                try parseScalar(byte)
                resume(&scan)
            }
            // A value is complete. After the last element, its container is complete too, and so on.
            while true {
                byte = take(&scan)
                scan.elements &+= 1
                if byte == UInt8(ascii: ",") { break }
                guard byte == (scan.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { throw unexpectedAfterElement(scan) }
                close(&scan)
                if container == Self.none {
                    settle(scan)
                    return try checkEnd(scan.next)
                }
            }
            byte = take(&scan)
        }
    }

    /// Parses a text that is neither an array nor an object.
    private func parseLoneScalar(_ first: UInt8, _ scan: TapeScan) throws(JSONSyntaxError) {
        settle(scan)
        try parseScalar(first)
        try checkEnd(position)
    }

    /// Checks that only whitespace follows the value, and that repeated names are allowed.
    private func checkEnd(_ start: Int) throws(JSONSyntaxError) {
        position = endOfBlanks(start)
        guard position == text.count else { throw unexpected("the text should end after its one value", kind: .trailingContent) }
        try refuseDuplicates()
    }

    /// Parses the name whose first byte was taken, and the colon. Takes the first byte of the value.
    @inline(__always)
    private func parseName(_ first: UInt8, _ scan: inout TapeScan) throws(JSONSyntaxError) -> UInt8 {
        guard first == UInt8(ascii: "\"") else { throw unexpected("a member's name", scan) }
        let ending = try parseString(&scan)
        if let byte = Self.byte(behind: UInt8(ascii: ":"), ending, &scan) { return byte }
        guard take(&scan) == UInt8(ascii: ":") else { throw unexpected("\":\"", scan) }
        return take(&scan)
    }

    /// Takes the separator after a string, and the byte after it, if at most one space is between them.
    ///
    /// Both are in the four bytes at the end of the string. If they were read byte by byte, finding the end of the next string would have
    /// to wait for them. That takes 3 % more time for compact texts, and 10 % for indented ones.
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

    /// Parses the string, number or literal that begins with this byte at the parser's position, and writes its word.
    @inline(never)
    private func parseScalar(_ first: UInt8) throws(JSONSyntaxError) {
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try parseNumber()
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            let start = position
            try append(TapeView.word(kindOfLiteral(first), flags: 0, offset: start))
        case UInt8(ascii: "\""): try parseUnusualString()
        default: throw unexpected("a value")
        }
    }

    /// Skips the literal that begins with this byte at the parser's position, and returns its kind.
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

    /// Skips four letters. The first letter is in the lowest byte of `letters`.
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
        throw unexpected(expected)
    }
}

// MARK: - Containers and words

extension TapeParser {
    /// Copies the state of the scan to the parser. The position becomes that of the byte that was taken last.
    @inline(__always)
    func settle(_ scan: TapeScan) {
        position = scan.next &- 1
        top = scan.top
    }

    /// Continues the scan at the parser's position. The open containers have not changed.
    @inline(__always)
    func resume(_ scan: inout TapeScan) {
        scan.next = position
        scan.top = top
        scan.words = words
        scan.marks = marks
    }

    /// Writes the word of a string or number, and a second one if its length does not fit.
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

    /// Opens a container. The index of the parent and the number of elements are in its second word until it is closed.
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
        scan.words[scan.top &+ 1] = Self.secondWord(ofOpen: parent, 0)
        container = scan.top
        scan.top &+= 2
        scan.elements = 0
    }

    @inline(__always)
    private static func isOpening(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    /// Returns the closing bracket. In ASCII, its code is that of the opening bracket plus 2.
    @inline(__always)
    private static func closing(_ bracket: UInt8) -> UInt8 { bracket &+ 2 }

    private static var parentMask: UInt64 { 0xFFFF_FFFF_0000_0000 }

    @inline(__always)
    private func close(_ scan: inout TapeScan) {
        let closed = container
        if scan.isObject, scan.elements > 1, !Self.isPlainPair(scan, closed),
            !Self.namesDiffer(in: closed, scan.elements, scan.words.view(scan.top, of: scan.text))
        {
            settle(scan)
            checkNames(of: closed, members: scan.elements)
        }
        let parent = Int(truncatingIfNeeded: scan.words[closed &+ 1] >> 32)
        scan.words[closed &+ 1] = UInt64(truncatingIfNeeded: scan.top) << 32 | UInt64(truncatingIfNeeded: scan.elements)
        container = parent
        depth &-= 1
        guard parent != Self.none else { return }
        scan.isObject = scan.words[parent] >> 60 == UInt64(TapeView.Kind.object.rawValue)
        scan.elements = Int(truncatingIfNeeded: scan.words[parent &+ 1] & 0xFFFF_FFFF)
    }

    /// Returns the second word of an open container in the container `parent`.
    @inline(__always)
    private static func secondWord(ofOpen parent: Int, _ elements: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: parent) << 32 | UInt64(truncatingIfNeeded: elements)
    }
}

// MARK: - Blanks and encoding

extension TapeParser {
    /// Takes the next byte that is not whitespace. At the end of the text, returns 0 and moves one byte past the end.
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
        // Indentation consists of runs of spaces. Compares eight bytes at a time while eight are left.
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

    /// Skips a UTF-8 byte-order mark. Detects encodings that JSON no longer supports.
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

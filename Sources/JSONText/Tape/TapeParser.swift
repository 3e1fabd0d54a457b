/// Reads one JSON text onto a tape in a single pass: grammar, UTF-8 and limits are checked together.
///
/// No recursion: while a container is open, the second of its words holds the index of its parent (high half) and the number
/// of elements seen so far (low half); closing it replaces both by their final meaning.
struct TapeParser {
    let bytes: UnsafePointer<UInt8>
    let count: Int
    let options: JSONReadingOptions

    var words: UnsafeMutablePointer<UInt64>
    var capacity: Int
    /// Number of words written.
    var top = 0
    /// Offset of the next byte.
    var position = 0
    var duplicates: [Tape.Duplicate] = []

    /// Word of the innermost open container, and how many are open.
    private var container = TapeParser.none
    private var depth = 0

    private static let none = 0xFFFF_FFFF

    private init(_ text: UnsafeBufferPointer<UInt8>, options: JSONReadingOptions, empty: UnsafePointer<UInt8>) {
        bytes = text.baseAddress ?? empty
        count = text.count
        self.options = options
        // One word for eight bytes is right for most documents; dense ones grow.
        capacity = max(min(text.count / 8 + 64, options.maximumValues), 2)
        words = .allocate(capacity: capacity)
    }

    /// The tape of `text`, which has to stay where it is while the tape lives or until `takeOwnership()`.
    static func parse(_ text: UnsafeBufferPointer<UInt8>, options: JSONReadingOptions) throws(JSONSyntaxError) -> Tape {
        let limit = min(options.maximumBytes, Int(UInt32.max))
        guard text.count <= limit else {
            throw JSONSyntaxError(
                .sizeLimit, offset: limit, reason: "the text has \(text.count) bytes, the limit is \(limit)")
        }
        var parser = TapeParser(text, options: options, empty: emptyText)
        do throws(JSONSyntaxError) {
            try parser.parse()
        } catch {
            parser.words.deallocate()
            throw error
        }
        return Tape(
            view: TapeView(words: parser.words, bytes: parser.bytes), wordCount: parser.top, byteCount: parser.count,
            duplicates: parser.duplicates)
    }

    /// Where the text of no bytes lies: a buffer without base address has to point somewhere.
    private static var emptyText: UnsafePointer<UInt8> { ("" as StaticString).utf8Start }
}

// MARK: - Grammar

extension TapeParser {
    private enum Step { case value, afterValue }

    private mutating func parse() throws(JSONSyntaxError) {
        try checkEncoding()
        var step = Step.value
        while true {
            switch step {
            case .value:
                step = try parseValue()
            case .afterValue:
                if container == Self.none {
                    skipBlanks()
                    guard position == count else { throw unexpected("the text should end after its one value", kind: .trailingContent) }
                    return
                }
                step = try parseAfterElement()
            }
        }
    }

    /// Reads a scalar, or opens a container. Answers what has to come next.
    @inline(__always)
    private mutating func parseValue() throws(JSONSyntaxError) -> Step {
        skipBlanks()
        guard position < count else { throw unexpected("a value") }
        switch bytes[position] {
        case UInt8(ascii: "\""):
            try parseString()
            return .afterValue
        case UInt8(ascii: "{"):
            try open(.object)
            skipBlanks()
            if position < count, bytes[position] == UInt8(ascii: "}") {
                position += 1
                try close()
                return .afterValue
            }
            try parseName()
            return .value
        case UInt8(ascii: "["):
            try open(.array)
            skipBlanks()
            if position < count, bytes[position] == UInt8(ascii: "]") {
                position += 1
                try close()
                return .afterValue
            }
            return .value
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try parseNumber()
            return .afterValue
        case UInt8(ascii: "t"):
            try parseLiteral("true", .true)
            return .afterValue
        case UInt8(ascii: "f"):
            try parseLiteral("false", .false)
            return .afterValue
        case UInt8(ascii: "n"):
            try parseLiteral("null", .null)
            return .afterValue
        default:
            throw unexpected("a value")
        }
    }

    /// Reads the comma and, in an object, the next name; or closes the container.
    @inline(__always)
    private mutating func parseAfterElement() throws(JSONSyntaxError) -> Step {
        words[container + 1] &+= 1
        skipBlanks()
        guard position < count else { throw unexpected(containerIsObject ? "\",\" or \"}\"" : "\",\" or \"]\"") }
        let byte = bytes[position]
        if byte == UInt8(ascii: ",") {
            position += 1
            if containerIsObject {
                skipBlanks()
                try parseName()
            }
            return .value
        }
        guard byte == (containerIsObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw unexpected(containerIsObject ? "\",\" or \"}\"" : "\",\" or \"]\"")
        }
        position += 1
        try close()
        return .afterValue
    }

    private var containerIsObject: Bool { words[container] >> 60 == UInt64(TapeView.Kind.object.rawValue) }

    @inline(__always)
    private mutating func parseName() throws(JSONSyntaxError) {
        guard position < count, bytes[position] == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
        try parseString()
        skipBlanks()
        guard position < count, bytes[position] == UInt8(ascii: ":") else { throw unexpected("\":\"") }
        position += 1
    }

    private mutating func parseLiteral(_ literal: StaticString, _ kind: TapeView.Kind) throws(JSONSyntaxError) {
        let start = position
        for i in 0..<literal.utf8CodeUnitCount {
            guard position < count, bytes[position] == literal.utf8Start[i] else { throw unexpected("the literal \(literal)") }
            position += 1
        }
        try append(TapeView.word(kind, flags: 0, offset: start))
    }
}

// MARK: - Containers and words

extension TapeParser {
    @inline(__always)
    mutating func append(_ word: UInt64) throws(JSONSyntaxError) {
        if top == capacity { try grow() }
        words[top] = word
        top += 1
    }

    @inline(never)
    private mutating func grow() throws(JSONSyntaxError) {
        guard capacity < options.maximumValues else {
            throw failure(.valueLimit, at: position, "the text has more than \(options.maximumValues) values")
        }
        capacity = min(capacity * 2, options.maximumValues)
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        larger.moveInitialize(from: words, count: top)
        words.deallocate()
        words = larger
    }

    @inline(__always)
    private mutating func open(_ kind: TapeView.Kind) throws(JSONSyntaxError) {
        guard depth < options.maximumDepth else {
            throw failure(.depthLimit, at: position, "nesting goes deeper than \(options.maximumDepth) levels")
        }
        depth += 1
        let parent = container
        container = top
        try append(TapeView.word(kind, flags: 0, offset: position))
        try append(UInt64(truncatingIfNeeded: parent) << 32)
        position += 1
    }

    @inline(__always)
    private mutating func close() throws(JSONSyntaxError) {
        let state = words[container + 1]
        let members = Int(truncatingIfNeeded: state & 0xFFFF_FFFF)
        if members > 1, containerIsObject { try checkNames(of: container, members: members) }
        words[container + 1] = UInt64(truncatingIfNeeded: top) << 32 | UInt64(truncatingIfNeeded: members)
        container = Int(truncatingIfNeeded: state >> 32)
        depth -= 1
    }
}

// MARK: - Blanks and encoding

extension TapeParser {
    @inline(__always)
    private mutating func skipBlanks() {
        if position < count, bytes[position] > 0x20 { return }
        skipRunOfBlanks()
    }

    @inline(never)
    private mutating func skipRunOfBlanks() {
        var position = position
        let raw = UnsafeRawPointer(bytes)
        while position < count {
            switch bytes[position] {
            case 0x0A, 0x0D, 0x09:
                position += 1
            case 0x20:
                position += 1
                // Indentation comes in runs: eight blanks in one comparison while eight bytes are left.
                while position + 8 <= count, raw.loadUnaligned(fromByteOffset: position, as: UInt64.self) == 0x2020_2020_2020_2020 {
                    position += 8
                }
            default:
                self.position = position
                return
            }
        }
        self.position = position
    }

    /// Skips a UTF-8 byte-order mark and recognizes the encodings that JSON no longer has.
    private mutating func checkEncoding() throws(JSONSyntaxError) {
        func byte(_ i: Int) -> UInt8? { i < count ? bytes[i] : nil }
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
    func failure(_ kind: JSONSyntaxError.Kind, at offset: Int, _ reason: String) -> JSONSyntaxError {
        JSONSyntaxError(kind, offset: offset, reason: reason, pointer: openPointer())
    }

    /// The byte at `position` (or the end) cannot stand here.
    @inline(never)
    func unexpected(_ expected: String, kind: JSONSyntaxError.Kind = .unexpectedByte) -> JSONSyntaxError {
        guard position < count else {
            return failure(.unexpectedEnd, at: count, "the text ends where \(expected) should stand")
        }
        let byte = bytes[position]
        if byte >= 0x80, UTF8Sequence.length(at: position, in: bytes, count: count) == nil {
            return failure(.invalidUTF8, at: position, "bytes that are not UTF-8")
        }
        let found = byte > 0x20 && byte < 0x7F ? "\"\(Character(Unicode.Scalar(byte)))\"" : "byte 0x\(String(byte, radix: 16))"
        if kind == .trailingContent { return failure(kind, at: position, "unexpected \(found): \(expected)") }
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
        let written = TapeView(words: words, bytes: bytes)
        var position = parent + 2
        while position < child {
            let value = written.next(after: position)
            if value == child { return written.string(at: position) }
            position = written.next(after: value)
        }
        return ""
    }
}

/// Finds the end of one JSON value, in bytes that arrive in pieces.
///
/// It counts brackets and skips strings. The reader of the value checks afterwards whether it is JSON. Both kinds of brackets share one
/// count: `{"a":]` ends at the bracket, and the reader then rejects that byte.
struct ValueScanner {
    private enum Place { case start, scalar, container, string, escape }

    private var place = Place.start
    /// The number of open arrays and objects.
    private var depth = 0

    enum Result {
        case ended, needsMore
        /// More brackets are open than allowed.
        case tooDeep
    }

    /// Continues at `position`. Afterwards `position` is after the last byte of the value, or after the last available byte.
    ///
    /// - Parameter maximumDepth: The maximum number of open arrays and objects in the value.
    mutating func scan(_ bytes: Span<UInt8>, _ position: inout Int, maximumDepth: Int) -> Result {
        while position < bytes.count {
            switch place {
            case .start:
                if maximumDepth == 0, bytes[position] | 0x20 == UInt8(ascii: "{") { return .tooDeep }
                begin(bytes, &position)
            case .scalar:
                if Self.endsScalar(bytes[position]) { return end() }
                position += 1
            case .container:
                position = Self.nextMark(bytes, from: position)
                guard position < bytes.count else { return .needsMore }
                let byte = bytes[position]
                position += 1
                if byte == UInt8(ascii: "\"") {
                    // A string without escapes is skipped at once.
                    position = Self.nextQuoteOrBackslash(bytes, from: position)
                    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") { position += 1 } else { place = .string }
                } else if byte | 0x20 == UInt8(ascii: "{") {
                    depth += 1
                    if depth > maximumDepth { return .tooDeep }
                } else {
                    depth -= 1
                    if depth == 0 { return end() }
                }
            case .string:
                position = Self.nextQuoteOrBackslash(bytes, from: position)
                guard position < bytes.count else { return .needsMore }
                position += 1
                if bytes[position - 1] == UInt8(ascii: "\\") {
                    place = .escape
                } else if depth == 0 {
                    return end()
                } else {
                    place = .container
                }
            case .escape:
                place = .string
                position += 1
            }
        }
        return .needsMore
    }

    private mutating func begin(_ bytes: Span<UInt8>, _ position: inout Int) {
        switch bytes[position] {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            place = .container
            depth = 1
        case UInt8(ascii: "\""): place = .string
        default: place = .scalar
        }
        position += 1
    }

    private mutating func end() -> Result {
        self = ValueScanner()
        return .ended
    }

    /// Whether the byte ends a number or a literal.
    private static func endsScalar(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), 0x20, 0x0A, 0x0D, 0x09: true
        default: false
        }
    }
}

// MARK: - Eight bytes at a time

extension ValueScanner {
    private static let ones: UInt64 = 0x0101_0101_0101_0101

    /// Returns a word in which the highest bit of each byte marks a zero byte of `word`. Marks above the lowest may be wrong.
    @inline(__always)
    private static func zeroBytes(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }

    /// Returns the position of the next quotation mark or bracket from `start` on, or the end.
    private static func nextMark(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position + 8 <= bytes.count {
            let word = bytes.littleEndianWord(at: position)
            // This bit turns a bracket into a brace.
            let folded = word | (ones &* 0x20)
            let found =
                (zeroBytes(word ^ (ones &* 0x22)) | zeroBytes(folded ^ (ones &* 0x7B)) | zeroBytes(folded ^ (ones &* 0x7D)))
                & (ones &* 0x80)
            if found != 0 { return position + (found.trailingZeroBitCount >> 3) }
            position += 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            if byte == 0x22 || byte | 0x20 == 0x7B || byte | 0x20 == 0x7D { return position }
            position += 1
        }
        return position
    }

    /// Returns the position of the next quotation mark or backslash from `start` on, or the end.
    private static func nextQuoteOrBackslash(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        while position + 8 <= bytes.count {
            let word = bytes.littleEndianWord(at: position)
            let found = (zeroBytes(word ^ (ones &* 0x22)) | zeroBytes(word ^ (ones &* 0x5C))) & (ones &* 0x80)
            if found != 0 { return position + (found.trailingZeroBitCount >> 3) }
            position += 8
        }
        while position < bytes.count, bytes[position] != 0x22, bytes[position] != 0x5C { position += 1 }
        return position
    }
}

import JSONText

/// The two members of a document that hold resources.
///
/// <https://jsonapi.org/format/1.1/#document-top-level>
enum DocumentSection: String, Sendable {
    case data, included
}

/// A piece of a document that can be read alone, as a small document of its own.
///
///     {"meta":{"n":3},"data":[{"type":"a","id":"1"}, {"type":"a","id":"2"}
///
///     member       {"meta":{"n":3}}
///     elements     {"data":[{"type":"a","id":"1"}, {"type":"a","id":"2"}]}
struct DocumentPortion {
    enum Kind {
        /// Elements of an array of resources.
        case elements(DocumentSection)
        /// `data` or `included` with something else than an array.
        case value(DocumentSection)
        /// Another member of the document, name and value.
        case member
    }

    let kind: Kind
    /// The text of the small document: a beginning of ours, bytes of the whole document as they are, an end of ours.
    let text: [UInt8]
    /// How many bytes the beginning has.
    let prefixCount: Int
    /// Where the bytes behind the beginning stand in the whole document.
    let offset: Int
    /// How many elements of the section come before.
    let firstOrdinal: Int
    /// Where the elements lie in `text`.
    let elements: [Range<Int>]
    /// Counts lines from `offset` on.
    let lines: LineLocator

    /// The first of the elements, or those up to one.
    func prefix(_ count: Int) -> DocumentPortion {
        let end = elements[..<count].last?.upperBound ?? prefixCount
        return DocumentPortion(
            kind: kind, text: text[..<end] + Self.suffix, prefixCount: prefixCount, offset: offset, firstOrdinal: firstOrdinal,
            elements: Array(elements[..<count]), lines: lines)
    }

    static let suffix: [UInt8] = Array("]}".utf8)

    /// Where a byte of `text` stands in the whole document; nil for what is not of the document.
    func documentOffset(of position: Int) -> Int? {
        position < prefixCount ? nil : offset + position - prefixCount
    }

    /// Line and column of a byte of `text`.
    func position(of textOffset: Int) -> TextPosition {
        var lines = lines
        let end = min(max(textOffset, prefixCount), text.count)
        text[prefixCount..<end].withUnsafeBufferPointer { lines.pass($0) }
        return lines.position
    }

    /// The number, in this portion, of the element that holds a byte of `text` or comes next behind it.
    func element(at textOffset: Int) -> Int? { elements.firstIndex { $0.upperBound > textOffset } }
}

/// Counts lines and columns of a text that comes piece by piece, as `TextPosition` does.
struct LineLocator: Sendable {
    /// Bytes passed.
    private(set) var count = 0
    private var line = 1
    private var lineStart = 0
    private var endsInReturn = false

    /// The place of the byte that comes next.
    var position: TextPosition { TextPosition(line: line, column: count - lineStart + 1) }

    /// Passes a byte-order mark, which counts for nothing.
    mutating func passMark() {
        count += 3
        lineStart = count
    }

    mutating func pass(_ bytes: UnsafeBufferPointer<UInt8>) {
        // Two plain loops, which the compiler turns into vector code: most pieces of a compact document hold no line end.
        var feeds = 0
        for byte in bytes { feeds &+= byte == 0x0A ? 1 : 0 }
        var returns = 0
        for byte in bytes { returns &+= byte == 0x0D ? 1 : 0 }
        if returns > 0 || endsInReturn { return passReturns(bytes) }
        if feeds > 0, let last = bytes.lastIndex(of: 0x0A) {
            line += feeds
            lineStart = count + last + 1
        }
        count += bytes.count
    }

    /// The same where lines end at CR, or at CR and LF together.
    private mutating func passReturns(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes {
            count += 1
            if byte == 0x0D || (byte == 0x0A && !endsInReturn) { line += 1 }
            if byte == 0x0D || byte == 0x0A { lineStart = count }
            endsInReturn = byte == 0x0D
        }
    }
}

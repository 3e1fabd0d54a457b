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

    /// Where the bytes of the whole document that it has stand there.
    var documentRange: Range<Int> {
        let end = elements.last?.upperBound ?? text.count - 1
        return offset..<offset + max(end - prefixCount, 0)
    }

    /// Line and column of a byte of `text`.
    func position(of textOffset: Int) -> TextPosition {
        var lines = lines
        let end = min(max(textOffset, prefixCount), text.count)
        lines.pass(text.span.extracting(prefixCount..<end))
        return lines.position
    }

    /// The number, in this portion, of the element that holds a byte of `text`, or breaks off in front of it.
    func element(at textOffset: Int) -> Int? { elements.firstIndex { $0.upperBound >= textOffset } }
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

    mutating func pass(_ bytes: Span<UInt8>) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = 0
        while position + 8 <= bytes.count {
            let word = bytes.littleEndianWord(at: position)
            let feeds = word ^ (ones &* 0x0A)
            let returns = word ^ (ones &* 0x0D)
            // Not zero when one of the eight bytes ends a line.
            if ((feeds &- ones) & ~feeds | (returns &- ones) & ~returns) & (ones &* 0x80) != 0 || endsInReturn {
                passEnds(bytes.extracting(position..<position + 8))
            } else {
                count += 8
            }
            position += 8
        }
        passEnds(bytes.extracting(position...))
    }

    /// The same byte by byte: a line ends at LF, at CR, or at both together.
    private mutating func passEnds(_ bytes: Span<UInt8>) {
        for index in bytes.indices {
            let byte = bytes[index]
            count += 1
            if byte == 0x0D || (byte == 0x0A && !endsInReturn) { line += 1 }
            if byte == 0x0D || byte == 0x0A { lineStart = count }
            endsInReturn = byte == 0x0D
        }
    }
}

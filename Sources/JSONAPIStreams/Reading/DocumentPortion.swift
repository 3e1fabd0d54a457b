import JSONText

/// The two members of a document that hold resources.
///
/// <https://jsonapi.org/format/1.1/#document-top-level>
enum DocumentSection: String, Sendable {
    case data, included
}

/// A piece of a document that can be read on its own, as a small document.
///
///     {"meta":{"n":3},"data":[{"type":"a","id":"1"}, {"type":"a","id":"2"}
///
///     member       {"meta":{"n":3}}
///     elements     {"data":[{"type":"a","id":"1"}, {"type":"a","id":"2"}]}
struct DocumentPortion {
    /// Nil for another member of the document, with its name and value.
    let section: DocumentSection?
    /// Whether these are elements of the section's array. Otherwise the section has a value that is not an array.
    let isArray: Bool
    /// The text of the small document: a prefix, unchanged bytes of the whole document, and a suffix.
    let text: [UInt8]
    /// The length of the prefix in bytes.
    let prefixCount: Int
    /// The offset in the whole document of the bytes after the prefix.
    let offset: Int
    /// The number of elements of the section before this portion.
    let firstOrdinal: Int
    /// The ranges of the elements in `text`.
    let elements: [Range<Int>]
    /// Counts lines, starting at `offset`.
    let lines: PortionLines

    /// Returns a portion with only the first elements.
    func prefix(_ count: Int) -> DocumentPortion {
        let end = elements[..<count].last?.upperBound ?? prefixCount
        return DocumentPortion(
            section: section, isArray: isArray, text: text[..<end] + Self.suffix, prefixCount: prefixCount, offset: offset,
            firstOrdinal: firstOrdinal, elements: Array(elements[..<count]), lines: lines)
    }

    static let suffix: [UInt8] = Array("]}".utf8)

    /// Returns the offset in the whole document of a byte of `text`; nil for a byte of the prefix.
    func documentOffset(of position: Int) -> Int? {
        position < prefixCount ? nil : offset + position - prefixCount
    }

    /// The range of the portion's bytes in the whole document.
    var documentRange: Range<Int> {
        let end = elements.last?.upperBound ?? text.count - 1
        return offset..<offset + max(end - prefixCount, 0)
    }

    /// Returns the line and column of a byte of `text`.
    ///
    /// - Complexity: O(1), plus O(offset) once for all calls together.
    func position(of textOffset: Int) -> TextPosition {
        let end = min(max(textOffset, prefixCount), text.count)
        return lines.position(of: end - prefixCount, in: text.span.extracting(prefixCount...))
    }

    /// Returns the index, in this portion, of the element that contains a byte of `text`, or that ends before it.
    func element(at textOffset: Int) -> Int? { elements.firstIndex { $0.upperBound >= textOffset } }
}

/// Finds the lines of a portion. It counts lines only once and as far as needed, and notes the line every 4 KiB, because each bad element of a
/// portion can have a position.
final class PortionLines {
    private static let distance = 1 << 12

    /// The positions noted so far, at offsets that are multiples of `distance`.
    private var notes: [LineLocator]

    init(_ start: LineLocator) { notes = [start] }

    /// The place of the first byte.
    var start: LineLocator { notes[0] }

    /// Returns the line and column of a byte of the portion.
    func position(of offset: Int, in bytes: Span<UInt8>) -> TextPosition {
        let number = offset / Self.distance
        while notes.count <= number {
            let start = (notes.count - 1) * Self.distance
            var lines = notes[notes.count - 1]
            lines.pass(bytes.extracting(start..<start + Self.distance))
            notes.append(lines)
        }
        var lines = notes[number]
        lines.pass(bytes.extracting(number * Self.distance..<offset))
        return lines.position
    }
}

/// Counts the lines and columns of a text that arrives in pieces, with the same rules as `TextPosition`.
struct LineLocator: Sendable {
    /// The number of bytes that were passed.
    private(set) var count = 0
    private var line = 1
    private var lineStart = 0
    private var endsInReturn = false

    /// The position of the next byte.
    var position: TextPosition { TextPosition(line: line, column: count - lineStart + 1) }

    /// Passes a byte-order mark, which is not part of a column.
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

    /// Passes bytes one by one. A line ends at LF, at CR, or at CR LF.
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

/// A place in a text as people count: line and column, both from 1.
///
/// A line ends at LF, at CR, or at CR LF counted once. The column counts bytes, as compilers do; a byte-order mark counts for
/// nothing.
public struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int

    /// The place with that line and column, both from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The position of the byte at `offset`, or of the end when the text is shorter. O(offset).
    public init(of offset: Int, in text: some Sequence<UInt8>) {
        var lines = LineCounter()
        for byte in text {
            if lines.count >= offset { break }
            lines.take(byte)
        }
        self = lines.position
    }

    /// `LINE:COLUMN`, as compilers print it.
    public var description: String { "\(line):\(column)" }
}

extension TextPosition {
    /// The positions of many offsets, in their order; nil for nil.
    ///
    /// - Complexity: O(bytes + n log n), n = offsets.
    package static func positions(of offsets: [Int?], in bytes: Span<UInt8>) -> [TextPosition?] {
        var positions = [TextPosition?](repeating: nil, count: offsets.count)
        let order = offsets.indices.filter { offsets[$0] != nil }.sorted { (offsets[$0] ?? 0) < (offsets[$1] ?? 0) }
        var lines = LineCounter()
        for index in order {
            let offset = min(offsets[index] ?? 0, bytes.count)
            while lines.count < offset { lines.take(bytes[lines.count]) }
            positions[index] = lines.position
        }
        return positions
    }
}

/// Counts the lines of a text, byte by byte.
private struct LineCounter {
    /// Bytes taken.
    private(set) var count = 0
    private var line = 1
    private var lineStart = 0
    private var previous: UInt8 = 0
    /// How many of the first three bytes are those of a byte-order mark.
    private var matchedMark = 0

    /// The place of the byte that comes next.
    var position: TextPosition { TextPosition(line: line, column: count - lineStart + 1) }

    mutating func take(_ byte: UInt8) {
        count += 1
        if count <= 3 { skipMark(byte) }
        switch byte {
        case 0x0A:
            if previous != 0x0D { line += 1 }
            lineStart = count
        case 0x0D:
            line += 1
            lineStart = count
        default: break
        }
        previous = byte
    }

    private mutating func skipMark(_ byte: UInt8) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if matchedMark == count - 1, byte == mark[matchedMark] { matchedMark += 1 }
        if matchedMark == 3 { lineStart = 3 }
    }
}

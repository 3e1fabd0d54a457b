/// A line and a column in a text, both from 1.
///
/// A line ends with LF, CR, or CR LF. The column counts bytes, as compilers do. A byte-order mark does not count.
public struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int

    /// Creates a position from a line and a column, both from 1.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// Creates the position of the byte at an offset, from 0. If the text is shorter, the position is its end.
    ///
    /// - Complexity: O(n), n = `offset`.
    public init(of offset: Int, in text: some Sequence<UInt8>) {
        var lines = LineCounter()
        for byte in text {
            if lines.count >= offset { break }
            lines.take(byte)
        }
        self = lines.position
    }

    /// The position as `LINE:COLUMN`, in the format of compilers.
    public var description: String { "\(line):\(column)" }
}

extension TextPosition {
    /// Returns the positions of several offsets, in the same order. Returns nil for a nil offset.
    ///
    /// - Complexity: O(m + n log n), m = number of bytes, n = number of offsets.
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

/// Counts the lines of a text, one byte at a time.
private struct LineCounter {
    /// The number of bytes read so far.
    private(set) var count = 0
    private var line = 1
    private var lineStart = 0
    private var previous: UInt8 = 0
    /// The number of leading bytes that match a byte-order mark.
    private var matchedMark = 0

    /// The position of the next byte.
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

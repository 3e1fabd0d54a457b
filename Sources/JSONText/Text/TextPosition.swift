/// A place in a text as people count: line and column, both from 1.
///
/// A line ends at LF, at CR, or at CR LF counted once. The column counts bytes, as compilers do; a byte-order mark counts for
/// nothing.
public struct TextPosition: Sendable, Hashable, CustomStringConvertible {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The position of the byte at `offset`, or of the end when the text is shorter. O(offset).
    public init(of offset: Int, in text: some Sequence<UInt8>) {
        var line = 1
        var lineStart = 0
        var previous: UInt8 = 0
        var position = 0
        var prefix: [UInt8] = []
        for byte in text {
            if position >= offset { break }
            if position < 3 { prefix.append(byte) }
            position += 1
            switch byte {
            case 0x0A:
                if previous != 0x0D { line += 1 }
                lineStart = position
            case 0x0D:
                line += 1
                lineStart = position
            default:
                break
            }
            previous = byte
            if prefix == [0xEF, 0xBB, 0xBF], position == 3 { lineStart = 3 }
        }
        self.line = line
        self.column = position - lineStart + 1
    }

    public var description: String { "\(line):\(column)" }
}

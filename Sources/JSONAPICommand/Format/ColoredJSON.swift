/// JSON text with colors for a terminal.
///
/// Member names, strings, numbers and words have the colors that `show` gives them. Brackets, commas and spaces stay as they are.
struct ColoredJSON {
    private let ink: Ink
    private var text: [UInt8] = []

    /// Returns `json` with colors. The text has to be JSON without raw control characters, as `JSONOutput` and `TerminalSafe` write it.
    ///
    /// - Complexity: O(n), n = bytes.
    static func bytes(of json: [UInt8], _ ink: Ink) -> [UInt8] {
        guard ink.isColored else { return json }
        var colored = ColoredJSON(ink: ink)
        colored.text.reserveCapacity(json.count * 2)
        var position = 0
        while position < json.count {
            let end = end(of: json, from: position)
            colored.append(json[position..<end], Self.role(of: json, position, end))
            position = end
        }
        return colored.text
    }

    private init(ink: Ink) { self.ink = ink }

    private mutating func append(_ piece: ArraySlice<UInt8>, _ role: Ink.Role?) {
        guard let role else {
            text += piece
            return
        }
        text += "\u{1B}[\(role.rawValue)m".utf8
        text += piece
        text += "\u{1B}[0m".utf8
    }

    /// The end of the string, the number, the word or the punctuation that begins at a position.
    private static func end(of json: [UInt8], from start: Int) -> Int {
        var position = start + 1
        guard json[start] != UInt8(ascii: "\"") else {
            while position < json.count, json[position] != UInt8(ascii: "\"") {
                position += json[position] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(position + 1, json.count)
        }
        let isScalar = isScalar(json[start])
        while position < json.count, json[position] != UInt8(ascii: "\""), Self.isScalar(json[position]) == isScalar { position += 1 }
        return position
    }

    private static func role(of json: [UInt8], _ start: Int, _ end: Int) -> Ink.Role? {
        switch json[start] {
        case UInt8(ascii: "\""): end < json.count && json[end] == UInt8(ascii: ":") ? .memberName : .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
        case UInt8(ascii: "a")...UInt8(ascii: "z"): .word
        default: nil
        }
    }

    /// Whether a byte is part of a number or a word.
    private static func isScalar(_ byte: UInt8) -> Bool {
        byte >= 0x2D && byte != 0x3A && byte < 0x7B && byte != 0x5B && byte != 0x5D || byte == 0x2B
    }
}

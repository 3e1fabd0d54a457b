/// Pieces of Swift source text.
enum SwiftText {
    /// A string literal. Nothing in it ends the literal, begins an interpolation, breaks the line or turns the direction of
    /// writing, so it may also stand in a comment.
    static func quoted(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\" + String(scalar)
            case _ where isPlain(scalar): literal.unicodeScalars.append(scalar)
            default: literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return literal + "\""
    }

    /// Characters that everybody sees as they are.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned, .surrogate,
            .nonspacingMark, .spacingMark, .enclosingMark:
            return false
        default: return true
        }
    }

    /// The same, cut short for a comment.
    static func shown(_ text: String) -> String {
        let head = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
        return quoted(head) + (head.utf8.count < text.utf8.count ? "…" : "")
    }

    /// A text as the lines of a comment: plain characters alone, no line longer than `width`, except for a long word.
    static func documentation(_ text: String, width: Int = 96) -> [String] {
        var lines: [String] = []
        for paragraph in text.unicodeScalars.prefix(longestComment).split(whereSeparator: \.properties.isLineBreak) {
            var line = ""
            for word in paragraph.split(whereSeparator: \.properties.isWhitespace) {
                var plain = String.UnicodeScalarView()
                plain.append(contentsOf: word.filter(isPlain))
                guard !plain.isEmpty else { continue }
                if !line.isEmpty, line.utf8.count + plain.count >= width {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + String(plain)
            }
            if !line.isEmpty { lines.append(line) }
        }
        return lines
    }

    /// A text in one line, plain characters alone.
    static func plain(_ text: String) -> String { documentation(text, width: .max).joined(separator: " ") }

    /// A head with parameters, on one line where that fits, else a line for each.
    static func call(_ head: String, _ parameters: [String], ending: String) -> [String] {
        let line = "\(head)(\(parameters.joined(separator: ", ")))\(ending)"
        guard line.utf8.count > 92, !parameters.isEmpty else { return [line] }
        return ["\(head)("] + indented(parameters.dropLast().map { $0 + "," } + parameters.suffix(1)) + [")\(ending)"]
    }

    /// Longer texts are cut in comments.
    private static let longestComment = 2_000

    /// Lines, each with as many spaces in front as the level asks for.
    static func indented(_ lines: [String], _ level: Int = 1) -> [String] {
        let space = String(repeating: " ", count: 4 * level)
        return lines.map { $0.isEmpty ? "" : space + $0 }
    }

    /// Blocks of lines with an empty line between them; empty blocks are left out.
    static func separated(_ blocks: [[String]]) -> [String] {
        Array(blocks.filter { !$0.isEmpty }.joined(separator: [""]))
    }
}

extension Unicode.Scalar.Properties {
    /// Whether the character ends a line.
    fileprivate var isLineBreak: Bool {
        generalCategory == .lineSeparator || generalCategory == .paragraphSeparator || lowercaseMapping == "\n" || lowercaseMapping == "\r"
    }
}

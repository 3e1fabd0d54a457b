/// Parts of Swift source text.
enum SwiftText {
    /// The modifier of values, enumerations and unions. In a target whose default isolation is the main actor, their conformances are
    /// otherwise isolated, and `ResourceMeta`, `Patch.set` and key paths do not accept them.
    static let nonisolated = "nonisolated "

    /// Returns a string literal. The text cannot end the literal, begin an interpolation, break the line, or change the writing direction,
    /// so the literal is also safe in a comment.
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

    /// Whether a character is always displayed as itself.
    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned, .surrogate,
            .nonspacingMark, .spacingMark, .enclosingMark:
            return false
        default: return true
        }
    }

    /// Returns a string literal, shortened for a comment.
    static func shown(_ text: String) -> String {
        let head = String(String.UnicodeScalarView(text.unicodeScalars.prefix(60)))
        return quoted(head) + (head.utf8.count < text.utf8.count ? "…" : "")
    }

    /// Returns a text as the lines of a comment, with plain characters only. No line is longer than `width`, except for a long word.
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

    /// Returns a text in one line, with plain characters only.
    static func plain(_ text: String) -> String { documentation(text, width: .max).joined(separator: " ") }

    /// Returns a head with parameters, on one line if it fits, otherwise with a line for each.
    static func call(_ head: String, _ parameters: [String], ending: String, longest: Int = 92) -> [String] {
        let line = "\(head)(\(parameters.joined(separator: ", ")))\(ending)"
        guard line.utf8.count > longest, !parameters.isEmpty else { return [line] }
        return ["\(head)("] + indented(parameters.dropLast().map { $0 + "," } + parameters.suffix(1)) + [")\(ending)"]
    }

    /// The maximum length of a text in a comment.
    private static let longestComment = 2_000

    /// Returns the lines, indented by one level.
    static func indented(_ lines: [String]) -> [String] { lines.map { $0.isEmpty ? "" : "    " + $0 } }

    /// Returns blocks of lines with an empty line between them, without empty blocks.
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

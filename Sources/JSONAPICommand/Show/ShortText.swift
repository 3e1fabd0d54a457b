import JSONText

/// Values of a document as one short line, with control characters escaped and long texts and arrays shortened.
enum ShortText {
    /// The lengths at which values are shortened.
    struct Limits: Sendable {
        /// A string, in Unicode scalars.
        var string = 100
        /// A name, type or id, in Unicode scalars.
        var name = 100
        /// An array or object, in bytes of the line.
        var container = 120
        /// Levels of arrays and objects within each other.
        var levels = 3
        /// The types that are counted one by one.
        var types = 6

        /// Nothing is shortened: no document that was read is nested deeper.
        static let none = Limits(string: .max, name: .max, container: .max, levels: 512, types: .max)
    }

    /// A JSON value: `"text"`, `1.50`, `[1, 2, … 7 more]`, `{street: "Elm Road", … 3 more}`.
    static func value(_ json: JSON, limits: Limits) -> String {
        var text = ""
        append(json, to: &text, limits: limits, level: 0)
        return text
    }

    /// A string in quotes. A shortened one is followed by its length.
    static func quoted(_ text: String, limit: Int) -> String {
        let shortened = shortened(text, limit: limit)
        let quoted = "\"" + escaped(shortened.text, escapesQuotes: true) + (shortened.count == nil ? "\"" : "…\"")
        return shortened.count.map { "\(quoted) (\($0) characters)" } ?? quoted
    }

    /// A text without quotes, as an address or a sentence; `""` for an empty one.
    static func plain(_ text: String, limit: Int) -> String {
        guard !text.isEmpty else { return "\"\"" }
        let shortened = shortened(text, limit: limit)
        return escaped(shortened.text, escapesQuotes: false) + (shortened.count == nil ? "" : "…")
    }

    /// A name, type or id, with quotes only if it could be misread without them.
    static func name(_ text: String, limit: Int = 100) -> String {
        let isPlain = !text.isEmpty && text.unicodeScalars.allSatisfy { !needsEscape($0) && !" \"'(),:→".unicodeScalars.contains($0) }
        return isPlain ? plain(text, limit: limit) : quoted(text, limit: limit)
    }

    /// The name of a member, which can contain a colon.
    static func memberName(_ text: String, limits: Limits = Limits()) -> String {
        text.utf8.contains(0x3A) && !text.isEmpty ? plain(text, limit: limits.name) : name(text, limit: limits.name)
    }
}

// MARK: - Workings

extension ShortText {
    /// Recursion ends at `limits.levels`, whatever the input.
    private static func append(_ json: JSON, to text: inout String, limits: Limits, level: Int) {
        switch json {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += plain(number.text, limit: limits.string)
        case .string(let string): text += quoted(string, limit: limits.string)
        case .array(let array):
            append(array, open: "[", close: "]", to: &text, limits, level) { element, text in
                append(element, to: &text, limits: limits, level: level + 1)
            }
        case .object(let object):
            append(object, open: "{", close: "}", to: &text, limits, level) { member, text in
                text += memberName(member.name, limits: limits) + ": "
                append(member.value, to: &text, limits: limits, level: level + 1)
            }
        }
    }

    private static func append<Elements: RandomAccessCollection>(
        _ elements: Elements, open: String, close: String, to text: inout String, _ limits: Limits, _ level: Int,
        _ appendElement: (Elements.Element, inout String) -> Void
    ) {
        guard level < limits.levels || elements.isEmpty else {
            text += "\(open)… \(elements.count)\(close)"
            return
        }
        text += open
        var shown = 0
        for element in elements {
            // At least one is shown at the first level, however long the line is.
            guard text.utf8.count < limits.container || (shown == 0 && level == 0) else { break }
            if shown > 0 { text += ", " }
            appendElement(element, &text)
            shown += 1
        }
        if shown < elements.count { text += "\(shown > 0 ? ", " : "")… \(elements.count - shown)\(shown > 0 ? " more" : "")" }
        text += close
    }

    /// The beginning of a text, and the length of the whole text if it was cut.
    private static func shortened(_ text: String, limit: Int) -> (text: String, count: Int?) {
        // A scalar has at least one byte, so most texts are done here.
        guard text.utf8.count > limit, limit < .max - 20 else { return (text, nil) }
        let scalars = text.unicodeScalars
        // A text that is only a little longer is not cut, because the remark would be as long.
        guard let end = scalars.index(scalars.startIndex, offsetBy: limit + 20, limitedBy: scalars.endIndex), end < scalars.endIndex
        else { return (text, nil) }
        return (String(scalars.prefix(limit)), scalars.count)
    }

    private static func escaped(_ text: String, escapesQuotes: Bool) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { !needsEscape($0) && !(escapesQuotes && ($0 == "\"" || $0 == "\\")) }
        guard !isPlain else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\"" where escapesQuotes: result += "\\\""
            case "\\" where escapesQuotes: result += "\\\\"
            default:
                if needsEscape(scalar) { result += escape(scalar) } else { result.unicodeScalars.append(scalar) }
            }
        }
        return result
    }

    /// Whether a character could change what else is on the screen: control characters, line ends, changes of direction.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}

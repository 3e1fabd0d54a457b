import JSONText

/// Colors for pieces of a line, or none at all.
///
/// The caller escapes the text first. Only the eight colors that every terminal has are used, so the user's palette applies.
struct Ink: Sendable {
    /// Whether there are colors.
    let isColored: Bool

    static let plain = Ink(isColored: false)

    /// The meaning of a piece of a line, with its escape code.
    enum Role: String, Sendable {
        /// A resource, an error, an operation.
        case heading = "1"
        case memberName = "36"
        case relationshipName = "35"
        case string = "32"
        case number = "33"
        /// true, false and null.
        case word = "34"
        /// A remark that is not part of the document, and the lines of the tree.
        case remark = "2"
        case address = "4"
        case added = "32;1"
        case removed = "31;1"
        case changed = "33;1"
        case failure = "31"
    }

    /// Returns a piece of a line in the color of its role.
    func paint(_ text: String, _ role: Role) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Returns a value as one short line, a scalar in the color of its kind.
    func value(_ json: JSON, limits: ShortText.Limits) -> String { paint(ShortText.value(json, limits: limits), ofKind: json) }

    /// Returns the text for a value in the color of the value's kind. Arrays and objects have no color.
    func paint(_ text: String, ofKind json: JSON) -> String {
        switch json {
        case .string: paint(text, .string)
        case .number: paint(text, .number)
        case .bool, .null: paint(text, .word)
        case .array, .object: text
        }
    }
}

// MARK: - The option --color

extension Ink {
    /// When to use colors.
    enum Use: String, CaseIterable, Sendable {
        case always, never, auto
    }

    static let option = Option(name: "color", value: "always|never|auto", meaning: "when to use colors; auto, the default: on a terminal")

    /// The colors for a terminal.
    init(_ use: Use, on terminal: Terminal) {
        switch use {
        case .always: isColored = true
        case .never: isColored = false
        case .auto: isColored = terminal.isInteractive && !terminal.refusesColor
        }
    }
}

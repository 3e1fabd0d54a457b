import JSONAPICodec
import JSONText

/// What stands between two braces of a URI template: an operator, and names with their modifiers.
///
///     {?page,size*}   operator ?   variables page, size*
///
/// <https://www.rfc-editor.org/rfc/rfc6570#section-2.2>
struct URITemplateExpression: Sendable {
    struct Variable: Sendable {
        /// The position of the name in the template's list of variables.
        let number: Int
        let name: String
        /// Of a text, how many characters are taken; nil for all.
        var maximumLength: Int?
        /// Whether each element of a list stands as a value of its own.
        var isExploded = false
    }

    let form: Form
    var variables: [Variable] = []

    /// Whether it is `{name}`, which has to have a value.
    var isPlain: Bool { form.isSimple && variables.count == 1 }
}

extension URITemplateExpression {
    /// How the values of an expression are joined, by its operator.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc6570#appendix-A>
    struct Form: Sendable {
        /// What stands in front of the first value, and of each further one.
        let first: String
        let separator: String
        /// Whether the name stands in front of its value, and what follows the name of an empty one.
        var isNamed = false
        var behindEmpty = ""
        /// Whether reserved characters stay as they are.
        var keepsReserved = false

        var isSimple: Bool { first.isEmpty && !keepsReserved }

        static let simple = Form(first: "", separator: ",")

        /// Nil for a byte that is no operator.
        init?(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "+"): self.init(first: "", separator: ",", keepsReserved: true)
            case UInt8(ascii: "#"): self.init(first: "#", separator: ",", keepsReserved: true)
            case UInt8(ascii: "."): self.init(first: ".", separator: ".")
            case UInt8(ascii: "/"): self.init(first: "/", separator: "/")
            case UInt8(ascii: ";"): self.init(first: ";", separator: ";", isNamed: true)
            case UInt8(ascii: "?"): self.init(first: "?", separator: "&", isNamed: true, behindEmpty: "=")
            case UInt8(ascii: "&"): self.init(first: "&", separator: "&", isNamed: true, behindEmpty: "=")
            default: return nil
            }
        }

        private init(first: String, separator: String, isNamed: Bool = false, behindEmpty: String = "", keepsReserved: Bool = false) {
            self.first = first
            self.separator = separator
            self.isNamed = isNamed
            self.behindEmpty = behindEmpty
            self.keepsReserved = keepsReserved
        }
    }
}

// MARK: - Expanding

extension URITemplateExpression {
    /// Hands the expression with those values to `append`, piece by piece. Values without an element are left out.
    ///
    /// - Parameter values: by the numbers of variables.
    func write<Failure: Error>(_ values: [URITemplate.Value?], _ append: (String) throws(Failure) -> Void) throws(Failure) {
        var isFirst = true
        for variable in variables {
            for text in texts(variable, values[variable.number]) {
                try append((isFirst ? form.first : form.separator) + text)
                isFirst = false
            }
        }
    }

    /// The parts that a variable adds, which the operator's separator joins.
    private func texts(_ variable: Variable, _ value: URITemplate.Value?) -> [String] {
        switch value {
        case .scalar(let text): [named(variable.name, encoded(prefix(text, variable.maximumLength)))]
        case .list(let texts) where variable.isExploded: texts.map { named(variable.name, encoded($0)) }
        case .list(let texts) where !texts.isEmpty: [named(variable.name, texts.map(encoded).joined(separator: ","))]
        case .list, nil: []
        }
    }

    private func named(_ name: String, _ text: String) -> String {
        guard form.isNamed else { return text }
        return name + (text.isEmpty ? form.behindEmpty : "=" + text)
    }

    private func prefix(_ text: String, _ length: Int?) -> String {
        length.map { String(String.UnicodeScalarView(text.unicodeScalars.prefix($0))) } ?? text
    }

    private func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        if form.keepsReserved {
            PercentEncoding.appendReserved(text, to: &bytes)
        } else {
            PercentEncoding.append(text, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

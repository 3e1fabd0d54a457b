import JSONAPICodec
import JSONText

/// An expression of a URI template: an operator, and variables with their modifiers.
///
///     {?page,size*}   operator ?   variables page, size*
///
/// <https://www.rfc-editor.org/rfc/rfc6570#section-2.2>
struct URITemplateExpression: Sendable {
    struct Variable: Sendable {
        /// The index of the name in the template's `variables`.
        let number: Int
        /// The name as it is written before a value.
        let encodedName: String
        /// The maximum number of characters of a string, or nil for no limit.
        var maximumLength: Int?
        /// Whether each element of a list is a separate value.
        var isExploded = false
    }

    let form: Form
    var variables: [Variable] = []

    /// Whether the expression is a plain `{name}`, which requires a value.
    var isPlain: Bool { form.isSimple && variables.count == 1 }

    /// Whether the expression adds parameters to a query, as `{?page,size}` and `{&more}` do.
    var isQuery: Bool { form.first == "?" || form.first == "&" }
}

extension URITemplateExpression {
    /// The format of an expression, which depends on its operator.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc6570#appendix-A>
    struct Form: Sendable {
        /// The text before the first value.
        let first: String
        /// The text before each other value.
        let separator: String
        /// Whether each value follows its name.
        var isNamed = false
        /// The text after the name of an empty value.
        var suffixOfEmpty = ""
        /// Whether reserved characters are kept.
        var keepsReserved = false

        var isSimple: Bool { first.isEmpty && !keepsReserved }

        static let simple = Form(first: "", separator: ",")

        /// Returns nil if the byte is not an operator.
        init?(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "+"): self.init(first: "", separator: ",", keepsReserved: true)
            case UInt8(ascii: "#"): self.init(first: "#", separator: ",", keepsReserved: true)
            case UInt8(ascii: "."): self.init(first: ".", separator: ".")
            case UInt8(ascii: "/"): self.init(first: "/", separator: "/")
            case UInt8(ascii: ";"): self.init(first: ";", separator: ";", isNamed: true)
            case UInt8(ascii: "?"): self.init(first: "?", separator: "&", isNamed: true, suffixOfEmpty: "=")
            case UInt8(ascii: "&"): self.init(first: "&", separator: "&", isNamed: true, suffixOfEmpty: "=")
            default: return nil
            }
        }

        private init(first: String, separator: String, isNamed: Bool = false, suffixOfEmpty: String = "", keepsReserved: Bool = false) {
            self.first = first
            self.separator = separator
            self.isNamed = isNamed
            self.suffixOfEmpty = suffixOfEmpty
            self.keepsReserved = keepsReserved
        }
    }
}

// MARK: - Expanding

extension URITemplateExpression {
    /// Passes the expanded expression to `append`, in pieces. Variables without a value or with an empty list are omitted.
    ///
    /// - Parameter values: The values in the order of the template's `variables`.
    func write<Failure: Error>(_ values: [URITemplate.Value?], _ append: (String) throws(Failure) -> Void) throws(Failure) {
        var isFirst = true
        for variable in variables {
            for text in texts(variable, values[variable.number]) {
                try append((isFirst ? form.first : form.separator) + named(variable.encodedName, text))
                isFirst = false
            }
        }
    }

    /// Returns the texts of a variable, which the separator joins, without the name before each. All of them with their names can be much
    /// larger than the document, and `append` can refuse the first.
    private func texts(_ variable: Variable, _ value: URITemplate.Value?) -> [String] {
        switch value {
        case .scalar(let text): [encoded(prefix(text, variable.maximumLength))]
        case .list(let texts) where variable.isExploded: texts.map(encoded)
        case .list(let texts) where !texts.isEmpty: [texts.map(encoded).joined(separator: ",")]
        case .list, nil: []
        }
    }

    private func named(_ name: String, _ text: String) -> String {
        guard form.isNamed else { return text }
        return name + (text.isEmpty ? form.suffixOfEmpty : "=" + text)
    }

    /// Returns the beginning of a value. An escape such as `%20` that is kept counts as one character, and is not cut.
    private func prefix(_ text: String, _ length: Int?) -> String {
        guard let length else { return text }
        let scalars = text.unicodeScalars
        var end = scalars.startIndex
        for _ in 0..<length where end < scalars.endIndex {
            let isEscape = form.keepsReserved && scalars[end] == "%" && PercentEncoding.isTriplet(Array(text.utf8[end...].prefix(3)), at: 0)
            end = scalars.index(end, offsetBy: isEscape ? 3 : 1)
        }
        return String(scalars[..<end])
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

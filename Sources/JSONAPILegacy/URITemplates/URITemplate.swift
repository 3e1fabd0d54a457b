import JSONAPICodec
import JSONText

/// A URI template, as RFC 6570 defines it.
///
/// ```swift
/// let template = try URITemplate(parsing: "http://example.com/posts/{posts.id}/comments")
/// template.variables                             // ["posts.id"]
/// template.expand(["posts.id": "7/8"])           // http://example.com/posts/7%2F8/comments
/// try URITemplate(parsing: "/comments/{ids}").expand(["ids": ["1", "2"]])  // /comments/1,2
/// try URITemplate(parsing: "/posts{?page,size}").expand(["size": "10"])    // /posts?size=10
/// ```
///
/// Templates support all operators and modifiers of levels 1 to 4: `{+path}`, `{#part}`, `{.suffix}`, `{/segments*}`, `{;parameter}`,
/// `{?page,size}`, `{&more}` and `{name:3}`. Values are strings and lists of strings.
///
/// Each value is percent-encoded, except ASCII letters, digits, `-`, `.`, `_` and `~`. With the operators `+` and `#`, reserved characters
/// are also kept. The commas between the elements of a list are not encoded.
///
/// A variable without a value, or with an empty list, is omitted. In contrast to the RFC, a plain `{name}` requires a value: without one,
/// the whole expansion is nil.
///
/// A name consists of letters, digits, `_`, `-`, percent-encoded bytes, non-ASCII characters, and single dots inside. Names are compared by
/// their bytes. Outside expressions, and in the names that `;`, `?` and `&` write, characters that a URI does not allow are percent-encoded.
///
/// Templates are equal if the bytes of their texts are equal.
///
/// <https://www.rfc-editor.org/rfc/rfc6570>
public struct URITemplate: Sendable {
    /// The text of the template.
    public let text: String
    /// The names of the variables, without repetition, in the order of their first use.
    public let variables: [String]
    /// The texts between the expressions. There is one more text than there are expressions.
    private let literals: [String]
    private let expressions: [URITemplateExpression]
    /// For each variable, whether it requires a value.
    private let isRequired: [Bool]
    /// The number of variables, with repetitions.
    let useCount: Int

    /// Creates a template from its text.
    ///
    /// Throws a `URITemplateError` with the byte offset of an unmatched brace, an expression without a name, an invalid name, or an
    /// operator or a modifier that the RFC does not define.
    /// - Complexity: O(n), n = number of bytes.
    public init(parsing text: String) throws(URITemplateError) {
        try self.init(text, requiresValues: { $0.isPlain })
    }

    /// Creates a template that requires a value for each variable of some expressions.
    init(_ text: String, requiresValues: (URITemplateExpression) -> Bool) throws(URITemplateError) {
        var parser = URITemplateParser(text)
        try parser.parse()
        self.text = text
        variables = parser.variables
        literals = parser.literals
        expressions = parser.expressions
        useCount = expressions.reduce(0) { $0 + $1.variables.count }
        var isRequired = [Bool](repeating: false, count: variables.count)
        for expression in expressions where requiresValues(expression) {
            for variable in expression.variables { isRequired[variable.number] = true }
        }
        self.isRequired = isRequired
    }

    /// The value of a variable.
    public enum Value: Sendable, Hashable {
        /// A string.
        case scalar(String)
        /// A list of strings, which are separated by commas. An empty list counts as no value.
        case list([String])
    }
}

// MARK: - Expanding

extension URITemplate {
    /// Returns the expanded template, or nil if a plain `{name}` has no value.
    ///
    /// Calls `value` once for each of `variables`, in order. It stops when a variable that requires a value has none.
    /// - Complexity: O(n), n = number of bytes in the template and in the result.
    public func expand(_ value: (_ variable: String) throws -> Value?) rethrows -> String? {
        var values: [Value?] = []
        values.reserveCapacity(variables.count)
        for (number, variable) in variables.enumerated() {
            let value = try value(variable)
            guard !lacksValue(number, value) else { return nil }
            values.append(value)
        }
        var text = ""
        write(values) { text += $0 }
        return text
    }

    /// Returns the expanded template, or nil if a plain `{name}` has no value.
    public func expand(_ values: [String: Value]) -> String? {
        // A dictionary finds a name that differs only in its normal form.
        let byBytes = Dictionary(values.map { (ByteText($0.key), $0.value) }) { first, _ in first }
        return expand { byBytes[ByteText($0)] }
    }

    /// Returns whether a variable requires a value and has none.
    func lacksValue(_ number: Int, _ value: Value?) -> Bool { isRequired[number] && (value == nil || value == .list([])) }

    /// Passes the expanded template to `append`, in pieces. The values are in the order of `variables`.
    func write<Failure: Error>(_ values: [Value?], _ append: (String) throws(Failure) -> Void) throws(Failure) {
        try append(literals[0])
        for (position, expression) in expressions.enumerated() {
            try expression.write(values, append)
            try append(literals[position + 1])
        }
    }
}

// MARK: - Text

extension URITemplate: CustomStringConvertible {
    /// The text of the template.
    public var description: String { text }
}

extension URITemplate: Hashable {
    /// Returns whether the texts of both templates have the same bytes.
    public static func == (lhs: URITemplate, rhs: URITemplate) -> Bool { UTF8Bytes.areEqual(lhs.text, rhs.text) }

    /// Hashes the bytes of the text.
    public func hash(into hasher: inout Hasher) { UTF8Bytes.hash(text, into: &hasher) }
}

extension URITemplate.Value: ExpressibleByStringLiteral {
    /// Creates a string value.
    public init(stringLiteral value: String) { self = .scalar(value) }
}

extension URITemplate.Value: ExpressibleByArrayLiteral {
    /// Creates a list value.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

// MARK: - Errors

/// An error in the text of a URI template. Two errors of the same kind are equal.
public struct URITemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, such as `unclosedExpression`.
        public let description: String

        /// A `{` without a matching `}`.
        public static let unclosedExpression = Kind(description: "unclosedExpression")
        /// A `}` without a matching `{`, or a `{` inside an expression.
        public static let strayBrace = Kind(description: "strayBrace")
        /// An expression or a variable without a name, such as `{}`.
        public static let emptyExpression = Kind(description: "emptyExpression")
        /// A name contains an invalid character, or a dot at its start, at its end, or after another dot.
        public static let invalidName = Kind(description: "invalidName")
        /// An operator that the RFC reserves, such as in `{=x}`, or an invalid modifier.
        public static let unsupportedExpression = Kind(description: "unsupportedExpression")
    }

    /// The kind of the error.
    public let kind: Kind
    /// The byte offset of the error, from 0.
    public let offset: Int

    init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// Returns whether both errors have the same kind.
    public static func == (lhs: URITemplateError, rhs: URITemplateError) -> Bool { lhs.kind == rhs.kind }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

    /// A sentence that describes the error.
    public var description: String {
        switch kind {
        case .unclosedExpression: "The expression at byte \(offset) of the URI template is not closed. Add `}`."
        case .strayBrace: "The brace at byte \(offset) of the URI template has no match. Write `%7B` or `%7D` for a literal brace."
        case .emptyExpression: "The URI template has an expression or a variable without a name at byte \(offset)."
        case .invalidName: "The URI template has an invalid name at byte \(offset). Use letters, digits, `_`, `-` and single dots inside."
        case .unsupportedExpression:
            "The operator or modifier at byte \(offset) of the URI template is not supported. Modifiers are `{name:3}` and `{name*}`."
        default: "The URI template is invalid at byte \(offset): \(kind)."
        }
    }
}

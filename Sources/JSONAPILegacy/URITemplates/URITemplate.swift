import JSONAPICodec
import JSONText

/// An address with places for values, by RFC 6570.
///
/// ```swift
/// let template = try URITemplate(parsing: "http://example.com/posts/{posts.id}/comments")
/// template.variables                             // ["posts.id"]
/// template.expand(["posts.id": "7/8"])           // http://example.com/posts/7%2F8/comments
/// try URITemplate(parsing: "/comments/{ids}").expand(["ids": ["1", "2"]])  // /comments/1,2
/// try URITemplate(parsing: "/posts{?page,size}").expand(["size": "10"])    // /posts?size=10
/// ```
///
/// All operators and modifiers of levels 1 to 4 are understood, `{+path}`, `{#part}`, `{.suffix}`, `{/segments*}`, `{;parameter}`,
/// `{?page,size}`, `{&more}` and `{name:3}`; values are texts and lists.
///
/// Each value is percent-encoded on its own: everything but ASCII letters, digits, `-`, `.`, `_` and `~`, and behind `+` and `#`
/// reserved characters. The commas between the values of a list are not. A variable without a value, or with an empty list, is left
/// out, but for a plain `{name}`: without a value for that the whole expansion is nil, as there is no half-filled address.
///
/// A name is made of letters, digits, `_`, `-`, dots between them, percent-encoded bytes and any characters beyond ASCII. Names
/// compare by bytes. Outside of expressions, characters that no URI may hold are percent-encoded, as the RFC says.
///
/// Templates are equal when their texts are the same bytes.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc6570>
public struct URITemplate: Sendable {
    /// The template as it is written.
    public let text: String
    /// The names in it, each once, in the order of their first places.
    public let variables: [String]
    /// The texts between the expressions: one more than there are expressions.
    private let literals: [String]
    private let expressions: [URITemplateExpression]
    /// For each of `variables`, whether there is no address without a value for it.
    private let isRequired: [Bool]

    /// The template of that text.
    ///
    /// Throws `URITemplateError` with the place: for a brace without its partner, an expression without a name, and the operators
    /// that are reserved for later.
    /// - Complexity: O(n), n = bytes.
    public init(parsing text: String) throws(URITemplateError) {
        var parser = URITemplateParser(text)
        try parser.parse()
        self.text = text
        variables = parser.variables
        literals = parser.literals
        expressions = parser.expressions
        var isRequired = [Bool](repeating: false, count: variables.count)
        for expression in expressions where expression.isPlain { isRequired[expression.variables[0].number] = true }
        self.isRequired = isRequired
    }

    /// What stands for a variable.
    public enum Value: Sendable, Hashable {
        /// One text.
        case scalar(String)
        /// Several texts, joined by commas. An empty list is no value.
        case list([String])
    }
}

// MARK: - Expanding

extension URITemplate {
    /// The address with those values in it; nil when a plain `{name}` has none.
    ///
    /// `value` is asked once for each of `variables`, in their order, until it returns nil for one that has to have a value.
    /// - Complexity: O(n), n = bytes of the template and of the result.
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

    /// The address with those values in it; nil when a plain `{name}` has none.
    public func expand(_ values: [String: Value]) -> String? {
        expand { values[$0] }
    }

    /// Whether there is no address with that value for the variable of that number.
    func lacksValue(_ number: Int, _ value: Value?) -> Bool { isRequired[number] && (value == nil || value == .list([])) }

    /// Hands the address with those values, in the order of `variables`, to `append`, piece by piece.
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
    /// The template as it is written.
    public var description: String { text }
}

extension URITemplate: Hashable {
    /// Whether both texts are the same bytes.
    public static func == (lhs: URITemplate, rhs: URITemplate) -> Bool { UTF8Bytes.areEqual(lhs.text, rhs.text) }

    /// Feeds the bytes of the text to `hasher`.
    public func hash(into hasher: inout Hasher) { UTF8Bytes.hash(text, into: &hasher) }
}

extension URITemplate.Value: ExpressibleByStringLiteral {
    /// One text.
    public init(stringLiteral value: String) { self = .scalar(value) }
}

extension URITemplate.Value: ExpressibleByArrayLiteral {
    /// Several texts.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

// MARK: - Errors

/// Why a text is no URI template. Errors of one kind are equal.
public struct URITemplateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `unclosedExpression`.
        public let description: String

        /// A `{` without its `}`.
        public static let unclosedExpression = Kind(description: "unclosedExpression")
        /// A `}` without its `{`, or a `{` inside an expression.
        public static let strayBrace = Kind(description: "strayBrace")
        /// `{}`.
        public static let emptyExpression = Kind(description: "emptyExpression")
        /// A character that no name may hold, or a dot at the edge of a name or behind another.
        public static let invalidName = Kind(description: "invalidName")
        /// An operator that is reserved for later, as in `{=x}`, or a modifier that is none.
        public static let unsupportedExpression = Kind(description: "unsupportedExpression")
    }

    /// What went wrong.
    public let kind: Kind
    /// Where, in bytes of the template from 0.
    public let offset: Int

    init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// Whether both are of one kind.
    public static func == (lhs: URITemplateError, rhs: URITemplateError) -> Bool { lhs.kind == rhs.kind }

    /// Feeds the kind to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

    /// A sentence for people.
    public var description: String {
        switch kind {
        case .unclosedExpression: "The URI template opens an expression at byte \(offset) and does not close it."
        case .strayBrace: "The URI template has a brace at byte \(offset) that does not belong there; write %7B or %7D for a brace."
        case .emptyExpression: "The URI template has an expression without a name at byte \(offset)."
        case .invalidName: "The URI template has a name at byte \(offset) that is none: letters, digits, _, - and single dots inside."
        case .unsupportedExpression:
            "The URI template has an operator or a modifier at byte \(offset) that has no meaning; {name:3} and {name*} have one."
        default: "At byte \(offset) the text is no URI template: \(kind)."
        }
    }
}

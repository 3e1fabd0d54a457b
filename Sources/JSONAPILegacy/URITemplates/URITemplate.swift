import JSONAPICodec
import JSONText

/// An address with places for values: RFC 6570, level 1, and lists joined by commas.
///
/// ```swift
/// let template = try URITemplate(parsing: "http://example.com/posts/{posts.id}/comments")
/// template.variables                             // ["posts.id"]
/// template.expand(["posts.id": "7/8"])           // http://example.com/posts/7%2F8/comments
/// try URITemplate(parsing: "/comments/{ids}").expand(["ids": ["1", "2"]])  // /comments/1,2
/// ```
///
/// Each value is percent-encoded on its own: everything but ASCII letters, digits, `-`, `.`, `_` and `~`. The commas between the
/// values of a list are not. A variable without a value, or with an empty list, makes the whole expansion nil: there is no
/// half-filled address.
///
/// A name is made of letters, digits, `_`, `-`, dots between them, percent-encoded bytes and any characters beyond ASCII. Names
/// compare by bytes. Outside of expressions, characters that no URI may hold are percent-encoded, as the RFC says.
///
/// Templates are equal when their texts are the same bytes.
///
/// Specification: <https://www.rfc-editor.org/rfc/rfc6570#section-1.2>
public struct URITemplate: Sendable {
    /// The template as it is written.
    public let text: String
    /// The names in it, each once, in the order of their first places.
    public let variables: [String]
    /// The texts between the expressions: one more than there are expressions.
    private let literals: [String]
    /// For each expression the position of its name in `variables`.
    private let expressions: [Int]

    /// The template of that text.
    ///
    /// Throws `URITemplateError` with the place: for a brace without its partner, an expression without a name, and operators,
    /// modifiers and lists of names, which begin beyond level 1.
    /// - Complexity: O(n), n = bytes.
    public init(parsing text: String) throws(URITemplateError) {
        var parser = URITemplateParser(text)
        try parser.parse()
        self.text = text
        variables = parser.variables
        literals = parser.literals
        expressions = parser.expressions
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
    /// The address with those values in it; nil when a variable has none.
    ///
    /// `value` is asked once for each of `variables`, in their order, until it answers nil.
    /// - Complexity: O(n), n = bytes of the template and of the answer.
    public func expand(_ value: (_ variable: String) throws -> Value?) rethrows -> String? {
        var encoded: [String] = []
        encoded.reserveCapacity(variables.count)
        for variable in variables {
            guard let value = try value(variable), let text = Self.encode(value) else { return nil }
            encoded.append(text)
        }
        return filled(with: encoded)
    }

    /// The address with those values in it; nil when a variable has none.
    public func expand(_ values: [String: Value]) -> String? {
        expand { values[$0] }
    }

    /// A value as it stands in an address; nil for an empty list.
    static func encode(_ value: Value) -> String? {
        var bytes: [UInt8] = []
        switch value {
        case .scalar(let text):
            PercentEncoding.append(text, to: &bytes)
        case .list(let texts):
            guard !texts.isEmpty else { return nil }
            for (position, text) in texts.enumerated() {
                if position > 0 { bytes.append(UInt8(ascii: ",")) }
                PercentEncoding.append(text, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How many bytes the address has with those values, which are encoded and in the order of `variables`.
    func size(with encoded: [String]) -> Int {
        var size = 0
        for literal in literals { size += literal.utf8.count }
        for expression in expressions {
            let (sum, overflow) = size.addingReportingOverflow(encoded[expression].utf8.count)
            guard !overflow else { return .max }
            size = sum
        }
        return size
    }

    /// The address with those values, which are encoded and in the order of `variables`.
    func filled(with encoded: [String]) -> String {
        var text = literals[0]
        for (position, expression) in expressions.enumerated() {
            text += encoded[expression]
            text += literals[position + 1]
        }
        return text
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

/// Why a text is no URI template of level 1. Errors of one kind are equal.
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
        /// An operator as in `{?page}`, a modifier as in `{list*}` or several names as in `{x,y}`.
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
            "The URI template has an operator, a modifier or a list of names at byte \(offset); only {name} is understood."
        default: "At byte \(offset) the text is no URI template: \(kind)."
        }
    }
}

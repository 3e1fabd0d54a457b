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

import JSONText

/// One problem with its kind, its place and a description. The description contains no values from the input.
///
/// Two issues are equal when their kinds and places are equal.
public struct MappingIssue: Error, Sendable, Hashable {
    /// The kind of a problem. New kinds may be added, so always handle unknown ones.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, such as `type-mismatch`.
        public let description: String

        private init(_ name: String) { description = name }

        /// A required value is missing or null.
        public static let required = Kind("required")
        /// A value has another type than expected.
        public static let typeMismatch = Kind("type-mismatch")
        /// A value of the expected type cannot be converted, such as text that is not a date.
        public static let conversionFailed = Kind("conversion")
        /// A raw value matches no case of its type.
        public static let invalidValue = Kind("invalid-value")
        /// A constraint or a hook rejects the value.
        public static let constraintFailed = Kind("constraint")
        /// The initializer returned no instance, threw an error, or does not set a constant.
        public static let initializationFailed = Kind("initialization")
        /// A schema that is referred to was not found.
        public static let unresolvedReference = Kind("unresolved")
        /// Two fields or values use the same name or place.
        public static let nameConflict = Kind("name-conflict")
        /// The value is not an object.
        public static let notAnObject = Kind("not-an-object")
        /// Objects are nested too deeply for the thread's stack.
        public static let nestingLimit = Kind("nesting-limit")
        /// A member that clients do not know.
        package static let hiddenMember = Kind("unknown-member")
        /// Any other error that your own code threw.
        public static let custom = Kind("custom")
    }

    /// The kind of the problem.
    public let kind: Kind

    /// The place in the input when decoding, or in the output when encoding. For a missing value, the place where it was expected.
    public internal(set) var pointer: JSONPointer {
        get { JSONPointer(tokens: pointerPath.tokens) }
        set { pointerPath = IssuePath(newValue.tokens) }
    }

    /// All places that were tried, when a field has several paths. Empty for a single place.
    public internal(set) var alternatives: [JSONPointer] {
        get { alternativePaths.map { JSONPointer(tokens: $0.tokens) } }
        set { alternativePaths = newValue.map { IssuePath($0.tokens) } }
    }

    /// The internal names and positions that lead to the property, from the outermost to the innermost.
    public internal(set) var propertyPath: [String] {
        get { propertyNames.tokens }
        set { propertyNames = IssuePath(newValue) }
    }

    private var pointerPath: IssuePath
    private var alternativePaths: [IssuePath] = []
    private var propertyNames = IssuePath([])

    /// What was expected, in words.
    public let expected: String

    /// What was found, in words and without values.
    public let found: String

    /// How to fix the problem, if known.
    public internal(set) var advice: String?

    /// The error that your own code threw.
    public let underlying: (any Error)?

    /// Whether the value has the expected type but matches no case or table entry. Lists can leave out such elements.
    var isUnknownWord = false

    /// Creates an issue at a place, the root by default. The place is relative to the value being read. The caller prepends its own place.
    public init(
        _ kind: Kind, at pointer: JSONPointer = .root, expected: String, found: String, advice: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        pointerPath = IssuePath(pointer.tokens)
        self.expected = expected
        self.found = found
        self.advice = advice
        self.underlying = underlying
        isUnknownWord = kind == .invalidValue
    }

    /// Returns whether both issues have the same kind and places.
    public static func == (a: MappingIssue, b: MappingIssue) -> Bool {
        a.kind == b.kind && a.pointer == b.pointer && a.alternatives == b.alternatives
    }

    /// Hashes the kind and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(pointer)
    }

    /// Returns the issue with its place moved below `pointer` and `property`.
    func moved(below pointer: JSONPointer, property: [String]) -> MappingIssue {
        var issue = self
        issue.pointerPath.prepend(pointer.tokens)
        for index in alternativePaths.indices { issue.alternativePaths[index].prepend(pointer.tokens) }
        issue.propertyNames.prepend(property)
        return issue
    }
}

/// The names and positions that lead to an issue. The last ones are known first.
///
/// An issue moves outward once for each level of nesting. An array would copy all its tokens each time. Here, each token is copied
/// O(log n) times, n = number of tokens.
private struct IssuePath: Sendable {
    /// The parts of the path, the last one first. Each part has more tokens than the next one.
    private var parts: [[String]] = []

    init(_ tokens: [String]) { prepend(tokens) }

    var tokens: [String] { parts.reversed().flatMap { $0 } }

    mutating func prepend(_ tokens: [String]) {
        guard !tokens.isEmpty else { return }
        var first = tokens
        while let next = parts.last, next.count <= first.count { first += parts.removeLast() }
        parts.append(first)
    }
}

extension MappingIssue: CustomStringConvertible {
    /// The issue as one sentence: its place, what was expected, what was found, and how to fix it. A long place is shortened.
    public var description: String { "\(place(root: "the value")): \(explanation)" }

    /// The place, shortened. `root` is the name of the root.
    func place(root: String) -> String {
        let places = alternatives.isEmpty ? [pointer] : alternatives
        return places.map { $0.tokens.isEmpty ? root : $0.shortened(to: 1000) }.joined(separator: ", ")
    }

    /// The description without the place.
    public var explanation: String {
        "expected \(expected), found \(found)" + (advice.map { "; \($0)" } ?? "")
    }
}

extension MappingIssue {
    /// Returns the issue for a value of another type than expected.
    static func mismatch(_ expected: String, _ json: JSON?) -> MappingIssue {
        MappingIssue(.typeMismatch, expected: expected, found: json?.kindName ?? "nothing")
    }

    /// Returns the issue for a value of the expected type that cannot be converted.
    static func unconvertible(_ expected: String, _ found: String, advice: String? = nil) -> MappingIssue {
        MappingIssue(.conversionFailed, expected: expected, found: found, advice: advice)
    }
}

extension MappingIssue {
    /// Adds the nearest member name as advice when a member is missing.
    mutating func adviseNearestName(in json: JSON) {
        guard kind == .required, advice == nil, let name = pointer.tokens.last, let parent = pointer.parent,
            let object = json[pointer: parent]?.object, !object.contains(name: name),
            let nearest = NearestName.find(name, in: Array(object.names.prefix(100)))
        else { return }
        advice = "did you mean `\(nearest)`, which is present?"
    }
}

import JSONText

/// One problem: what, where, and in words that hold no values of the payload.
///
/// Issues are equal when kind and places are.
public struct MappingIssue: Error, Sendable, Hashable {
    /// What went wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `type-mismatch`.
        public let description: String

        private init(_ name: String) { description = name }

        /// A value is missing or null where one is needed.
        public static let required = Kind("required")
        /// A value of another type than expected.
        public static let typeMismatch = Kind("type-mismatch")
        /// A value of the right type that cannot be converted: text that is no date, a word that no table knows.
        public static let conversionFailed = Kind("conversion")
        /// A raw value that none of the cases has.
        public static let invalidValue = Kind("invalid-value")
        /// A value that a constraint or a hook refuses.
        public static let constraintFailed = Kind("constraint")
        /// The initialiser gave no instance.
        public static let initializationFailed = Kind("initialization")
        /// Something that is referred to was not found.
        public static let unresolvedReference = Kind("unresolved")
        /// Two things want one name.
        public static let nameConflict = Kind("name-conflict")
        /// Something else where an object is needed.
        public static let notAnObject = Kind("not-an-object")
        /// Objects are nested deeper than the thread's stack carries.
        public static let nestingLimit = Kind("nesting-limit")
        /// An error of the program's own.
        public static let custom = Kind("custom")
    }

    /// What went wrong.
    public let kind: Kind

    /// The place in the input; for something missing, where it was looked for. In encoding, the place in the output.
    public internal(set) var pointer: JSONPointer

    /// All places that were tried, when there are several: the paths of a field with alternatives. The first is `pointer`.
    public internal(set) var alternatives: [JSONPointer] = []

    /// The internal names and the positions that lead to the property, from the outside in.
    public internal(set) var propertyPath: [String] = []

    /// What was needed there, in words.
    public let expected: String

    /// What was there, in words, without values.
    public let found: String

    /// How to mend it, where that is known.
    public internal(set) var advice: String?

    /// The error that the program's own code threw.
    public let underlying: (any Error)?

    /// Whether it is a value of the right form that no case and no table knows: lists can leave such elements out.
    var isUnknownWord = false

    /// An issue at a place, the root by default. Places are relative to the value at hand: the caller puts its own in front.
    public init(
        _ kind: Kind, at pointer: JSONPointer = .root, expected: String, found: String, advice: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.pointer = pointer
        self.expected = expected
        self.found = found
        self.advice = advice
        self.underlying = underlying
        isUnknownWord = kind == .invalidValue
    }

    /// Whether kind and places are the same.
    public static func == (a: MappingIssue, b: MappingIssue) -> Bool {
        a.kind == b.kind && a.pointer == b.pointer && a.alternatives == b.alternatives
    }

    /// Feeds kind and place to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(pointer)
    }

    /// The same issue, seen from further outside.
    func moved(below pointer: JSONPointer, property: [String]) -> MappingIssue {
        var issue = self
        issue.pointer = JSONPointer(tokens: pointer.tokens + self.pointer.tokens)
        issue.alternatives = alternatives.map { JSONPointer(tokens: pointer.tokens + $0.tokens) }
        issue.propertyPath = property + propertyPath
        return issue
    }
}

extension MappingIssue: CustomStringConvertible {
    /// One sentence: place, expectation, finding, cure.
    public var description: String {
        let places = alternatives.isEmpty ? [pointer] : alternatives
        let place = places.map { $0.tokens.isEmpty ? "the value" : "\($0)" }.joined(separator: ", ")
        return "\(place): \(explanation)"
    }

    /// The sentence without the place.
    public var explanation: String {
        "expected \(expected), found \(found)" + (advice.map { "; \($0)" } ?? "")
    }
}

extension JSON {
    /// The kind of the value as people say it.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension MappingIssue {
    /// A value of another type than expected.
    static func mismatch(_ expected: String, _ json: JSON?) -> MappingIssue {
        MappingIssue(.typeMismatch, expected: expected, found: json?.kindName ?? "nothing")
    }

    /// A value of the right type that cannot be converted.
    static func unconvertible(_ expected: String, _ found: String, advice: String? = nil) -> MappingIssue {
        MappingIssue(.conversionFailed, expected: expected, found: found, advice: advice)
    }
}

extension MappingIssue {
    /// Names the member that may have been meant where one is missing.
    mutating func adviseNearestName(in json: JSON) {
        guard kind == .required, advice == nil, let name = pointer.tokens.last, let parent = pointer.parent,
            let object = json[pointer: parent]?.object, !object.contains(name: name),
            let nearest = NearestName.find(name, in: Array(object.names.prefix(100)))
        else { return }
        advice = "did you mean `\(nearest)`, which is there?"
    }
}

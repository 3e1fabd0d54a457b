import JSONText

/// The result of checking a value against a constraint.
public enum Verdict: Sendable {
    /// The value meets the constraint.
    case passes
    /// The value does not meet the constraint.
    case fails
    /// There is no value to check.
    case doesNotApply
}

/// A condition that a value must meet, checked after its conversion.
///
/// ```swift
/// MappingField(\.age, "age").checked(.all(.atLeast(0), .less(than: 150)))
/// ```
///
/// A check has one of three results. A constraint does not apply to an absent value, and a constraint that does not apply is not a
/// problem. Only `exists` fails for an absent value. `not` keeps "does not apply", and `all` and `any` follow three-valued logic.
public struct Constraint<Value>: Sendable {
    /// What the constraint expects, in words.
    public let expected: String

    private let checking: @Sendable (Value?) -> Verdict

    /// Returns the issues inside the value; nil if the constraint can only fail as a whole.
    private let locating: (@Sendable (Value) -> [MappingIssue])?

    init(
        _ expected: String, locating: (@Sendable (Value) -> [MappingIssue])? = nil, checking: @escaping @Sendable (Value?) -> Verdict
    ) {
        self.expected = expected
        self.locating = locating
        self.checking = checking
    }

    /// Returns the result for a value. Nil stands for an absent value.
    public func verdict(on value: Value?) -> Verdict { checking(value) }

    /// Returns whether the constraint passes or does not apply.
    public func allows(_ value: Value?) -> Bool { checking(value) != .fails }

    /// Returns the problems of a value, or inside it. The array is empty if the constraint does not fail.
    public func issues(with value: Value?) -> [MappingIssue] {
        guard checking(value) == .fails else { return [] }
        guard let value else { return [MappingIssue(.required, expected: expected, found: "nothing")] }
        if let locating {
            let issues = locating(value)
            if !issues.isEmpty { return issues }
        }
        return [MappingIssue(.constraintFailed, expected: expected, found: "another value")]
    }
}

// MARK: - Presence and combination

extension Constraint {
    /// Requires a value to be present.
    public static var exists: Self { Self("a value") { $0 == nil ? .fails : .passes } }

    /// Requires a value to satisfy a condition. `expected` describes the condition in error messages.
    public static func satisfies(
        _ expected: String = "a value that is accepted", _ condition: @escaping @Sendable (Value) -> Bool
    ) -> Self {
        Self(expected) { value in value.map { condition($0) ? .passes : .fails } ?? .doesNotApply }
    }

    /// Requires a value to fail the given constraint.
    public static func not(_ constraint: Self) -> Self {
        Self("not \(constraint.expected)") { value in
            switch constraint.verdict(on: value) {
            case .passes: .fails
            case .fails: .passes
            case .doesNotApply: .doesNotApply
            }
        }
    }

    /// Requires all constraints to hold: fails if one of them fails.
    public static func all(_ constraints: Self...) -> Self { .all(constraints) }

    /// Requires all constraints to hold: fails if one of them fails.
    public static func all(_ constraints: [Self]) -> Self {
        Self(
            constraints.map(\.expected).joined(separator: " and "), locating: { value in located(constraints, in: value) },
            checking: { value in combined(constraints, value, decisive: .fails, other: .passes) })
    }

    /// Requires at least one of the constraints to hold: fails if all of them fail.
    public static func any(_ constraints: Self...) -> Self { .any(constraints) }

    /// Requires at least one of the constraints to hold: fails if all of them fail.
    public static func any(_ constraints: [Self]) -> Self {
        Self(constraints.map(\.expected).joined(separator: " or ")) { value in
            combined(constraints, value, decisive: .passes, other: .fails)
        }
    }

    /// Checks a part of the value. When `part` returns nil, the part counts as absent.
    public static func on<Part>(_ part: @escaping @Sendable (Value) -> Part?, _ constraint: Constraint<Part>) -> Self {
        Self(constraint.expected) { value in
            guard let value else { return constraint.verdict(on: nil) }
            return constraint.verdict(on: part(value))
        }
    }

    /// Returns the problems of a value and then the problems inside it. Constraints that report no place inside share one issue for the
    /// value itself.
    private static func located(_ constraints: [Self], in value: Value) -> [MappingIssue] {
        var inside: [MappingIssue] = []
        var own: [String] = []
        for constraint in constraints where constraint.verdict(on: value) == .fails {
            let issues = constraint.locating?(value) ?? []
            if issues.isEmpty { own.append(constraint.expected) }
            inside += issues.prefix(ValidationError.issueLimit - inside.count)
        }
        if own.isEmpty { return inside }
        return [MappingIssue(.constraintFailed, expected: own.joined(separator: " and "), found: "another value")] + inside
    }

    /// Returns `decisive` if any constraint gives that result, then `doesNotApply` if any does, and otherwise `other`.
    private static func combined(_ constraints: [Self], _ value: Value?, decisive: Verdict, other: Verdict) -> Verdict {
        var isOpen = false
        for constraint in constraints {
            let verdict = constraint.verdict(on: value)
            if verdict == decisive { return decisive }
            if verdict == .doesNotApply { isOpen = true }
        }
        return isOpen ? .doesNotApply : other
    }
}

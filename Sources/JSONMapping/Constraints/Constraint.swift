import JSONText

/// What a constraint says about a value.
public enum Verdict: Sendable {
    /// The value is as it has to be.
    case passes
    /// The value is not.
    case fails
    /// There is no value, so there is nothing to say.
    case doesNotApply
}

/// What a value has to be, judged after its conversion.
///
/// ```swift
/// MappingField(\.age, "age").checked(.all(.atLeast(0), .less(than: 150)))
/// ```
///
/// The answer has three values: what speaks about a value does not apply to an absent one, and what does not apply is no problem.
/// `exists` alone speaks about absence. `not` leaves "does not apply" as it is; `all` and `any` follow three-valued logic.
public struct Constraint<Value>: Sendable {
    /// What is asked, in words.
    public let expected: String

    private let judging: @Sendable (Value?) -> Verdict

    /// The places of what fails inside of the value; nil where it is the value itself.
    private let locating: (@Sendable (Value) -> [MappingIssue])?

    init(
        _ expected: String, locating: (@Sendable (Value) -> [MappingIssue])? = nil, judging: @escaping @Sendable (Value?) -> Verdict
    ) {
        self.expected = expected
        self.locating = locating
        self.judging = judging
    }

    /// What is said about a value; nil is an absent one.
    public func verdict(on value: Value?) -> Verdict { judging(value) }

    /// Whether the value is no problem: it passes, or nothing is said.
    public func allows(_ value: Value?) -> Bool { judging(value) != .fails }

    /// The problems of a value, at its own place or inside of it.
    public func issues(with value: Value?) -> [MappingIssue] {
        guard judging(value) == .fails else { return [] }
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
    /// There is a value.
    public static var exists: Self { Self("a value") { $0 == nil ? .fails : .passes } }

    /// The value fulfils a condition.
    public static func satisfies(
        _ expected: String = "a value that is accepted", _ condition: @escaping @Sendable (Value) -> Bool
    ) -> Self {
        Self(expected) { value in value.map { condition($0) ? .passes : .fails } ?? .doesNotApply }
    }

    /// The opposite.
    public static func not(_ constraint: Self) -> Self {
        Self("not \(constraint.expected)") { value in
            switch constraint.verdict(on: value) {
            case .passes: .fails
            case .fails: .passes
            case .doesNotApply: .doesNotApply
            }
        }
    }

    /// All of them: fails when one fails.
    public static func all(_ constraints: Self...) -> Self { .all(constraints) }

    /// All of them: fails when one fails.
    public static func all(_ constraints: [Self]) -> Self {
        Self(
            constraints.map(\.expected).joined(separator: " and "), locating: { value in located(constraints, in: value) },
            judging: { value in combined(constraints, value, decisive: .fails, other: .passes) })
    }

    /// At least one of them: fails when all fail.
    public static func any(_ constraints: Self...) -> Self { .any(constraints) }

    /// At least one of them: fails when all fail.
    public static func any(_ constraints: [Self]) -> Self {
        Self(constraints.map(\.expected).joined(separator: " or ")) { value in
            combined(constraints, value, decisive: .passes, other: .fails)
        }
    }

    /// What holds for a part of the value; does not apply where there is no such part.
    public static func on<Part>(_ part: @escaping @Sendable (Value) -> Part?, _ constraint: Constraint<Part>) -> Self {
        Self(constraint.expected) { value in
            guard let value else { return constraint.verdict(on: nil) }
            return constraint.verdict(on: part(value))
        }
    }

    /// The problems inside of a value, after one for the value itself where some constraint names no place inside.
    private static func located(_ constraints: [Self], in value: Value) -> [MappingIssue] {
        var inside: [MappingIssue] = []
        var own: [String] = []
        for constraint in constraints where constraint.verdict(on: value) == .fails {
            let issues = constraint.locating?(value) ?? []
            if issues.isEmpty { own.append(constraint.expected) }
            inside += issues
        }
        if own.isEmpty { return inside }
        return [MappingIssue(.constraintFailed, expected: own.joined(separator: " and "), found: "another value")] + inside
    }

    /// One decisive verdict settles it; then one that does not apply leaves it open.
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

import JSONText

extension Constraint where Value: Comparable & Sendable & SendableMetatype {
    /// Requires a value greater than `bound`.
    public static func greater(than bound: Value) -> Self { .satisfies("a value greater than \(bound)") { $0 > bound } }
    /// Requires a value greater than or equal to `bound`.
    public static func atLeast(_ bound: Value) -> Self { .satisfies("at least \(bound)") { $0 >= bound } }
    /// Requires a value less than `bound`.
    public static func less(than bound: Value) -> Self { .satisfies("a value less than \(bound)") { $0 < bound } }
    /// Requires a value less than or equal to `bound`.
    public static func atMost(_ bound: Value) -> Self { .satisfies("at most \(bound)") { $0 <= bound } }
}

extension Constraint where Value: Equatable & Sendable & SendableMetatype {
    /// Requires a value equal to `other`. Text is compared by its bytes.
    public static func equal(to other: Value) -> Self { .satisfies("\(other)") { ExactValue.areEqual($0, other) } }

    /// Requires one of the given values. Text is compared by its bytes.
    public static func oneOf(_ values: Value...) -> Self { .oneOf(values) }

    /// Requires one of the given values. Text is compared by its bytes.
    public static func oneOf(_ values: [Value]) -> Self {
        .satisfies("one of \(values.map { "\($0)" }.joined(separator: ", "))") { value in values.contains { ExactValue.areEqual($0, value) }
        }
    }
}

/// Comparisons of text, byte by byte in UTF-8.
extension Constraint where Value == String {
    /// Requires text that sorts after `bound`.
    public static func greater(than bound: String) -> Self {
        .satisfies("a value greater than \(bound)") { UTF8Bytes.isLess(bound, $0) }
    }
    /// Requires text that is equal to `bound` or sorts after it.
    public static func atLeast(_ bound: String) -> Self { .satisfies("at least \(bound)") { !UTF8Bytes.isLess($0, bound) } }
    /// Requires text that sorts before `bound`.
    public static func less(than bound: String) -> Self { .satisfies("a value less than \(bound)") { UTF8Bytes.isLess($0, bound) } }
    /// Requires text that is equal to `bound` or sorts before it.
    public static func atMost(_ bound: String) -> Self { .satisfies("at most \(bound)") { !UTF8Bytes.isLess(bound, $0) } }
}

/// Comparisons of numbers by their exact values, where a bound is its shortest decimal text. Every other JSON value fails.
extension Constraint where Value == JSON {
    /// Requires a value greater than `bound`.
    public static func greater(than bound: Double) -> Self { numeric("a number greater than \(bound)", bound) { $0 > 0 } }
    /// Requires a value greater than or equal to `bound`.
    public static func atLeast(_ bound: Double) -> Self { numeric("a number of at least \(bound)", bound) { $0 >= 0 } }
    /// Requires a value less than `bound`.
    public static func less(than bound: Double) -> Self { numeric("a number less than \(bound)", bound) { $0 < 0 } }
    /// Requires a value less than or equal to `bound`.
    public static func atMost(_ bound: Double) -> Self { numeric("a number of at most \(bound)", bound) { $0 <= 0 } }

    /// Requires a number whose order to the bound, -1, 0, or 1, meets the condition. No number meets it if the bound is NaN.
    private static func numeric(_ expected: String, _ bound: Double, _ condition: @escaping @Sendable (Int) -> Bool) -> Self {
        let limit = try? JSONNumber(bound)
        return .satisfies(expected) { json in
            guard let number = json.number, !bound.isNaN else { return false }
            return condition(limit.map { number.order(to: $0) } ?? (bound > 0 ? -1 : 1))
        }
    }
}

extension Constraint where Value: Collection & SendableMetatype {
    /// Requires a number of elements, or of characters in text, within a range: `.count(1...)`.
    public static func count(_ range: some RangeExpression<Int> & Sendable) -> Self {
        .satisfies("a count of \(text(range))") { range.contains($0.count) }
    }

    /// Returns a range in words. The standard library describes `1...` as `PartialRangeFrom<Int>(lowerBound: 1)`.
    private static func text(_ range: some RangeExpression<Int>) -> String {
        switch range {
        case let range as ClosedRange<Int>: "\(range.lowerBound) to \(range.upperBound)"
        case let range as Range<Int>: "at least \(range.lowerBound) and less than \(range.upperBound)"
        case let range as PartialRangeFrom<Int>: "at least \(range.lowerBound)"
        case let range as PartialRangeThrough<Int>: "at most \(range.upperBound)"
        case let range as PartialRangeUpTo<Int>: "less than \(range.upperBound)"
        default: "\(range)"
        }
    }
}

extension Constraint where Value == String {
    /// Requires text that a regular expression matches completely: `.matches(/[a-z]+/)`.
    ///
    /// The expression is evaluated for each check, because `Regex` is not `Sendable`.
    public static func matches<Output>(_ expression: @autoclosure @escaping @Sendable () -> Regex<Output>) -> Self {
        .satisfies("text that matches the regular expression") { (try? expression().wholeMatch(in: $0)) != nil }
    }

    /// Requires text that a regular expression matches completely. Throws when `pattern` is not a valid regular expression.
    public static func matches(pattern: String) throws -> Self {
        _ = try Regex(pattern)
        return .satisfies("text that matches \(pattern)") { text in
            guard let expression = try? Regex(pattern) else { return false }
            return (try? expression.wholeMatch(in: text)) != nil
        }
    }
}

extension Constraint {
    /// Checks each element of an array. Each element that fails is a separate issue with its position, up to the first 1,000 issues.
    ///
    /// The position is that among the converted elements: a `.list` with `unknown: .drop` leaves out elements before the constraint counts.
    public static func each<Element>(_ constraint: Constraint<Element>) -> Self where Value == [Element] {
        Self(
            "elements that are each \(constraint.expected)",
            locating: { values in
                var issues = IssueCollector()
                for (position, value) in values.enumerated() where !issues.isFull {
                    issues.add(constraint.issues(with: value), in: String(position))
                }
                return issues.issues
            },
            checking: { values in
                guard let values else { return .doesNotApply }
                return values.allSatisfy { constraint.allows($0) } ? .passes : .fails
            })
    }

    /// Checks each value of a dictionary. Each value that fails is a separate issue with its key, up to the first 1,000 issues. With
    /// `.keyed(by:)`, the input is an array, and the issue still has the key.
    public static func each<Element>(_ constraint: Constraint<Element>) -> Self where Value == [String: Element] {
        Self(
            "values that are each \(constraint.expected)",
            locating: { values in
                var issues = IssueCollector()
                for key in values.keys.sorted(by: UTF8Bytes.isLess) where !issues.isFull {
                    issues.add(constraint.issues(with: values[key]), in: key)
                }
                return issues.issues
            },
            checking: { values in
                guard let values else { return .doesNotApply }
                return values.values.allSatisfy { constraint.allows($0) } ? .passes : .fails
            })
    }

    /// Checks the value of an optional. Nil counts as absent: `.each(.present(.exists))` requires an array without nulls.
    public static func present<Wrapped>(_ constraint: Constraint<Wrapped>) -> Self where Value == Wrapped? {
        Self(
            constraint.expected, locating: { constraint.issues(with: $0) },
            checking: { constraint.verdict(on: $0.flatMap { $0 }) })
    }
}

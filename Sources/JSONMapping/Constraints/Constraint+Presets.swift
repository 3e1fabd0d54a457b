import JSONText

extension Constraint where Value: Comparable & Sendable & SendableMetatype {
    /// A greater value.
    public static func greater(than bound: Value) -> Self { .satisfies("a value greater than \(bound)") { $0 > bound } }
    /// The same or a greater value.
    public static func atLeast(_ bound: Value) -> Self { .satisfies("at least \(bound)") { $0 >= bound } }
    /// A smaller value.
    public static func less(than bound: Value) -> Self { .satisfies("a value less than \(bound)") { $0 < bound } }
    /// The same or a smaller value.
    public static func atMost(_ bound: Value) -> Self { .satisfies("at most \(bound)") { $0 <= bound } }
}

extension Constraint where Value: Equatable & Sendable & SendableMetatype {
    /// An equal value; text is compared by its bytes.
    public static func equal(to other: Value) -> Self { .satisfies("\(other)") { ExactValue.areEqual($0, other) } }

    /// One of those values; text is compared by its bytes.
    public static func oneOf(_ values: Value...) -> Self { .oneOf(values) }

    /// One of those values.
    public static func oneOf(_ values: [Value]) -> Self {
        .satisfies("one of \(values.map { "\($0)" }.joined(separator: ", "))") { value in values.contains { ExactValue.areEqual($0, value) }
        }
    }
}

/// Text is compared by its bytes, as everywhere in JSON.
extension Constraint where Value == String {
    /// Text that comes after another one.
    public static func greater(than bound: String) -> Self {
        .satisfies("a value greater than \(bound)") { UTF8Bytes.isLess(bound, $0) }
    }
    /// The same text, or one that comes after it.
    public static func atLeast(_ bound: String) -> Self { .satisfies("at least \(bound)") { !UTF8Bytes.isLess($0, bound) } }
    /// Text that comes before another one.
    public static func less(than bound: String) -> Self { .satisfies("a value less than \(bound)") { UTF8Bytes.isLess($0, bound) } }
    /// The same text, or one that comes before it.
    public static func atMost(_ bound: String) -> Self { .satisfies("at most \(bound)") { !UTF8Bytes.isLess(bound, $0) } }
}

/// Comparisons of numbers; every other value fails.
extension Constraint where Value == JSON {
    /// A greater value.
    public static func greater(than bound: Double) -> Self { numeric("a number greater than \(bound)") { $0 > bound } }
    /// The same or a greater value.
    public static func atLeast(_ bound: Double) -> Self { numeric("a number of at least \(bound)") { $0 >= bound } }
    /// A smaller value.
    public static func less(than bound: Double) -> Self { numeric("a number less than \(bound)") { $0 < bound } }
    /// The same or a smaller value.
    public static func atMost(_ bound: Double) -> Self { numeric("a number of at most \(bound)") { $0 <= bound } }

    private static func numeric(_ expected: String, _ condition: @escaping @Sendable (Double) -> Bool) -> Self {
        .satisfies(expected) { $0.double.map(condition) ?? false }
    }
}

extension Constraint where Value: Collection & SendableMetatype {
    /// As many elements, for text as many characters, as the range has: `.count(1...)`.
    public static func count(_ range: some RangeExpression<Int> & Sendable) -> Self {
        .satisfies("a count in \(range)") { range.contains($0.count) }
    }
}

extension Constraint where Value == String {
    /// Text that an expression matches as a whole: `.matches(/[a-z]+/)`.
    ///
    /// The expression is made anew for each check, because `Regex` may not be shared between threads.
    public static func matches<Output>(_ expression: @autoclosure @escaping @Sendable () -> Regex<Output>) -> Self {
        .satisfies("text of the right form") { (try? expression().wholeMatch(in: $0)) != nil }
    }

    /// Text that the pattern of an expression matches as a whole. Throws when the pattern is none.
    public static func matches(pattern: String) throws -> Self {
        _ = try Regex(pattern)
        return .satisfies("text of the form \(pattern)") { text in
            guard let expression = try? Regex(pattern) else { return false }
            return (try? expression.wholeMatch(in: text)) != nil
        }
    }
}

extension Constraint {
    /// What holds for each element of an array. Those that fail are issues of their own, with their position.
    public static func each<Element>(_ constraint: Constraint<Element>) -> Self where Value == [Element] {
        Self(
            "elements that are each \(constraint.expected)",
            locating: { values in
                values.enumerated().flatMap { constraint.issues(below: String($0), with: $1) }
            },
            judging: { values in
                guard let values else { return .doesNotApply }
                return values.allSatisfy { constraint.allows($0) } ? .passes : .fails
            })
    }

    /// What holds for each value of a dictionary.
    public static func each<Element>(_ constraint: Constraint<Element>) -> Self where Value == [String: Element] {
        Self(
            "values that are each \(constraint.expected)",
            locating: { values in
                values.keys.sorted(by: UTF8Bytes.isLess).flatMap { constraint.issues(below: $0, with: values[$0]) }
            },
            judging: { values in
                guard let values else { return .doesNotApply }
                return values.values.allSatisfy { constraint.allows($0) } ? .passes : .fails
            })
    }

    /// What holds for an optional's value; nil counts as absent: `.each(.present(.exists))` wants a list without nulls.
    public static func present<Wrapped>(_ constraint: Constraint<Wrapped>) -> Self where Value == Wrapped? {
        Self(
            constraint.expected, locating: { constraint.issues(with: $0) },
            judging: { constraint.verdict(on: $0.flatMap { $0 }) })
    }

    func issues(below label: String, with value: Value?) -> [MappingIssue] {
        issues(with: value).map { $0.moved(below: JSONPointer(label), property: [label]) }
    }
}

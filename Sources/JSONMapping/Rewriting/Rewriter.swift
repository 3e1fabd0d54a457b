import JSONText

/// Transforms an object into another object, one entry at a time.
///
/// ```swift
/// let rewriter = Rewriter(unreferenced: .keep) {
///     Rule("testName", from: "test_name")
///     Rule("latitude", from: "location.lat")
///     Rule("rating", from: "stars").ifMissing { _, _ in 0 }
///     Rule("note", from: "comment").optional
/// }
/// let place = try rewriter.rewrite(json)
/// ```
///
/// Rewriting has four phases:
///
/// 1. Each rule whose paths are present runs, in order. Of several rules with the same key, the last one that writes a value counts.
/// 2. The default rule runs for each member of the input that no rule references. It does not change an entry that a rule has written. Two
///    members with the same entry are the issue `nameConflict`.
/// 3. `ifMissing` closures provide the required entries that are still missing.
/// 4. The completion, if there is one, returns the final result.
///
/// A rule references a member if one of its paths begins with the member's name, even if the rule did not run. A rewriter has no
/// mutable state. You can use it from several threads at the same time, and from its own closures.
public struct Rewriter: Sendable {
    /// The rules, in order.
    public let rules: [Rule]

    /// The default rule for members that no rule references.
    public let unreferenced: Unreferenced

    /// Returns the final result, given the result of the rules and the missing required keys. `missing` is nil if no key is missing. The
    /// final result may be nil.
    public typealias Completion = @Sendable (_ result: JSONObject, _ missing: [String]?) throws -> JSONObject?

    /// The result of the rules, and the keys that it lacks.
    public struct Report: Sendable, Equatable {
        /// The entries.
        public let result: JSONObject
        /// The required keys without an entry, sorted by their bytes, or nil if no key is missing.
        public let missing: [String]?
    }

    /// Creates a rewriter with the rules of a result builder.
    public init(unreferenced: Unreferenced = .drop, @RuleBuilder _ rules: () -> [Rule]) {
        self.init(rules: rules(), unreferenced: unreferenced)
    }

    /// Creates a rewriter with an array of rules.
    public init(rules: [Rule], unreferenced: Unreferenced = .drop) {
        self.rules = rules
        self.unreferenced = unreferenced
    }

    // MARK: - Rewriting

    /// Returns the rewritten object.
    ///
    /// Throws a `ValidationError`: `notAnObject` if the input is not an object, `required` for each missing key, `nameConflict` if the default
    /// rule gives two members the same entry, and the errors of closures. Issues of entries have the output key as their place.
    public func rewrite(_ json: JSON) throws -> JSONObject {
        let report = try report(json)
        if let missing = report.missing {
            let lastRules = Dictionary(rules.map { (ByteText($0.key), $0) }, uniquingKeysWith: { $1 })
            let issues = missing.prefix(ValidationError.issueLimit).map { key in
                let paths = lastRules[ByteText(key)]?.paths ?? []
                let sources = paths.map { "`\($0)`" }.joined(separator: " and ")
                return MappingIssue(
                    .required, expected: sources.isEmpty ? "an entry" : "a value from \(sources)", found: "nothing",
                    advice: "make the rule `optional`, or add `ifMissing`"
                ).moved(below: JSONPointer(key), property: [key])
            }
            throw ValidationError(issues, name: Self.name)
        }
        return report.result
    }

    /// Returns the result of the completion, which is called even if keys are missing. Throws as `report` does, and what `completion`
    /// throws.
    public func rewrite(_ json: JSON, completion: Completion) throws -> JSONObject? {
        let report = try report(json)
        return try completion(report.result, report.missing)
    }

    /// Returns the rewritten objects of an array. Throws a `ValidationError` that reports each failure under its position.
    public func rewrite(each json: JSON) throws -> [JSONObject] {
        guard case .array(let array) = json else {
            throw ValidationError([MappingIssue(.typeMismatch, expected: "an array", found: json.kindName)], name: Self.name)
        }
        var issues = IssueCollector()
        var results: [JSONObject] = []
        for (position, element) in array.enumerated() {
            do {
                results.append(try rewrite(element))
            } catch {
                let found = "\(element.kindName) that cannot be"
                issues.add(error, in: String(position), found: found)
            }
        }
        try issues.throwIfAny(name: Self.name)
        return results
    }

    /// Returns the result and the missing required keys, as a completion would receive them.
    ///
    /// Throws a `ValidationError` as `rewrite` does, but not for missing keys.
    public func report(_ json: JSON) throws -> Report {
        guard case .object(let input) = json else {
            throw ValidationError([MappingIssue(.notAnObject, expected: "an object", found: json.kindName)], name: Self.name)
        }
        var issues = IssueCollector()
        var result = JSONObject()
        apply(rules.filter { $0.isReady(for: input) }, input, &result, &issues)
        applyDefault(to: input, &result, &issues)
        for rule in rules where rule.isRequired && !result.contains(name: rule.key) {
            if let missing = rule.missing { write(rule, missing, input, &result, &issues) }
        }
        try issues.throwIfAny(name: Self.name)
        return Report(result: result, missing: missing(in: result))
    }

    private static let name = "rewriter"

    // MARK: - Phases

    private func apply(_ rules: [Rule], _ input: JSONObject, _ result: inout JSONObject, _ issues: inout IssueCollector) {
        for rule in rules { write(rule, rule.value, input, &result, &issues) }
    }

    private func write(
        _ rule: Rule, _ value: Rule.Value, _ input: JSONObject, _ result: inout JSONObject, _ issues: inout IssueCollector
    ) {
        do {
            if let json = try value(rule, input) { result[rule.key] = json }
        } catch {
            issues.add(error, in: rule.key, found: "an input that cannot be")
        }
    }

    private func applyDefault(to input: JSONObject, _ result: inout JSONObject, _ issues: inout IssueCollector) {
        guard let entry = unreferenced.entry else { return }
        let written = result
        // The names that rules reference, and then also those that are done. A `JSONObject`, because it compares names by bytes.
        var handled = JSONObject()
        for name in rules.flatMap(\.paths).compactMap(\.root) where !handled.contains(name: name) {
            handled.append(name: name, value: .null)
        }
        for name in input.names where !handled.contains(name: name) {
            handled.append(name: name, value: .null)
            let rule = Rule(name, from: Paths(MappingPath(segments: [name])))
            do {
                guard let new = try entry(rule, input), !written.contains(name: new.name) else { continue }
                if result.contains(name: new.name) {
                    let issue = MappingIssue(.nameConflict, expected: "an entry for each member", found: "two members with this entry")
                    issues.add(issue, in: new.name)
                } else {
                    result[new.name] = new.value
                }
            } catch {
                issues.add(error, in: name, found: "an input that cannot be")
            }
        }
    }

    private func missing(in result: JSONObject) -> [String]? {
        var missing: Set<ByteText> = []
        for rule in rules where rule.isRequired && !result.contains(name: rule.key) { missing.insert(ByteText(rule.key)) }
        return missing.isEmpty ? nil : missing.map(\.text).sorted(by: UTF8Bytes.isLess)
    }
}

extension Rewriter {
    /// The default rule for members of the input that no rule references.
    public struct Unreferenced: Sendable {
        let entry: (@Sendable (Rule, JSONObject) throws -> JSONObject.Member?)?

        /// Returns the default rule that drops the members for which `isSkipped` returns true.
        func skipping(_ isSkipped: @escaping @Sendable (String) -> Bool) -> Unreferenced {
            guard let entry else { return self }
            return Unreferenced { rule, input in isSkipped(rule.key) ? nil : try entry(rule, input) }
        }

        /// Drops the members.
        public static let drop = Unreferenced(entry: nil)

        /// Copies the members.
        public static let keep = Unreferenced { rule, input in
            input[rule.key].map { JSONObject.Member(name: rule.key, value: $0) }
        }

        /// Calls a closure for the value of each member. Nil drops the member. The rule that the closure receives has the member's name as
        /// its key and as its only path.
        public static func value(_ value: @escaping Rule.Value) -> Unreferenced {
            Unreferenced { rule, input in try value(rule, input).map { JSONObject.Member(name: rule.key, value: $0) } }
        }

        /// Calls a closure for the name and value of each member. Nil drops the member.
        public static func entry(_ entry: @escaping @Sendable (Rule, JSONObject) throws -> JSONObject.Member?) -> Unreferenced {
            Unreferenced(entry: entry)
        }
    }
}

/// A result builder for the rules of a rewriter.
@resultBuilder public enum RuleBuilder {
    /// Adds a rule.
    public static func buildExpression(_ rule: Rule) -> [Rule] { [rule] }
    /// Adds an array of rules.
    public static func buildExpression(_ rules: [Rule]) -> [Rule] { rules }
    /// Joins the rules of a block.
    public static func buildBlock(_ rules: [Rule]...) -> [Rule] { rules.flatMap { $0 } }
    /// Adds the rules of an `if` whose condition is true.
    public static func buildOptional(_ rules: [Rule]?) -> [Rule] { rules ?? [] }
    /// Adds the rules of the first branch.
    public static func buildEither(first rules: [Rule]) -> [Rule] { rules }
    /// Adds the rules of the second branch.
    public static func buildEither(second rules: [Rule]) -> [Rule] { rules }
    /// Joins the rules of all iterations of a loop.
    public static func buildArray(_ rules: [[Rule]]) -> [Rule] { rules.flatMap { $0 } }
}

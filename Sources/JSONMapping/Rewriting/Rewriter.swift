import JSONText

/// Turns an object into another one, entry by entry.
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
/// Four phases: the rules whose paths are present, in order; the default rule for each member of the input that no rule refers to; the
/// missing values of required entries; the completion. A member is referred to when a path of any rule begins with it, whether the rule
/// ran or not. An entry that a rule wrote is not changed by the default rule. The rewriter is a value without state: it may be used
/// from several threads at once, and by its own closures.
public struct Rewriter: Sendable {
    /// The rules, in order.
    public let rules: [Rule]

    /// What becomes of members that no rule refers to.
    public let unreferenced: Unreferenced

    /// Makes the final result of what the rules gave and of the missing required keys, nil when none is missing. Nil is a result, too.
    public typealias Completion = @Sendable (_ result: JSONObject, _ missing: [String]?) throws -> JSONObject?

    /// The result of the rules, and what it lacks.
    public struct Report: Sendable, Equatable {
        /// The entries.
        public let result: JSONObject
        /// The required keys that have no entry, sorted; nil when none is missing.
        public let missing: [String]?
    }

    /// A rewriter of the rules in the braces.
    public init(unreferenced: Unreferenced = .drop, @RuleBuilder _ rules: () -> [Rule]) {
        self.init(rules: rules(), unreferenced: unreferenced)
    }

    /// A rewriter of those rules.
    public init(rules: [Rule], unreferenced: Unreferenced = .drop) {
        self.rules = rules
        self.unreferenced = unreferenced
    }

    // MARK: - Rewriting

    /// The rewritten object.
    ///
    /// Throws `ValidationError`: `notAnObject`, `required` for each key that is missing, and what closures threw, at the output key.
    public func rewrite(_ json: JSON) throws -> JSONObject {
        let report = try report(json)
        if let missing = report.missing {
            let lastRules = Dictionary(rules.map { (ByteText($0.key), $0) }, uniquingKeysWith: { $1 })
            let issues = missing.prefix(ValidationError.issueLimit).map { key in
                let paths = lastRules[ByteText(key)]?.paths ?? []
                let sources = paths.map { "`\($0)`" }.joined(separator: " and ")
                return MappingIssue(
                    .required, expected: sources.isEmpty ? "an entry" : "a value from \(sources)", found: "nothing",
                    advice: "make the rule optional, or give a value if missing"
                ).moved(below: JSONPointer(key), property: [key])
            }
            throw ValidationError(issues, name: Self.name)
        }
        return report.result
    }

    /// What the completion makes of the result; it is called with missing keys, too.
    public func rewrite(_ json: JSON, completion: Completion) throws -> JSONObject? {
        let report = try report(json)
        return try completion(report.result, report.missing)
    }

    /// The rewritten objects of an array. Each that fails is reported under its position.
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
                issues.add(error, at: JSONPointer(String(position)), property: [String(position)], found: found)
            }
        }
        try issues.throwIfAny(name: Self.name)
        return results
    }

    /// The result and the missing required keys: what a completion would get.
    ///
    /// Throws `ValidationError` as `rewrite` does, but not for missing keys.
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
            issues.add(error, at: JSONPointer(rule.key), property: [rule.key], found: "an input that cannot be")
        }
    }

    private func applyDefault(to input: JSONObject, _ result: inout JSONObject, _ issues: inout IssueCollector) {
        guard let entry = unreferenced.entry else { return }
        let written = result
        // An object, because its names are compared by bytes.
        var referenced = JSONObject()
        for path in rules.flatMap(\.paths) where !referenced.contains(name: path.root) { referenced.append(name: path.root, value: .null) }
        for name in input.names where !referenced.contains(name: name) {
            let rule = Rule(name, from: Paths(MappingPath(segments: [name])))
            do {
                guard let new = try entry(rule, input), !written.contains(name: new.name) else { continue }
                result[new.name] = new.value
            } catch {
                issues.add(error, at: JSONPointer(name), property: [name], found: "an input that cannot be")
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
    /// What becomes of members of the input that no rule refers to.
    public struct Unreferenced: Sendable {
        let entry: (@Sendable (Rule, JSONObject) throws -> JSONObject.Member?)?

        /// They are dropped.
        public static let drop = Unreferenced(entry: nil)

        /// They are copied.
        public static let keep = Unreferenced { rule, input in
            input[rule.key].map { JSONObject.Member(name: rule.key, value: $0) }
        }

        /// A closure gives the value of each, or nil. Its rule has the member's name as key and only path.
        public static func value(_ value: @escaping Rule.Value) -> Unreferenced {
            Unreferenced { rule, input in try value(rule, input).map { JSONObject.Member(name: rule.key, value: $0) } }
        }

        /// A closure gives name and value of each, or nil.
        public static func entry(_ entry: @escaping @Sendable (Rule, JSONObject) throws -> JSONObject.Member?) -> Unreferenced {
            Unreferenced(entry: entry)
        }
    }
}

/// Collects the rules of a rewriter.
@resultBuilder public enum RuleBuilder {
    /// One rule.
    public static func buildExpression(_ rule: Rule) -> [Rule] { [rule] }
    /// Several rules.
    public static func buildExpression(_ rules: [Rule]) -> [Rule] { rules }
    /// All of them, in order.
    public static func buildBlock(_ rules: [Rule]...) -> [Rule] { rules.flatMap { $0 } }
    /// Those of an `if` that holds.
    public static func buildOptional(_ rules: [Rule]?) -> [Rule] { rules ?? [] }
    /// Those of the first branch.
    public static func buildEither(first rules: [Rule]) -> [Rule] { rules }
    /// Those of the second branch.
    public static func buildEither(second rules: [Rule]) -> [Rule] { rules }
    /// Those of each round of a loop.
    public static func buildArray(_ rules: [[Rule]]) -> [Rule] { rules.flatMap { $0 } }
}

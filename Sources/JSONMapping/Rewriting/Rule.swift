import JSONText

/// A rule that produces one entry of a rewritten object.
///
/// ```swift
/// Rule("latitude", from: "location.lat")
/// Rule("location", from: ["latitude", "longitude"]) { rule, input in
///     ["lat": input["latitude"] ?? .null, "long": input["longitude"] ?? .null]
/// }
/// ```
///
/// A rule runs if there is a value, which may be null, at each of its paths. Otherwise it is skipped. A rule whose conversion handles
/// absent values, such as `.lenientInt.whenAbsent { 0 }`, always runs and treats null as absent. A closure that returns nil writes
/// nothing.
///
/// Rules run in order. If several rules with the same key write a value, that of the last one counts. So a rule can replace the value of an
/// earlier one, and does not if it is skipped: `Rule("name", from: "login")`, then `Rule("name", from: "full_name")`.
///
/// The empty path is the whole input. If only some attributes of a resource are sent, such a rule is an error in a request, and has no entry
/// in a response. Give the rule the paths that it reads instead.
public struct Rule: Sendable {
    /// A closure that returns a value, given the rule and the whole input.
    public typealias Value = @Sendable (_ rule: Rule, _ input: JSONObject) throws -> JSON?

    /// The name of the entry in the result.
    public let key: String

    /// The paths in the input. The rule needs a value at each of them.
    public let paths: [MappingPath]

    /// Whether the result must contain the entry.
    public private(set) var isRequired = true

    let value: Value
    private(set) var missing: Value?

    /// Whether the rule runs even if there is no value at a path.
    private var handlesAbsent = false

    /// Creates a rule that copies the value at a path, or at the first of several paths.
    public init(_ key: String, from paths: Paths) {
        self.init(key, from: paths) { rule, input in rule.paths.first?.value(in: input) }
    }

    /// Creates a rule whose value a closure returns.
    public init(_ key: String, from paths: Paths, value: @escaping Value) {
        self.key = key
        self.paths = paths.all
        self.value = value
    }

    /// Creates a rule that converts the value at a path: `Rule("count", from: "n", .lenientInt)`. The result is written by the conversion
    /// of its type.
    public init<Output: JSONConvertible & SendableMetatype>(_ key: String, from path: MappingPath, _ conversion: Conversion<JSON, Output>) {
        self.init(key, from: Paths(path)) { _, input in
            try conversion.decode(path.value(in: input)).map { try Output.conversion.encode($0) }
        }
        handlesAbsent = conversion.handlesAbsent
    }

    /// The rule with an entry that is not required.
    public var optional: Rule {
        var rule = self
        rule.isRequired = false
        return rule
    }

    /// Returns the rule with a closure that provides a missing entry. The closure is called if the entry is required and neither the rules
    /// nor the default rule have written it.
    public func ifMissing(_ value: @escaping Value) -> Rule {
        var rule = self
        rule.missing = value
        return rule
    }

    /// Whether the rule has the empty path. It may then need any member of the input.
    var readsWholeInput: Bool { paths.contains { $0.segments.isEmpty } }

    /// Returns whether the rule may read a member for whose name the closure returns true.
    func mayRead(_ isMember: (String) -> Bool) -> Bool { paths.contains { $0.root.map(isMember) ?? true } }

    func isReady(for input: JSONObject) -> Bool {
        handlesAbsent || paths.allSatisfy { $0.value(in: input) != nil }
    }
}

import JSONText

/// How one entry of a rewritten object comes about.
///
/// ```swift
/// Rule("latitude", from: "location.lat")
/// Rule("location", from: ["latitude", "longitude"]) { rule, input in
///     ["lat": input["latitude"] ?? .null, "long": input["longitude"] ?? .null]
/// }
/// ```
///
/// A rule runs when all its paths lead to values, null included; otherwise it is skipped. One with a conversion that handles absent
/// values, as `.lenientInt.whenAbsent { 0 }` does, always runs, and null is nothing to it. A closure that returns nil writes nothing.
public struct Rule: Sendable {
    /// A closure that makes a value from the rule and the whole input.
    public typealias Value = @Sendable (_ rule: Rule, _ input: JSONObject) throws -> JSON?

    /// The name of the entry in the result.
    public let key: String

    /// The paths in the input, all of which are needed.
    public let paths: [MappingPath]

    /// Whether the entry has to be in the result.
    public private(set) var isRequired = true

    let value: Value
    private(set) var missing: Value?

    /// Whether it runs although a path leads nowhere.
    private var handlesAbsent = false

    /// A rule that copies the value of a path; of several paths that of the first.
    public init(_ key: String, from paths: Paths) {
        self.init(key, from: paths) { rule, input in rule.paths.first?.value(in: input) }
    }

    /// A rule that makes a value.
    public init(_ key: String, from paths: Paths, value: @escaping Value) {
        self.key = key
        self.paths = paths.all
        self.value = value
    }

    /// A rule that converts the value of a path, and writes what came out as its type says: `Rule("count", from: "n", .lenientInt)`.
    public init<Output: JSONConvertible & SendableMetatype>(_ key: String, from path: MappingPath, _ conversion: Conversion<JSON, Output>) {
        let handlesAbsent = conversion.handlesAbsent
        self.init(key, from: Paths(path)) { _, input in
            var json = path.value(in: input)
            if handlesAbsent, json?.isNull ?? false { json = nil }
            return try conversion.decode(json).map { try Output.conversion.encode($0) }
        }
        self.handlesAbsent = handlesAbsent
    }

    /// The rule whose entry need not be there.
    public var optional: Rule {
        var rule = self
        rule.isRequired = false
        return rule
    }

    /// The rule with a closure that is asked when its entry is required and missing after all rules and the default rule.
    public func ifMissing(_ value: @escaping Value) -> Rule {
        var rule = self
        rule.missing = value
        return rule
    }

    func isReady(for input: JSONObject) -> Bool {
        handlesAbsent || paths.allSatisfy { $0.value(in: input) != nil }
    }
}

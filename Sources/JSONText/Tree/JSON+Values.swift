// Values that are known at run time. A literal in parentheses, as in `JSON("a")`, is still a literal. So that it is one also for arrays and
// dictionaries, and that `flags.map(JSON.init)` does not mean `init(booleanLiteral:)` as well, some initializers are disfavored.

extension JSON {
    /// Creates the same value. A literal in parentheses keeps the order of its members, and repeated names.
    public init(_ value: JSON) { self = value }

    /// Creates a string.
    ///
    /// ```swift
    /// object["title"] = JSON(title)
    /// object["price"] = try JSON(price)    // a Double; throws for infinity and NaN
    /// ```
    public init(_ value: some StringProtocol) {
        self = .string(String(value))
    }

    /// Creates `true` or `false`.
    @_disfavoredOverload
    public init(_ value: Bool) {
        self = .bool(value)
    }

    /// Creates a number from an integer.
    public init(_ value: some BinaryInteger) {
        self = .number(JSONNumber(value))
    }

    /// Creates a number with the shortest text that reads back as the same `Double`: `0.1`, `1` for 1.0, `-0` for minus zero.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, which JSON cannot represent. For an array, write `numbers.map { try JSON($0) }`:
    /// `numbers.map(JSON.init)` calls ``init(floatLiteral:)``, which stops the process for them.
    @_disfavoredOverload
    public init(_ value: Double) throws(JSONNumberError) {
        self = .number(try JSONNumber(value))
    }

    /// Creates a number with the shortest text that reads back as the same `Float`.
    ///
    /// Throws `.notRepresentable` for infinity and NaN, which JSON cannot represent.
    public init(_ value: Float) throws(JSONNumberError) {
        self = .number(try JSONNumber(value))
    }

    /// Creates an array of the given elements.
    ///
    /// - Complexity: O(n), n = number of elements.
    @_disfavoredOverload
    public init(_ elements: some Sequence<JSON>) {
        self = .array(JSONArray(elements))
    }

    /// Creates an object of the given members, which are sorted by name.
    ///
    /// - Complexity: O(n log n), n = number of members.
    @_disfavoredOverload
    public init(_ members: [String: JSON]) {
        let sorted = members.sorted { UTF8Bytes.isLess($0.key, $1.key) }
        self = .object(JSONObject(members: sorted.lazy.map { JSONObject.Member(name: $0.key, value: $0.value) }))
    }
}

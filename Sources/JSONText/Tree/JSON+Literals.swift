extension JSON: ExpressibleByNilLiteral {
    /// Creates `null`.
    ///
    /// Where the type is `JSON?`, `nil` alone is no value. In a conditional expression whose other branch is a `JSON`, it is `null`: write
    /// `condition ? json : Optional.none` to mean no value.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension JSON: ExpressibleByBooleanLiteral {
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSON: ExpressibleByIntegerLiteral {
    /// Creates a number from its digits.
    public init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }
}

extension JSON: ExpressibleByFloatLiteral {
    /// Creates a number with the shortest text that reads back as the same `Double`.
    ///
    /// Use it only through literals in source code. Infinity and NaN stop the process. For values that are known at run time, call
    /// `init(_:)`, which throws an error instead.
    public init(floatLiteral value: Double) {
        self = .number(JSONNumber(floatLiteral: value))
    }
}

extension JSON: ExpressibleByStringLiteral {
    /// Creates a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSON: ExpressibleByStringInterpolation {}

extension JSON: ExpressibleByArrayLiteral {
    /// Creates an array of the elements.
    public init(arrayLiteral elements: JSON...) {
        self = .array(JSONArray(elements))
    }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// Creates an object of the members. Repeated names are kept, and a look-up finds the last one.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(members: elements.lazy.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}

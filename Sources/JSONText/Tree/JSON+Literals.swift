extension JSON: ExpressibleByNilLiteral {
    /// `null`.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension JSON: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSON: ExpressibleByIntegerLiteral {
    /// The number as its digits.
    public init(integerLiteral value: Int) {
        self = .number(JSONNumber(value))
    }
}

extension JSON: ExpressibleByFloatLiteral {
    /// The number as the shortest text that reads back as the same `Double`.
    ///
    /// Meant for literals in source text, which are finite unless too large for `Double`: an infinite one or NaN stops
    /// the process. For values known only at run time call `JSONNumber.init(_:)`, which throws.
    public init(floatLiteral value: Double) {
        self = .number(JSONNumber(floatLiteral: value))
    }
}

extension JSON: ExpressibleByStringLiteral {
    /// The string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }
}

extension JSON: ExpressibleByStringInterpolation {}

extension JSON: ExpressibleByArrayLiteral {
    /// The array of the elements in order.
    public init(arrayLiteral elements: JSON...) {
        self = .array(JSONArray(elements))
    }
}

extension JSON: ExpressibleByDictionaryLiteral {
    /// The object of the members in order; repeated names are kept, the last one is looked up.
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(members: elements.lazy.map { JSONObject.Member(name: $0.0, value: $0.1) }))
    }
}

import JSONText

/// An object of a type that exists only as data: properties by internal name, with converted values.
///
/// ```swift
/// let user = try schema.decode(json)                       // schema: MappingSchema<DynamicObject>
/// let id = user["userId", as: Int.self]
/// ```
///
/// Two are equal when they have equal values under the same names, whatever the order.
public struct DynamicObject: Sendable {
    /// A property's name and value; nil is a stated null.
    public struct Property: Sendable {
        /// The internal name.
        public let name: String
        /// The converted value; nil is a stated null.
        public let value: (any Hashable & Sendable)?
    }

    private var values: [ByteText: (any Hashable & Sendable)?] = [:]
    private var order: [String] = []

    /// Members that no field of the schema maps, when the schema keeps them.
    public var unmapped = JSONObject()

    /// An object without properties.
    public init() {}

    /// An object of those properties; nil is a stated null.
    public init(_ properties: KeyValuePairs<String, (any Hashable & Sendable)?>) {
        for (name, value) in properties { set(name, to: value) }
    }

    /// The properties in the order in which they were set.
    ///
    /// - Complexity: O(n), n = properties.
    public var properties: [Property] {
        order.compactMap { name in values[ByteText(name)].map { Property(name: name, value: $0) } }
    }

    /// Absent, a stated null, or the value; absent, too, for a value of another type.
    public func presence<Value>(of name: String, as type: Value.Type = Value.self) -> Presence<Value> {
        guard let stated = values[ByteText(name)] else { return .absent }
        guard let stated else { return .null }
        return (stated as? Value).map { .value($0) } ?? .absent
    }

    /// The value, nil when absent, null or of another type.
    public subscript<Value>(name: String, as type: Value.Type) -> Value? {
        presence(of: name, as: type).value
    }

    /// Sets a value, or a stated null.
    public mutating func set(_ name: String, to value: (any Hashable & Sendable)?) {
        if values.updateValue(value, forKey: ByteText(name)) == nil { order.append(name) }
    }

    /// Removes a property.
    public mutating func remove(_ name: String) {
        if values.removeValue(forKey: ByteText(name)) != nil { order.removeAll { UTF8Bytes.areEqual($0, name) } }
    }
}

extension DynamicObject: Hashable {
    /// Whether both have equal values under the same names.
    public static func == (a: DynamicObject, b: DynamicObject) -> Bool {
        a.comparable == b.comparable && a.unmapped == b.unmapped
    }

    /// Feeds names and values to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparable) }

    private var comparable: [ByteText: AnyHashable?] {
        values.mapValues { value in value.map { AnyHashable($0) } }
    }
}

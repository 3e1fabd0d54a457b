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

    private var values: [ByteText: Entry] = [:]
    /// The names in the order in which they were set; nil where one was removed.
    private var order: [String?] = []

    private struct Entry: Sendable {
        let value: (any Hashable & Sendable)?
        /// In `order`.
        let position: Int
    }

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
        order.compactMap { name in
            guard let name, let entry = values[ByteText(name)] else { return nil }
            return Property(name: name, value: entry.value)
        }
    }

    /// Absent, a stated null, or the value; absent, too, for a value of another type.
    public func presence<Value>(of name: String, as type: Value.Type = Value.self) -> Presence<Value> {
        guard let entry = values[ByteText(name)] else { return .absent }
        guard let stated = entry.value else { return .null }
        return (stated as? Value).map { .value($0) } ?? .absent
    }

    /// The value, nil when absent, null or of another type.
    public subscript<Value>(name: String, as type: Value.Type) -> Value? {
        presence(of: name, as: type).value
    }

    /// Sets a value, or a stated null.
    public mutating func set(_ name: String, to value: (any Hashable & Sendable)?) {
        let key = ByteText(name)
        if let known = values[key] {
            values[key] = Entry(value: value, position: known.position)
        } else {
            values[key] = Entry(value: value, position: order.count)
            order.append(name)
        }
    }

    /// Removes a property.
    ///
    /// - Complexity: O(1) on average over many calls.
    public mutating func remove(_ name: String) {
        guard let entry = values.removeValue(forKey: ByteText(name)) else { return }
        order[entry.position] = nil
        if order.count > 16, values.count < order.count / 2 { closeGaps() }
    }

    private mutating func closeGaps() {
        let names = order.compactMap { $0 }
        order = names
        for (position, name) in names.enumerated() {
            guard let entry = values[ByteText(name)] else { continue }
            values[ByteText(name)] = Entry(value: entry.value, position: position)
        }
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
        values.mapValues { entry in entry.value.map { AnyHashable($0) } }
    }
}

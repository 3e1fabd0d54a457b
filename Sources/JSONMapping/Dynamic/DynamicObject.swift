import JSONText

/// An instance of a type that exists only as data. It holds converted values by the internal names of its properties.
///
/// ```swift
/// let user = try schema.decode(json)                       // schema: MappingSchema<DynamicObject>
/// let id = user["userId", as: Int.self]
/// ```
///
/// Two objects are equal when they have equal values under the same names, in any order, and equal `unmapped` members. Text in the values
/// is compared by its bytes.
///
/// Comparing, hashing and releasing recurse on objects inside each other. Up to 512 levels, the default limit of a text, that works on any
/// thread. If you raise the limit, use a thread with a larger stack.
public struct DynamicObject: Sendable {
    /// The name and value of a property.
    public struct Property: Sendable {
        /// The internal name.
        public let name: String
        /// The converted value, or nil for an explicit null.
        public let value: (any Hashable & Sendable)?
    }

    private var values: [ByteText: Entry] = [:]
    /// The names in the order in which they were first set. A removed name leaves nil.
    private var order: [String?] = []

    private struct Entry: Sendable {
        let value: (any Hashable & Sendable)?
        /// The index of the name in `order`.
        let position: Int
    }

    /// The members that no field maps, if the schema keeps them.
    public var unmapped = JSONObject()

    /// Creates an object without properties.
    public init() {}

    /// Creates an object with the given properties. Nil is an explicit null.
    public init(_ properties: KeyValuePairs<String, (any Hashable & Sendable)?>) {
        for (name, value) in properties { set(name, to: value) }
    }

    /// The properties, in the order in which they were first set.
    ///
    /// - Complexity: O(n), n = number of properties, including removed ones whose gaps are not yet closed.
    public var properties: [Property] {
        order.compactMap { name in
            guard let name, let entry = values[ByteText(name)] else { return nil }
            return Property(name: name, value: entry.value)
        }
    }

    /// Returns whether the property is absent, an explicit null, or a value. A value of another type counts as absent.
    ///
    /// A schema that writes the object reports a value of another type than its field's as an issue.
    public func presence<Value>(of name: String, as type: Value.Type = Value.self) -> Presence<Value> {
        guard let entry = values[ByteText(name)] else { return .absent }
        guard let stated = entry.value else { return .null }
        return (stated as? Value).map { .value($0) } ?? .absent
    }

    /// Returns whether the property has a value of another type.
    func hasValue<Value>(of name: String, otherThan type: Value.Type) -> Bool {
        guard let stated = values[ByteText(name)]?.value else { return false }
        return !(stated is Value)
    }

    /// The value, or nil when it is absent, null or of another type.
    public subscript<Value>(name: String, as type: Value.Type) -> Value? {
        presence(of: name, as: type).value
    }

    /// Sets a value, or an explicit null for nil.
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
    /// - Complexity: Amortized O(1).
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

extension DynamicObject: CustomStringConvertible {
    /// The properties with their values. Where the stack does not suffice for the objects inside, they are left out.
    public var description: String {
        guard StackRoom.isLeft(128 * 1024) else { return "[…]" }
        let shown = properties.map { "\($0.name): \($0.value.map { "\($0)" } ?? "null")" }
        return "[\((shown + (unmapped.isEmpty ? [] : ["unmapped: \(unmapped)"])).joined(separator: ", "))]"
    }
}

extension DynamicObject: Hashable {
    /// Returns whether both objects have equal values under the same names, and equal `unmapped` members.
    public static func == (a: DynamicObject, b: DynamicObject) -> Bool {
        a.comparable == b.comparable && a.unmapped == b.unmapped
            && a.values.allSatisfy { name, entry in haveEqualText(entry.value as Any, b.values[name]?.value as Any) }
    }

    /// Hashes the names and values of the properties.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparable) }

    private var comparable: [ByteText: AnyHashable?] {
        values.mapValues { entry in entry.value.map { AnyHashable($0) } }
    }
}

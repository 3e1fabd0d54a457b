/// Whether there is a value: absent, null and a value are three things.
///
/// ```swift
/// struct Changes: Codable {
///     var title: Presence<String> = .absent     // not sent
///     var subtitle: Presence<String> = .null    // sent as null
/// }
/// ```
///
/// As a property of a `Codable` type it reads a missing member as `absent` and writes nothing for it.
public enum Presence<Value> {
    /// Nothing is stated.
    case absent
    /// Stated to be nothing.
    case null
    /// Stated to be that.
    case value(Value)

    /// A value, or null for nil.
    public init(_ value: Value?) { self = value.map(Presence.value) ?? .null }

    /// The value, nil when absent or null.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Whether nothing is stated.
    public var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }

    /// Whether it is stated to be nothing.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The same with another value.
    public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Presence<Other> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }
}

extension Presence: Sendable where Value: Sendable {}
extension Presence: Equatable where Value: Equatable {}
extension Presence: Hashable where Value: Hashable {}

extension Presence: Decodable where Value: Decodable {
    /// Reads null or a value; that a member is missing is seen by the container alone.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension Presence: Encodable where Value: Encodable {
    /// Writes the value, or null; that a member is left out is seen to by the container alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .value(let value) = self { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// Reads a member as absent, null or a value. Synthesized `Decodable` calls this for properties of the type `Presence`.
    public func decode<Value: Decodable>(_ type: Presence<Value>.Type, forKey key: Key) throws -> Presence<Value> {
        guard contains(key) else { return .absent }
        if try decodeNil(forKey: key) { return .null }
        return .value(try decode(Value.self, forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Writes null or a value, and nothing for `absent`. Synthesized `Encodable` calls this for properties of the type `Presence`.
    public mutating func encode<Value: Encodable>(_ presence: Presence<Value>, forKey key: Key) throws {
        switch presence {
        case .absent: break
        case .null: try encode(StatedNull<Value>(), forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}

/// A null of which the container may ask what it is the null of: clearing a relationship is another thing than clearing an
/// attribute.
package struct StatedNull<Value: Encodable>: Encodable {
    package init() {}

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

/// The state of a member: absent, null, or a value.
///
/// ```swift
/// struct Changes: Codable {
///     var title: Presence<String> = .absent     // not sent
///     var subtitle: Presence<String> = .null    // sent as null
/// }
/// ```
///
/// In a `Codable` type, a property of this type reads a missing member as `absent`, and writes nothing for `absent`.
///
/// A literal is a value: `Changes(title: "New")`. There is no `nil`, because it could mean absent or null.
public enum Presence<Value> {
    /// There is no member.
    case absent
    /// The member is null.
    case null
    /// The member has a value.
    case value(Value)

    /// Creates a value, or null from nil.
    public init(_ value: Value?) { self = value.map(Presence.value) ?? .null }

    /// The value, or nil when absent or null.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Whether there is no member.
    public var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }

    /// Whether the member is null.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Returns the same state with the value transformed.
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
    /// Reads null or a value. Only the container can detect a missing member.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }
}

extension Presence: Encodable where Value: Encodable {
    /// Writes the value, or null. Only the container can leave out a member.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .value(let value) = self { try container.encode(value) } else { try container.encodeNil() }
    }
}

// MARK: - Literals

extension Presence: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
    /// Creates a value from a literal: a text of one Unicode scalar.
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) { self = .value(Value(unicodeScalarLiteral: value)) }
}

extension Presence: ExpressibleByExtendedGraphemeClusterLiteral where Value: ExpressibleByExtendedGraphemeClusterLiteral {
    /// Creates a value from a literal: a text of one character.
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self = .value(Value(extendedGraphemeClusterLiteral: value))
    }
}

extension Presence: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    /// Creates a value from a literal: a text.
    public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension Presence: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    /// Creates a value from a literal: a whole number.
    public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension Presence: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    /// Creates a value from a literal: a number.
    public init(floatLiteral value: Value.FloatLiteralType) { self = .value(Value(floatLiteral: value)) }
}

extension Presence: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// Creates a value from a literal: a Boolean.
    public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}

// MARK: - Members of containers

extension KeyedDecodingContainer {
    /// Reads a member as absent, null or a value. Synthesized `Decodable` code calls this method for properties of type `Presence`.
    public func decode<Value: Decodable>(_ type: Presence<Value>.Type, forKey key: Key) throws -> Presence<Value> {
        // The container of a resource always returns a presence, because the type says which member it is of. Other containers return nil
        // for a member that is missing or null.
        if let presence = try decodeIfPresent(type, forKey: key) { return presence }
        return try contains(key) && decodeNil(forKey: key) ? .null : .absent
    }
}

extension KeyedEncodingContainer {
    /// Writes null or a value, and nothing for `absent`. Synthesized `Encodable` code calls this method for properties of type `Presence`.
    public mutating func encode<Value: Encodable>(_ presence: Presence<Value>, forKey key: Key) throws {
        switch presence {
        // Nothing is written. The container of a resource learns that the property exists.
        case .absent: try encodeIfPresent(StatedNull<Value>?.none, forKey: key)
        case .null: try encode(StatedNull<Value>(), forKey: key)
        case .value(let value): try encode(value, forKey: key)
        }
    }
}

/// A null that carries the type of the missing value. The container needs the type because clearing a relationship and clearing an
/// attribute are written differently.
package struct StatedNull<Value: Encodable>: Encodable {
    package init() {}

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}

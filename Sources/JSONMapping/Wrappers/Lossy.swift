/// An optional property that is nil when the value cannot be decoded, for any reason.
///
/// ```swift
/// @Lossy var height: Int?     // nil for "tall" and for a missing member
/// ```
///
/// Nil is not written.
@propertyWrapper public struct Lossy<Value> {
    /// The wrapped value.
    public var wrappedValue: Value?

    /// Creates a property with the given value.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension Lossy: Decodable where Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try? decoder.singleValueContainer().decode(Value.self)
    }
}

extension Lossy: Encodable where Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension Lossy: Sendable where Value: Sendable {}
extension Lossy: Equatable where Value: Equatable {}
extension Lossy: Hashable where Value: Hashable {}

/// An array property that skips elements that cannot be decoded. A missing member and null are the empty array. Any other value is an
/// error.
///
/// ```swift
/// @LossyArray var suits: [Suit]   // [.hearts] for ["hearts", "cups", 3]
/// ```
@propertyWrapper public struct LossyArray<Element> {
    /// The wrapped value.
    public var wrappedValue: [Element]

    /// Creates a property with the given value.
    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
}

extension LossyArray: Decodable where Element: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? [] : try container.decode([Lossy<Element>].self).compactMap(\.wrappedValue)
    }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension LossyArray: Sendable where Element: Sendable {}
extension LossyArray: Equatable where Element: Equatable {}
extension LossyArray: Hashable where Element: Hashable {}

/// A dictionary property that skips values that cannot be decoded. A missing member and null are the empty dictionary. Any other value
/// is an error.
@propertyWrapper public struct LossyDictionary<Value> {
    /// The wrapped value.
    public var wrappedValue: [String: Value]

    /// Creates a property with the given value.
    public init(wrappedValue: [String: Value]) { self.wrappedValue = wrappedValue }
}

extension LossyDictionary: Decodable where Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue =
            container.decodeNil() ? [:] : try container.decode([String: Lossy<Value>].self).compactMapValues(\.wrappedValue)
    }
}

extension LossyDictionary: Encodable where Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension LossyDictionary: Sendable where Value: Sendable {}
extension LossyDictionary: Equatable where Value: Equatable {}
extension LossyDictionary: Hashable where Value: Hashable {}

// MARK: - Missing members

// A missing member never reaches `init(from:)`. Synthesized `Codable` code calls these overloads, which are more specific.

extension KeyedDecodingContainer {
    /// Returns nil for a missing member and for a value that cannot be decoded. Synthesized `Decodable` code calls this method.
    public func decode<Value: Decodable>(_ type: Lossy<Value>.Type, forKey key: Key) throws -> Lossy<Value> {
        Lossy(wrappedValue: try? decodeIfPresent(Value.self, forKey: key))
    }

    /// Returns the empty array for a missing member. Synthesized `Decodable` code calls this method.
    public func decode<Element: Decodable>(_ type: LossyArray<Element>.Type, forKey key: Key) throws -> LossyArray<Element> {
        try decodeIfPresent(type, forKey: key) ?? LossyArray(wrappedValue: [])
    }

    /// Returns the empty dictionary for a missing member. Synthesized `Decodable` code calls this method.
    public func decode<Value: Decodable>(_ type: LossyDictionary<Value>.Type, forKey key: Key) throws -> LossyDictionary<Value> {
        try decodeIfPresent(type, forKey: key) ?? LossyDictionary(wrappedValue: [:])
    }
}

extension KeyedEncodingContainer {
    /// Writes nothing for nil. Synthesized `Encodable` code calls this method.
    public mutating func encode<Value: Encodable>(_ lossy: Lossy<Value>, forKey key: Key) throws {
        try encodeIfPresent(lossy.wrappedValue, forKey: key)
    }
}

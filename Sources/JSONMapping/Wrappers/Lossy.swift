/// An optional that is nil where the value cannot be read, whatever the reason.
///
/// ```swift
/// @Lossy var height: Int?     // "tall" is nil, and so is a missing member
/// ```
///
/// Nil is not written.
@propertyWrapper public struct Lossy<Value> {
    /// The value itself.
    public var wrappedValue: Value?

    /// A property of that value.
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

/// An array without the elements that cannot be read. Missing and null are the empty array; something else is an error.
///
/// ```swift
/// @LossyArray var suits: [Suit]   // ["hearts", "cups", 3] is [.hearts]
/// ```
@propertyWrapper public struct LossyArray<Element> {
    /// The value itself.
    public var wrappedValue: [Element]

    /// A property of that value.
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

/// A dictionary without the values that cannot be read. Missing and null are the empty dictionary; something else is an error.
@propertyWrapper public struct LossyDictionary<Value> {
    /// The value itself.
    public var wrappedValue: [String: Value]

    /// A property of that value.
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

// Synthesized Codable calls these, because they name the wrapper's type: a missing member does not reach `init(from:)`.

extension KeyedDecodingContainer {
    /// Nil for a missing member and for whatever cannot be read; synthesized `Decodable` calls this.
    public func decode<Value: Decodable>(_ type: Lossy<Value>.Type, forKey key: Key) throws -> Lossy<Value> {
        Lossy(wrappedValue: try? decodeIfPresent(Value.self, forKey: key))
    }

    /// The empty array for a missing member; synthesized `Decodable` calls this.
    public func decode<Element: Decodable>(_ type: LossyArray<Element>.Type, forKey key: Key) throws -> LossyArray<Element> {
        try decodeIfPresent(type, forKey: key) ?? LossyArray(wrappedValue: [])
    }

    /// The empty dictionary for a missing member; synthesized `Decodable` calls this.
    public func decode<Value: Decodable>(_ type: LossyDictionary<Value>.Type, forKey key: Key) throws -> LossyDictionary<Value> {
        try decodeIfPresent(type, forKey: key) ?? LossyDictionary(wrappedValue: [:])
    }
}

extension KeyedEncodingContainer {
    /// Writes nothing for nil; synthesized `Encodable` calls this.
    public mutating func encode<Value: Encodable>(_ lossy: Lossy<Value>, forKey key: Key) throws {
        try encodeIfPresent(lossy.wrappedValue, forKey: key)
    }
}

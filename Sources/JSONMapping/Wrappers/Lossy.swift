/// An optional that is nil where the value cannot be read, whatever the reason.
///
/// ```swift
/// @Lossy var height: Int?     // "tall" is nil, and so is a missing member
/// ```
///
/// Nil is not written.
@propertyWrapper public struct Lossy<Value> {
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension Lossy: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        wrappedValue = try? decoder.singleValueContainer().decode(Value.self)
    }
}

extension Lossy: Encodable where Value: Encodable {
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
    public var wrappedValue: [Element]

    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
}

extension LossyArray: Decodable where Element: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? [] : try container.decode([Lossy<Element>].self).compactMap(\.wrappedValue)
    }
}

extension LossyArray: Encodable where Element: Encodable {
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
    public var wrappedValue: [String: Value]

    public init(wrappedValue: [String: Value]) { self.wrappedValue = wrappedValue }
}

extension LossyDictionary: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue =
            container.decodeNil() ? [:] : try container.decode([String: Lossy<Value>].self).compactMapValues(\.wrappedValue)
    }
}

extension LossyDictionary: Encodable where Value: Encodable {
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
    public func decode<Value: Decodable>(_ type: Lossy<Value>.Type, forKey key: Key) throws -> Lossy<Value> {
        Lossy(wrappedValue: try? decodeIfPresent(Value.self, forKey: key))
    }

    public func decode<Element: Decodable>(_ type: LossyArray<Element>.Type, forKey key: Key) throws -> LossyArray<Element> {
        try decodeIfPresent(type, forKey: key) ?? LossyArray(wrappedValue: [])
    }

    public func decode<Value: Decodable>(_ type: LossyDictionary<Value>.Type, forKey key: Key) throws -> LossyDictionary<Value> {
        try decodeIfPresent(type, forKey: key) ?? LossyDictionary(wrappedValue: [:])
    }
}

extension KeyedEncodingContainer {
    public mutating func encode<Value: Encodable>(_ lossy: Lossy<Value>, forKey key: Key) throws {
        try encodeIfPresent(lossy.wrappedValue, forKey: key)
    }
}

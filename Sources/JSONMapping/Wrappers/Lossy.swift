import JSONText

/// An optional property that is nil when the value cannot be decoded, for any reason.
///
/// ```swift
/// @Lossy var height: Int?     // nil for "tall" and for a missing member
/// ```
///
/// A value that cannot be decoded is kept, and written back until you assign another value. This also applies to a relationship of a
/// resource. Any other nil is not written. Only wrapped values are compared.
///
/// Decoding throws only for a value that cannot be kept, because writing would lose it. Foundation's decoders have such values: a number
/// outside the range of `Double`, and in a property list also a date or data.
@propertyWrapper public struct Lossy<Value> {
    /// The wrapped value.
    public var wrappedValue: Value? {
        get { value }
        set { self = Lossy(wrappedValue: newValue) }
        _modify {
            // An optional chain over nil changes nothing.
            defer { if value != nil { unread = nil } }
            yield &value
        }
    }
    private var value: Value?
    /// The value that could not be decoded.
    package private(set) var unread: UnreadValue?

    /// Creates a property with the given value.
    public init(wrappedValue: Value?) { value = wrappedValue }

    /// Creates a property whose value could not be decoded.
    package init(unread: UnreadValue?) { self.unread = unread }
}

extension Lossy: Decodable where Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        do { self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self)) } catch {
            self.init(unread: try UnreadMember<Value>.kept { try UnreadMember<Value>(from: decoder) })
        }
    }
}

extension Lossy: Encodable where Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let unread {
            try container.encode(unread)
        } else if let wrappedValue {
            try container.encode(wrappedValue)
        } else {
            try container.encodeNil()
        }
    }
}

extension Lossy: Sendable where Value: Sendable {}

extension Lossy: Equatable where Value: Equatable {
    /// Whether the wrapped values are equal.
    public static func == (a: Lossy, b: Lossy) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension Lossy: Hashable where Value: Hashable {
    /// Feeds the wrapped value to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

/// An array property that skips elements that cannot be decoded. A missing member and null are the empty array. Any other value is an
/// error.
///
/// ```swift
/// @LossyArray var suits: [Suit]   // [.hearts] for ["hearts", "cups", 3]
/// ```
///
/// The elements that cannot be decoded are kept, and written back: each after as many other elements as it had before it. They stay when
/// you edit or assign the array. To write only your own elements, assign a new wrapper: `_suits = LossyArray(wrappedValue: [.spades])`.
/// Only wrapped values are compared.
@propertyWrapper public struct LossyArray<Element> {
    /// The wrapped value.
    public var wrappedValue: [Element]
    /// The elements that could not be decoded, in order. Each has the number of the others before it.
    private var unread: [(position: Int, element: UnreadValue)] = []

    /// Creates a property with the given value.
    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }
}

extension LossyArray: Decodable where Element: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = []
        guard !container.decodeNil() else { return }
        for element in try container.decode([Lossy<Element>].self) {
            if let value = element.wrappedValue {
                wrappedValue.append(value)
            } else {
                unread.append((wrappedValue.count, UnreadValue(element.unread?.json ?? .null)))
            }
        }
    }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        guard !unread.isEmpty else {
            var container = encoder.singleValueContainer()
            return try container.encode(wrappedValue)
        }
        var container = encoder.unkeyedContainer()
        var next = unread[...]
        for (index, value) in wrappedValue.enumerated() {
            while let first = next.first, first.position <= index { try container.encode(next.removeFirst().element) }
            try container.encode(value)
        }
        for rest in next { try container.encode(rest.element) }
    }
}

extension LossyArray: Sendable where Element: Sendable {}

extension LossyArray: Equatable where Element: Equatable {
    /// Whether the wrapped values are equal.
    public static func == (a: LossyArray, b: LossyArray) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Feeds the wrapped value to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

/// A dictionary property that skips values that cannot be decoded. A missing member and null are the empty dictionary. Any other value
/// is an error.
///
/// The values that cannot be decoded are kept, and written back unless you assign a value for their name. To write only your own values,
/// assign a new wrapper. Only wrapped values are compared.
@propertyWrapper public struct LossyDictionary<Value> {
    /// The wrapped value.
    public var wrappedValue: [String: Value]
    /// The values that could not be decoded.
    private var unread: [String: UnreadValue] = [:]

    /// Creates a property with the given value.
    public init(wrappedValue: [String: Value]) { self.wrappedValue = wrappedValue }
}

extension LossyDictionary: Decodable where Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = [:]
        guard !container.decodeNil() else { return }
        for (name, element) in try container.decode([String: Lossy<Value>].self) {
            if let value = element.wrappedValue {
                wrappedValue[name] = value
            } else {
                unread[name] = UnreadValue(element.unread?.json ?? .null, isPart: false)
            }
        }
    }
}

extension LossyDictionary: Encodable where Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard !unread.isEmpty else { return try container.encode(wrappedValue) }
        // A dictionary, so that no key strategy renames its keys.
        let values = wrappedValue.mapValues { Lossy<Value>(wrappedValue: $0) }
        try container.encode(values.merging(unread.mapValues { Lossy<Value>(unread: $0) }) { value, _ in value })
    }
}

extension LossyDictionary: Sendable where Value: Sendable {}

extension LossyDictionary: Equatable where Value: Equatable {
    /// Whether the wrapped values are equal.
    public static func == (a: LossyDictionary, b: LossyDictionary) -> Bool { a.wrappedValue == b.wrappedValue }
}

extension LossyDictionary: Hashable where Value: Hashable {
    /// Feeds the wrapped value to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

// MARK: - Missing members

// A missing member never reaches `init(from:)`. Synthesized `Codable` code calls these overloads, which are more specific.

extension KeyedDecodingContainer {
    /// Returns nil for a missing member and for a value that cannot be decoded. Synthesized `Decodable` code calls this method.
    public func decode<Value: Decodable>(_ type: Lossy<Value>.Type, forKey key: Key) throws -> Lossy<Value> {
        do {
            if let value = try decodeIfPresent(Value.self, forKey: key) { return Lossy(wrappedValue: value) }
            // The resources of a relationship may be missing.
            let unread = try UnreadMember<Value>.kept { try decodeIfPresent(UnreadMember<Value>.self, forKey: key) }
            return Lossy(unread: unread?.isLinked == true ? unread : nil)
        } catch {
            return Lossy(unread: try UnreadMember<Value>.kept { try decodeIfPresent(UnreadMember<Value>.self, forKey: key) })
        }
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
    /// Writes nothing for nil, unless the value could not be decoded. Synthesized `Encodable` code calls this method.
    public mutating func encode<Value: Encodable>(_ lossy: Lossy<Value>, forKey key: Key) throws {
        if let unread = lossy.unread { try encode(unread, forKey: key) } else { try encodeIfPresent(lossy.wrappedValue, forKey: key) }
    }
}

/// A type that provides a default value. A property wrapper needs a type because it has no arguments while it is decoded.
public protocol DefaultSource {
    /// The type of the property.
    associatedtype Value
    /// The value for a missing member and for null.
    static var defaultValue: Value { get }
}

/// A property with a default for a missing member and for null. A value that cannot be decoded is an error.
///
/// ```swift
/// @Default<Defaults.False> var isRead: Bool
/// @Default<Defaults.Empty> var tags: [String]
/// ```
@propertyWrapper public struct Default<Source: DefaultSource> {
    /// The wrapped value.
    public var wrappedValue: Source.Value

    /// Creates a property with the given value.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }

    /// Creates a property with the default value.
    public init() { wrappedValue = Source.defaultValue }
}

/// Common defaults.
public enum Defaults {
    /// `false`.
    public enum False: DefaultSource { public static var defaultValue: Bool { false } }
    /// `true`.
    public enum True: DefaultSource { public static var defaultValue: Bool { true } }
    /// Zero of any numeric type.
    public enum Zero<Value: AdditiveArithmetic>: DefaultSource { public static var defaultValue: Value { .zero } }
    /// An empty string or array.
    public enum Empty<Value: RangeReplaceableCollection>: DefaultSource { public static var defaultValue: Value { Value() } }
    /// An empty dictionary.
    public enum EmptyDictionary<Name: Hashable, Element>: DefaultSource { public static var defaultValue: [Name: Element] { [:] } }
}

extension Default: Decodable where Source.Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? Source.defaultValue : try container.decode(Source.Value.self)
    }
}

extension Default: Encodable where Source.Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Default: Sendable where Source.Value: Sendable {}
extension Default: Equatable where Source.Value: Equatable {}
extension Default: Hashable where Source.Value: Hashable {}

extension KeyedDecodingContainer {
    /// Returns the default for a missing member and for null. Synthesized `Decodable` code calls this method.
    public func decode<Source: DefaultSource>(_ type: Default<Source>.Type, forKey key: Key) throws -> Default<Source>
    where Source.Value: Decodable {
        Default(wrappedValue: try decodeIfPresent(Source.Value.self, forKey: key) ?? Source.defaultValue)
    }
}

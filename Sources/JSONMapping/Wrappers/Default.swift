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
///
/// In a resource, a relationship that has no value has the default, too. This default is not written, because the server may have other
/// links. Only wrapped values are compared.
@propertyWrapper public struct Default<Source: DefaultSource> {
    private var value: Source.Value
    /// Whether the value is only a default.
    package private(set) var state: DefaultState

    /// The wrapped value.
    public var wrappedValue: Source.Value {
        get { value }
        set { self = Default(wrappedValue: newValue) }
        _modify {
            // A caller that throws ends this accessor at `yield`.
            defer { if state == .assumed { state = .edited } }
            yield &value
        }
    }

    /// Creates a property with the given value.
    public init(wrappedValue: Source.Value) {
        value = wrappedValue
        state = .given
    }

    /// Creates a property with the default value.
    public init() { self.init(wrappedValue: Source.defaultValue) }

    /// Creates a property from the result of decoding it: nil for a missing member and for null.
    package init(read value: Source.Value?) {
        self.value = value ?? Source.defaultValue
        state = value == nil ? .assumed : .given
    }
}

/// Where the value of a property with a default comes from.
package enum DefaultState: Sendable {
    /// It was read or set.
    case given
    /// There was no value.
    case assumed
    /// There was no value, and the default was edited in place.
    case edited
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
        self.init(read: container.decodeNil() ? nil : try container.decode(Source.Value.self))
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

extension Default: Equatable where Source.Value: Equatable {
    /// Whether the wrapped values are equal.
    public static func == (a: Default, b: Default) -> Bool { a.value == b.value }
}

extension Default: Hashable where Source.Value: Hashable {
    /// Feeds the wrapped value to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension KeyedDecodingContainer {
    /// Returns the default for a missing member and for null. Synthesized `Decodable` code calls this method.
    public func decode<Source: DefaultSource>(_ type: Default<Source>.Type, forKey key: Key) throws -> Default<Source>
    where Source.Value: Decodable {
        Default(read: try decodeIfPresent(Source.Value.self, forKey: key))
    }
}

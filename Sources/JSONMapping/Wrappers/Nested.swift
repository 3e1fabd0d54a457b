import Foundation
import JSONText

/// A type that provides the path to a value inside a member.
public protocol PathSource {
    /// The type of the property.
    associatedtype Value
    /// The path from the member's value to the value of the property.
    static var path: MappingPath { get }
}

/// A property whose value is nested inside the member with the property's key.
///
/// ```swift
/// enum Latitude: PathSource {
///     typealias Value = Double
///     static let path: MappingPath = "position.lat"
/// }
/// struct Place: Codable {
///     @Nested<Latitude> var location: Double   // {"location": {"position": {"lat": 40.7}}}
/// }
/// ```
///
/// In a resource, the value is only a part of its attribute. A patch then needs the rest of the attribute, as for a coding key with a path.
///
/// Two properties cannot share a member, because synthesized `Codable` code uses each key once. A `MappingSchema` has no such limit.
/// For an optional property, use `NestedIfPresent`.
///
/// The names of a path are the names in the JSON, and are written unchanged. When `JSONDecoder` converts from snake case, both
/// `geo_point` and `geoPoint` find the member `geo_point`. Any other `JSONDecoder` finds the member `geoPoint` for `geo_point`, too, if the
/// member `geo_point` is missing.
@propertyWrapper public struct Nested<Source: PathSource> {
    /// The wrapped value.
    public var wrappedValue: Source.Value

    /// Creates a property with the given value.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// An optional property whose value is nested inside the member with the property's key. It is nil if any step of the path is missing or
/// null. Nil is not written.
///
/// ```swift
/// struct Place: Codable {
///     @NestedIfPresent<Latitude> var location: Double?   // {}, {"location": {"position": null}}: nil
/// }
/// ```
///
/// As an attribute of a resource, a patch writes null for nil, and keeps the rest of the attribute. Inside a nested value, it does so if
/// the base has members around the value that the model does not know. Otherwise, it removes the member.
@propertyWrapper public struct NestedIfPresent<Source: PathSource> {
    /// The wrapped value.
    public var wrappedValue: Source.Value?

    /// Creates a property with the given value.
    public init(wrappedValue: Source.Value?) { self.wrappedValue = wrappedValue }
}

// MARK: - Codable

extension Nested: Decodable where Source.Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        guard let last = Source.path.segments.last else {
            wrappedValue = try decoder.singleValueContainer().decode(Source.Value.self)
            return
        }
        var container = try decoder.container(keyedBy: NameKey.self)
        for segment in Source.path.segments.dropLast() {
            container = try container.nestedContainer(keyedBy: NameKey.self, forKey: container.key(of: segment, in: decoder))
        }
        wrappedValue = try container.decode(Source.Value.self, forKey: container.key(of: last, in: decoder))
    }
}

extension Nested: Encodable where Source.Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        try NestedStep(segments: Source.path.segments[...], value: wrappedValue).encode(to: encoder)
    }
}

extension NestedIfPresent: Decodable where Source.Value: Decodable {
    /// Reads the value. Throws when a step of the path is neither an object nor null.
    public init(from decoder: any Decoder) throws {
        guard let last = Source.path.segments.last else {
            let container = try decoder.singleValueContainer()
            wrappedValue = container.decodeNil() ? nil : try container.decode(Source.Value.self)
            return
        }
        if (try? decoder.singleValueContainer().decodeNil()) ?? false { return }
        var container = try decoder.container(keyedBy: NameKey.self)
        for segment in Source.path.segments.dropLast() {
            let key = container.key(of: segment, in: decoder)
            guard container.contains(key), try !container.decodeNil(forKey: key) else { return }
            container = try container.nestedContainer(keyedBy: NameKey.self, forKey: key)
        }
        wrappedValue = try container.decodeIfPresent(Source.Value.self, forKey: container.key(of: last, in: decoder))
    }
}

extension NestedIfPresent: Encodable where Source.Value: Encodable {
    /// Writes the value, or null for nil.
    public func encode(to encoder: any Encoder) throws {
        guard let wrappedValue else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        try NestedStep(segments: Source.path.segments[...], value: wrappedValue).encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// Returns nil for a missing member. Synthesized `Decodable` code calls this method.
    public func decode<Source: PathSource>(_ type: NestedIfPresent<Source>.Type, forKey key: Key) throws -> NestedIfPresent<Source>
    where Source.Value: Decodable {
        try decodeIfPresent(type, forKey: key) ?? NestedIfPresent(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Writes nothing for nil. Synthesized `Encodable` code calls this method.
    public mutating func encode<Source: PathSource>(_ value: NestedIfPresent<Source>, forKey key: Key) throws
    where Source.Value: Encodable {
        try encodeIfPresent(value.wrappedValue == nil ? nil : value, forKey: key)
    }
}

/// A value with the objects around it. The objects are dictionaries, so that no key strategy renames their keys.
private struct NestedStep<Value: Encodable>: Encodable {
    let segments: ArraySlice<String>
    let value: Value

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard let first = segments.first else { return try container.encode(value) }
        try container.encode([first: NestedStep(segments: segments.dropFirst(), value: value)])
    }
}

extension KeyedDecodingContainer where Key == NameKey {
    /// Returns the key under which the decoder presents a member. A decoder that converts from snake case presents it under another key.
    /// Only decoders of Foundation do this, and they do not show their strategy.
    fileprivate func key(of name: String, in decoder: any Decoder) -> NameKey {
        let key = NameKey(name)
        if contains(key) || !JSONObject.renamesKeys(type(of: decoder)) { return key }
        let converted = NameKey(Self.convertedFromSnakeCase(name))
        return contains(converted) ? converted : key
    }

    /// Converts a name as `JSONDecoder` does: `_geo_point` becomes `_geoPoint`.
    private static func convertedFromSnakeCase(_ name: String) -> String {
        let start = name.prefix { $0 == "_" }
        let end = name.dropFirst(start.count).reversed().prefix { $0 == "_" }
        let words = name.dropFirst(start.count).dropLast(end.count).split(separator: "_")
        guard let first = words.first, words.count > 1 else { return name }
        return start + first.lowercased() + words.dropFirst().map(\.capitalized).joined() + String(end)
    }
}

extension Nested: Sendable where Source.Value: Sendable {}
extension Nested: Equatable where Source.Value: Equatable {}
extension Nested: Hashable where Source.Value: Hashable {}
extension NestedIfPresent: Sendable where Source.Value: Sendable {}
extension NestedIfPresent: Equatable where Source.Value: Equatable {}
extension NestedIfPresent: Hashable where Source.Value: Hashable {}

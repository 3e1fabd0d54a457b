/// Where a value is inside of a member.
public protocol PathSource {
    /// The type of the property.
    associatedtype Value
    /// The way from the member's value to the wanted one.
    static var path: MappingPath { get }
}

/// A value inside of the member that bears the property's key.
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
/// Two properties cannot share a member, because synthesized `Codable` allows a key once; a `MappingSchema` has no such limit. For an
/// optional property there is `NestedIfPresent`.
///
/// The names of a path are those of the JSON, and are written as they stand. Where `JSONDecoder` converts from snake case, `geo_point`
/// and `geoPoint` both find the member `geo_point`.
@propertyWrapper public struct Nested<Source: PathSource> {
    /// The value itself.
    public var wrappedValue: Source.Value

    /// A property of that value.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// An optional value inside of the member that bears the property's key. It is nil where anything on the way is missing or null; nil is
/// not written.
///
/// ```swift
/// struct Place: Codable {
///     @NestedIfPresent<Latitude> var location: Double?   // {}, {"location": {"position": null}}: nil
/// }
/// ```
@propertyWrapper public struct NestedIfPresent<Source: PathSource> {
    /// The value itself.
    public var wrappedValue: Source.Value?

    /// A property of that value.
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
            container = try container.nestedContainer(keyedBy: NameKey.self, forKey: container.key(of: segment))
        }
        wrappedValue = try container.decode(Source.Value.self, forKey: container.key(of: last))
    }
}

extension Nested: Encodable where Source.Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        try NestedStep(segments: Source.path.segments[...], value: wrappedValue).encode(to: encoder)
    }
}

extension NestedIfPresent: Decodable where Source.Value: Decodable {
    /// Reads the value. Something else than an object on the way is an error.
    public init(from decoder: any Decoder) throws {
        guard let last = Source.path.segments.last else {
            let container = try decoder.singleValueContainer()
            wrappedValue = container.decodeNil() ? nil : try container.decode(Source.Value.self)
            return
        }
        if (try? decoder.singleValueContainer().decodeNil()) ?? false { return }
        var container = try decoder.container(keyedBy: NameKey.self)
        for segment in Source.path.segments.dropLast() {
            let key = container.key(of: segment)
            guard container.contains(key), try !container.decodeNil(forKey: key) else { return }
            container = try container.nestedContainer(keyedBy: NameKey.self, forKey: key)
        }
        wrappedValue = try container.decodeIfPresent(Source.Value.self, forKey: container.key(of: last))
    }
}

extension NestedIfPresent: Encodable where Source.Value: Encodable {
    /// Writes the value; null for nil, where the member has to be written.
    public func encode(to encoder: any Encoder) throws {
        guard let wrappedValue else {
            var container = encoder.singleValueContainer()
            return try container.encodeNil()
        }
        try NestedStep(segments: Source.path.segments[...], value: wrappedValue).encode(to: encoder)
    }
}

extension KeyedDecodingContainer {
    /// Nil for a missing member; synthesized `Decodable` calls this.
    public func decode<Source: PathSource>(_ type: NestedIfPresent<Source>.Type, forKey key: Key) throws -> NestedIfPresent<Source>
    where Source.Value: Decodable {
        try decodeIfPresent(type, forKey: key) ?? NestedIfPresent(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Writes nothing for nil; synthesized `Encodable` calls this.
    public mutating func encode<Source: PathSource>(_ value: NestedIfPresent<Source>, forKey key: Key) throws
    where Source.Value: Encodable {
        guard value.wrappedValue != nil else { return }
        try value.encode(to: superEncoder(forKey: key))
    }
}

/// A value and the objects around it: dictionaries, whose keys no strategy renames.
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
    /// The key of a member, under which a decoder that converts from snake case shows it.
    fileprivate func key(of name: String) -> NameKey {
        let key = NameKey(name)
        if contains(key) { return key }
        let converted = NameKey(Self.convertedFromSnakeCase(name))
        return contains(converted) ? converted : key
    }

    /// As `JSONDecoder` does it: `_geo_point` is `_geoPoint`.
    private static func convertedFromSnakeCase(_ name: String) -> String {
        let start = name.prefix { $0 == "_" }
        let end = name.dropFirst(start.count).reversed().prefix { $0 == "_" }
        let words = name.dropFirst(start.count).dropLast(end.count).split(separator: "_")
        guard let first = words.first, words.count > 1 else { return name }
        return start + first.lowercased() + words.dropFirst().map(\.capitalizedWord).joined() + String(end)
    }
}

extension Substring {
    /// The first letter large, the others small.
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst().lowercased() }
}

extension Nested: Sendable where Source.Value: Sendable {}
extension Nested: Equatable where Source.Value: Equatable {}
extension Nested: Hashable where Source.Value: Hashable {}
extension NestedIfPresent: Sendable where Source.Value: Sendable {}
extension NestedIfPresent: Equatable where Source.Value: Equatable {}
extension NestedIfPresent: Hashable where Source.Value: Hashable {}

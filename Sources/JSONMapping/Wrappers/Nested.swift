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
/// Two properties cannot share a member, because synthesized `Codable` allows a key once; a `MappingSchema` has no such limit.
@propertyWrapper public struct Nested<Source: PathSource> {
    /// The value itself.
    public var wrappedValue: Source.Value

    /// A property of that value.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

extension Nested: Decodable where Source.Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        guard let last = Source.path.segments.last else {
            wrappedValue = try decoder.singleValueContainer().decode(Source.Value.self)
            return
        }
        var container = try decoder.container(keyedBy: NameKey.self)
        for segment in Source.path.segments.dropLast() {
            container = try container.nestedContainer(keyedBy: NameKey.self, forKey: NameKey(segment))
        }
        wrappedValue = try container.decode(Source.Value.self, forKey: NameKey(last))
    }
}

extension Nested: Encodable where Source.Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        guard let last = Source.path.segments.last else {
            var container = encoder.singleValueContainer()
            return try container.encode(wrappedValue)
        }
        var container = encoder.container(keyedBy: NameKey.self)
        for segment in Source.path.segments.dropLast() {
            container = container.nestedContainer(keyedBy: NameKey.self, forKey: NameKey(segment))
        }
        try container.encode(wrappedValue, forKey: NameKey(last))
    }
}

extension Nested: Sendable where Source.Value: Sendable {}
extension Nested: Equatable where Source.Value: Equatable {}
extension Nested: Hashable where Source.Value: Hashable {}

/// Which other members may hold a value.
public protocol AlternativeSource {
    /// The type of the property.
    associatedtype Value
    /// The names of the other members, in the order in which they are tried.
    static var names: [String] { get }
}

/// A value that comes from the first of several members that can be read: its own, then the others. It is written to its own.
///
/// ```swift
/// enum Titles: AlternativeSource {
///     typealias Value = String
///     static let names = ["headline", "name"]
/// }
/// struct Article: Codable {
///     @Alternatives<Titles> var title: String
///     var headline = Alias(), name = Alias()   // so that the type's coding keys know these members
/// }
/// ```
///
/// A container of synthesized `Codable` finds only members that are coding keys, hence the properties of the type `Alias`. A `MappingField` with
/// several paths needs none.
@propertyWrapper public struct Alternatives<Source: AlternativeSource> {
    /// The value itself.
    public var wrappedValue: Source.Value

    /// A property of that value.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// Stands for a member that another property reads: decoding always gives one, encoding writes nothing.
public struct Alias: Codable, Hashable, Sendable {
    /// A stand-in.
    public init() {}
    /// Reads nothing.
    public init(from decoder: any Decoder) throws {}
}

extension Alternatives: Decodable where Source.Value: Decodable {
    /// Reads the value.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decode(Source.Value.self)
    }
}

extension Alternatives: Encodable where Source.Value: Encodable {
    /// Writes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Alternatives: Sendable where Source.Value: Sendable {}
extension Alternatives: Equatable where Source.Value: Equatable {}
extension Alternatives: Hashable where Source.Value: Hashable {}

extension KeyedDecodingContainer {
    /// The first member that can be read; synthesized `Decodable` calls this.
    public func decode<Source: AlternativeSource>(_ type: Alternatives<Source>.Type, forKey key: Key) throws -> Alternatives<Source>
    where Source.Value: Decodable {
        let keys = [key] + Source.names.compactMap { Key(stringValue: $0) }
        for key in keys {
            if let value = try? decodeIfPresent(Source.Value.self, forKey: key) { return Alternatives(wrappedValue: value) }
        }
        let names = ([key.stringValue] + Source.names).map { "`\($0)`" }.joined(separator: ", ")
        throw DecodingError.keyNotFound(
            key, .init(codingPath: codingPath, debugDescription: "Expected \(Source.Value.self) in one of \(names), found it in none."))
    }

    /// A stand-in, whatever is there; synthesized `Decodable` calls this.
    public func decode(_ type: Alias.Type, forKey key: Key) throws -> Alias { Alias() }
}

extension KeyedEncodingContainer {
    /// Writes nothing; synthesized `Encodable` calls this.
    public mutating func encode(_ alias: Alias, forKey key: Key) throws {}
}

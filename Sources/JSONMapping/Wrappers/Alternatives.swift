/// Names the other members that can hold a value.
public protocol AlternativeSource {
    /// The type of the property.
    associatedtype Value
    /// The names of the other members, in the order in which they are tried.
    static var names: [String] { get }
}

/// A property that is read from the first of several members that decodes. Its own member comes first. It is written to its own member.
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
/// If `Value` is optional, the property is nil when every member is missing or null. Nil is written as null. That null does not hide a
/// value of another member where both are kept, as in a store of resources.
///
/// Synthesized `Codable` code only finds members that are coding keys. The properties of type `Alias` add these keys. A `MappingField`
/// with several paths does not need them.
@propertyWrapper public struct Alternatives<Source: AlternativeSource> {
    /// The wrapped value.
    public var wrappedValue: Source.Value

    /// Creates a property with the given value.
    public init(wrappedValue: Source.Value) { self.wrappedValue = wrappedValue }
}

/// A placeholder for a member that another property reads. Decoding always succeeds, and encoding writes nothing.
public struct Alias: Codable, Hashable, Sendable {
    /// Creates a placeholder.
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
    /// Reads the first member that decodes. If none does, throws the error of the first one that is neither missing nor null, or else
    /// `DecodingError.keyNotFound`. Synthesized `Decodable` code calls this method.
    public func decode<Source: AlternativeSource>(_ type: Alternatives<Source>.Type, forKey key: Key) throws -> Alternatives<Source>
    where Source.Value: Decodable {
        var failure: (any Error)?
        for key in [key] + Source.names.compactMap({ Key(stringValue: $0) }) {
            do {
                if let value = try decodeIfPresent(Source.Value.self, forKey: key) { return Alternatives(wrappedValue: value) }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        if let absent = Source.Value.self as? any AbsentValue.Type, let value = absent.absent as? Source.Value {
            return Alternatives(wrappedValue: value)
        }
        do {
            // The container makes the error, because it may know the place and the nearest name.
            return Alternatives(wrappedValue: try decode(Source.Value.self, forKey: key))
        } catch DecodingError.keyNotFound(_, let context), DecodingError.valueNotFound(_, let context) {
            throw noneFound(of: Source.self, key, context.underlyingError)
        }
    }

    /// The error for a property whose members are all missing or null.
    private func noneFound<Source: AlternativeSource>(
        of source: Source.Type, _ key: Key, _ underlyingError: (any Error)?
    ) -> DecodingError {
        let names = ([key.stringValue] + Source.names).map { "`\($0)`" }.joined(separator: ", ")
        return .keyNotFound(
            key,
            DecodingError.Context(
                codingPath: codingPath, debugDescription: "Expected \(Source.Value.self) in one of the members \(names), found none.",
                underlyingError: underlyingError))
    }

    /// Returns a placeholder without reading the member. Synthesized `Decodable` code calls this method.
    public func decode(_ type: Alias.Type, forKey key: Key) throws -> Alias { Alias() }
}

extension KeyedEncodingContainer {
    /// Writes nothing. Synthesized `Encodable` code calls this method.
    public mutating func encode(_ alias: Alias, forKey key: Key) throws {}
}

/// An optional type.
private protocol AbsentValue {
    static var absent: Self { get }
}

extension Optional: AbsentValue {
    fileprivate static var absent: Self { nil }
}

/// A value that may be absent, null, or there: for the properties of a patch written by hand.
///
/// ```swift
/// struct ArticleChanges: ResourceFields {
///     static let type = "articles"
///     var title = Field<String>.absent
///     var subtitle = Field<String>.absent
/// }
/// let patch = Patch(id: "1", ArticleChanges(subtitle: .null))     // {"data":{…,"attributes":{"subtitle":null}}}
/// ```
///
/// Absent leaves the member alone, null clears it. Works with `JSONAPIEncoder`, `JSONEncoder`, and the decoders.
///
/// Specification: <https://jsonapi.org/format/1.1/#crud-updating-resource-attributes>
public enum Field<Value: Codable & Sendable>: Sendable {
    case absent
    case null
    case value(Value)

    /// The value; nil when it is absent or null.
    public var value: Value? { if case .value(let value) = self { value } else { nil } }

    /// A value, or null for nil.
    public init(_ value: Value?) { self = value.map(Field.value) ?? .null }
}

extension Field: Equatable where Value: Equatable {}
extension Field: Hashable where Value: Hashable {}

extension Field: Codable {
    /// A value or null; absence is for the container to tell.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
    }

    /// The value or null; an absent field has nothing to write and writes null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .value(let value) = self { try container.encode(value) } else { try container.encodeNil() }
    }
}

// Synthesized `Codable` picks these over the general methods, so that absence survives.

extension KeyedEncodingContainer {
    /// Writes nothing for an absent field.
    public mutating func encode<Value>(_ field: Field<Value>, forKey key: Key) throws {
        switch field {
        case .absent: return
        case .null, .value: try encode(AnyField(field), forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    /// Reads a member that is not there as absent.
    public func decode<Value>(_ type: Field<Value>.Type, forKey key: Key) throws -> Field<Value> {
        guard contains(key) else { return .absent }
        return try decodeNil(forKey: key) ? .null : .value(try decode(Value.self, forKey: key))
    }
}

/// A field that goes through the general method of a container.
struct AnyField<Value: Codable & Sendable>: Encodable {
    let field: Field<Value>
    init(_ field: Field<Value>) { self.field = field }
    func encode(to encoder: any Encoder) throws { try field.encode(to: encoder) }
}

import JSONText

// Parts of a resource object that are no fields. An attribute may be called `meta`, `links` or `lid` just as well, so these
// are claimed by the type of a property, whatever its name.

/// The resource's `meta` object, read into a type of yours.
///
/// ```swift
/// struct Article: Resource {
///     static let type = "articles"
///     var id: String
///     var title: String
///     var revision: ResourceMeta<Revision>?     // nil when the resource has no meta
/// }
/// ```
///
/// Specification: <https://jsonapi.org/format/1.1/#document-meta>
public struct ResourceMeta<Value: Codable & Sendable>: Codable, Sendable {
    /// The meta object as a value.
    public var value: Value

    /// The meta object that this value stands for.
    public init(_ value: Value) { self.value = value }
    /// Reads the value with any decoder.
    public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
    /// Writes the value with any encoder.
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension ResourceMeta: Equatable where Value: Equatable {}
extension ResourceMeta: Hashable where Value: Hashable {}

/// The resource's `links` object. Empty when the resource has none.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-links>
public struct ResourceLinks: Codable, Sendable, Hashable {
    /// The links.
    public var links: Links

    /// These links; none by default.
    public init(_ links: Links = Links(members: JSONObject())) { self.links = links }
    /// Reads the links with any decoder.
    public init(from decoder: any Decoder) throws { links = try Links(from: decoder) }
    /// Writes the links with any encoder.
    public func encode(to encoder: any Encoder) throws { try links.encode(to: encoder) }

    /// The link to the resource itself.
    public var `self`: DocumentLink? { links.`self` }
}

/// The resource's local identity, `lid`: names a resource inside one request before the server has given it an id.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-identification>
public struct LocalID: Codable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The lid as it is on the wire.
    public var value: String

    /// The lid of that text.
    public init(_ value: String) { self.value = value }
    /// The lid of that text.
    public init(stringLiteral value: String) { self.init(value) }
    /// Reads the lid as a string.
    public init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(String.self) }
    /// Writes the lid as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// The first property of this type, a superclass's included; nil when there is none or it is nil.
    init?(ofPropertyIn model: Any) {
        var mirror: Mirror? = Mirror(reflecting: model)
        while let properties = mirror {
            if let found = properties.children.lazy.compactMap({ $0.value as? LocalID }).first {
                self = found
                return
            }
            mirror = properties.superclassMirror
        }
        return nil
    }
}

import JSONText

// Parts of a resource object that are not fields. An attribute may also be called `meta`, `links` or `lid`. The type of a property
// therefore selects these parts, whatever the property's name is.

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

    /// Creates the meta object with the given value.
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

    /// Creates a value with the given links; none by default.
    public init(_ links: Links = Links(members: JSONObject())) { self.links = links }
    /// Reads the links with any decoder.
    public init(from decoder: any Decoder) throws { links = try Links(from: decoder) }
    /// Writes the links with any encoder.
    public func encode(to encoder: any Encoder) throws { try links.encode(to: encoder) }

    /// The link to the resource itself.
    public var `self`: DocumentLink? { links.`self` }
}

/// The resource's local id, `lid`. It names a resource in one request, before the server assigns an id.
///
/// ```swift
/// var lid: LocalID?       // nil in a resource that has an id
/// ```
///
/// A resource object has an id or a lid, so a lid is not written beside an id. Declare the property as an optional: a required one can be
/// read only from resources that have no id yet.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-identification>
public struct LocalID: Codable, Sendable, Hashable, ExpressibleByStringLiteral {
    /// The lid as it appears in a document.
    public var value: String

    /// Creates the lid with the given text.
    public init(_ value: String) { self.value = value }
    /// Creates the lid with the given text.
    public init(stringLiteral value: String) { self.init(value) }
    /// Reads the lid as a string.
    public init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(String.self) }
    /// Writes the lid as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    /// Creates a copy of the first property of this type, also in a property wrapper or in a superclass; nil when there is none, or when it
    /// is nil.
    ///
    /// - Complexity: O(properties); O(1) for a type that is known to have none, because looking at all properties takes longer than writing a
    ///   small model.
    init?(ofPropertyIn model: Any) {
        let properties = sequence(first: Mirror(reflecting: model)) { $0.superclassMirror }.lazy.flatMap(\.children).map(\.value)
        let hasProperty = Self.isProperty.value(for: type(of: model)) { properties.contains { Self.isHeld(in: $0) } }
        guard hasProperty, let found = properties.compactMap({ Self.held(in: $0) }).first else { return nil }
        self = found
    }

    /// Whether a property is of this type, or an optional or a property wrapper of it.
    private static func isHeld(in property: Any) -> Bool { PropertyRole.marker(Swift.type(of: property)) == memberName }

    private static func held(in property: Any) -> LocalID? {
        if let value = property as? LocalID { return value }
        return isHeld(in: property) ? Mirror(reflecting: property).children.lazy.compactMap { held(in: $0.value) }.first : nil
    }

    /// Whether a model has a property of this type.
    private static let isProperty = TypeMemory<Bool>()
}

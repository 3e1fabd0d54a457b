import JSONText

/// A model that a JSON:API resource object is read into.
///
/// ```swift
/// struct Article: Resource {
///     static let type = "articles"
///     var id: String
///     var title: String               // an attribute
///     var author: ToOne<Person>       // a relationship, kept as a reference
///     var comments: [Comment]         // a relationship, embedded by value
/// }
/// ```
///
/// Synthesized `Codable` is all it needs. The specification gives `type`, `id`, attributes and relationships one namespace, so
/// the decoder shows a resource object as one flat container; the type of a property says where it is looked for:
///
/// - a `Resource` or `ResourceUnion`, optional or in an array, `ToOne`, `ToMany`, `RelationshipObject`, `ResourceIdentifier`:
///   in the relationships;
/// - `ResourceMeta`, `ResourceLinks`, `LocalID`: in the resource object itself;
/// - everything else: in the attributes. `id` is the identity, and a property `type: String` is the resource's type.
///
/// A coding key with a dot in it is a path: `case kind = "attributes.type"`, `case city = "attributes.address.city"`,
/// `case authorLinks = "relationships.author.links"`. An attribute whose exact name has that dot wins.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-objects>
public protocol Resource: ResourceRepresentable, PrimaryElement, Identifiable where ID: ResourceID {
    /// The `type` member of its resource objects.
    static var type: String { get }
}

/// Whatever can stand for a resource: a `Resource`, a `ResourceUnion` of several, or the raw `ResourceObject`.
///
/// Do not conform to this; conform to `Resource` or `ResourceUnion`.
public protocol ResourceRepresentable: Codable, Sendable {
    /// The type and id that this value has on the wire, or its type and lid; nil while it has neither.
    var identifier: ResourceIdentifier? { get }
}

extension Resource {
    /// The type with the id; for a resource without one, with the value of a property of type `LocalID`.
    ///
    /// - Complexity: O(1), or O(properties) without an id.
    @inlinable
    public var identifier: ResourceIdentifier? {
        // A subclass may have a type of its own.
        let type = Swift.type(of: self).type
        if let id = id.wireText { return ResourceIdentifier(type: type, id: id) }
        return localID.map { ResourceIdentifier(type: type, lid: $0.value) }
    }

    /// The property of type `LocalID`, whatever its name.
    @usableFromInline
    var localID: LocalID? { LocalID(ofPropertyIn: self) }

    /// Whether both stand for the same resource: same type and same id, whatever their other properties.
    public func isSameResource(as other: some ResourceRepresentable) -> Bool {
        guard let mine = identifier, let theirs = other.identifier else { return false }
        return mine.isSameResource(as: theirs)
    }
}

extension ResourceObject: ResourceRepresentable {}

/// A resource that is read and written by hand-written code without `Codable`, for types that come by the thousand.
///
/// ```swift
/// extension Tag: DirectResource {
///     init(resource: ResourceView) throws {
///         id = try resource.id()
///         name = try resource.attribute("name")
///         color = try resource.attributeIfPresent("color")
///     }
///
///     func write(to resource: ResourceWriter) throws {
///         try resource.attribute("name", name)
///         try resource.attribute("color", color)
///     }
/// }
/// ```
///
/// Keys, semantics and errors are those of the Codable way; reading costs about a third less. Without a `write(to:)` of its own
/// a resource is written by its `encode(to:)`.
public protocol DirectResource: Resource {
    /// Reads one resource object. Throws `DecodingError` as `init(from:)` would.
    init(resource: ResourceView) throws

    /// Writes attributes and relationships; type and id are written already. Throws `EncodingError` as `encode(to:)` would.
    func write(to resource: ResourceWriter) throws
}

extension DirectResource {
    /// Writes the properties as `encode(to:)` does.
    public func write(to resource: ResourceWriter) throws { try resource.writeCodable(self) }
}

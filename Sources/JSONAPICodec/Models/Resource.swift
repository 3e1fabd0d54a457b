import JSONText

/// A model for a JSON:API resource object.
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
/// Synthesized `Codable` is all it needs. In the specification, `type`, `id`, attributes and relationships share one namespace. The decoder
/// therefore presents a resource object as one flat container. The type of a property decides where its value is looked up:
///
/// - a `Resource` or `ResourceUnion`, optional or in an array, `ToOne`, `ToMany`, `RelationshipObject`, `ResourceIdentifier`:
///   in the relationships;
/// - `ResourceMeta`, `ResourceLinks`, `LocalID`: in the resource object itself;
/// - every other type: in the attributes. `id` is the resource's id, and a property `type: String` is its type.
///
/// A coding key with a dot is a path: `case kind = "attributes.type"`, `case city = "attributes.address.city"`, `case authorLinks =
/// "relationships.author.links"`. An attribute whose name is exactly that text takes precedence, except in a request (`source` of the
/// decoder). Attributes called `type` and `id` are not valid in JSON:API 1.1: to write them, set `checksNames` of the encoder to false.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-objects>
public protocol Resource: ResourceRepresentable, PrimaryElement, Identifiable where ID: ResourceID {
    /// The `type` member of its resource objects.
    static var type: String { get }
}

/// A value that stands for a resource: a `Resource`, a `ResourceUnion` of several, or the raw `ResourceObject`.
///
/// Do not conform to this; conform to `Resource` or `ResourceUnion`.
public protocol ResourceRepresentable: Codable, Sendable {
    /// The resource's type and id, or its type and lid; nil when it has neither id nor lid.
    var identifier: ResourceIdentifier? { get }
}

extension Resource {
    /// The type and the id. For a resource without an id: the type and the value of a property of type `LocalID`.
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

    /// Whether both have the same type and the same id, whatever their other properties are.
    public func isSameResource(as other: some ResourceRepresentable) -> Bool {
        guard let mine = identifier, let theirs = other.identifier else { return false }
        return mine.isSameResource(as: theirs)
    }
}

extension ResourceObject: ResourceRepresentable {}

/// A resource with hand-written code instead of `Codable`, for models that you read in large numbers.
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
/// Keys, semantics and errors are the same as with `Codable`, but reading is faster. A resource without a `write(to:)` of its own is
/// written by its `encode(to:)`.
///
/// To find misspelled names in patches, fieldsets and include paths, encoders also run `init(from:)` with placeholders, and `write(to:)`. A
/// name that is not written for them is an error only if it is similar to one that is.
public protocol DirectResource: Resource {
    /// Creates a value from one resource object. Throws `DecodingError` when `init(from:)` would.
    init(resource: ResourceView) throws

    /// Writes the attributes and relationships. The type and the id are already written. Throws `EncodingError` when `encode(to:)` would.
    func write(to resource: ResourceWriter) throws
}

extension DirectResource {
    /// Writes the properties as `encode(to:)` does. Throws as it does.
    public func write(to resource: ResourceWriter) throws { try encode(to: ResourceEncoder(resource.session, resource.serial)) }
}

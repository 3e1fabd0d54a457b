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

    // Generic code that does not know a type copies a value to call a method of it, which is a call for each property. These
    // take the address of one instead; the program's compiler makes them for each of its types.

    /// Implemented by this library: the identifier of a value in memory.
    static func _identifier(of value: UnsafeRawPointer) -> ResourceIdentifier?
    /// Implemented by this library: what stands in memory for the type and the id of a value in memory, two words each; zeroes
    /// where there is no id or anything beside it.
    static func _identityBits(of value: UnsafeRawPointer) -> (UInt64, UInt64, UInt64, UInt64)
    /// Implemented by this library: `encode(to:)` of a value in memory.
    static func _encode(_ value: UnsafeRawPointer, to encoder: any Encoder) throws
    /// Implemented by this library: where the elements of an `[Self]` in memory are. They stay there as long as a copy of that array
    /// lives.
    static func _elements(of array: UnsafeMutableRawPointer) -> (start: UnsafeRawPointer?, count: Int)
}

extension ResourceRepresentable {
    @inlinable
    public static func _identifier(of value: UnsafeRawPointer) -> ResourceIdentifier? {
        Lending.lend(value, as: Self.self) { $0.identifier }
    }

    @inlinable
    public static func _identityBits(of value: UnsafeRawPointer) -> (UInt64, UInt64, UInt64, UInt64) {
        Lending.lend(value, as: Self.self) { $0.identifier?.bits ?? (0, 0, 0, 0) }
    }

    @inlinable
    public static func _encode(_ value: UnsafeRawPointer, to encoder: any Encoder) throws {
        try Lending.lend(value, as: Self.self) { try $0.encode(to: encoder) }
    }

    @inlinable
    public static func _elements(of array: UnsafeMutableRawPointer) -> (start: UnsafeRawPointer?, count: Int) {
        let array = array.assumingMemoryBound(to: [Self].self)
        // Objects may stand in an array of another language, which has no memory that stays where it is.
        if Self.self is AnyObject.Type { array.pointee = Array(ContiguousArray(array.pointee)) }
        return array.pointee.withUnsafeBufferPointer { ($0.baseAddress.map { UnsafeRawPointer($0) }, $0.count) }
    }
}

extension Resource {
    /// The type with the id; for a resource without one, with the value of a property of type `LocalID`.
    ///
    /// - Complexity: O(1), or O(properties) without an id.
    @inlinable
    public var identifier: ResourceIdentifier? {
        if let id = id.wireText { return ResourceIdentifier(type: Self.type, id: id) }
        return localID.map { ResourceIdentifier(type: Self.type, lid: $0.value) }
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

    /// Implemented by this library: `write(to:)` of a value in memory.
    static func _write(_ value: UnsafeRawPointer, to resource: ResourceWriter) throws
}

extension DirectResource {
    @inlinable
    public static func _write(_ value: UnsafeRawPointer, to resource: ResourceWriter) throws {
        try Lending.lend(value, as: Self.self) { try $0.write(to: resource) }
    }

    /// Writes the properties as `encode(to:)` does.
    public func write(to resource: ResourceWriter) throws { try resource.writeCodable(self) }
}

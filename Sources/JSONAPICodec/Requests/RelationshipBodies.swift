import JSONText

// Bodies for the address of a relationship itself. The method of the request says what is done: PATCH replaces, POST adds,
// DELETE removes.
//
// Specification: <https://jsonapi.org/format/1.1/#crud-updating-relationships>

extension Linkage {
    /// PATCH: a to-one relationship is to lead to that resource, or to nothing for nil.
    public init(replacing identifier: ResourceIdentifier?) { self = identifier.map(Linkage.one) ?? .null }

    /// PATCH: a to-many relationship is to lead to exactly these resources.
    public init(replacing identifiers: [ResourceIdentifier]) { self = .many(identifiers) }

    /// POST: a to-many relationship is to lead to these resources as well.
    public init(adding identifiers: [ResourceIdentifier]) { self = .many(identifiers) }

    /// DELETE: a to-many relationship is no longer to lead to these resources.
    public init(removing identifiers: [ResourceIdentifier]) { self = .many(identifiers) }

    /// PATCH, for typed ids.
    public init<Target: Resource>(replacing ids: [Identifier<Target>]) { self = .many(ids.map(\.resource)) }

    /// POST, for typed ids.
    public init<Target: Resource>(adding ids: [Identifier<Target>]) { self = .many(ids.map(\.resource)) }

    /// DELETE, for typed ids.
    public init<Target: Resource>(removing ids: [Identifier<Target>]) { self = .many(ids.map(\.resource)) }
}

extension Identifier where Owner: Resource {
    /// The resource identifier object: the owner's type with this id.
    public var resource: ResourceIdentifier { ResourceIdentifier(type: Owner.type, id: rawValue) }
}

extension Linkage: DocumentBody {
    public var _kind: DocumentKind { .relationship }

    /// Writes `data`: of each identifier type, id, lid and meta, even where a server sent whole resources. Throws when the linkage is absent or an identifier has neither id nor lid.
    public func _write(_ target: DocumentTarget) throws {
        target.session.resource.place = ObjectPlace(.data)
        target.session.isRequest = true
        target.session.output.name("data")
        try target.session.write(self, into: target.session.output, at: [])
    }
}

/// The body of a request that deletes several resources, for servers with an endpoint for it. To delete one resource takes no
/// body.
///
/// ```swift
/// try encoder.encode(Delete([ResourceIdentifier(type: "articles", id: "1"), ResourceIdentifier(type: "articles", id: "2")]))
/// ```
public struct Delete: DocumentBody, Hashable {
    /// The resources to delete.
    public var identifiers: [ResourceIdentifier]

    /// A body that names these resources.
    public init(_ identifiers: [ResourceIdentifier]) { self.identifiers = identifiers }

    public var _kind: DocumentKind { .relationship }

    public func _write(_ target: DocumentTarget) throws { try Linkage.many(identifiers)._write(target) }
}

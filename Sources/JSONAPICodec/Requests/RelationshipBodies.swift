import JSONText

// Bodies for the address of a relationship itself. The method of the request decides what happens: PATCH replaces, POST adds, DELETE
// removes.
//
// Specification: <https://jsonapi.org/format/1.1/#crud-updating-relationships>

extension Linkage {
    /// Creates the body of a PATCH that sets a to-one relationship; nil makes it empty.
    public init(replacing identifier: ResourceIdentifier?) { self = identifier.map(Linkage.one) ?? .null }

    /// Creates the body of a PATCH that sets a to-many relationship to exactly the given resources.
    public init(replacing identifiers: [ResourceIdentifier]) { self = .many(identifiers) }

    /// Creates the body of a POST that adds resources to a to-many relationship.
    public init(adding identifiers: [ResourceIdentifier]) { self = .many(identifiers) }

    /// Creates the body of a DELETE that removes resources from a to-many relationship.
    public init(removing identifiers: [ResourceIdentifier]) { self = .many(identifiers) }

    /// Creates the body of a PATCH from typed ids.
    public init<Target: Resource>(replacing ids: [Identifier<Target>]) { self = .many(ids.map(\.resource)) }

    /// Creates the body of a POST from typed ids.
    public init<Target: Resource>(adding ids: [Identifier<Target>]) { self = .many(ids.map(\.resource)) }

    /// Creates the body of a DELETE from typed ids.
    public init<Target: Resource>(removing ids: [Identifier<Target>]) { self = .many(ids.map(\.resource)) }
}

extension Identifier where Owner: Resource {
    /// The resource identifier object: the owner's type with this id.
    public var resource: ResourceIdentifier { ResourceIdentifier(type: Owner.type, id: rawValue) }
}

extension Linkage: DocumentBody {
    public var _kind: DocumentKind { .relationship }

    /// Writes `data`. Each identifier has only type, id, lid and meta, and members of extensions, whatever else a server sent. Throws when
    /// the linkage is absent, and when an identifier has neither id nor lid.
    public func _write(_ target: DocumentTarget) throws {
        target.session.resource.place = ObjectPlace("data")
        target.session.isRequest = true
        target.session.output.name("data")
        try target.session.write(self, into: target.session.output, at: [])
    }
}

/// The body of a request that deletes several resources, for servers that have an endpoint for it. A request that deletes one resource has
/// no body.
///
/// ```swift
/// try encoder.encode(Delete([ResourceIdentifier(type: "articles", id: "1"), ResourceIdentifier(type: "articles", id: "2")]))
/// ```
public struct Delete: DocumentBody, Hashable {
    /// The resources to delete.
    public var identifiers: [ResourceIdentifier]

    /// Creates a body with the given resources.
    public init(_ identifiers: [ResourceIdentifier]) { self.identifiers = identifiers }

    public var _kind: DocumentKind { .relationship }

    public func _write(_ target: DocumentTarget) throws { try Linkage.many(identifiers)._write(target) }
}

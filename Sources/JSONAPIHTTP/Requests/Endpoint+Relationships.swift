import JSONAPICodec
import JSONAPIRules

// Requests about what a resource is related to. Relationships are given by their names in the document.

extension Endpoint {
    /// GET: the resources that a relationship leads to: `[Comment].self` for to-many, `Person?.self` for to-one, which may be empty.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-resources>
    public func related<Primary: PrimaryValue>(
        _ relationship: String, of id: Model.ID, as type: Primary.Type, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Primary>> {
        try fetch(addresses.address(relatedTo: identifier(id), by: checked(relationship)), query)
    }

    /// GET: what a to-many relationship links to.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-relationships>
    public func identifiers(
        _ relationship: String, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[ResourceIdentifier]>> {
        try fetch(address(of: relationship, id), query)
    }

    /// GET: what a to-one relationship links to; nil for nothing.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-relationships>
    public func identifier(
        _ relationship: String, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<ResourceIdentifier?>> {
        try fetch(address(of: relationship, id), query)
    }

    /// POST: links a to-many relationship to more resources; what it links to already stays linked once.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    public func add(
        _ identifiers: [ResourceIdentifier], to relationship: String, of id: Model.ID
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try change(.post, address(of: relationship, id), Linkage(adding: identifiers), Query())
    }

    /// DELETE, with a body: drops links of a to-many relationship.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    public func remove(
        _ identifiers: [ResourceIdentifier], from relationship: String, of id: Model.ID
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try change(.delete, address(of: relationship, id), Linkage(removing: identifiers), Query())
    }

    /// PATCH: replaces all that a to-many relationship links to; a server may refuse that with 403.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    public func replace(
        _ relationship: String, of id: Model.ID, with identifiers: [ResourceIdentifier]
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try change(.patch, address(of: relationship, id), Linkage(replacing: identifiers), Query())
    }

    /// PATCH: links a to-one relationship to a resource, or to nothing for nil.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-one-relationships>
    public func replace(
        _ relationship: String, of id: Model.ID, with identifier: ResourceIdentifier?
    ) throws -> JSONAPIRequest<ChangeAnswer<ResourceIdentifier?>> {
        try change(.patch, address(of: relationship, id), Linkage(replacing: identifier), Query())
    }

    private func address(of relationship: String, _ id: Model.ID) throws -> String {
        try addresses.address(ofRelationship: checked(relationship), of: identifier(id))
    }

    /// Throws for a name that no relationship has.
    private func checked(_ relationship: String) throws -> String {
        guard case .legal = MemberName(relationship) else { throw RequestFailure(.illegalName, relationship) }
        return relationship
    }
}

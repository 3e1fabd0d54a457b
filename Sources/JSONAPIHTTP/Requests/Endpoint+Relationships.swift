import JSONAPICodec
import JSONAPIRules

// Requests for the relationships of a resource. Relationships are given by their names in the document. They are not checked against the
// model, which may lack a relationship that the server has. Functions with key paths are. If the server has chosen a name that no
// relationship can have, set `checksNames` of the encoder to false.

extension Endpoint {
    /// GET: returns a request for the resources of a relationship. Pass `[Comment].self` for to-many, and `Person?.self` for to-one, which
    /// may be empty. Throws `RequestFailure` for an id that is nil, empty, `.` or `..`, and for a name that no relationship can have.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-resources>
    public func related<Primary: PrimaryValue>(
        _ relationship: String, of id: Model.ID, as type: Primary.Type, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Primary>> {
        try fetch(addresses.address(relatedTo: identifier(id), by: checked(relationship)), query)
    }

    /// GET: returns a request for the linkage of a to-many relationship. Throws as `related` does.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-relationships>
    public func identifiers(
        _ relationship: String, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[ResourceIdentifier]>> {
        try fetch(address(of: relationship, id), query)
    }

    /// GET: returns a request for the linkage of a to-one relationship, which is nil when it is empty. Throws as `related` does.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-relationships>
    public func identifier(
        _ relationship: String, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<ResourceIdentifier?>> {
        try fetch(address(of: relationship, id), query)
    }

    /// POST: returns a request that adds resources to a to-many relationship. Resources that it already contains are not repeated.
    ///
    /// The name is not checked against the model, which may lack the relationship. If the model has it, use its key path, which the compiler
    /// checks: `add([tag], to: \.tags, of: "1")`.
    ///
    /// Throws `RequestFailure` for an id that is nil, empty, `.` or `..`, and for a name that no relationship can have; `EncodingError` for
    /// identifiers that are not valid.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    public func add(
        _ identifiers: [ResourceIdentifier], to relationship: String, of id: Model.ID
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try change(.post, address(of: relationship, id), Linkage(adding: identifiers), Query())
    }

    /// DELETE with a body: returns a request that removes resources from a to-many relationship. Throws as `add` does.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    public func remove(
        _ identifiers: [ResourceIdentifier], from relationship: String, of id: Model.ID
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try change(.delete, address(of: relationship, id), Linkage(removing: identifiers), Query())
    }

    /// PATCH: returns a request that replaces the whole linkage of a to-many relationship. A server may refuse it with status 403. Throws
    /// as `add` does.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    public func replace(
        _ relationship: String, of id: Model.ID, with identifiers: [ResourceIdentifier]
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try change(.patch, address(of: relationship, id), Linkage(replacing: identifiers), Query())
    }

    /// PATCH: returns a request that sets a to-one relationship; nil makes it empty. Throws as `add` does.
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

    /// Throws when a relationship cannot have the name, unless the encoder does not check names.
    private func checked(_ relationship: String) throws -> String {
        guard !encoder.checksNames || MemberName.isLegal(relationship) else { throw RequestFailure(.illegalName, relationship) }
        return relationship
    }
}

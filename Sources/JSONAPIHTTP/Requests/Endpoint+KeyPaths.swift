import JSONAPICodec

// The requests for relationships, with key paths to the properties of the model.

extension Endpoint {
    /// GET: returns a request for the resources of a to-many relationship.
    ///
    /// ```swift
    /// let comments = try articles.related(\.comments, of: "1")        // JSONAPIRequest<Document<[Comment]>>
    /// ```
    ///
    /// Throws `RequestFailure` for an id that is nil, empty, `.` or `..`, and `EncodingError` when the coding key of the property cannot be
    /// found, and when the property is not a relationship.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-resources>
    public func related<Target: PrimaryElement>(
        _ relationship: KeyPath<Model, ToMany<Target>>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[Target]>> {
        try related(name(of: relationship), of: id, as: [Target].self, query)
    }

    /// GET: returns a request for the resource of a to-one relationship, if there is one. Throws like the function above.
    public func related<Target: PrimaryElement>(
        _ relationship: KeyPath<Model, ToOne<Target>>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Target?>> {
        try related(name(of: relationship), of: id, as: Target?.self, query)
    }

    /// GET: returns a request for the resources of an embedded to-many relationship. Throws like the function above.
    public func related<Target: PrimaryElement>(
        _ relationship: KeyPath<Model, [Target]>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[Target]>> {
        try related(name(of: relationship), of: id, as: [Target].self, query)
    }

    /// GET: returns a request for the resources of an embedded to-many relationship. Throws like the function above.
    public func related<Target: PrimaryElement>(
        _ relationship: KeyPath<Model, [Target]?>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[Target]>> {
        try related(name(of: relationship), of: id, as: [Target].self, query)
    }

    /// GET: returns a request for the resource of an embedded to-one relationship, if there is one. Throws like the function above.
    public func related<Target: Resource>(
        _ relationship: KeyPath<Model, Target?>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Target?>> {
        try related(name(of: relationship), of: id, as: Target?.self, query)
    }

    /// GET: returns a request for the resource of an embedded to-one relationship, if there is one. Throws like the function above.
    public func related<Target: Resource>(
        _ relationship: KeyPath<Model, Target>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Target?>> {
        try related(name(of: relationship), of: id, as: Target?.self, query)
    }

    /// GET: returns a request for the linkage of a to-many relationship. Throws like the function above.
    public func identifiers(
        _ relationship: PartialKeyPath<Model>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[ResourceIdentifier]>> {
        try identifiers(name(of: relationship), of: id, query)
    }

    /// GET: returns a request for the linkage of a to-one relationship, which is nil when it is empty. Throws like the function above.
    public func identifier(
        _ relationship: PartialKeyPath<Model>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<ResourceIdentifier?>> {
        try identifier(name(of: relationship), of: id, query)
    }

    /// POST: returns a request that adds resources to a to-many relationship. Throws like the function above.
    public func add(
        _ identifiers: [ResourceIdentifier], to relationship: PartialKeyPath<Model>, of id: Model.ID
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try add(identifiers, to: name(of: relationship), of: id)
    }

    /// DELETE: returns a request that removes resources from a to-many relationship. Throws like the function above.
    public func remove(
        _ identifiers: [ResourceIdentifier], from relationship: PartialKeyPath<Model>, of id: Model.ID
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try remove(identifiers, from: name(of: relationship), of: id)
    }

    /// PATCH: returns a request that replaces the whole linkage of a to-many relationship. Throws like the function above.
    public func replace(
        _ relationship: PartialKeyPath<Model>, of id: Model.ID, with identifiers: [ResourceIdentifier]
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try replace(name(of: relationship), of: id, with: identifiers)
    }

    /// PATCH: returns a request that sets a to-one relationship; nil makes it empty. Throws like the function above.
    public func replace(
        _ relationship: PartialKeyPath<Model>, of id: Model.ID, with identifier: ResourceIdentifier?
    ) throws -> JSONAPIRequest<ChangeAnswer<ResourceIdentifier?>> {
        try replace(name(of: relationship), of: id, with: identifier)
    }

    private func name(of relationship: PartialKeyPath<Model>) throws -> String {
        try Model.memberName(of: relationship, decoder.keyStrategy, decoder.schemas, isRelationship: true)
    }
}

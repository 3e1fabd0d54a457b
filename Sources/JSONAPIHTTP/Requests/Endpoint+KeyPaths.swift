import JSONAPICodec

// The requests about relationships, by the properties of the model.

extension Endpoint {
    /// GET: the resources that a to-many relationship leads to.
    ///
    /// ```swift
    /// let comments = try articles.related(\.comments, of: "1")        // JSONAPIRequest<Document<[Comment]>>
    /// ```
    ///
    /// Throws as the function that takes a name, and `EncodingError` where the coding key of the property cannot be found.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-resources>
    public func related<Target: PrimaryElement>(
        _ relationship: KeyPath<Model, ToMany<Target>>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[Target]>> {
        try related(name(of: relationship), of: id, as: [Target].self, query)
    }

    /// GET: the resource that a to-one relationship leads to, if any. Throws as above.
    public func related<Target: PrimaryElement>(
        _ relationship: KeyPath<Model, ToOne<Target>>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Target?>> {
        try related(name(of: relationship), of: id, as: Target?.self, query)
    }

    /// GET: the resources of an embedded to-many relationship. Throws as above.
    public func related<Target: PrimaryElement>(
        _ relationship: KeyPath<Model, [Target]>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[Target]>> {
        try related(name(of: relationship), of: id, as: [Target].self, query)
    }

    /// GET: the resources of an embedded to-many relationship. Throws as above.
    public func related<Target: PrimaryElement>(
        _ relationship: KeyPath<Model, [Target]?>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[Target]>> {
        try related(name(of: relationship), of: id, as: [Target].self, query)
    }

    /// GET: the resource of an embedded to-one relationship, if any. Throws as above.
    public func related<Target: Resource>(
        _ relationship: KeyPath<Model, Target?>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Target?>> {
        try related(name(of: relationship), of: id, as: Target?.self, query)
    }

    /// GET: the resource of an embedded to-one relationship, if any. Throws as above.
    public func related<Target: Resource>(
        _ relationship: KeyPath<Model, Target>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Target?>> {
        try related(name(of: relationship), of: id, as: Target?.self, query)
    }

    /// GET: what a to-many relationship links to. Throws as above.
    public func identifiers(
        _ relationship: PartialKeyPath<Model>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[ResourceIdentifier]>> {
        try identifiers(name(of: relationship), of: id, query)
    }

    /// GET: what a to-one relationship links to; nil for nothing. Throws as above.
    public func identifier(
        _ relationship: PartialKeyPath<Model>, of id: Model.ID, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<ResourceIdentifier?>> {
        try identifier(name(of: relationship), of: id, query)
    }

    /// POST: links a to-many relationship to more resources. Throws as above.
    public func add(
        _ identifiers: [ResourceIdentifier], to relationship: PartialKeyPath<Model>, of id: Model.ID
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try add(identifiers, to: name(of: relationship), of: id)
    }

    /// DELETE: drops links of a to-many relationship. Throws as above.
    public func remove(
        _ identifiers: [ResourceIdentifier], from relationship: PartialKeyPath<Model>, of id: Model.ID
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try remove(identifiers, from: name(of: relationship), of: id)
    }

    /// PATCH: replaces all that a to-many relationship links to. Throws as above.
    public func replace(
        _ relationship: PartialKeyPath<Model>, of id: Model.ID, with identifiers: [ResourceIdentifier]
    ) throws -> JSONAPIRequest<ChangeAnswer<[ResourceIdentifier]>> {
        try replace(name(of: relationship), of: id, with: identifiers)
    }

    /// PATCH: links a to-one relationship to a resource, or to nothing for nil. Throws as above.
    public func replace(
        _ relationship: PartialKeyPath<Model>, of id: Model.ID, with identifier: ResourceIdentifier?
    ) throws -> JSONAPIRequest<ChangeAnswer<ResourceIdentifier?>> {
        try replace(name(of: relationship), of: id, with: identifier)
    }

    private func name(of relationship: PartialKeyPath<Model>) throws -> String {
        try Model.memberName(of: relationship, decoder.keyStrategy)
    }
}

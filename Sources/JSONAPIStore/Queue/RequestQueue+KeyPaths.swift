public import JSONAPIArchive
public import JSONAPICodec

// The changes of relationships, with key paths to the properties of a model.

extension RequestQueue {
    /// Adds resources to a to-many relationship of a model.
    ///
    /// ```swift
    /// try queue.add([tag], to: \Article.tags, of: article)        // article is a ResourceIdentifier, which can have a lid
    /// ```
    ///
    /// The key strategy and the schemas of the store's encoder make the name. Throws what the function with a name throws, and
    /// `EncodingError` if the coding key of the property cannot be found, or if the property is not a relationship.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating-to-many-relationships>
    @discardableResult
    public func add<Model: Resource>(
        _ identifiers: [ResourceIdentifier], to relationship: PartialKeyPath<Model>, of resource: ResourceIdentifier,
        entityTag: String? = nil
    ) throws -> QueuedRequest {
        try add(identifiers, to: name(of: relationship), of: resource, entityTag: entityTag)
    }

    /// Removes resources from a to-many relationship of a model. Throws like the function above.
    @discardableResult
    public func remove<Model: Resource>(
        _ identifiers: [ResourceIdentifier], from relationship: PartialKeyPath<Model>, of resource: ResourceIdentifier,
        entityTag: String? = nil
    ) throws -> QueuedRequest {
        try remove(identifiers, from: name(of: relationship), of: resource, entityTag: entityTag)
    }

    /// Replaces the linkage of a relationship of a model with `.one`, `.null` or `.many`. Throws like the function above.
    @discardableResult
    public func replace<Model: Resource>(
        _ relationship: PartialKeyPath<Model>, of resource: ResourceIdentifier, with linkage: Linkage, entityTag: String? = nil
    ) throws -> QueuedRequest {
        try replace(name(of: relationship), of: resource, with: linkage, entityTag: entityTag)
    }

    private func name<Model: Resource>(of relationship: PartialKeyPath<Model>) throws -> String {
        try Model.memberName(of: relationship, store.encoder.keyStrategy, store.encoder.schemas, isRelationship: true)
    }
}

import JSONAPICodec

extension AddressTemplates {
    /// The link `self` of a resource; nil for one without an id, or with an id that no address can have.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-links>
    public func links(of resource: ResourceIdentifier) -> Links? {
        (try? address(of: resource)).map { ["self": .text($0)] }
    }

    /// The links `self` and `related` of a relationship; nil as above.
    ///
    /// ```swift
    /// article.author.links = templates.links(ofRelationship: "author", of: ResourceIdentifier(type: "articles", id: "1"))
    /// ```
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships-relationship-object>
    public func links(ofRelationship relationship: String, of resource: ResourceIdentifier) -> Links? {
        guard let own = try? address(ofRelationship: relationship, of: resource),
            let related = try? address(relatedTo: resource, by: relationship)
        else { return nil }
        return ["self": .text(own), "related": .text(related)]
    }

    /// Makes these links for resources of every type, as `JSONAPIEncoder.linkMaker`: for templates with `{type}` in them.
    public var linkMaker: @Sendable (_ resource: ResourceIdentifier, _ relationship: String?) -> Links? {
        { resource, relationship in
            relationship.map { links(ofRelationship: $0, of: resource) } ?? links(of: resource)
        }
    }

    /// Makes the links of each type by templates of its own; a type without any gets none.
    ///
    /// ```swift
    /// encoder.linkMaker = AddressTemplates.linkMaker(["articles": AddressTemplates(collection: "/articles")])
    /// ```
    public static func linkMaker(
        _ templates: [String: AddressTemplates]
    ) -> @Sendable (_ resource: ResourceIdentifier, _ relationship: String?) -> Links? {
        { resource, relationship in templates[resource.type].flatMap { $0.linkMaker(resource, relationship) } }
    }
}

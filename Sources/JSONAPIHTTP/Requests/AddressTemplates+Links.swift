import JSONAPICodec

extension AddressTemplates {
    /// Returns the link `self` of a resource; nil when it has no id, or an id that cannot be part of an address. Also nil when the template
    /// is wrong; see `linkMaker`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-links>
    public func links(of resource: ResourceIdentifier) -> Links? {
        (try? address(of: resource)).map { ["self": .text($0)] }
    }

    /// Returns the links `self` and `related` of a relationship; nil when the resource has no id, or an id that cannot be part of an
    /// address. Also nil when one of the two templates is wrong; see `linkMaker`.
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

    /// A closure for `JSONAPIEncoder.linkMaker` that creates these links for resources of every type. Use it for templates with `{type}`.
    ///
    /// The closure cannot throw. A wrong template therefore makes no links: one with an open brace, with another variable than `{type}`,
    /// `{id}` and `{relationship}`, or with `{relationship}` in the address of a resource. To find such a template, call `address(of:)`,
    /// `address(relatedTo:by:)` and `address(ofRelationship:of:)` once, for example in a test. They throw `RequestFailure`.
    public var linkMaker: @Sendable (_ resource: ResourceIdentifier, _ relationship: String?) -> Links? {
        { resource, relationship in
            relationship.map { links(ofRelationship: $0, of: resource) } ?? links(of: resource)
        }
    }

    /// Returns a closure for `JSONAPIEncoder.linkMaker` with separate templates for each type. A type without templates has no links.
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

import Foundation
import JSONAPICodec

// Requests along the links of a document.

extension Endpoint {
    /// GET: the document that a link leads to.
    ///
    /// ```swift
    /// let next = try articles.follow(document.links.next, as: [Article].self)
    /// ```
    ///
    /// A relative link is resolved against `base`, the address of the document that has it; by default against that of the collection.
    /// The parameters of `query` are added to those of the link. Throws `RequestFailure` when there is no link, and for one that leads to
    /// another scheme, host or port than the collection's, or holds credentials, unless `links` allows it.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-links>
    public func follow<Primary: PrimaryValue>(
        _ link: DocumentLink?, as type: Primary.Type, from base: URL? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Primary>> {
        fetch(query.appending(to: try target(link, "self", from: base)), query)
    }

    /// GET: the resources that a to-many relationship leads to, along its link `related`.
    ///
    /// ```swift
    /// let comments = try articles.related(article.comments)       // JSONAPIRequest<Document<[Comment]>>
    /// ```
    ///
    /// Throws as `follow` does.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-related-resource-links>
    public func related<Target: PrimaryElement>(
        _ relationship: ToMany<Target>, from base: URL? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[Target]>> {
        fetch(query.appending(to: try target(relationship.links?.related, "related", from: base)), query)
    }

    /// GET: the resource that a to-one relationship leads to, if any, along its link `related`. Throws as `follow` does.
    public func related<Target: PrimaryElement>(
        _ relationship: ToOne<Target>, from base: URL? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Target?>> {
        fetch(query.appending(to: try target(relationship.links?.related, "related", from: base)), query)
    }

    /// GET: what a to-many relationship links to, along its link `self`. Throws as `follow` does.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-relationships>
    public func identifiers<Target: ResourceRepresentable>(
        _ relationship: ToMany<Target>, from base: URL? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[ResourceIdentifier]>> {
        fetch(query.appending(to: try target(relationship.links?.`self`, "self", from: base)), query)
    }

    /// Where a link leads, when it is followed.
    private func target(_ link: DocumentLink?, _ name: String, from base: URL?) throws -> URL {
        guard let link, let href = link.href else { throw RequestFailure(.missingLink, name) }
        let start = try url(addresses.address(ofCollection: Model.type), Query())
        guard let target = link.url(relativeTo: base ?? start) else { throw RequestFailure(.invalidAddress, href) }
        guard let followed = links.target(target, from: start) else { throw RequestFailure(.foreignLink, Origin.text(of: target)) }
        return followed
    }
}

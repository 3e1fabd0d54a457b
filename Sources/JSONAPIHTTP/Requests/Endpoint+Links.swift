import Foundation
import JSONAPICodec

// Requests for the links of a document.

extension Endpoint {
    /// GET: returns a request for the document at a link.
    ///
    /// ```swift
    /// let next = try articles.follow(document.links.next, as: [Article].self)
    /// ```
    ///
    /// A relative link is resolved against `base`, the address of the document that contains it. By default that is the collection's
    /// address. The parameters of `query` are added to those of the link.
    ///
    /// Throws `RequestFailure` when there is no link, or when it is null or empty. Also throws it when the scheme, host or port of the link
    /// differ from the collection's, or when the link has credentials other than those of the collection's address, unless `links` allows
    /// that.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-links>
    public func follow<Primary: PrimaryValue>(
        _ link: DocumentLink?, as type: Primary.Type, from base: URL? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Primary>> {
        fetch(query.appending(to: try target(link, "", from: base)))
    }

    /// GET: returns a request for the resources of a to-many relationship, at its link `related`.
    ///
    /// ```swift
    /// let comments = try articles.related(article.comments)       // JSONAPIRequest<Document<[Comment]>>
    /// ```
    ///
    /// Throws what `follow` throws.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-related-resource-links>
    public func related<Target: PrimaryElement>(
        _ relationship: ToMany<Target>, from base: URL? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[Target]>> {
        fetch(query.appending(to: try target(relationship.links?.related, "related", from: base)))
    }

    /// GET: returns a request for the resource of a to-one relationship, if there is one, at its link `related`. Throws what `follow`
    /// throws.
    public func related<Target: PrimaryElement>(
        _ relationship: ToOne<Target>, from base: URL? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Target?>> {
        fetch(query.appending(to: try target(relationship.links?.related, "related", from: base)))
    }

    /// GET: returns a request for the linkage of a to-many relationship, at its link `self`. Throws what `follow` throws.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-relationships>
    public func identifiers<Target: ResourceRepresentable>(
        _ relationship: ToMany<Target>, from base: URL? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<Document<[ResourceIdentifier]>> {
        fetch(query.appending(to: try target(relationship.links?.`self`, "self", from: base)))
    }

    /// Returns the address to request for a link. Its name is empty if only the caller knows it.
    private func target(_ link: DocumentLink?, _ name: String, from base: URL?) throws -> URL {
        guard let link, let href = link.href, link.hasTarget else { throw RequestFailure(.missingLink, name) }
        let start = try Query().url(at: addresses.address(ofCollection: Model.type))
        guard let target = link.url(relativeTo: base ?? start) else { throw RequestFailure(.invalidAddress, href) }
        guard let followed = links.target(target, from: start) else {
            throw RequestFailure(.foreignLink, Origin.text(of: target), isOwnHost: Origin.isMovable(target, to: start))
        }
        return followed
    }
}

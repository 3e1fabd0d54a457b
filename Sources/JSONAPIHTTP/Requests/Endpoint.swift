import Foundation
import JSONAPICodec

/// The place of a resource type on a server. It creates the requests for that type, each with the type of its answer.
///
/// ```swift
/// let articles = Endpoint<Article>("https://example.com/api/articles")
/// let list = try articles.list(Query(include: ["author"]))           // GET     Document<[Article]>
/// let one = try articles.get("1")                                    // GET     Document<Article>
/// let made = try articles.create(article)                            // POST    ChangeAnswer<Article>
/// let changed = try articles.update(article.patch { $0.title = "New" })      // PATCH
/// let gone = try articles.delete("1")                                // DELETE
/// let comments = try articles.related("comments", of: "1", as: [Comment].self)
/// let tag = ResourceIdentifier(type: "tags", id: "3")
/// let tagged = try articles.add([tag], to: "tags", of: "1")          // POST    ChangeAnswer<[ResourceIdentifier]>
/// ```
///
/// An endpoint is a value and opens no connection. Requests are values as well. Change their headers as needed, send them with any network
/// code, and pass the response to `answer(status:headers:body:)`.
///
/// Ids are percent-encoded, so that an id such as `../people` stays an id. The functions throw `RequestFailure` for an id that cannot be
/// part of an address, and `EncodingError` for a body that cannot be written.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching>, <https://jsonapi.org/format/1.1/#crud>
public struct Endpoint<Model: Resource>: Sendable {
    /// The addresses of collection, resources and relationships.
    public var addresses: AddressTemplates

    /// Additional header fields of each request, such as `Authorization`. They replace the headers of JSON:API with the same name.
    public var headers: [String: String] = [:]

    /// The media type of requests and responses, with their extensions and profiles.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-clients>
    public var mediaType = MediaType.jsonapi

    /// The requested media type of responses, if it differs from `mediaType`.
    public var accepts: MediaType?

    /// The encoder for the bodies of requests. Defaults to one that matches `decoder`, also after `decoder` changes. An encoder that you
    /// give or change stays as it is.
    public var encoder: JSONAPIEncoder {
        get { ownEncoder ?? JSONAPIEncoder(matching: decoder) }
        set { ownEncoder = newValue }
    }

    /// The decoder for responses. It receives the fieldsets of the request's query, unless it has its own; strict mode uses them.
    public var decoder: JSONAPIDecoder

    /// The links to follow.
    public var links = LinkPolicy()

    /// The encoder that the program gave; nil when the encoder matches the decoder.
    private var ownEncoder: JSONAPIEncoder?

    /// Creates the endpoint for the collection at the given address. The other addresses are below it.
    ///
    /// When the path ends with a slash, all addresses end with one. A query is kept in all of them; a fragment is left out.
    /// By default, the encoder for the bodies of requests matches `decoder`.
    public init(_ collection: String, encoder: JSONAPIEncoder? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) {
        self.init(AddressTemplates(collection: collection), encoder: encoder, decoder: decoder)
    }

    /// Creates the endpoint with the given addresses.
    public init(_ addresses: AddressTemplates, encoder: JSONAPIEncoder? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) {
        self.addresses = addresses
        self.ownEncoder = encoder
        self.decoder = decoder
    }
}

// MARK: - Fetching

extension Endpoint {
    /// GET: returns a request for the resources of the collection. Throws `RequestFailure` when the address is not a URI reference.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-resources>
    public func list(_ query: Query = Query()) throws -> JSONAPIRequest<Document<[Model]>> {
        try fetch(addresses.address(ofCollection: Model.type), query)
    }

    /// GET: returns a request for one resource. When the server has none it responds with 404, and reading the answer throws.
    ///
    /// Throws `RequestFailure` for an id that is nil, empty, `.` or `..`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-resources>
    public func get(_ id: Model.ID, _ query: Query = Query()) throws -> JSONAPIRequest<Document<Model>> {
        try fetch(addresses.address(of: identifier(id)), query)
    }
}

// MARK: - Creating, updating, deleting

extension Endpoint {
    /// POST: returns a request that creates the resource described by a model. The id is left out, because the server assigns it.
    ///
    /// The id is sent when `clientID` is true, or when the type of the id is optional and the id is not nil.
    ///
    /// Throws `EncodingError` for a body that is not a valid request, and `RequestFailure` when the address is not a URI reference.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
    public func create(
        _ model: Model, clientID: Bool = false, _ query: Query = Query()
    ) throws -> JSONAPIRequest<ChangeAnswer<Model>> {
        try create(Create(model, clientID: clientID), query)
    }

    /// POST: returns a request that creates a resource with the given fields. Throws as the function above does.
    public func create(_ fields: some ResourceFields, _ query: Query = Query()) throws -> JSONAPIRequest<ChangeAnswer<Model>> {
        try create(Create(fields), query)
    }

    /// POST: returns a request that creates a resource with the given body. Throws as the function above does.
    public func create(_ body: Create, _ query: Query = Query()) throws -> JSONAPIRequest<ChangeAnswer<Model>> {
        try change(.post, addresses.address(ofCollection: Model.type), body, query)
    }

    /// PATCH: returns a request that changes a resource. The patch contains its id.
    ///
    /// With `ifMatch` the server changes the resource only if it still has this entity tag; otherwise it responds with 412. A weak tag never
    /// matches: send the request without it.
    ///
    /// Throws `EncodingError` for a patch that is not a valid request, and `RequestFailure` for one without an id, or with an id that
    /// cannot be part of an address.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-updating>
    public func update<Patched: ResourceRepresentable>(
        _ patch: Patch<Patched>, ifMatch: EntityTag? = nil, _ query: Query = Query()
    ) throws -> JSONAPIRequest<ChangeAnswer<Model>> {
        let object = try patch.object(encoder)
        guard let id = object.id else { throw RequestFailure(.missingID, "id") }
        let address = try addresses.address(of: ResourceIdentifier(type: object.type, id: id))
        return try change(.patch, address, patch, query).matching(ifMatch)
    }

    /// DELETE: returns a request that deletes a resource. If the response has a document, it contains only meta. Throws `RequestFailure`
    /// for an id that is nil, empty, `.` or `..`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-deleting>
    public func delete(_ id: Model.ID, ifMatch: EntityTag? = nil) throws -> JSONAPIRequest<ChangeAnswer<NoData>> {
        try change(.delete, Query().url(at: addresses.address(of: identifier(id))), nil).matching(ifMatch)
    }
}

// MARK: - Parts

extension Endpoint: RequestMaker {
    /// Returns a request for the document at an address.
    func fetch<Primary: PrimaryValue>(_ address: String, _ query: Query) throws -> JSONAPIRequest<Document<Primary>> {
        fetch(try query.url(at: address))
    }

    /// Returns a request that sends a document to an address.
    func change<Primary: PrimaryValue>(
        _ method: RequestMethod, _ address: String, _ body: some DocumentBody, _ query: Query
    ) throws -> JSONAPIRequest<ChangeAnswer<Primary>> {
        try change(method, query.url(at: address), encoder.encode(body))
    }

    func identifier(_ id: Model.ID) throws -> ResourceIdentifier {
        guard let text = id.wireText else { throw RequestFailure(.missingID, "id") }
        return ResourceIdentifier(type: Model.type, id: text)
    }
}

extension Query {
    /// Returns the URL at an address with this query after its own. Throws `RequestFailure` when the address is not a URI reference.
    func url(at address: String) throws -> URL {
        guard let url = DocumentLink.text(address).url else { throw RequestFailure(.invalidAddress, address) }
        return appending(to: url)
    }
}

extension JSONAPIRequest {
    /// Returns the request with the header `If-Match` when there is a tag.
    fileprivate func matching(_ tag: EntityTag?) -> JSONAPIRequest {
        var request = self
        if let tag { request.headers["If-Match"] = tag.description }
        return request
    }
}

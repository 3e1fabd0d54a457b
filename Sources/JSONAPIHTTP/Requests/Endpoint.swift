import Foundation
import JSONAPICodec
import JSONText

/// Where a server keeps the resources of a type: makes the requests for them, each of which knows the type of its answer.
///
/// ```swift
/// let articles = Endpoint<Article>("https://example.com/api/articles")
/// let list = try articles.list(Query(include: ["author"]))           // GET     Document<[Article]>
/// let one = try articles.get("1")                                    // GET     Document<Article>
/// let made = try articles.create(article)                            // POST    ChangeAnswer<Article>
/// let changed = try articles.update(article.patch { $0.title = "New" })      // PATCH
/// let gone = try articles.delete("1")                                // DELETE
/// let comments = try articles.related("comments", of: "1", as: [Comment].self)
/// let tagged = try articles.add([tag], to: "tags", of: "1")          // POST    ChangeAnswer<[ResourceIdentifier]>
/// ```
///
/// An endpoint is a value and opens no connection. Requests are values as well: change their headers as you like, send them with any
/// network code, and hand the answer to `answer(status:headers:body:)`.
///
/// Ids are percent-encoded, so that an id such as `../people` stays an id. Throws `RequestFailure` for one that cannot be part of an
/// address, and `EncodingError` for a body that cannot be written.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching>, <https://jsonapi.org/format/1.1/#crud>
public struct Endpoint<Model: Resource>: Sendable {
    /// The addresses of collection, resources and relationships.
    public var addresses: AddressTemplates

    /// Header fields of each request besides those of JSON:API, which they replace where the name is the same: `Authorization`, …
    public var headers: [String: String] = [:]

    /// The extensions and profiles of the documents that are sent and asked for.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-clients>
    public var mediaType = MediaType.jsonapi

    /// The media type that is asked for, where it is not `mediaType`.
    public var accepts: MediaType?

    /// Writes the bodies of requests.
    public var encoder: JSONAPIEncoder

    /// Reads the answers. In strict mode it gets the fieldsets of the request's query.
    public var decoder: JSONAPIDecoder

    /// Which links are followed.
    public var links = LinkPolicy()

    /// The endpoint whose collection has this address, with the other addresses below it.
    ///
    /// A path that ends in a slash makes all addresses end in one. A query stays in all of them; a fragment is left out.
    public init(_ collection: String, encoder: JSONAPIEncoder = JSONAPIEncoder(), decoder: JSONAPIDecoder = JSONAPIDecoder()) {
        self.init(AddressTemplates(collection: collection), encoder: encoder, decoder: decoder)
    }

    /// The endpoint with these addresses.
    public init(_ addresses: AddressTemplates, encoder: JSONAPIEncoder = JSONAPIEncoder(), decoder: JSONAPIDecoder = JSONAPIDecoder()) {
        self.addresses = addresses
        self.encoder = encoder
        self.decoder = decoder
    }
}

// MARK: - Fetching

extension Endpoint {
    /// GET: the resources of the collection.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-resources>
    public func list(_ query: Query = Query()) throws -> JSONAPIRequest<Document<[Model]>> {
        try fetch(addresses.address(ofCollection: Model.type), query)
    }

    /// GET: one resource. A server that has none answers 404, which is thrown.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-resources>
    public func get(_ id: Model.ID, _ query: Query = Query()) throws -> JSONAPIRequest<Document<Model>> {
        try fetch(addresses.address(of: identifier(id)), query)
    }
}

// MARK: - Creating, updating, deleting

extension Endpoint {
    /// POST: creates the resource that a model describes, without its id, which the server makes.
    ///
    /// With `clientID` the id is sent; that of an optional id type is sent when there is one.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating>
    public func create(
        _ model: Model, clientID: Bool = false, _ query: Query = Query()
    ) throws -> JSONAPIRequest<ChangeAnswer<Model>> {
        try create(Create(model, clientID: clientID), query)
    }

    /// POST: creates a resource of these fields.
    public func create(_ fields: some ResourceFields, _ query: Query = Query()) throws -> JSONAPIRequest<ChangeAnswer<Model>> {
        try create(Create(fields), query)
    }

    /// POST: creates the resource of that body.
    public func create(_ body: Create, _ query: Query = Query()) throws -> JSONAPIRequest<ChangeAnswer<Model>> {
        try change(.post, addresses.address(ofCollection: Model.type), body, query)
    }

    /// PATCH: changes a resource. Its id is the patch's.
    ///
    /// With `ifMatch` the server makes the change only while the resource has this entity tag, and answers 412 otherwise.
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

    /// DELETE: deletes a resource. A `document` of the answer has meta.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-deleting>
    public func delete(_ id: Model.ID, ifMatch: EntityTag? = nil) throws -> JSONAPIRequest<ChangeAnswer<NoData>> {
        let reader = AnswerReader(decoder: decoder)
        let url = try url(addresses.address(of: identifier(id)), Query())
        return JSONAPIRequest(.delete, url, headers: requestHeaders(hasDocument: false)) { try reader.change($0) }.matching(ifMatch)
    }
}

// MARK: - Parts

extension Endpoint {
    /// A request that reads the document at an address.
    func fetch<Primary: PrimaryValue>(_ address: String, _ query: Query) throws -> JSONAPIRequest<Document<Primary>> {
        fetch(try url(address, query), query)
    }

    func fetch<Primary: PrimaryValue>(_ url: URL, _ query: Query) -> JSONAPIRequest<Document<Primary>> {
        let reader = reader(for: query)
        return JSONAPIRequest(.get, url, headers: requestHeaders(hasDocument: false)) { try reader.document($0) }
    }

    /// A request that sends a document to an address.
    func change<Primary: PrimaryValue>(
        _ method: RequestMethod, _ address: String, _ body: some DocumentBody, _ query: Query
    ) throws -> JSONAPIRequest<ChangeAnswer<Primary>> {
        let reader = reader(for: query)
        let (url, body) = (try url(address, query), try encoder.encode(body))
        return JSONAPIRequest(method, url, headers: requestHeaders(hasDocument: true), body: body) { try reader.change($0) }
    }

    func identifier(_ id: Model.ID) throws -> ResourceIdentifier {
        guard let text = id.wireText else { throw RequestFailure(.missingID, "id") }
        return ResourceIdentifier(type: Model.type, id: text)
    }

    func url(_ address: String, _ query: Query) throws -> URL {
        guard let url = DocumentLink.text(address).url else { throw RequestFailure(.invalidAddress, address) }
        return query.appending(to: url)
    }

    func requestHeaders(hasDocument: Bool) -> [String: String] {
        HeaderFields.merge(mediaType.requestHeaders(hasDocument: hasDocument, accepting: accepts), headers)
    }

    private func reader(for query: Query) -> AnswerReader {
        var decoder = decoder
        if decoder.fields.isEmpty { decoder.fields = query.fields }
        return AnswerReader(decoder: decoder)
    }
}

extension JSONAPIRequest {
    /// The same with the header `If-Match`, when there is a tag.
    fileprivate func matching(_ tag: EntityTag?) -> JSONAPIRequest {
        var request = self
        if let tag { request.headers["If-Match"] = tag.description }
        return request
    }
}

import Foundation
import JSONAPICodec
import JSONAPIRules
import JSONText

/// A response of a server: status, headers and body. It does no networking; pass its parts to your server framework.
///
/// ```swift
/// let encoder = JSONAPIEncoder()
/// try rules.check(query)                                     // throws unless the endpoint supports the query: `QueryRules`
/// try .ok(articles, encoder: encoder, for: query)            // 200, with the included resources and fields of the query
/// try .created(article, at: "/articles/1", encoder: encoder) // 201 with Location
/// .noContent                                                  // 204
/// try .errors(ErrorDocument(error), encoder: encoder)        // 400, 409, 422, …
/// ```
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching>
public struct JSONAPIResponse: Sendable, Hashable {
    /// The HTTP status code.
    public var status: Int
    /// The header fields by name.
    public var headers: [String: String]
    /// The document; nil for a response without one.
    public var body: Data?

    /// Creates a response.
    public init(status: Int, headers: [String: String] = [:], body: Data? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// 204: the request was carried out, and nothing changed that the client does not know.
    public static let noContent = empty(204)

    /// Returns a response with status 200 and a document with the given primary data.
    ///
    /// The document follows `include` and `fields` of `query`, the client's request. Without `include`, nothing is included. Names in the
    /// query are not checked: a path or a field that no model has selects nothing. Check the query with `QueryRules` before, because the
    /// standard requires status 400 for a path that the server does not include. If the types of two fieldsets differ only in composed and
    /// decomposed characters, the second fieldset is ignored. `mediaType` is the result of the negotiation. Throws `EncodingError` when
    /// `JSONAPIEncoder` does.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-includes>
    public static func ok<Primary: PrimaryValue>(
        _ value: Primary, encoder: JSONAPIEncoder = JSONAPIEncoder(), for query: Query = Query(), links: Links? = nil,
        meta: JSONObject? = nil, jsonapi: JSONAPIObject? = nil, mediaType: MediaType = .jsonapi
    ) throws -> JSONAPIResponse {
        var encoder = encoder
        // `QueryRules` decides what a client may request. The encoder's check is for names that the program wrote: what it finds depends on
        // the resources, it takes an attribute for a path, and its cost is the product of names and resources.
        encoder.checksGivenNames = false
        let body = try encode {
            try encoder.encode(
                value, include: IncludePaths(query), fields: query.fields.dictionary, links: links, meta: meta, jsonapi: jsonapi)
        }
        return JSONAPIResponse(status: 200, headers: ContentNegotiation().headers(for: mediaType), body: body)
    }

    /// Returns a response with status 201 and the resource that was created.
    ///
    /// `location` is the address of the resource, for the header `Location`. It defaults to the resource's `self` link. Throws
    /// `EncodingError` when the two differ. A part that one of them leaves out, such as the host of `/articles/1`, counts as that of the other.
    /// In the header, all characters that a URI must not contain are percent-encoded, except brackets. Also throws `EncodingError` when the
    /// resource has no id: the lid of the request is no substitute.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-201>
    public static func created<Model: PrimaryElement & ResourceRepresentable>(
        _ resource: Model, at location: String? = nil, encoder: JSONAPIEncoder = JSONAPIEncoder(), for query: Query = Query(),
        mediaType: MediaType = .jsonapi
    ) throws -> JSONAPIResponse {
        guard resource.identifier?.id != nil else {
            throw EncodingFailure(
                .missingIdentity, at: JSONPointer("data"), resource: resource.identifier, expected: "a resource with an id",
                found: "a resource without one", advice: "respond with the id under which the server keeps the resource"
            ).encodingError
        }
        var response = try ok(resource, encoder: encoder, for: query, mediaType: mediaType)
        response.status = 201
        let own = try encoder.resourceObject(resource).links?.`self`?.href
        if let location, let own, URIReference(own).isSurelyOther(than: URIReference(location)) {
            throw EncodingFailure(
                .documentStructure, at: JSONPointer("data", "links", "self"), resource: resource.identifier,
                expected: "the address in the header Location", found: "another address",
                advice: "leave out `location`, which is then the `self` link, or pass the same address"
            ).encodingError
        }
        response.headers["Location"] = (location ?? own).map(URLText.encodedURI)
        return response
    }

    /// Returns a response with status 202: the request was accepted and is not carried out yet.
    ///
    /// `job` describes the progress. `location` is the address of the job, which the recommendations put into the header
    /// `Content-Location`, percent-encoded as in `created`.
    ///
    /// Throws `EncodingError` as `ok` does.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-202>,
    /// <https://jsonapi.org/recommendations/#asynchronous-processing>
    public static func accepted<Primary: PrimaryValue>(
        _ job: Primary, at location: String? = nil, encoder: JSONAPIEncoder = JSONAPIEncoder(), mediaType: MediaType = .jsonapi
    ) throws -> JSONAPIResponse {
        var response = try ok(job, encoder: encoder, mediaType: mediaType)
        response.status = 202
        response.headers["Content-Location"] = location.map(URLText.encodedURI)
        return response
    }

    /// Returns a response with status 200 and the results of atomic operations, or with status 204 when all results are empty. Throws
    /// `EncodingError` for a result that cannot be written.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public static func results(_ results: AtomicResults, encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> JSONAPIResponse {
        if results.isEmpty { return .noContent }
        let headers = ContentNegotiation().headers(for: MediaType(ext: [AtomicOperations.uri]))
        return JSONAPIResponse(status: 200, headers: headers, body: try encode { try encoder.encode(results) })
    }

    /// Returns the response with the header `ETag`.
    public func tagged(_ tag: EntityTag) -> JSONAPIResponse {
        var response = self
        response.headers["ETag"] = tag.description
        return response
    }

    /// Creates the response to a request that caused the given error, as `ErrorDocument(error)` describes it.
    ///
    /// ```swift
    /// do { return try respond(to: request) } catch { return JSONAPIResponse(error) }
    /// ```
    ///
    /// It does not throw. An `ErrorDocument` of yours that cannot be written, for example because one of its errors has no members, becomes
    /// status 500 without a body.
    public init(_ error: any Error, mediaType: MediaType = .jsonapi) {
        self = (try? .errors(ErrorDocument(error), mediaType: mediaType)) ?? .empty(500)
    }

    /// Returns a response with errors. Its status is the one that all errors have, otherwise the general one of their class: 400 or 500.
    /// Throws `EncodingError` for a document that is not valid, for example when one of its errors has no members. A document that was read,
    /// such as the answer of another server, is sent as it was.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#errors-processing>
    public static func errors(
        _ document: ErrorDocument, encoder: JSONAPIEncoder = JSONAPIEncoder(), mediaType: MediaType = .jsonapi
    ) throws -> JSONAPIResponse {
        JSONAPIResponse(
            status: document.commonStatus, headers: ContentNegotiation().headers(for: mediaType),
            body: try encode { try encoder.encode(document) })
    }
}

extension JSONAPIResponse {
    /// Returns a response without a document. Another `Accept` header could lead to another response, as for one with a document.
    private static func empty(_ status: Int) -> JSONAPIResponse { JSONAPIResponse(status: status, headers: ["Vary": "Accept"]) }

    /// Writes a response. When the encoder's check rejects it, that is the server's fault, not the client's.
    private static func encode(_ write: () throws -> Data) throws -> Data {
        do {
            return try write()
        } catch let error as any ErrorDocumentRepresentable {
            throw UnwritableResponse(error: error)
        }
    }
}

/// An error for a response that the check of its encoder rejected, such as `Validator.encoderCheck`. `ErrorDocument(error)` turns it into
/// status 500.
public struct UnwritableResponse: Error, CustomStringConvertible {
    /// The error that the check threw.
    public let error: any Error

    /// A sentence with the error that the check threw.
    public var description: String { "The response is not valid: \(error)" }
}

extension IncludePaths {
    /// Creates the include paths of a query; `unsaid` when the query does not mention them.
    public init(_ query: Query, unsaid: IncludePaths = .none) { self = query.include.map(IncludePaths.paths) ?? unsaid }
}

import Foundation
import JSONAPICodec
import JSONText

/// What a server answers: status, headers, body. It knows no network; hand its parts to the framework of your server.
///
/// ```swift
/// let encoder = JSONAPIEncoder()
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
    /// Header fields by name.
    public var headers: [String: String]
    /// The document; nil for an answer without one.
    public var body: Data?

    /// An answer of those parts.
    public init(status: Int, headers: [String: String] = [:], body: Data? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// 204: done, and nothing changed that the client does not know.
    public static let noContent = JSONAPIResponse(status: 204)

    /// 200 with a document of this primary data.
    ///
    /// Of `query`, what the client asked for, `include` and `fields` are followed; without `include` in it nothing is included.
    /// `mediaType` is what negotiation chose. Throws as `JSONAPIEncoder` does.
    public static func ok<Primary: PrimaryValue>(
        _ value: Primary, encoder: JSONAPIEncoder = JSONAPIEncoder(), for query: Query = Query(), links: Links? = nil,
        meta: JSONObject? = nil, jsonapi: JSONAPIObject? = nil, mediaType: MediaType = .jsonapi
    ) throws -> JSONAPIResponse {
        var encoder = encoder
        // What a client may ask for is for `QueryRules` to say; a name that no model has asks for nothing.
        encoder.checksGivenNames = false
        let body = try encode {
            try encoder.encode(
                value, include: IncludePaths(query), fields: query.fields.dictionary, links: links, meta: meta, jsonapi: jsonapi)
        }
        return JSONAPIResponse(status: 200, headers: ContentNegotiation().headers(for: mediaType), body: body)
    }

    /// 201 with the resource that was created.
    ///
    /// `location` is its address, which the header `Location` says; by default that of its `self` link. When the two differ, this
    /// throws `EncodingError`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-201>
    public static func created<Model: PrimaryElement & ResourceRepresentable>(
        _ resource: Model, at location: String? = nil, encoder: JSONAPIEncoder = JSONAPIEncoder(), for query: Query = Query(),
        mediaType: MediaType = .jsonapi
    ) throws -> JSONAPIResponse {
        var response = try ok(resource, encoder: encoder, for: query, mediaType: mediaType)
        response.status = 201
        let own = try encoder.resourceObject(resource).links?.`self`?.href
        if let location, let own, location != own {
            throw EncodingFailure(
                .documentStructure, at: JSONPointer("data", "links", "self"), resource: resource.identifier,
                expected: "the address that Location says", found: "another one"
            ).encodingError
        }
        response.headers["Location"] = location ?? own
        return response
    }

    /// 202: the request was taken and is not carried out yet.
    ///
    /// `job` says how it goes, by recommendation with the address `location` in the header `Content-Location`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-creating-responses-202>,
    /// <https://jsonapi.org/recommendations/#asynchronous-processing>
    public static func accepted<Primary: PrimaryValue>(
        _ job: Primary, at location: String? = nil, encoder: JSONAPIEncoder = JSONAPIEncoder(), mediaType: MediaType = .jsonapi
    ) throws -> JSONAPIResponse {
        var response = try ok(job, encoder: encoder, mediaType: mediaType)
        response.status = 202
        response.headers["Content-Location"] = location
        return response
    }

    /// 200 with the results of atomic operations, or 204 when none of them says anything.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public static func results(_ results: AtomicResults, encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> JSONAPIResponse {
        if results.isEmpty { return .noContent }
        let headers = ContentNegotiation().headers(for: MediaType(ext: [AtomicOperations.uri]))
        return JSONAPIResponse(status: 200, headers: headers, body: try encode { try encoder.encode(results) })
    }

    /// The same with the header `ETag`.
    public func tagged(_ tag: EntityTag) -> JSONAPIResponse {
        var response = self
        response.headers["ETag"] = tag.description
        return response
    }

    /// An answer of errors. Its status is the one that all of them have, or else the general one of their class: 400 or 500.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#errors-processing>
    public static func errors(
        _ document: ErrorDocument, encoder: JSONAPIEncoder = JSONAPIEncoder(), mediaType: MediaType = .jsonapi
    ) throws -> JSONAPIResponse {
        JSONAPIResponse(
            status: document.commonStatus, headers: ContentNegotiation().headers(for: mediaType), body: try encoder.encode(document))
    }
}

extension JSONAPIResponse {
    /// Writes a response. What an encoder's check says against it is the server's fault, not the client's.
    private static func encode(_ write: () throws -> Data) throws -> Data {
        do {
            return try write()
        } catch let error as any ErrorDocumentRepresentable {
            throw UnwritableResponse(error: error)
        }
    }
}

/// A response that the check of its encoder refused, as `Validator.encoderCheck` does. `ErrorDocument(error)` makes a 500 of it.
public struct UnwritableResponse: Error, CustomStringConvertible {
    /// What the check threw.
    public let error: any Error

    /// What the check threw, in words.
    public var description: String { "The response is not valid: \(error)" }
}

extension IncludePaths {
    /// What a query asks to be included; `unsaid` when it says nothing about it.
    public init(_ query: Query, unsaid: IncludePaths = .none) { self = query.include.map(IncludePaths.paths) ?? unsaid }
}

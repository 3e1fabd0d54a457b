import JSONAPICodec

/// A server with addresses of any form. It creates requests for paths with variables, each with the type of its answer.
///
/// ```swift
/// var server = JSONAPIServer("https://example.com/v1")
/// server.headers["Authorization"] = "Bearer …"
/// let builds: JSONAPIRequest<Document<[Build]>> = try server.get("/apps/{id}/builds", ["id": "7"])
/// let made: JSONAPIRequest<ChangeAnswer<App>> = try server.send(.post, "/apps", body: Create(app))
/// ```
///
/// For a server whose addresses follow the recommendations, `Endpoint` has shorter calls. `jsonapi generate openapi.json` writes a function
/// for each operation of an API with this type.
///
/// The values of variables are percent-encoded, so that an id such as `../people` stays an id. All functions throw `RequestFailure` for a
/// variable without a value, for a value that cannot be part of an address, and for an address that is not a URI reference. In the path, a
/// value cannot be empty, `.` or `..`.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching>, <https://jsonapi.org/format/1.1/#crud>
public struct JSONAPIServer: Sendable {
    /// The address before each path. A slash at its end is ignored. A query, such as an API key, is part of every request. A fragment is
    /// left out. Variables in it, such as `https://{region}.example.com`, get their values from each call.
    public var address: String

    /// Additional header fields of each request. They replace the headers of JSON:API with the same name.
    public var headers: [String: String] = [:]

    /// The media type of requests and responses.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-clients>
    public var mediaType = MediaType.jsonapi

    /// The encoder for the bodies of requests. Defaults to one that matches `decoder`, also after `decoder` changes. An encoder that you
    /// give or change stays as it is.
    public var encoder: JSONAPIEncoder {
        get { ownEncoder ?? JSONAPIEncoder(matching: decoder) }
        set { ownEncoder = newValue }
    }

    /// The decoder for responses. It receives the fieldsets of the request's query, unless it has its own; strict mode uses them.
    public var decoder: JSONAPIDecoder

    /// The encoder that the program gave; nil when the encoder matches the decoder.
    private var ownEncoder: JSONAPIEncoder?

    /// Creates the server with the given address. By default, the encoder matches `decoder`.
    public init(_ address: String, encoder: JSONAPIEncoder? = nil, decoder: JSONAPIDecoder = JSONAPIDecoder()) {
        self.address = address
        self.ownEncoder = encoder
        self.decoder = decoder
    }
}

// MARK: - Requests

extension JSONAPIServer {
    /// GET: returns a request for the document at a path with the given values for its variables. Throws as described for the type.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching>
    public func get<Primary: PrimaryValue>(
        _ path: String, _ values: [String: String] = [:], query: Query = Query()
    ) throws -> JSONAPIRequest<Document<Primary>> {
        try fetch(query.url(at: target(path, values)))
    }

    /// Returns a request that sends a document to a path. Also throws `EncodingError` when the body cannot be written.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud>
    public func send<Primary: PrimaryValue>(
        _ method: RequestMethod, _ path: String, _ values: [String: String] = [:], query: Query = Query(), body: some DocumentBody
    ) throws -> JSONAPIRequest<ChangeAnswer<Primary>> {
        try change(method, query.url(at: target(path, values)), encoder.encode(body))
    }

    /// Returns a request without a body that changes something, such as DELETE. Throws as described for the type.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#crud-deleting>
    public func send<Primary: PrimaryValue>(
        _ method: RequestMethod, _ path: String, _ values: [String: String] = [:], query: Query = Query()
    ) throws -> JSONAPIRequest<ChangeAnswer<Primary>> {
        try change(method, query.url(at: target(path, values)), nil)
    }

    /// Returns a request with atomic operations for a path. Also throws `EncodingError` when the operations are not a valid request.
    ///
    /// The media type is that of JSON:API, with the extensions and profiles of the server's `mediaType`.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public func send(
        _ operations: AtomicOperations, to path: String, _ values: [String: String] = [:]
    ) throws -> JSONAPIRequest<AtomicAnswer> {
        let extensions = mediaType.ext.filter { $0 != AtomicOperations.uri } + [AtomicOperations.uri]
        let own = MediaType(ext: extensions, profile: mediaType.profile).requestHeaders(hasDocument: true)
        return try .atomic(
            operations, at: target(path, values), headers: HeaderFields.merge(own, headers), encoder: encoder, decoder: decoder)
    }
}

// MARK: - Parts

extension JSONAPIServer: RequestMaker {
    var accepts: MediaType? { nil }

    /// Returns the address of a path, with one slash between the two. A query of the server's address is moved behind the path and its
    /// query.
    private func target(_ path: String, _ values: [String: String]) throws -> String {
        let expansion = Expansion(values)
        let parts = try expansion.expand(address).utf8
            .split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false).map { Substring($0) }
        let (base, expanded) = (parts[0], try expansion.expand(path))
        let slash = UInt8(ascii: "/")
        let needsSlash = ![slash, UInt8(ascii: "?"), nil].contains(expanded.utf8.first)
        let root = base.utf8.last == slash && expanded.utf8.first.map { $0 == slash || needsSlash } == true ? base.dropLast() : base
        let target = root + (needsSlash ? "/" : "") + expanded
        guard parts.count > 1, !parts[1].isEmpty else { return String(target) }
        return target + (expanded.contains("?") ? "&" : "?") + parts[1]
    }
}

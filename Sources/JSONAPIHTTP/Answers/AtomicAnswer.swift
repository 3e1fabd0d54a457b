import JSONAPICodec

/// The response to a request with atomic operations.
///
/// ```swift
/// let answer = try request.answer(status: status, headers: headers, body: data)
/// let article = try answer.results?.resource(Article.self, at: 0)
/// ```
///
/// A document of errors is thrown. Then no operation was carried out.
///
/// Specification: <https://jsonapi.org/ext/atomic/#processing>
public struct AtomicAnswer: Sendable {
    /// The HTTP status code: 200, 202 or 204.
    public let status: Int
    /// The header fields by name.
    public let headers: [String: String]
    /// The results, one for each operation. Nil for a response without a document, and for one that names no resource, such as `null` and
    /// `{}`: all operations were carried out as sent, unless `isAccepted` is true.
    public let results: AtomicResults?

    /// Whether the server has accepted the request and not finished it.
    public var isAccepted: Bool { status == 202 }
}

extension JSONAPIRequest where Answer == AtomicAnswer {
    /// Returns a request with atomic operations, for the address that the server provides for them.
    ///
    /// ```swift
    /// let request = try JSONAPIRequest.atomic(operations, at: "https://example.com/api/operations")
    /// ```
    ///
    /// Throws `EncodingError` when the operations are not a valid request, and `RequestFailure` when the address is not a URI reference.
    ///
    /// Specification: <https://jsonapi.org/ext/atomic/#processing>
    public static func atomic(
        _ operations: AtomicOperations, at address: String, headers: [String: String] = [:], encoder: JSONAPIEncoder? = nil,
        decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> JSONAPIRequest {
        guard let url = DocumentLink.text(address).url else { throw RequestFailure(.invalidAddress, address) }
        let reader = AnswerReader(decoder, for: url)
        let own = MediaType(ext: [AtomicOperations.uri]).requestHeaders(hasDocument: true)
        return JSONAPIRequest(
            method: .post, url: url, headers: HeaderFields.merge(own, headers),
            body: try (encoder ?? JSONAPIEncoder(matching: decoder)).encode(operations)
        ) { response in
            let results = try reader.results(response, of: operations)
            return AtomicAnswer(status: response.status, headers: response.headers, results: results)
        }
    }
}

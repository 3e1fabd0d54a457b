import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText

/// A request and the answer that a server gave to it, kept for tests as JSON.
///
/// ```swift
/// let exchange = try RecordedExchange(request, response)      // once, against a real server
/// let text = try JSONEncoder().encode([exchange])             // kept beside the tests
/// ```
///
/// It holds the path and query of the address and no header fields of the request, so that neither the host nor credentials are kept.
public struct RecordedExchange: Sendable, Hashable, Codable {
    /// The method: `GET`, `POST`, …
    public var method: String
    /// Path and query of the address, as they were sent.
    public var address: String
    /// The document that was sent; nil for none.
    public var sent: JSON?
    /// The status of the answer.
    public var status: Int
    /// Header fields of the answer.
    public var headers: [String: String]
    /// The document of the answer; nil for none.
    public var received: JSON?

    /// An exchange of those parts.
    public init(
        _ method: RequestMethod, _ address: String, sent: JSON? = nil, status: Int, headers: [String: String] = [:], received: JSON? = nil
    ) {
        self.method = method.rawValue
        self.address = address
        self.sent = sent
        self.status = status
        self.headers = headers
        self.received = received
    }

    /// What was sent and answered. Throws `JSONSyntaxError` for a body that is no JSON.
    public init<Answer>(_ request: JSONAPIRequest<Answer>, _ response: JSONAPIResponse) throws {
        self.init(
            request.method, Self.address(of: request.url), sent: try Self.json(request.body), status: response.status,
            headers: response.headers, received: try Self.json(response.body))
    }

    static func json(_ body: Data?) throws -> JSON? {
        guard let body, !body.isEmpty else { return nil }
        return try JSON(parsing: body)
    }

    static func address(of url: URL) -> String {
        guard let components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url.absoluteString }
        return components.percentEncodedPath + (components.percentEncodedQuery.map { "?\($0)" } ?? "")
    }
}

/// Answers requests from recorded exchanges, without a network.
///
/// ```swift
/// let server = RecordedServer([RecordedExchange(.get, "/articles/1", status: 200, received: ["data": […]])])
/// let document = try server.answer(articles.get("1"))
/// ```
///
/// An exchange answers a request of its method, path and query whose body is an equal document, whatever the order of members. The first
/// of several that fit answers.
public struct RecordedServer: Sendable {
    /// The exchanges, in order.
    public var exchanges: [RecordedExchange]

    /// A server that knows those exchanges.
    public init(_ exchanges: [RecordedExchange]) { self.exchanges = exchanges }

    /// A server that knows the exchanges of a JSON array, as `JSONEncoder` writes them. Throws `DecodingError`.
    public init(_ text: Data) throws { exchanges = try JSONDecoder().decode([RecordedExchange].self, from: text) }

    /// The recorded answer. Throws `UnrecordedRequest` when no exchange fits.
    public func response<Answer>(to request: JSONAPIRequest<Answer>) throws -> JSONAPIResponse {
        let address = RecordedExchange.address(of: request.url)
        let sent = try RecordedExchange.json(request.body)
        let known = exchanges.filter { $0.method == request.method.rawValue && $0.address == address }
        guard let exchange = known.first(where: { $0.sent == sent }) else {
            throw UnrecordedRequest(method: request.method, address: address, sent: sent, others: known.map(\.sent))
        }
        let body = try exchange.received.map { Data(try JSONWriter().write($0)) }
        return JSONAPIResponse(status: exchange.status, headers: exchange.headers, body: body)
    }

    /// The recorded answer, read. Throws `UnrecordedRequest`, and all that `JSONAPIRequest.answer` throws.
    public func answer<Answer>(_ request: JSONAPIRequest<Answer>) throws -> Answer { try request.answer(response(to: request)) }
}

/// A request that no recorded exchange fits.
public struct UnrecordedRequest: Error, Sendable, CustomStringConvertible {
    /// The method of the request.
    public let method: RequestMethod
    /// Path and query of the address.
    public let address: String
    /// The document that was sent; nil for none.
    public let sent: JSON?
    let others: [JSON?]

    /// The request, and where its body differs from the one that was recorded.
    public var description: String {
        let head = "no exchange was recorded for \(method) \(address)"
        guard let first = others.first else { return head }
        let expected = first?.description ?? "no document"
        return "\(head) with this document: expected \(expected), found \(sent?.description ?? "no document")"
    }
}

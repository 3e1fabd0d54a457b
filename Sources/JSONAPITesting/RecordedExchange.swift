import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText

/// A request and the response of a server, recorded as JSON for tests.
///
/// ```swift
/// let exchange = try RecordedExchange(request, response)      // once, against a real server
/// let recording = try JSON(encoding: [exchange])
/// let text = try JSONWriter(style: .indented(spaces: 2)).write(recording)  // kept beside the tests
/// ```
///
/// This text has the documents as they are. `JSONEncoder` can write exchanges, too, but it rounds numbers that `Double` cannot represent.
///
/// Of the request, only the method, the path and the query of the URL, and the body are recorded. Header fields of the response that contain
/// credentials, such as `Set-Cookie`, are left out. Keys in the query, and addresses in bodies and in other header fields, are recorded.
/// Replace them by placeholders before you store the exchange. A test must then send the same placeholder in the query, because
/// `RecordedServer` compares the address as text.
public struct RecordedExchange: Sendable, Hashable, Codable {
    /// The method: `GET`, `POST`, …
    public var method: String
    /// The path and the query of the URL, as sent.
    public var address: String
    /// The document that was sent; nil if there was none.
    public var sent: JSON?
    /// The status of the response.
    public var status: Int
    /// The header fields of the response.
    public var headers: [String: String]
    /// The document of the response; nil if there was none.
    public var received: JSON?

    /// Creates an exchange from its parts.
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

    /// Creates an exchange from a request and its response. Throws `JSONSyntaxError` if a body is not JSON. Whitespace, and what a server
    /// sends with 204 or 205, is no document.
    public init<Answer>(_ request: JSONAPIRequest<Answer>, _ response: JSONAPIResponse) throws {
        self.init(
            request.method, Self.address(of: request.url), sent: try Self.json(request.body), status: response.status,
            headers: response.headers.filter { !Self.secrets.contains($0.key.lowercased()) },
            received: try Self.json(AnswerBody.text(of: response.body, status: response.status)))
    }

    /// The names of header fields that contain credentials.
    private static let secrets: Set<String> = [
        "authentication-info", "authorization", "cookie", "proxy-authenticate", "proxy-authorization", "set-cookie", "www-authenticate",
    ]

    static func json(_ body: Data?) throws -> JSON? {
        guard let body, AnswerBody(body) != .empty else { return nil }
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
/// An exchange matches a request if the method, the texts of the path and the query, and the body are equal. The order of the members of a
/// body does not count; that of the parameters in a query does. If several exchanges match, the first one is used.
public struct RecordedServer: Sendable {
    /// The exchanges, in order.
    public var exchanges: [RecordedExchange]

    /// Creates a server from exchanges.
    public init(_ exchanges: [RecordedExchange]) { self.exchanges = exchanges }

    /// Creates a server from the text of a JSON array of exchanges. Throws `JSONSyntaxError` if it is not JSON, and `DecodingError` if it is
    /// something else.
    public init(_ text: Data) throws { exchanges = try JSON(parsing: text).decode([RecordedExchange].self) }

    /// Returns the recorded response. Throws `UnrecordedRequest` if no exchange matches.
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

    /// Returns the document of the recorded response. Throws `UnrecordedRequest` if no exchange matches, and rethrows the errors of
    /// `JSONAPIRequest.answer`.
    public func answer<Answer>(_ request: JSONAPIRequest<Answer>) throws -> Answer { try request.answer(response(to: request)) }
}

/// A request that matches no recorded exchange.
public struct UnrecordedRequest: LocalizedError, Sendable, CustomStringConvertible {
    /// The method of the request.
    public let method: RequestMethod
    /// The path and the query of the URL.
    public let address: String
    /// The document that was sent; nil if there was none.
    public let sent: JSON?
    let others: [JSON?]

    /// The request, and where its body differs from the one that was recorded.
    public var description: String {
        let head = "no exchange was recorded for \(method) \(address)"
        guard let first = others.first else { return head }
        let expected = first?.description ?? "no document"
        return "\(head) with this document: expected \(expected), found \(sent?.description ?? "no document")"
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}

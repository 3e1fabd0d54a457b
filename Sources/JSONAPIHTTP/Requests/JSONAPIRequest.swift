import Foundation
import JSONAPICodec

/// A request as a value: method, address, headers and body, and how the answer to it is read.
///
/// ```swift
/// let articles = Endpoint<Article>("https://example.com/api/articles")
/// let request = try articles.get("1", Query(include: ["author"]))
/// request.method          // GET
/// request.url             // https://example.com/api/articles/1?include=author
/// request.headers         // ["Accept": "application/vnd.api+json"]
/// // … your network code sends it …
/// let document = try request.answer(status: 200, headers: headers, body: data)      // Document<Article>
/// ```
///
/// It knows no network. `URLRequest(request)` makes one for `URLSession`; other clients take its parts.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching>, <https://jsonapi.org/format/1.1/#crud>
public struct JSONAPIRequest<Answer: Sendable>: Sendable {
    /// GET, POST, PATCH or DELETE.
    public var method: RequestMethod
    /// The address, with the query.
    public var url: URL
    /// Header fields by name. Add those that the server asks for besides, such as `Authorization`.
    public var headers: [String: String]
    /// The document that is sent; nil for a request without one.
    public var body: Data?

    let read: @Sendable (JSONAPIResponse) throws -> Answer

    init(
        _ method: RequestMethod, _ url: URL, headers: [String: String], body: Data? = nil,
        read: @escaping @Sendable (JSONAPIResponse) throws -> Answer
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.read = read
    }
}

// MARK: - Answers

extension JSONAPIRequest {
    /// The answer to this request.
    ///
    /// - Throws `ErrorDocument` for a document of errors, whatever the status; `httpStatus` of it says which.
    /// - Throws `UnexpectedAnswer` for everything else that is no answer: a status that is no success, text that is no JSON:API document
    ///   such as HTML, and no document where the request needs one.
    /// - Throws `DecodingError` for a document that does not fit the model.
    ///
    /// Names of headers have no case.
    public func answer(status: Int, headers: [String: String] = [:], body: Data?) throws -> Answer {
        try answer(JSONAPIResponse(status: status, headers: headers, body: body))
    }

    /// The same for headers as the clients of SwiftNIO have them. Values of one name are joined by commas.
    public func answer(status: Int, headers: some Sequence<(name: String, value: String)>, body: Data?) throws -> Answer {
        try answer(status: status, headers: HeaderFields.dictionary(headers), body: body)
    }

    /// The same for an answer in one piece.
    public func answer(_ response: JSONAPIResponse) throws -> Answer { try read(response) }

    /// The same request, whose answer is made into another value.
    ///
    /// ```swift
    /// let titles = try articles.list().map { $0.data.map(\.title) }       // JSONAPIRequest<[String]>
    /// ```
    public func map<Other: Sendable>(_ transform: @escaping @Sendable (Answer) throws -> Other) -> JSONAPIRequest<Other> {
        let read = read
        return JSONAPIRequest<Other>(method, url, headers: headers, body: body) { try transform(read($0)) }
    }
}

extension JSONAPIRequest: CustomStringConvertible {
    /// Method and address, without the query and credentials, which may be secrets.
    public var description: String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return method.description }
        (components.user, components.password, components.query, components.fragment) = (nil, nil, nil, nil)
        return "\(method) \(components.string ?? "")"
    }
}

// MARK: - Headers

/// Header fields in a dictionary, whose names have no case.
enum HeaderFields {
    /// The value of a field; of names that differ in case alone, the one that is written as it is asked for, else the first in order.
    static func value(_ name: String, in headers: [String: String]) -> String? {
        if let value = headers[name] { return value }
        let wanted = name.lowercased()
        return headers.filter { $0.key.lowercased() == wanted }.min { $0.key < $1.key }?.value
    }

    /// One value for each name; several are joined by commas.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc9110#name-field-order>
    static func dictionary(_ fields: some Sequence<(name: String, value: String)>) -> [String: String] {
        var names: [String: String] = [:]
        return fields.reduce(into: [:]) { headers, field in
            let name = names[field.name.lowercased()] ?? field.name
            names[field.name.lowercased()] = name
            headers[name] = headers[name].map { $0 + ", " + field.value } ?? field.value
        }
    }

    /// Those of `own`, with those of `other` in place of the ones with the same name.
    static func merge(_ own: [String: String], _ other: [String: String]) -> [String: String] {
        let replaced = Set(other.keys.map { $0.lowercased() })
        return own.filter { !replaced.contains($0.key.lowercased()) }.merging(other) { $1 }
    }
}

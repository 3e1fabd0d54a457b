import Foundation
import JSONAPICodec

/// A request as a value: method, address, headers and body. It also reads the response to it.
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
/// It does no networking. `URLRequest(request)` creates a request for `URLSession`; for other clients use its parts.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching>, <https://jsonapi.org/format/1.1/#crud>
public struct JSONAPIRequest<Answer: Sendable>: Sendable {
    /// GET, POST, PATCH or DELETE.
    public var method: RequestMethod
    /// The address, with the query.
    public var url: URL
    /// The header fields by name. Add further ones that the server needs, such as `Authorization`. A new field replaces one whose name
    /// differs only in case.
    public var headers: [String: String] {
        didSet { headers = HeaderFields.replacing(oldValue, by: headers) }
    }
    /// The document to send; nil for a request without one.
    public var body: Data?

    let read: @Sendable (JSONAPIResponse) throws -> Answer
}

// MARK: - Answers

extension JSONAPIRequest {
    /// Returns the answer to this request.
    ///
    /// - Throws `ErrorDocument` for a document of errors, whatever the status is. Its `httpStatus` has the status.
    /// - Throws `UnexpectedAnswer` for any other response that is not an answer: a status that is not a success, a text such as HTML that
    ///   is not a JSON:API document, and no document when the request needs one.
    /// - Throws `DecodingError` for a document that does not fit the model.
    ///
    /// Names of headers are case-insensitive.
    public func answer(status: Int, headers: [String: String] = [:], body: Data?) throws -> Answer {
        try answer(JSONAPIResponse(status: status, headers: headers, body: body))
    }

    /// Returns the answer to this request, with the headers in the form of SwiftNIO clients. Values with the same name are joined with
    /// commas. Throws as the function above does.
    public func answer(status: Int, headers: some Sequence<(name: String, value: String)>, body: Data?) throws -> Answer {
        try answer(status: status, headers: HeaderFields.dictionary(headers), body: body)
    }

    /// Returns the answer to this request from a response value. Throws as the functions above do.
    public func answer(_ response: JSONAPIResponse) throws -> Answer { try read(response) }

    /// Returns the same request with a transformed answer.
    ///
    /// ```swift
    /// let titles = try articles.list().map { $0.data.map(\.title) }       // JSONAPIRequest<[String]>
    /// ```
    public func map<Other: Sendable>(_ transform: @escaping @Sendable (Answer) throws -> Other) -> JSONAPIRequest<Other> {
        let read = read
        return JSONAPIRequest<Other>(method: method, url: url, headers: headers, body: body) { try transform(read($0)) }
    }
}

extension JSONAPIRequest: CustomStringConvertible {
    /// The method and the address, without query and credentials, which may be secret.
    public var description: String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return method.description }
        (components.user, components.password, components.query, components.fragment) = (nil, nil, nil, nil)
        return "\(method) \(components.string ?? "")"
    }
}

// MARK: - Headers

/// Functions for header fields in a dictionary. Their names are case-insensitive.
enum HeaderFields {
    /// Returns the value of a field. When names differ only in case, this is the exact name, or else the first in sorted order.
    static func value(_ name: String, in headers: [String: String]) -> String? {
        if let value = headers[name] { return value }
        let wanted = name.lowercased()
        return headers.filter { $0.key.lowercased() == wanted }.min { $0.key < $1.key }?.value
    }

    /// Returns the fields of `new` without those of `old` that a new field replaces, because their names differ only in case.
    static func replacing(_ old: [String: String], by new: [String: String]) -> [String: String] {
        let added = Set(new.keys.filter { old[$0] == nil }.map { $0.lowercased() })
        return added.isEmpty ? new : new.filter { old[$0.key] == nil || !added.contains($0.key.lowercased()) }
    }

    /// Returns a dictionary with one value for each name. Several values are joined with commas.
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

    /// Returns the fields of `own`, with those of `other` replacing fields with the same name.
    static func merge(_ own: [String: String], _ other: [String: String]) -> [String: String] {
        let replaced = Set(other.keys.map { $0.lowercased() })
        return own.filter { !replaced.contains($0.key.lowercased()) }.merging(other) { $1 }
    }
}

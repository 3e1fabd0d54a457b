import JSONAPICodec
import JSONText

/// The reason why a server refuses the media type of a request, or the requested media type of its response.
///
/// ```swift
/// refusal.status       // 415
/// refusal.error.json   // {"status": "415", "title": "Unsupported Media Type", "detail": …, "source": {"header": "Content-Type"}}
/// ```
///
/// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-servers>
public struct NegotiationRefusal: Error, Sendable, Hashable {
    /// The refused header.
    public enum Header: String, Sendable, Hashable {
        /// `Content-Type`: the media type of the request.
        case contentType = "Content-Type"
        /// `Accept`: the requested media type of the response.
        case accept = "Accept"
    }

    /// The problem with the header; for `Accept`, with the first instance of JSON:API's media type.
    public enum Reason: Sendable, Hashable {
        /// A parameter other than `ext` and `profile`, by name.
        case parameter(String)
        /// An extension that the server does not support, by URI.
        case unsupportedExtension(String)
    }

    /// The refused header.
    public let header: Header
    /// The problem with the header.
    public let reason: Reason

    /// 415 for `Content-Type`, 406 for `Accept`.
    public var status: Int { header == .contentType ? 415 : 406 }

    /// The refusal as an error object.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#error-objects>
    public var error: ErrorObject {
        ErrorObject(
            status: String(status), title: header == .contentType ? "Unsupported Media Type" : "Not Acceptable", detail: description,
            source: ErrorSource(header: header.rawValue))
    }

    /// A document with this error.
    public var errorDocument: ErrorDocument { ErrorDocument(errors: [error]) }
}

extension NegotiationRefusal: ErrorDocumentRepresentable {}

extension NegotiationRefusal: CustomStringConvertible {
    /// One sentence about the refusal.
    public var description: String {
        let what =
            switch reason {
            case .parameter(let name): "has the parameter `\(name.shown(60))`; only `ext` and `profile` are allowed"
            case .unsupportedExtension(let uri): "requires the extension \(uri.shown(200)), which is not supported"
            }
        return header == .contentType
            ? "The media type of JSON:API \(what)."
            : "No instance of the media type of JSON:API can be served: the first \(what)."
    }
}

import Foundation
import JSONAPICodec
import JSONText

/// A response that is neither what the request expects nor a document of errors: an HTML page, `{"detail": "Not found."}`, or an empty 500.
///
/// ```swift
/// do {
///     article = try request.answer(status: status, headers: headers, body: data).data
/// } catch let answer as UnexpectedAnswer {
///     answer.status            // 502
///     answer.mediaType         // "text/html"
///     answer.beginning()       // "<html><head><title>502 Bad Gateway</title>…"
/// }
/// ```
///
/// Its description contains nothing of the body. Two values are equal when their kinds, statuses and media types are equal.
public struct UnexpectedAnswer: Error, Sendable, Hashable {
    /// The reason why a response is unexpected. Kinds may be added, so always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, for example `status`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The status is not a success, and there is no document of errors: 304, 404, 503.
        public static let status = Kind("status")
        /// The status is a success, but there is no document, which the request needs.
        public static let noDocument = Kind("noDocument")
        /// The status is a success, but the text is not a JSON:API document.
        public static let notJSONAPI = Kind("notJSONAPI")
    }

    /// Why the response is unexpected.
    public let kind: Kind
    /// The HTTP status code.
    public let status: Int
    /// The `Content-Type` of the response, without parameters and in lower case; nil when there is none, or when it is not legal.
    public let mediaType: String?
    /// The header fields by name.
    public let headers: [String: String]
    /// The first 4,096 bytes of the body.
    private let excerpt: Data

    init(_ kind: Kind, _ response: JSONAPIResponse) {
        self.kind = kind
        status = response.status
        headers = response.headers
        mediaType = HeaderFields.value("Content-Type", in: headers).flatMap { try? MediaType(lenient: $0) }?.essence
        excerpt = response.body.map { Data($0.prefix(4096)) } ?? Data()
    }

    /// Returns the beginning of the body: at most `maximumLength` characters of its first 4,096 bytes. Nil when the body is empty. Bytes
    /// that are not UTF-8 become U+FFFD, and so do control characters other than line breaks and tabs.
    ///
    /// The text is what the server sent, and may contain data of a user. Show it only to people who may see that data.
    public func beginning(_ maximumLength: Int = 500) -> String? { AnswerBody.beginning(of: excerpt, maximumLength) }

    /// Whether kind, status and media type are equal.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.kind == rhs.kind && lhs.status == rhs.status && lhs.mediaType == rhs.mediaType
    }

    /// Feeds kind, status and media type to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(status)
        hasher.combine(mediaType)
    }
}

extension UnexpectedAnswer: LocalizedError, CustomStringConvertible {
    /// One sentence about the response, with nothing of its body.
    public var description: String {
        let what = mediaType.map { "a text of the type \($0.shown(100))" } ?? "a text of unknown type"
        let body = excerpt.isEmpty ? "no document" : what + ", which is not a document of errors"
        return switch kind {
        case .status: "The server responded with status \(status) and \(body)."
        case .noDocument: "The server responded with status \(status) and no document, which the request needs."
        default: "The server responded with status \(status) and \(what), which is not a JSON:API document."
        }
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}

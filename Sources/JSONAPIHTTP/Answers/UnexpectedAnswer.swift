import Foundation
import JSONAPICodec
import JSONText

/// An answer that is neither what was asked for nor a document of errors: a page of HTML, `{"detail": "Not found."}`, an empty 500.
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
/// Its description holds nothing of the body. Two are equal when kind, status and media type are.
public struct UnexpectedAnswer: Error, Sendable, Hashable {
    /// What is unexpected. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `status`.
        public let description: String
        private init(_ name: String) { description = name }

        /// A status that is no success, without a document of errors: 304, 404, 503.
        public static let status = Kind("status")
        /// A success without a document, where the request needs one.
        public static let noDocument = Kind("noDocument")
        /// A success whose text is no JSON:API document.
        public static let notJSONAPI = Kind("notJSONAPI")
    }

    /// What is unexpected.
    public let kind: Kind
    /// The HTTP status code.
    public let status: Int
    /// What the answer says it is: its `Content-Type`, without parameters and in lower case; nil when it says nothing, or nothing legal.
    public let mediaType: String?
    /// Header fields by name.
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

    /// The beginning of the body, at most that many characters of its first 4,096 bytes; nil when the body is empty. What is no UTF-8
    /// becomes U+FFFD, and so do control characters other than line breaks and tabs.
    ///
    /// It is what a server sent, maybe about a user: show it to people who may see that.
    public func beginning(_ maximumLength: Int = 500) -> String? {
        guard !excerpt.isEmpty else { return nil }
        let scalars = String(decoding: excerpt, as: UTF8.self).unicodeScalars.map { scalar in
            switch scalar {
            case "\n", "\r", "\t": scalar
            default: scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar
            }
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(max(maximumLength, 0)))
    }

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
    /// The answer in one sentence, without anything of its body.
    public var description: String {
        let what = mediaType.map { "a text of the type \($0.shown(100))" } ?? "a text of unknown type"
        let body = excerpt.isEmpty ? "no document" : what
        return switch kind {
        case .status: "The server answered \(status) with \(body), and no document of errors."
        case .noDocument: "The server answered \(status) without a document, which the request needs."
        default: "The server answered \(status) with \(what), which is no JSON:API document."
        }
    }

    /// The same as `description`.
    public var errorDescription: String? { description }
}

import JSONAPICodec
import JSONText

/// Content negotiation on the side of a server: what it makes of `Content-Type` and `Accept`.
///
/// ```swift
/// let negotiation = ContentNegotiation(extensions: ["https://jsonapi.org/ext/atomic"], profiles: [CursorPagination.profile])
/// switch negotiation.verdict(onAccept: header) {
/// case .accepted(let mediaType): respond(document, headers: negotiation.headers(for: mediaType))
/// case .refused(let refusal): respond(refusal.status, refusal.errorDocument)      // 406
/// case .notJSONAPI: …                                                             // for HTML, images, …
/// }
/// ```
///
/// Extensions and profiles are URIs, compared by bytes. A profile that the server does not know is never an error.
///
/// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-servers>
public struct ContentNegotiation: Sendable, Hashable {
    /// The URIs of the extensions that the server supports.
    public var extensions: [String]
    /// The URIs of the profiles that the server applies when it is asked for them.
    public var profiles: [String]

    /// A server that supports these extensions and profiles, given by URI.
    public init(extensions: [String] = [], profiles: [String] = []) {
        self.extensions = extensions
        self.profiles = profiles
    }

    /// What comes of a header.
    public enum Verdict: Sendable, Hashable {
        /// The request's document is of this media type; or the response is to be.
        case accepted(MediaType)
        /// The answer is 415 or 406.
        case refused(NegotiationRefusal)
        /// The header is not about JSON:API, which has no rule for it then.
        case notJSONAPI

        /// The status that JSON:API demands, 415 or 406; nil when it demands none.
        public var status: Int? {
            if case .refused(let refusal) = self { refusal.status } else { nil }
        }
    }
}

// MARK: - Verdicts

extension ContentNegotiation {
    /// What comes of the `Content-Type` of a request with a document: accepted with its extensions and profiles, known or not;
    /// or 415 for an extension that is not supported and for any parameter besides `ext` and `profile`.
    ///
    /// Throws `MediaTypeError` when the header breaks HTTP's grammar, for which 400 or 415 is usual.
    public func verdict(onContentType header: String) throws(MediaTypeError) -> Verdict {
        let mediaType: MediaType
        do { mediaType = try MediaType(parsing: header) } catch { throw error.of(.contentType) }
        guard mediaType.isJSONAPI else { return .notJSONAPI }
        if let reason = reason(against: mediaType) { return .refused(NegotiationRefusal(.contentType, reason)) }
        return .accepted(mediaType)
    }

    /// What comes of the `Accept` of a request; nil when it has none.
    ///
    /// Accepted with the media type to respond with: of the instances of JSON:API's media type that the server can serve the one
    /// with the largest weight, the first of several; with its extensions, and of its profiles those that the server knows.
    /// Where there is no instance, a range that covers it (`*/*`, `application/*`) does. 406 when instances are there and none
    /// can be served, whatever else is accepted.
    ///
    /// Throws `MediaTypeError` when the header breaks HTTP's grammar, for which 400 or 406 is usual.
    public func verdict(onAccept header: String?) throws(MediaTypeError) -> Verdict {
        guard let header else { return .accepted(.jsonapi) }
        let wanted: [MediaType]
        do { wanted = try MediaType.list(parsing: header) } catch { throw error.of(.accept) }
        let instances = wanted.filter(\.isJSONAPI)
        if instances.isEmpty { return Self.isCovered(by: wanted) ? .accepted(.jsonapi) : .notJSONAPI }

        var best: MediaType?
        var firstReason: NegotiationRefusal.Reason?
        var canBeServed = false
        for instance in instances {
            if let reason = reason(against: instance.withoutQuality) {
                firstReason = firstReason ?? reason
                continue
            }
            canBeServed = true
            if instance.quality > best?.quality ?? 0 { best = instance }
        }
        if let best { return .accepted(response(to: best)) }
        if !canBeServed, let firstReason { return .refused(NegotiationRefusal(.accept, firstReason)) }
        return .notJSONAPI
    }

    /// The headers of a response with a document of that media type: `Content-Type`, and `Vary`, since what `Accept` says decides
    /// on extensions and profiles.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-servers>
    public func headers(for mediaType: MediaType = .jsonapi) -> [String: String] {
        ["Content-Type": mediaType.description, "Vary": "Accept"]
    }

    /// Why the server cannot take or serve this instance of JSON:API's media type.
    private func reason(against mediaType: MediaType) -> NegotiationRefusal.Reason? {
        if let parameter = mediaType.otherParameters.first { return .parameter(parameter.name) }
        return mediaType.ext.first { !Self.contains(extensions, $0) }.map(NegotiationRefusal.Reason.unsupportedExtension)
    }

    private func response(to instance: MediaType) -> MediaType {
        MediaType(ext: instance.ext, profile: instance.profile.filter { Self.contains(profiles, $0) })
    }

    private static func contains(_ uris: [String], _ uri: String) -> Bool { uris.contains { UTF8Bytes.areEqual($0, uri) } }

    /// The more precise range decides.
    private static func isCovered(by ranges: [MediaType]) -> Bool {
        let range = ranges.last { $0.essence == "application/*" } ?? ranges.last { $0.essence == "*/*" }
        return range.map { $0.quality > 0 } ?? ranges.isEmpty
    }
}

extension MediaTypeError {
    /// The same, in that header.
    fileprivate func of(_ header: NegotiationRefusal.Header) -> MediaTypeError {
        var error = self
        error.header = header
        return error
    }
}

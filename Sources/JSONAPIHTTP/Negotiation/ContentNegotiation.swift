import JSONAPICodec
import JSONAPIRules
import JSONText

/// Content negotiation for a server: it evaluates `Content-Type` and `Accept`.
///
/// ```swift
/// let negotiation = ContentNegotiation(extensions: ["https://jsonapi.org/ext/atomic"], profiles: [CursorPagination.profile])
/// switch try negotiation.verdict(onAccept: header) {
/// case .accepted(let mediaType): respond(document, headers: negotiation.headers(for: mediaType))
/// case .refused(let refusal): respond(refusal.status, refusal.errorDocument)      // 406
/// case .notJSONAPI: …                                                             // for HTML, images, …
/// }
/// ```
///
/// Extensions and profiles are URIs, which are compared byte by byte. Only a slash at the end of a profile's URI is ignored. A profile that
/// the server does not know is never an error.
///
/// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-servers>
public struct ContentNegotiation: Sendable, Hashable {
    /// The URIs of the extensions that the server supports.
    public var extensions: [String]
    /// The URIs of the profiles that the server applies on request.
    public var profiles: [String]

    /// Creates the negotiation for a server that supports the given extensions and profiles, identified by URI.
    public init(extensions: [String] = [], profiles: [String] = []) {
        self.extensions = extensions
        self.profiles = profiles
    }

    /// The result for a header.
    public enum Verdict: Sendable, Hashable {
        /// The media type of the request's document, or the media type to respond with.
        case accepted(MediaType)
        /// The response has status 415 or 406.
        case refused(NegotiationRefusal)
        /// The header is not about JSON:API, which then has no rule for it.
        case notJSONAPI

        /// The status that JSON:API requires, 415 or 406; nil when it requires none.
        public var status: Int? {
            if case .refused(let refusal) = self { refusal.status } else { nil }
        }
    }
}

// MARK: - Verdicts

extension ContentNegotiation {
    /// Returns the verdict on the `Content-Type` of a request with a document. The media type is accepted with its extensions and profiles,
    /// even unknown profiles. It is refused with 415 for an unsupported extension, and for any parameter other than `ext` and `profile`.
    ///
    /// Throws `MediaTypeError` when the header violates HTTP's grammar. The usual status is then 400 or 415.
    public func verdict(onContentType header: String) throws(MediaTypeError) -> Verdict {
        let mediaType: MediaType
        do { mediaType = try MediaType(parsing: header) } catch { throw error.of(.contentType) }
        guard mediaType.isJSONAPI else { return .notJSONAPI }
        if let reason = reason(against: mediaType) { return .refused(NegotiationRefusal(header: .contentType, reason: reason)) }
        return .accepted(mediaType)
    }

    /// Returns the verdict on the `Accept` of a request; nil when it has none.
    ///
    /// The accepted media type is the one to respond with. Among the instances of JSON:API's media type that the server can serve, it is
    /// the one with the largest weight, and the first of several. It keeps its extensions, and the profiles that the server knows. Without
    /// an instance, a range that covers the media type is sufficient (`*/*`, `application/*`). The verdict is 406 when there are instances
    /// and none can be served, whatever other types are accepted.
    ///
    /// Throws `MediaTypeError` when the header violates HTTP's grammar. The usual status is then 400 or 406.
    public func verdict(onAccept header: String?) throws(MediaTypeError) -> Verdict {
        guard let header else { return .accepted(.jsonapi) }
        let wanted: [MediaType]
        do { wanted = try MediaType.list(parsing: header) } catch { throw error.of(.accept) }
        let instances = wanted.filter(\.isJSONAPI)
        if instances.isEmpty { return Self.isCovered(by: wanted) ? .accepted(.jsonapi) : .notJSONAPI }

        let servable = instances.filter { reason(against: $0.withoutQuality) == nil }
        var best: MediaType?
        for instance in servable where instance.quality > best?.quality ?? 0 { best = instance }
        if let best { return .accepted(MediaType(ext: best.ext, profile: known(best.profile))) }
        guard servable.isEmpty, let first = instances.first, let why = reason(against: first.withoutQuality) else { return .notJSONAPI }
        return .refused(NegotiationRefusal(header: .accept, reason: why))
    }

    /// Returns the headers of a response with a document of the given media type: `Content-Type`, and `Vary`, because `Accept` decides on
    /// extensions and profiles.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-servers>
    public func headers(for mediaType: MediaType = .jsonapi) -> [String: String] {
        ["Content-Type": mediaType.description, "Vary": "Accept"]
    }

    /// Returns why the server cannot accept or serve this instance of JSON:API's media type; nil when it can.
    private func reason(against mediaType: MediaType) -> NegotiationRefusal.Reason? {
        if let parameter = mediaType.otherParameters.first { return .parameter(parameter.name) }
        return mediaType.ext.first { !isSupported($0) }.map(NegotiationRefusal.Reason.unsupportedExtension)
    }

    private func isSupported(_ ext: String) -> Bool { extensions.contains { UTF8Bytes.areEqual($0, ext) } }

    /// Returns those of the server's profiles that a client named, in the server's spelling.
    private func known(_ sent: [String]) -> [String] {
        profiles.filter { own in sent.contains { URIText.areSameProfile(own, $0) } }
    }

    /// Whether the ranges cover JSON:API's media type. The more specific range decides.
    private static func isCovered(by ranges: [MediaType]) -> Bool {
        let range = ranges.last { $0.essence == "application/*" } ?? ranges.last { $0.essence == "*/*" }
        return range.map { $0.quality > 0 } ?? ranges.isEmpty
    }
}

extension MediaTypeError {
    /// Returns the error with the given header.
    fileprivate func of(_ header: NegotiationRefusal.Header) -> MediaTypeError {
        var error = self
        error.header = header
        return error
    }
}

import JSONAPICodec
import JSONAPIRules
import JSONText

/// A media type with its parameters, as in `Content-Type`, or a range, as in `Accept`.
///
/// ```swift
/// let atomic = MediaType(ext: ["https://jsonapi.org/ext/atomic"])
/// atomic.description          // application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"
/// let found = try MediaType(parsing: "application/vnd.api+json; charset=utf-8; profile=\"https://example.com/p\"")
/// found.isJSONAPI             // true
/// found.profile               // ["https://example.com/p"]
/// ```
///
/// Types and parameter names are case-insensitive and kept in lower case. Values, including the URIs of extensions and profiles, are
/// compared byte by byte. Two media types are equal when they have the same essence and the same parameters in the same order.
///
/// Specification: <https://jsonapi.org/format/1.1/#media-type>
public struct MediaType: Sendable, Hashable {
    /// The type and subtype in lower case: `application/vnd.api+json`, `*/*`.
    public let essence: String

    /// The parameters in order, exactly as they were written but without quotation marks.
    public private(set) var parameters: [Parameter]

    /// A parameter of a media type.
    public struct Parameter: Sendable, Hashable {
        /// The name, in lower case.
        public let name: String
        /// The value, without the quotation marks and backslashes of a quoted string.
        public let value: String

        /// Whether name and value have the same bytes.
        public static func == (lhs: Self, rhs: Self) -> Bool {
            UTF8Bytes.areEqual(lhs.name, rhs.name) && UTF8Bytes.areEqual(lhs.value, rhs.value)
        }

        /// Feeds the bytes of name and value to `hasher`.
        public func hash(into hasher: inout Hasher) {
            UTF8Bytes.hash(name, into: &hasher)
            UTF8Bytes.hash(value, into: &hasher)
        }
    }

    init(essence: String, parameters: [Parameter]) {
        self.essence = essence
        self.parameters = parameters
    }

    /// Creates the media type of JSON:API with the URIs of the applied extensions and profiles.
    public init(ext: [String] = [], profile: [String] = []) {
        self.init(essence: Self.jsonAPI, parameters: [])
        self.ext = ext
        self.profile = profile
    }

    /// The media type of JSON:API, without parameters.
    public static let jsonapi = MediaType()

    private static let jsonAPI = "application/vnd.api+json"

    /// Whether it is the media type of JSON:API, whatever its parameters. A range such as `*/*` is not.
    public var isJSONAPI: Bool { essence == Self.jsonAPI }
}

// MARK: - Parameters

extension MediaType {
    /// The URIs of the extensions, in order; empty without the parameter.
    ///
    /// Setting an empty list removes the parameter. Characters that a URI must not contain, such as spaces, are percent-encoded.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#media-type-parameter-rules>
    public var ext: [String] {
        get { uris(of: "ext") }
        set { set("ext", newValue) }
    }

    /// The URIs of the profiles, in order; empty without the parameter. Setting works as for `ext`.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#media-type-parameter-rules>
    public var profile: [String] {
        get { uris(of: "profile") }
        set { set("profile", newValue) }
    }

    /// The parameters other than `ext` and `profile`, which JSON:API does not allow. Clients ignore them in responses.
    public var otherParameters: [Parameter] { parameters.filter { $0.name != "ext" && $0.name != "profile" } }

    /// The weight in `Accept`: the parameter `q`, from 0 (not acceptable) to 1. It is 1 without the parameter, and when the value is not a
    /// weight. A weight consists of decimal digits with at most one point.
    ///
    /// Specification: <https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2>
    public var quality: Double {
        guard let text = parameters.first(where: { $0.name == "q" })?.value.utf8 else { return 1 }
        let isWeight = text.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        guard isWeight, text.first != UInt8(ascii: "."), let value = Double(String(text)) else { return 1 }
        return min(value, 1)
    }

    /// The media type without the weight from `Accept`.
    var withoutQuality: MediaType { MediaType(essence: essence, parameters: parameters.filter { $0.name != "q" }) }

    private func uris(of name: String) -> [String] {
        parameters.filter { $0.name == name }.flatMap {
            $0.value.utf8.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private mutating func set(_ name: String, _ uris: [String]) {
        let new = Parameter(name: name, value: uris.map(URLText.encodedURI).joined(separator: " "))
        parameters.replaceAll(where: { $0.name == name }, with: uris.isEmpty ? nil : new)
    }
}

// MARK: - Text

extension MediaType: CustomStringConvertible {
    /// The value of a header. `ext` and `profile` are in quotation marks, and other values when they need them. There is no white space
    /// around semicolons.
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            let isPlain = HTTPToken.isToken(parameter.value) && parameter.name != "ext" && parameter.name != "profile"
            text += ";\(parameter.name)=" + (isPlain ? parameter.value : Self.quoted(parameter.value))
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.utf8.flatMap { "\"\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
        return "\"" + String(decoding: escaped, as: UTF8.self) + "\""
    }
}

// MARK: - Requests

extension MediaType {
    /// Returns the headers of a client's request: `Accept`, and `Content-Type` when it has a document.
    ///
    /// ```swift
    /// let atomic = MediaType(ext: ["https://jsonapi.org/ext/atomic"])
    /// for (name, value) in atomic.requestHeaders(hasDocument: true) { request.setValue(value, forHTTPHeaderField: name) }
    /// ```
    ///
    /// In `Content-Type` the extensions and profiles are those of the document that is sent. In `Accept` they are those of the wanted
    /// response: the server must apply the extensions or respond with 406, and it may apply the profiles. When the two differ, pass the
    /// media type of the response.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#content-negotiation-clients>
    public func requestHeaders(hasDocument: Bool = false, accepting response: MediaType? = nil) -> [String: String] {
        var headers = ["Accept": (response ?? self).description]
        if hasDocument { headers["Content-Type"] = description }
        return headers
    }
}

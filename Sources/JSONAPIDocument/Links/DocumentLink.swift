import Foundation
import JSONText

/// A link in one of its three forms.
///
/// ```
/// "/articles/1"                                       .text
/// {"href": "/articles/1", "meta": {"count": 10}}      .object
/// null                                                .null    there is no such link
/// ```
///
/// A string literal creates a link of the form `text`. Links of different forms are not equal, even when they have the same target.
///
/// https://jsonapi.org/format/1.1/#document-links-link
public enum DocumentLink: Sendable {
    /// A URI reference, exactly as it was written. It may be relative, empty or invalid.
    case text(String)
    /// A link object.
    case object(LinkObject)
    /// A link that does not exist.
    case null

    /// Creates a link from the given value; nil when the value is not a string, an object or null.
    public init?(json: JSON) {
        switch json {
        case .string(let text): self = .text(text)
        case .object(let members): self = .object(LinkObject(members: members))
        case .null: self = .null
        default: return nil
        }
    }

    /// The link as a JSON value.
    public var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .object(let object): object.json
        case .null: .null
        }
    }
}

// MARK: - Contents

extension DocumentLink {
    /// The URI reference exactly as it was written; nil for a null link and for an object without `href`.
    ///
    /// Setting it changes the text, or the `href` of the object. A null link becomes a text. A text that is set to nil becomes null.
    public var href: String? {
        get {
            switch self {
            case .text(let text): text
            case .object(let object): object.href
            case .null: nil
            }
        }
        set {
            if case .object(var object) = self {
                object.href = newValue
                self = .object(object)
            } else {
                self = newValue.map(DocumentLink.text) ?? .null
            }
        }
    }

    /// The URI reference as a URL; nil when there is none, when it is empty, and when Foundation cannot read it.
    ///
    /// Servers send characters that a URI must not contain, such as brackets and spaces in a query. They are percent-encoded here; what is
    /// already encoded stays. `href` has the original text. Resolve relative references with `url(relativeTo:)`.
    ///
    /// - Complexity: O(n), n = bytes. The text is parsed on each access.
    public var url: URL? { href.flatMap { URLText.url($0) } }

    /// Returns the absolute URL of the link in a document that was fetched from `base`; nil when there is no `href`, or when Foundation
    /// cannot read it. An empty reference resolves to the document itself, without a fragment.
    ///
    /// https://www.rfc-editor.org/rfc/rfc3986#section-5
    public func url(relativeTo base: URL) -> URL? {
        guard let href else { return nil }
        guard href.isEmpty else { return URLText.url(href, relativeTo: base)?.absoluteURL }
        var components = URLComponents(url: base, resolvingAgainstBaseURL: true)
        components?.fragment = nil
        return components?.url
    }

    /// The link object; nil for the other two forms.
    public var object: LinkObject? {
        if case .object(let object) = self { object } else { nil }
    }

    /// Information about the link; nil unless the link is an object with `meta`.
    ///
    /// https://jsonapi.org/format/1.1/#document-meta
    public var meta: JSONObject? { object?.meta }

    /// Whether the link leads to another document. A null link and an object without `href` lead nowhere, and an empty link would lead to its
    /// own document: servers that send one mean that there is no link.
    package var hasTarget: Bool { href?.isEmpty == false }

    /// Whether the link is null: the member exists and says that there is no such link.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension DocumentLink: ExpressibleByStringInterpolation {
    /// Creates a link from the given text.
    public init(stringLiteral text: String) {
        self = .text(text)
    }
}

// MARK: - Equality, text and Codable

extension DocumentLink: Hashable {
    /// Whether both have the same form and equal contents. Texts are compared byte by byte.
    public static func == (lhs: DocumentLink, rhs: DocumentLink) -> Bool { lhs.json == rhs.json }

    /// Feeds the contents to `hasher`.
    public func hash(into hasher: inout Hasher) { json.hash(into: &hasher) }
}

extension DocumentLink: CustomStringConvertible {
    /// The link as compact JSON text.
    public var description: String { json.description }
}

extension DocumentLink: Codable {
    /// Reads a string, an object or null with any decoder.
    ///
    /// Throws `DecodingError.dataCorrupted` for anything else, or what the decoder throws.
    public init(from decoder: any Decoder) throws {
        let json = try JSON(from: decoder)
        guard let link = DocumentLink(json: json) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "Expected a link: a string, an object or null; found \(json.kindName)."))
        }
        self = link
    }

    /// Writes the link in its form with any encoder.
    public func encode(to encoder: any Encoder) throws {
        try json.encode(to: encoder)
    }
}

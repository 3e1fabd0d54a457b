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
/// A string literal is a link of that text. Links of different forms differ, even when they lead to the same place.
///
/// https://jsonapi.org/format/1.1/#document-links-link
public enum DocumentLink: Sendable {
    /// A URI reference, as it is written: maybe relative, empty or faulty.
    case text(String)
    /// A link object.
    case object(LinkObject)
    /// A link that does not exist.
    case null

    /// The link of that value; nil when it is neither string, nor object, nor null.
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
    /// The URI reference as it is written; nil for a null link and for an object without `href`.
    ///
    /// Setting changes the text or the object's `href`. A null link becomes a text; a text that is set to nil becomes
    /// null.
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
    /// What servers send though no URI may hold it, as brackets and blanks in a query, is percent-encoded; what is encoded
    /// already stays. `href` has the text as it is written. Resolve relative references with `url(relativeTo:)`.
    ///
    /// - Complexity: O(n), n = bytes; the text is read anew each time.
    public var url: URL? { href.flatMap { URLText.url($0) } }

    /// The absolute URL of the link in a document that came from `base`; nil when there is no `href`, or Foundation
    /// cannot read it. An empty reference is the document itself, without a fragment.
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

    /// What the link says beside its address; nil unless it is an object with `meta`.
    ///
    /// https://jsonapi.org/format/1.1/#document-meta
    public var meta: JSONObject? { object?.meta }

    /// Whether the link is null: the member is there and says that there is no such link.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension DocumentLink: ExpressibleByStringInterpolation {
    /// The link of that text.
    public init(stringLiteral text: String) {
        self = .text(text)
    }
}

// MARK: - Equality, text and Codable

extension DocumentLink: Hashable {
    /// Whether both have the same form and equal contents: texts by bytes.
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

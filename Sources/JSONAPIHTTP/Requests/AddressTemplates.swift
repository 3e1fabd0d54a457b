import Foundation
import JSONAPICodec
import JSONText

/// Where the resources of a type are found: the addresses of the collection, a resource, what is related to it, and a relationship.
///
/// ```swift
/// AddressTemplates(collection: "https://example.com/api/articles")
/// // https://example.com/api/articles
/// // https://example.com/api/articles/{id}
/// // https://example.com/api/articles/{id}/{relationship}
/// // https://example.com/api/articles/{id}/relationships/{relationship}
///
/// AddressTemplates(server: "https://example.com/api")          // the same for every type: https://example.com/api/{type}
/// AddressTemplates(collection: "/articles/")                   // /articles/{id}/: all addresses end in a slash
/// ```
///
/// A client makes requests of them, a server the links of its resources. The variables are `{type}`, `{id}` and `{relationship}`;
/// their values are percent-encoded, so that an id never leaves its place: `a/b` becomes `a%2Fb`. What stands behind a `?` stays behind
/// it. A fragment is left out.
///
/// Specification: <https://jsonapi.org/recommendations/#urls>
public struct AddressTemplates: Sendable, Hashable {
    /// The address of all resources of the type.
    public var collection: String
    /// The address of one resource.
    public var resource: String
    /// The address of the resources that a relationship leads to.
    public var related: String
    /// The address of the relationship itself.
    public var relationship: String

    /// The addresses that the specification recommends below that of the collection, or others in their place.
    ///
    /// When the path of the collection ends in a slash, so do the others.
    public init(collection: String, resource: String? = nil, related: String? = nil, relationship: String? = nil) {
        self.collection = collection
        self.resource = resource ?? Self.extend(collection, "{id}")
        self.related = related ?? Self.extend(self.resource, "{relationship}")
        self.relationship = relationship ?? Self.extend(self.resource, "relationships/{relationship}")
    }

    /// The addresses that the specification recommends below that of a server, for resources of any type.
    public init(server: String) {
        self.init(collection: Self.extend(server, "{type}"))
    }

    /// The address with `path` behind its own path.
    private static func extend(_ address: String, _ path: String) -> String {
        let end = address.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? address.utf8.endIndex
        let own = address[..<end]
        let endsInSlash = own.utf8.last == UInt8(ascii: "/")
        return own + (endsInSlash ? "" : "/") + path + (endsInSlash ? "/" : "") + address[end...]
    }
}

// MARK: - Addresses

extension AddressTemplates {
    /// The address of the resource with this id. Throws `RequestFailure` for an id that no address can have: an empty one, `.` and `..`.
    public func address(of identifier: ResourceIdentifier) throws -> String {
        try Expansion(type: identifier.type, id: identifier.id).expand(resource)
    }

    /// The address of what a relationship of the resource leads to. Throws `RequestFailure`.
    public func address(relatedTo identifier: ResourceIdentifier, by relationship: String) throws -> String {
        try Expansion(type: identifier.type, id: identifier.id, relationship: relationship).expand(related)
    }

    /// The address of a relationship of the resource. Throws `RequestFailure`.
    public func address(ofRelationship relationship: String, of identifier: ResourceIdentifier) throws -> String {
        try Expansion(type: identifier.type, id: identifier.id, relationship: relationship).expand(self.relationship)
    }

    /// The address of the collection of a type. Throws `RequestFailure`.
    public func address(ofCollection type: String) throws -> String { try Expansion(type: type).expand(collection) }
}

/// The values of the variables of one address.
struct Expansion {
    /// The value of each variable that the address may have; nil for one without a value.
    let values: [String: String?]

    init(type: String, id: String? = nil, relationship: String? = nil) {
        values = ["type": type, "id": id, "relationship": relationship]
    }

    init(_ values: [String: String]) { self.values = values.mapValues { $0 } }

    /// The template with its variables replaced, without a fragment.
    func expand(_ template: String) throws -> String {
        var output: [UInt8] = []
        var rest = template.utf8.prefix { $0 != UInt8(ascii: "#") }
        while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
            output += rest[..<start]
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: "}")) else { throw RequestFailure(.invalidAddress, template) }
            try append(String(decoding: rest[start..<end].dropFirst(), as: UTF8.self), of: template, to: &output)
            rest = rest[end...].dropFirst()
        }
        output += rest
        return String(decoding: output, as: UTF8.self)
    }

    private func append(_ variable: String, of template: String, to output: inout [UInt8]) throws {
        guard let entry = values[variable] else { throw RequestFailure(.invalidAddress, template) }
        guard let value = entry, !value.isEmpty else { throw RequestFailure(.missingID, variable) }
        // An encoded dot is a dot to every reader of addresses.
        guard value != ".", value != ".." else { throw RequestFailure(.dotSegment, variable) }
        for byte in value.utf8 {
            if Self.isUnreserved(byte) { output.append(byte) } else { PercentEncoding.append(byte, to: &output) }
        }
    }

    /// <https://www.rfc-editor.org/rfc/rfc3986#section-2.3>
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

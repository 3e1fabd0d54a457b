import JSONAPICodec

/// The addresses for a resource type: of the collection, of a resource, of related resources, and of a relationship.
///
/// ```swift
/// AddressTemplates(collection: "https://example.com/api/articles")
/// // https://example.com/api/articles
/// // https://example.com/api/articles/{id}
/// // https://example.com/api/articles/{id}/{relationship}
/// // https://example.com/api/articles/{id}/relationships/{relationship}
///
/// AddressTemplates(server: "https://example.com/api")          // the same for every type: https://example.com/api/{type}
/// AddressTemplates(collection: "/articles/")                   // /articles/{id}/: all addresses end with a slash
/// ```
///
/// A client uses them for its requests, a server for the links of its resources. The variables are `{type}`, `{id}` and `{relationship}`.
/// Their values are percent-encoded, so that an id cannot change the path: `a/b` becomes `a%2Fb`. A query stays at the end of each address.
/// A fragment is left out.
///
/// Specification: <https://jsonapi.org/recommendations/#urls>
public struct AddressTemplates: Sendable, Hashable {
    /// The address of all resources of the type.
    public var collection: String
    /// The address of one resource.
    public var resource: String
    /// The address of the resources that a relationship refers to.
    public var related: String
    /// The address of a relationship itself.
    public var relationship: String

    /// Creates the addresses that the specification recommends below the collection's. Arguments that are not nil replace them.
    ///
    /// When the path of the collection ends with a slash, so do the others.
    public init(collection: String, resource: String? = nil, related: String? = nil, relationship: String? = nil) {
        self.collection = collection
        self.resource = resource ?? Self.extend(collection, "{id}")
        self.related = related ?? Self.extend(self.resource, "{relationship}")
        self.relationship = relationship ?? Self.extend(self.resource, "relationships/{relationship}")
    }

    /// Creates the addresses that the specification recommends below a server's, for resources of any type.
    public init(server: String) {
        self.init(collection: Self.extend(server, "{type}"))
    }

    /// Returns the address with `path` appended to its own path.
    private static func extend(_ address: String, _ path: String) -> String {
        let end = address.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? address.utf8.endIndex
        let own = address[..<end]
        let endsInSlash = own.utf8.last == UInt8(ascii: "/")
        return own + (endsInSlash ? "" : "/") + path + (endsInSlash ? "/" : "") + address[end...]
    }
}

// MARK: - Addresses

extension AddressTemplates {
    /// Returns the address of a resource. Throws `RequestFailure` when its id cannot be part of an address: when it is empty, `.` or `..`.
    public func address(of identifier: ResourceIdentifier) throws -> String {
        try Expansion(type: identifier.type, id: identifier.id).expand(resource)
    }

    /// Returns the address of the resources that a relationship refers to. Throws `RequestFailure` when a name or an id cannot be part of
    /// an address.
    public func address(relatedTo identifier: ResourceIdentifier, by relationship: String) throws -> String {
        try Expansion(type: identifier.type, id: identifier.id, relationship: relationship).expand(related)
    }

    /// Returns the address of a relationship. Throws `RequestFailure` when a name or an id cannot be part of an address.
    public func address(ofRelationship relationship: String, of identifier: ResourceIdentifier) throws -> String {
        try Expansion(type: identifier.type, id: identifier.id, relationship: relationship).expand(self.relationship)
    }

    /// Returns the address of the collection of a type. Throws `RequestFailure` when the type cannot be part of an address.
    public func address(ofCollection type: String) throws -> String { try Expansion(type: type).expand(collection) }
}

/// The values of the variables of one address.
struct Expansion {
    /// The value of each variable that the address may contain; nil for a variable without a value.
    let values: [String: String?]
    /// Whether a variable in the query can have any value. An id has to be one everywhere.
    private let takesAnyInQuery: Bool

    init(type: String, id: String? = nil, relationship: String? = nil) {
        values = ["type": type, "id": id, "relationship": relationship]
        takesAnyInQuery = false
    }

    init(_ values: [String: String]) {
        self.values = values.mapValues { $0 }
        takesAnyInQuery = true
    }

    /// Returns the template with its variables replaced, without a fragment.
    func expand(_ template: String) throws -> String {
        var output: [UInt8] = []
        var rest = template.utf8.prefix { $0 != UInt8(ascii: "#") }
        while let start = rest.firstIndex(of: UInt8(ascii: "{")) {
            output += rest[..<start]
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: "}")) else { throw RequestFailure(.invalidAddress, template) }
            try append(String(decoding: rest[start..<end].dropFirst(), as: UTF8.self), to: &output)
            rest = rest[end...].dropFirst()
        }
        output += rest
        return String(decoding: output, as: UTF8.self)
    }

    private func append(_ variable: String, to output: inout [UInt8]) throws {
        guard let entry = values[variable] else { throw RequestFailure(.missingValue, variable) }
        if takesAnyInQuery, let value = entry, output.contains(UInt8(ascii: "?")) { return PercentEncoding.append(value, to: &output) }
        guard let value = entry, !value.isEmpty else { throw RequestFailure(.missingID, variable) }
        // Readers of addresses treat an encoded dot as a dot.
        guard value != ".", value != ".." else { throw RequestFailure(.dotSegment, variable) }
        PercentEncoding.append(value, to: &output)
    }
}

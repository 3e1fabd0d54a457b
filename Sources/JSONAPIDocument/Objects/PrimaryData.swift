import JSONText

/// The `data` of a document. Absent, null and an empty collection are different:
///
/// ```
/// {"meta": {}}         .absent   no primary data: errors, meta or an extension instead
/// {"data": null}       .null     the request asked for one resource, and there is none
/// {"data": {…}}        .one
/// {"data": []}         .many     an empty collection
/// ```
///
/// A bare `{"type": …, "id": …}` is read as a resource object without fields. In the response of a relationship endpoint it is an
/// identifier, but only the request shows that. Read `DocumentObject.linkage` in that case.
///
/// https://jsonapi.org/format/1.1/#document-top-level
public enum PrimaryData: Hashable, Sendable {
    /// There is no member `data`.
    case absent
    /// There is no such resource: `data` is null.
    case null
    /// One resource.
    case one(ResourceObject)
    /// A collection, which may be empty.
    case many([ResourceObject])

    /// Creates primary data from the given value: `.absent` for nil. Returns nil when the value is not null, an object or an array of
    /// objects.
    ///
    /// - Complexity: O(n), n = resources.
    public init?(json: JSON?) {
        switch json {
        case nil:
            self = .absent
        case .null:
            self = .null
        case .object(let members):
            self = .one(ResourceObject(members: members))
        case let json?:
            guard let resources = [ResourceObject](json: json) else { return nil }
            self = .many(resources)
        }
    }

    /// The primary data as a JSON value; nil when it is absent.
    ///
    /// - Complexity: O(n), n = resources.
    public var json: JSON? {
        switch self {
        case .absent: nil
        case .null: .null
        case .one(let resource): resource.json
        case .many(let resources): resources.json
        }
    }

    /// All resources in order; empty when the data is absent, null or empty.
    public var resources: [ResourceObject] {
        switch self {
        case .absent, .null: []
        case .one(let resource): [resource]
        case .many(let resources): resources
        }
    }
}

extension PrimaryData: CustomStringConvertible {
    /// The primary data as compact JSON text, or `absent`.
    public var description: String { json?.description ?? "absent" }
}

extension PrimaryData: Codable {
    /// Reads null, a resource object or an array of them with any decoder; never `.absent`.
    ///
    /// Throws `DecodingError.dataCorrupted` for anything else, or what the decoder throws.
    public init(from decoder: any Decoder) throws {
        self = try decoder.made(of: "primary data: null, a resource object or an array of them") { PrimaryData(json: $0) }
    }

    /// Writes the primary data with any encoder.
    ///
    /// Throws `EncodingError.invalidValue` for `.absent`, because an absent member has no value. Leave out its key.
    public func encode(to encoder: any Encoder) throws {
        guard let json else { throw EncodingError.absentMember(self, encoder.codingPath) }
        try json.encode(to: encoder)
    }
}

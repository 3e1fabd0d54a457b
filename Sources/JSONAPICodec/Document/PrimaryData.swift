import JSONText

/// The `data` of a document. Absent, null and an empty collection are three different things:
///
/// ```
/// {"meta": {}}         .absent   no primary data: errors, meta or an extension instead
/// {"data": null}       .null     one resource was asked for, and there is none
/// {"data": {…}}        .one
/// {"data": []}         .many     a collection, and it is empty
/// ```
///
/// A bare `{"type": …, "id": …}` is a resource object without fields here. In the answer of a relationship endpoint it
/// is an identifier, which only the request tells; read `DocumentObject.linkage` then.
///
/// https://jsonapi.org/format/1.1/#document-top-level
public enum PrimaryData: Hashable, Sendable {
    /// There is no member `data`.
    case absent
    /// There is no such resource.
    case null
    /// One resource.
    case one(ResourceObject)
    /// A collection, maybe empty.
    case many([ResourceObject])

    /// The primary data of that value, `.absent` for nil; nil when the value is none: neither null, nor an object, nor
    /// an array of objects.
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

    /// The primary data as a JSON value, nil when it is absent.
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

    /// All resources in order; none when the data is absent, null or empty.
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
        guard let data = PrimaryData(json: try JSON(from: decoder)) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "Expected primary data: null, a resource object or an array of them."))
        }
        self = data
    }

    /// Writes the primary data with any encoder.
    ///
    /// Throws `EncodingError.invalidValue` for `.absent`: a member that is not there has no value. Leave out its key.
    public func encode(to encoder: any Encoder) throws {
        guard let json else { throw EncodingError.absentMember(self, encoder.codingPath) }
        try json.encode(to: encoder)
    }
}

import JSONText

/// The resources that a relationship refers to. It has four states that must not be confused:
///
/// ```
/// {"links": …}                                  .absent   not loaded: unknown
/// {"data": null}                                .null     to-one, and there is none
/// {"data": {"type": "people", "id": "9"}}       .one
/// {"data": []}                                  .many     to-many, and there are none
/// ```
///
/// Identifiers keep their order, and repeated identifiers are kept. The specification gives neither a meaning.
///
/// https://jsonapi.org/format/1.1/#document-resource-object-linkage
public enum Linkage: Hashable, Sendable {
    /// There is no linkage: the resources are unknown, which is not the same as empty.
    case absent
    /// An empty to-one relationship.
    case null
    /// A to-one relationship.
    case one(ResourceIdentifier)
    /// A to-many relationship, which may be empty.
    case many([ResourceIdentifier])

    /// Creates linkage from the given value: `.absent` for nil. Returns nil when the value is not linkage.
    ///
    /// Linkage is null, an identifier object or an array of identifier objects. An identifier object is any object with a string `type`,
    /// because some servers send whole resources here.
    ///
    /// - Complexity: O(n), n = identifiers.
    public init?(json: JSON?) {
        switch json {
        case nil:
            self = .absent
        case .null:
            self = .null
        case .object(let members):
            guard let identifier = ResourceIdentifier(members: members) else { return nil }
            self = .one(identifier)
        case let json?:
            guard let identifiers = [ResourceIdentifier](json: json) else { return nil }
            self = .many(identifiers)
        }
    }

    /// The linkage as a JSON value; nil when it is absent.
    ///
    /// - Complexity: O(n), n = identifiers.
    public var json: JSON? {
        switch self {
        case .absent: nil
        case .null: .null
        case .one(let identifier): identifier.json
        case .many(let identifiers): identifiers.json
        }
    }

    /// The linkage without the members of whole resources.
    package var withoutFields: Linkage { mapped(\.withoutFields) }

    /// The linkage with the members of identifiers that are sent in a request.
    package var withoutUnknownMembers: Linkage { mapped(\.withoutUnknownMembers) }

    /// The linkage with the members of identifiers that are kept of a received request.
    package var withoutAdditionalMembers: Linkage { mapped(\.withoutAdditionalMembers) }

    /// Returns the linkage with a change to each identifier.
    package func mapped(_ change: (ResourceIdentifier) -> ResourceIdentifier) -> Linkage {
        switch self {
        case .absent, .null: self
        case .one(let identifier): .one(change(identifier))
        case .many(let identifiers): .many(identifiers.map(change))
        }
    }

    /// All identifiers in order; empty when the linkage is absent, null or empty.
    public var identifiers: [ResourceIdentifier] {
        switch self {
        case .absent, .null: []
        case .one(let identifier): [identifier]
        case .many(let identifiers): identifiers
        }
    }
}

extension Linkage: CustomStringConvertible {
    /// The linkage as compact JSON text, or `absent`.
    public var description: String { json?.description ?? "absent" }
}

extension Linkage: Codable {
    /// Reads null, an identifier object or an array of them with any decoder; never `.absent`.
    ///
    /// Throws `DecodingError.dataCorrupted` for anything else, or what the decoder throws.
    public init(from decoder: any Decoder) throws {
        self = try decoder.made(of: "linkage: null, an identifier object or an array of them") { Linkage(json: $0) }
    }

    /// Writes the linkage with any encoder.
    ///
    /// Throws `EncodingError.invalidValue` for `.absent`, because an absent member has no value. Leave out its key.
    public func encode(to encoder: any Encoder) throws {
        guard let json else { throw EncodingError.absentMember(self, encoder.codingPath) }
        try json.encode(to: encoder)
    }
}

extension Decoder {
    /// Returns what `make` makes of the JSON value. Throws `DecodingError.dataCorrupted` when that is nil.
    func made<Value>(of expected: String, _ make: (JSON) -> Value?) throws -> Value {
        guard let value = make(try JSON(from: self)) else {
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "Expected \(expected)."))
        }
        return value
    }
}

extension EncodingError {
    /// The error for writing an absent member.
    static func absentMember(_ value: Any, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue(
            value,
            .init(codingPath: path, debugDescription: "An absent member has no value to write. Leave out its key."))
    }
}

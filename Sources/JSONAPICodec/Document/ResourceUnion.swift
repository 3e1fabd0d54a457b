/// Resources of several types in one place: a polymorphic relationship, or mixed primary data.
///
/// ```swift
/// enum Contributor: ResourceUnion {
///     case person(Person), team(Team), unknown(ResourceObject)
///
///     static let members: [UnionMember<Contributor>] = [.init(Contributor.person), .init(Contributor.team)]
///
///     var resource: any ResourceRepresentable {
///         switch self {
///         case .person(let person): person
///         case .team(let team): team
///         case .unknown(let object): object
///         }
///     }
/// }
/// ```
///
/// A table for decoding, a switch for encoding. A type that the table does not name becomes `unknown`, raw and complete, so a
/// server's new type breaks no old app and nothing is lost when the value is written again.
public protocol ResourceUnion: ResourceRepresentable, PrimaryElement {
    /// The types that have a case of their own, each with its case. The first of two with one `type` wins.
    static var members: [UnionMember<Self>] { get }

    /// The value for a resource of any other type. An enum's `case unknown(ResourceObject)` is enough.
    static func unknown(_ object: ResourceObject) -> Self

    /// The resource inside.
    var resource: any ResourceRepresentable { get }
}

extension ResourceUnion {
    /// The identity of the resource inside.
    public var identifier: ResourceIdentifier? { resource.identifier }

    /// Reads the case that the table has for the resource's type. Only `JSONAPIDecoder` can do that; any other decoder gets an error that
    /// says so.
    public init(from decoder: any Decoder) throws {
        if let value = decoder as? ValueDecoder {
            throw value.session.relationshipInAttribute(at: value.word, Self.self).decodingError(codingPath: value.codingPath)
        }
        guard let decoder = decoder as? ResourceDecoder else { throw WrongDecoder.error(Self.self, decoder) }
        self = try decoder.union(Self.self)
    }

    /// Writes the resource inside.
    public func encode(to encoder: any Encoder) throws { try resource.encode(to: encoder) }
}

/// One row of a union's table: a resource type and the case it goes into.
public struct UnionMember<Union: ResourceRepresentable>: Sendable {
    /// The `type` of the resource objects that this row takes.
    public let type: String
    let make: @Sendable (DecodingSession, Int) throws -> Union

    /// A row that takes resources of `R`'s type. The case itself is the function: `.init(Contributor.person)`.
    public init<R: Resource>(_ wrap: @escaping @Sendable (R) -> Union) {
        type = R.type
        make = { session, ordinal in wrap(try session.elementPlan(for: R.self).build(session, ordinal)) }
    }
}

/// The error for types that only a `JSONAPIDecoder` can read.
enum WrongDecoder {
    static func error(_ type: Any.Type, _ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription:
                    "\(type) is read from a JSON:API document, where relationships are resolved through its resources: "
                    + "decode with JSONAPIDecoder instead of \(Swift.type(of: decoder))"))
    }
}

/// A resource of one of several types: for a polymorphic relationship, or for mixed primary data.
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
/// The table is for decoding, the switch for encoding. A resource whose type is not in the table becomes `unknown`, raw and complete. A new
/// type on the server therefore breaks no old app, and nothing is lost when the value is written again.
public protocol ResourceUnion: ResourceRepresentable, PrimaryElement {
    /// The types that have their own case, each with its case. When two rows have the same type, the first is used.
    static var members: [UnionMember<Self>] { get }

    /// Returns the value for a resource of any other type. An enum's `case unknown(ResourceObject)` is enough.
    static func unknown(_ object: ResourceObject) -> Self

    /// The resource inside.
    var resource: any ResourceRepresentable { get }
}

extension ResourceUnion {
    /// The identity of the resource inside.
    public var identifier: ResourceIdentifier? { resource.identifier }

    /// Creates the case that the table has for the resource's type. Only `JSONAPIDecoder` can read a union. With any other decoder this
    /// throws `DecodingError`.
    public init(from decoder: any Decoder) throws {
        if let value = decoder as? ValueDecoder {
            throw value.session.relationshipInAttribute(at: value.word, Self.self).decodingError(codingPath: value.codingPath)
        }
        guard let decoder = decoder as? ResourceDecoder else { throw WrongDecoder.error(Self.self, decoder) }
        self = try decoder.session.elementPlan(for: Self.self).build(decoder.session, decoder.ordinal)
    }

    /// Writes the resource inside. Throws inside an attribute, where the type would be lost.
    public func encode(to encoder: any Encoder) throws {
        if let value = encoder as? ValueEncoder { throw value.session.relationshipInAttribute(Self.self, value.sink) }
        try resource.encode(to: encoder)
    }
}

extension ResourceUnion {
    /// Returns the model for resources of a type; nil when the table has none.
    package static func model(of type: String) -> (any Resource.Type)? { members.first { UTF8Bytes.areEqual($0.type, type) }?.model }
}

extension ResourceRepresentable {
    /// The type of the resource, which may be a subclass; for a union, that of the resource inside.
    var resourceType: any ResourceRepresentable.Type {
        // Casting every value takes longer.
        type(of: self) is any ResourceUnion.Type ? type(of: innermost) : type(of: self)
    }

    /// The resource itself; for a union, the one inside.
    var innermost: any ResourceRepresentable { (self as? any ResourceUnion)?.resource.innermost ?? self }
}

/// One row of a union's table: a resource type and the case for it.
public struct UnionMember<Union: ResourceRepresentable>: Sendable {
    /// The `type` of the resource objects for this row.
    public let type: String
    /// The model of the resources.
    let model: any Resource.Type
    let make: @Sendable (DecodingSession, Int) throws -> Union
    /// Returns the plan for the model.
    let plan: @Sendable (DecodingSession) -> AnyElementPlan

    /// Creates a row for resources of `R`'s type. Pass the case itself: `.init(Contributor.person)`.
    public init<R: Resource>(_ wrap: @escaping @Sendable (R) -> Union) {
        type = R.type
        model = R.self
        make = { session, ordinal in wrap(try session.elementPlan(for: R.self).buildMember(session, ordinal)) }
        plan = { $0.elementPlan(for: R.self) }
    }
}

/// The error for types that only a `JSONAPIDecoder` can read.
enum WrongDecoder {
    static func error(_ type: Any.Type, _ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription:
                    "\(type) can only be read from a JSON:API document, whose resources its relationships refer to: "
                    + "decode with JSONAPIDecoder instead of \(Swift.type(of: decoder))"))
    }
}

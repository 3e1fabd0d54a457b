import JSONText

/// A to-one relationship, kept as a reference.
///
/// ```swift
/// struct Article: Resource {
///     static let type = "articles"
///     var id: String
///     var author: ToOne<Person>
/// }
/// article.author.id                   // "9"
/// article.author.value?.firstName     // the person, when the document included it
/// article.author = ToOne(id: "12")    // edit it
/// article.author = nil                // link to nobody
/// ```
///
/// Four states survive decoding, editing and encoding: not loaded (the relationship had no `data`), empty (`null`), an
/// identifier alone, and an identifier whose resource is at hand. Links and meta of the relationship, and meta of the
/// identifier, stay with it.
///
/// A reference never embeds: models may refer to each other in circles and chains of any length. Every resource that a reference
/// leads to is read once, while the document is decoded, so a fault in it is an error then. The value stays with the reference, and
/// all references to one resource share it. Two kinds of values do not stay and are read again whenever they are asked for, at the
/// cost of that one resource: one that leads back to itself, because it would keep itself alive, and one below which references
/// nest more than a hundred deep. As long as a reference lives, it keeps the document's text in memory, and the values that it leads to.
///
/// Two references are equal when state, identifier, links and meta are; the resource itself does not count.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
public struct ToOne<Target: ResourceRepresentable>: Sendable {
    @usableFromInline var parts: ToOneParts

    /// What was read.
    init(_ parts: ToOneParts) { self.parts = parts }

    var linkage: ToOneState { parts.linkage }
    var details: RelationshipDetails? { parts.details }
    var resolver: ReferenceResolver? { parts.resolver }

    /// A relationship without `data`: nothing is known about what it links to.
    public static var notLoaded: ToOne { ToOne(ToOneParts.notLoaded) }

    /// A relationship to nothing, `"data": null`.
    public static var empty: ToOne { ToOne(ToOneParts.empty) }

    /// A link to the resource with this identifier.
    public init(_ identifier: ResourceIdentifier) { self.init(ToOneParts(.identifier(identifier))) }

    /// A link to a resource that is at hand. One without id and lid cannot be linked to: encoding throws then.
    public init(_ value: Target) {
        self.init(ToOneParts(value.identifier.map(ToOneState.identifier) ?? .unidentified, target: ValueCell(given: value)))
    }

    /// The value given by the program.
    var heldValue: Target? {
        guard let target = parts.target, target.isGiven else { return nil }
        return target.value(Target.self)
    }
}

/// What a to-one relationship links to.
enum ToOneState: Sendable, Hashable {
    case notLoaded, empty
    case identifier(ResourceIdentifier)
    /// A resource without id and lid, given by the program. It cannot be written.
    case unidentified
}

/// What a to-one relationship is, whatever it leads to.
///
/// An object, so that copies of a model count one reference instead of six; not generic, so that the runtime looks nothing up.
@usableFromInline final class ToOneParts: Sendable {
    let linkage: ToOneState
    let details: RelationshipDetails?
    let resolver: ReferenceResolver?
    /// Where the value is: given by the program, or read together with the reference.
    @usableFromInline let target: ReferenceCell?

    static let notLoaded = ToOneParts(.notLoaded)
    static let empty = ToOneParts(.empty)

    init(
        _ linkage: ToOneState, details: RelationshipDetails? = nil, resolver: ReferenceResolver? = nil, target: ReferenceCell? = nil
    ) {
        self.linkage = linkage
        self.details = details
        self.resolver = resolver
        self.target = target
    }

    /// The same with other links and meta.
    func with(_ details: RelationshipDetails?) -> ToOneParts {
        ToOneParts(linkage, details: details, resolver: resolver, target: target)
    }
}

extension ToOne where Target: Resource {
    /// A link to the resource of the target's type with this id. Empty for an id that is nil.
    public init(id: Target.ID) {
        self = id.wireText.map { ToOne(ResourceIdentifier(type: Target.type, id: $0)) } ?? .empty
    }

    /// The id of what it links to, of whatever type; nil when it links to nothing, is not loaded, or `Target.ID` cannot hold
    /// the text.
    public var id: Target.ID? { identifier?.id.flatMap { Target.ID(wireText: $0) } }
}

// MARK: - Reading

extension ToOne {
    /// What the relationship links to; nil when it is empty or not loaded.
    public var identifier: ResourceIdentifier? {
        if case .identifier(let identifier) = linkage { identifier } else { nil }
    }

    /// Whether the relationship had `data`.
    public var isLoaded: Bool { linkage != .notLoaded }

    /// Whether it links to nothing, for certain.
    public var isEmpty: Bool { linkage == .empty }

    /// The linkage as it is on the wire.
    public var data: Linkage {
        switch linkage {
        case .notLoaded, .unidentified: .absent
        case .empty: .null
        case .identifier(let identifier): .one(identifier)
        }
    }

    /// The resource, when it is at hand; nil when the document did not include it, or when it is of a type that `Target` is
    /// not for.
    ///
    /// - Complexity: O(1); that of reading one resource where the value leads back to itself, or is more than a hundred references high.
    @inlinable public var value: Target? {
        if let value = parts.target?.value(Target.self) { return value }
        // It was read without an error before, from the same bytes.
        return try? readAgain()
    }

    /// The same as `value`; throws for a resource that is there but cannot be read, as in a damaged archive.
    @inlinable public func resolved() throws -> Target? {
        if let value = parts.target?.value(Target.self) { return value }
        return try readAgain()
    }

    @usableFromInline func readAgain() throws -> Target? {
        guard let resolver, case .identifier(let identifier) = linkage else { return nil }
        return try resolver.value(Target.self, identifier)
    }

    /// The relationship's links; nil when it has none. What is set is written in responses.
    public var links: Links? {
        get { details?["links"].flatMap { Links(json: $0) } }
        set { parts = parts.with(RelationshipDetails(details, "links", newValue?.json)) }
    }

    /// The relationship's meta; nil when it has none. What is set is written in responses.
    public var meta: JSONObject? {
        get { details?["meta"]?.object }
        set { parts = parts.with(RelationshipDetails(details, "meta", newValue.map(JSON.object))) }
    }

    /// The whole relationship object.
    public var object: RelationshipObject {
        var members = JSONObject()
        if let json = data.json { members["data"] = json }
        for member in details?.members ?? JSONObject() { members.append(name: member.name, value: member.value) }
        return RelationshipObject(members: members)
    }
}

extension ToOne: Hashable {
    /// Whether state, identifier, links and meta are equal; the resource itself does not count.
    public static func == (a: ToOne, b: ToOne) -> Bool { a.linkage == b.linkage && a.details == b.details }

    /// Feeds state, identifier, links and meta to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(linkage)
        hasher.combine(details)
    }
}

extension ToOne: ExpressibleByNilLiteral {
    /// A relationship to nothing.
    public init(nilLiteral: ()) { self = .empty }
}

extension ToOne: CustomStringConvertible {
    /// The linkage as compact JSON text.
    public var description: String { "ToOne(\(data))" }
}

extension ToOne: Codable {
    /// Only `JSONAPIDecoder` reads references; any other decoder gets an error that says so.
    public init(from decoder: any Decoder) throws { throw WrongDecoder.error(Self.self, decoder) }

    /// Writes the relationship object.
    public func encode(to encoder: any Encoder) throws { try object.encode(to: encoder) }
}

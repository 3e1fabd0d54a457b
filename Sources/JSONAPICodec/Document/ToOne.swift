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
/// A reference never embeds: models may refer to each other in circles and chains of any length. `value` is made from the
/// document when it is asked for: kept for resources without references of their own, else read again, at the cost of that
/// one resource. Every resource that a reference leads to was read once while the document was decoded, so that a fault in it
/// was an error then. As long as a reference lives, it keeps the document's text in memory.
///
/// Two references are equal when state, identifier, links and meta are; the resource itself does not count.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
public struct ToOne<Target: ResourceRepresentable>: Sendable {
    var linkage = State.notLoaded
    var details: RelationshipDetails?
    var resolver: ReferenceResolver?
    /// A value given by the program.
    private var held: Box?

    enum State: Sendable, Hashable {
        case notLoaded, empty
        case identifier(ResourceIdentifier)
        /// A resource without id and lid, given by the program. It cannot be written.
        case unidentified
    }

    private final class Box: Sendable {
        let value: Target
        init(_ value: Target) { self.value = value }
    }

    private init(_ linkage: State) { self.linkage = linkage }

    /// A relationship without `data`: nothing is known about what it links to.
    public static var notLoaded: ToOne { ToOne(.notLoaded) }

    /// A relationship to nothing, `"data": null`.
    public static var empty: ToOne { ToOne(.empty) }

    /// A link to the resource with this identifier.
    public init(_ identifier: ResourceIdentifier) { self.init(.identifier(identifier)) }

    /// A link to a resource that is at hand. One without id and lid cannot be linked to: encoding throws then.
    public init(_ value: Target) {
        self.init(value.identifier.map(State.identifier) ?? .unidentified)
        held = Box(value)
    }

    /// The value given by the program.
    var heldValue: Target? { held?.value }
}

extension ToOne where Target: Resource {
    /// A link to the resource of the target's type with this id. Empty for an id that is nil.
    public init(id: Target.ID) {
        self.init(id.wireText.map { .identifier(ResourceIdentifier(type: Target.type, id: $0)) } ?? .empty)
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
    /// - Complexity: O(1) for a resource without references, else that of reading one resource.
    public var value: Target? {
        if let held { return held.value }
        guard let resolver, case .identifier(let identifier) = linkage else { return nil }
        // It was read without an error before, from the same bytes.
        return try? resolver.value(Target.self, identifier)
    }

    /// The same as `value`; throws for a resource that is there but cannot be read, as in a damaged archive.
    public func resolved() throws -> Target? {
        if let held { return held.value }
        guard let resolver, case .identifier(let identifier) = linkage else { return nil }
        return try resolver.value(Target.self, identifier)
    }

    /// The relationship's links; nil when it has none. What is set is written in responses.
    public var links: Links? {
        get { details?["links"].flatMap { Links(json: $0) } }
        set { details = RelationshipDetails(details, "links", newValue?.json) }
    }

    /// The relationship's meta; nil when it has none. What is set is written in responses.
    public var meta: JSONObject? {
        get { details?["meta"]?.object }
        set { details = RelationshipDetails(details, "meta", newValue.map(JSON.object)) }
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
    public init(nilLiteral: ()) { self.init(.empty) }
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

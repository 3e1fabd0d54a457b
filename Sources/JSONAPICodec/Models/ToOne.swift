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
/// article.author = ToOne(id: "12")    // another person
/// article.author = nil                // no author
/// ```
///
/// Four states survive decoding, editing and encoding: not loaded (the relationship had no `data`), empty (`null`), only an identifier, and
/// an identifier whose resource is available. The links and meta of the relationship, and the meta of the identifier, are kept.
///
/// A reference does not contain its resource. Models may therefore refer to each other in cycles and in chains of any length. Every
/// resource that a reference refers to is read once, while the document is decoded, so a fault in it is reported then. The reference keeps
/// the value, and all references to one resource share it.
///
/// Some values are not kept. They are read again on each access, at the cost of that one resource:
///
/// - a value that refers back to itself, because it would keep itself alive. When a cycle passes through embedded values, that includes
///   every value that embeds others;
/// - a value below which references nest more than a hundred levels deep.
///
/// A reference keeps the text of its document and the values that it refers to in memory.
///
/// If the target is a class, do not edit the object that `value` returns: the resource is encoded as it was read. Set the relationship to
/// the edited object instead: `article.author = ToOne(author)`.
///
/// Two references are equal when their state, identifier, links and meta are equal. The resource itself is not compared.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
public struct ToOne<Target: ResourceRepresentable>: Sendable {
    @usableFromInline var parts: ToOneParts

    /// Creates a reference from the parts that were read.
    init(_ parts: ToOneParts) { self.parts = parts }

    var linkage: ToOneState { parts.linkage }
    var details: RelationshipDetails? { parts.details }
    var resolver: ReferenceResolver? { parts.resolver }

    /// A relationship without `data`: its resource is unknown.
    public static var notLoaded: ToOne { ToOne(ToOneParts.notLoaded) }

    /// A relationship without a resource, `"data": null`.
    public static var empty: ToOne { ToOne(ToOneParts.empty) }

    /// Creates a reference to the resource with the given identifier.
    public init(_ identifier: ResourceIdentifier) { self.init(ToOneParts(.identifier(identifier))) }

    /// Creates a reference to the given resource. A resource with neither id nor lid cannot be linked; encoding then throws.
    public init(_ value: Target) {
        self.init(ToOneParts(value.identifier.map(ToOneState.identifier) ?? .unidentified, target: ValueCell(given: value)))
    }

    /// The value that the program gave.
    var heldValue: Target? {
        guard let target = parts.target, target.isGiven else { return nil }
        return target.value(Target.self)
    }
}

/// The state of a to-one relationship.
enum ToOneState: Sendable, Hashable {
    case notLoaded, empty
    case identifier(ResourceIdentifier)
    /// A resource with neither id nor lid that the program gave. It cannot be written.
    case unidentified
}

/// The contents of a to-one relationship, whatever its target type.
///
/// This is an object, so that a copy of a model counts one reference instead of six. It is not generic, so that the runtime looks up no
/// metadata.
@usableFromInline final class ToOneParts: Sendable {
    let linkage: ToOneState
    let details: RelationshipDetails?
    let resolver: ReferenceResolver?
    /// The place of the value, which the program gave or which was read with the reference.
    @usableFromInline let target: ReferenceCell?

    static let notLoaded = ToOneParts(.notLoaded)
    static let empty = ToOneParts(.empty)

    init(_ linkage: ToOneState, details: RelationshipDetails? = nil, resolver: ReferenceResolver? = nil, target: ReferenceCell? = nil) {
        self.linkage = linkage
        self.details = details
        self.resolver = resolver
        self.target = target
    }

    /// What gives the value: the cell of a value that the program gave, or what resolves the reference. Nil when there is no value.
    var origin: AnyObject? {
        if let target, target.isGiven { return target }
        return resolver?.origin
    }

    /// Returns the same contents with other links and meta.
    func with(_ details: RelationshipDetails?) -> ToOneParts { ToOneParts(linkage, details: details, resolver: resolver, target: target) }
}

extension ToOne where Target: Resource {
    /// Creates a reference to the resource of the target's type with the given id. Encoding throws when the id is nil; use `empty` for no
    /// resource.
    public init(id: Target.ID) {
        self.init(ToOneParts(id.wireText.map { ToOneState.identifier(ResourceIdentifier(type: Target.type, id: $0)) } ?? .unidentified))
    }

    /// The id of the linked resource, whatever its type. Nil when the relationship is empty or not loaded, and when `Target.ID` cannot
    /// represent the text.
    public var id: Target.ID? { identifier?.id.flatMap { Target.ID(wireText: $0) } }
}

// MARK: - Reading

extension ToOne {
    /// The identifier of the linked resource; nil when the relationship is empty or not loaded.
    public var identifier: ResourceIdentifier? { if case .identifier(let identifier) = linkage { identifier } else { nil } }

    /// Whether the linkage is known, even if it is empty.
    public var isLoaded: Bool { linkage != .notLoaded }

    /// Whether the relationship is loaded and has no resource.
    public var isEmpty: Bool { linkage == .empty }

    /// The linkage as it is written. A resource with neither id nor lid is an identifier without both, so that encoding the
    /// linkage of a model throws.
    public var data: Linkage {
        switch linkage {
        case .notLoaded: .absent
        case .unidentified: .one(ResourceIdentifier(ofObject: (Target.self as? any Resource.Type)?.type ?? ""))
        case .empty: .null
        case .identifier(let identifier): .one(identifier)
        }
    }

    /// The resource, when it is available. Nil when the document did not include it, and when `Target` does not accept its type. Also nil
    /// inside the initializer of a model, while the document is read.
    ///
    /// - Complexity: O(1). A value that is not kept, as described above, costs reading one resource.
    @inlinable public var value: Target? {
        if let value = parts.target?.value(Target.self) { return value }
        // It was read from the same bytes before, without an error.
        return try? readAgain()
    }

    /// Returns the same resource as `value`. Throws when the resource exists but cannot be read, as in a damaged archive, and while the
    /// document is read.
    @inlinable public func resolved() throws -> Target? {
        if let value = parts.target?.value(Target.self) { return value }
        return try readAgain()
    }

    @usableFromInline func readAgain() throws -> Target? {
        guard let resolver, case .identifier(let identifier) = linkage else { return nil }
        return try resolver.value(Target.self, identifier, in: parts.target)
    }

    /// The relationship's links; nil when it has none. Links that you set are written in responses.
    public var links: Links? {
        get { details?["links"].flatMap { Links(json: $0) } }
        set { parts = parts.with(RelationshipDetails(details, "links", newValue?.json)) }
    }

    /// The relationship's meta; nil when it has none. Meta that you set is written in responses.
    public var meta: JSONObject? {
        get { details?["meta"]?.object }
        set { parts = parts.with(RelationshipDetails(details, "meta", newValue.map(JSON.object))) }
    }

    /// The whole relationship object.
    public var object: RelationshipObject { RelationshipObject(data, details) }
}

extension ToOne: Hashable {
    /// Whether state, identifier, links and meta are equal. The resource itself is not compared.
    public static func == (a: ToOne, b: ToOne) -> Bool {
        if a.parts === b.parts { return true }
        guard a.linkage == b.linkage && a.details == b.details else { return false }
        if a.parts.origin !== b.parts.origin { ReferenceWatch.noteOther() }
        return true
    }

    /// Feeds state, identifier, links and meta to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(linkage)
        hasher.combine(details)
    }
}

extension ToOne: ExpressibleByNilLiteral {
    /// Creates a relationship without a resource.
    public init(nilLiteral: ()) { self = .empty }

    /// Whether the relationship is loaded and has no resource, as `isEmpty`, whatever its links and meta are.
    public static func == (relationship: ToOne, nil: _OptionalNilComparisonType) -> Bool { relationship.isEmpty }

    /// Whether the relationship has a resource or is not loaded.
    public static func != (relationship: ToOne, nil: _OptionalNilComparisonType) -> Bool { !relationship.isEmpty }
}

extension ToOne: CustomStringConvertible {
    /// The linkage as compact JSON text, in `ToOne(…)`.
    public var description: String { "ToOne(\(data))" }
}

extension ToOne: Codable {
    /// Throws `DecodingError`, because only `JSONAPIDecoder` reads references.
    public init(from decoder: any Decoder) throws { throw WrongDecoder.error(Self.self, decoder) }

    /// Writes the relationship object. Throws `EncodingError` for a resource with neither id nor lid, and inside an attribute.
    public func encode(to encoder: any Encoder) throws {
        let isRequest = try (encoder as? ValueEncoder)?.isRequestForRelationship(Self.self) ?? false
        if linkage == .unidentified { throw EncodingFailure.unidentified(Target.self, at: .root, resource: nil).encodingError }
        try (isRequest ? RelationshipObject(data: data) : object).write(to: encoder)
    }
}

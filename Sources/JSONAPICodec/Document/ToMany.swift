import JSONText

/// A to-many relationship, kept as references.
///
/// ```swift
/// article.comments.identifiers        // nil while it is not loaded
/// article.comments.count              // 3
/// article.comments.values             // those whose resources are at hand
/// article.comments.append(id: "17")
/// ```
///
/// Three states survive decoding, editing and encoding: not loaded, empty, and a list, whose order and repetitions are kept. What is
/// appended to a relationship that is not loaded, or removed from it, is no whole list: a patch or a document of it would replace
/// what the server has. Encoding it throws, unless it goes into a `Create`; send `Linkage(adding:)` or `Linkage(removing:)` to the
/// relationship's own address instead.
///
/// See `ToOne` for how values are made, what equality means and what a reference keeps alive.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
public struct ToMany<Target: ResourceRepresentable>: Sendable {
    @usableFromInline var parts: ToManyParts

    /// What was read.
    init(_ parts: ToManyParts) { self.parts = parts }

    /// What the relationship links to, in order; nil while it is not loaded. Of one that was not loaded, what was appended.
    ///
    /// Whoever sets it says what the relationship links to as a whole.
    public var identifiers: [ResourceIdentifier]? {
        get { parts.identifiers }
        set {
            let parts = editable()
            parts.identifiers = newValue
            parts.isEditedUnloaded = false
            parts.targets = []
        }
        _modify {
            let parts = editable()
            parts.isEditedUnloaded = false
            parts.targets = []
            yield &parts.identifiers
        }
    }

    var isEditedUnloaded: Bool { parts.isEditedUnloaded }
    var details: RelationshipDetails? { parts.details }
    var resolver: ReferenceResolver? { parts.resolver }
    var hasUnidentified: Bool { parts.hasUnidentified }

    /// The parts, of which nobody else has a copy.
    private mutating func editable() -> ToManyParts {
        if !isKnownUniquelyReferenced(&parts) { parts = ToManyParts(parts) }
        return parts
    }

    /// The value given by the program for that identifier.
    func heldValue(for identifier: ResourceIdentifier) -> Target? {
        parts.held.isEmpty ? nil : parts.held[identifier.bare]?.value(Target.self)
    }

    /// A relationship without `data`: nothing is known about what it links to.
    public static var notLoaded: ToMany { ToMany(identifiers: nil) }

    /// A relationship to nothing, `"data": []`.
    public static var empty: ToMany { ToMany(identifiers: []) }

    /// Links to the resources with these identifiers; nil for a relationship that is not loaded.
    public init(identifiers: [ResourceIdentifier]?) {
        parts = ToManyParts()
        parts.identifiers = identifiers
    }

    /// Links to resources that are at hand. One without id and lid cannot be linked to: encoding throws then.
    public init(_ values: some Sequence<Target>) {
        self.init(identifiers: [])
        for value in values { append(value) }
    }
}

// MARK: - Reading

extension ToMany {
    /// Whether it is known what the relationship links to: it had `data`, or the program said so.
    public var isLoaded: Bool { identifiers != nil && !isEditedUnloaded }

    /// How many resources it links to; 0 also while it is not loaded.
    public var count: Int { identifiers?.count ?? 0 }

    /// Whether it links to nothing, for certain.
    public var isEmpty: Bool { isLoaded && count == 0 }

    /// The linkage as it is on the wire; absent while it is not loaded, whatever was appended.
    public var data: Linkage { isLoaded ? .many(identifiers ?? []) : .absent }

    /// The resources that are at hand, in order; those that the document did not include are left out.
    ///
    /// - Complexity: O(count); see `ToOne.value` for the cost of each.
    @inlinable public var values: [Target] {
        var values: [Target] = []
        values.reserveCapacity(count)
        let cells = parts.readCells
        for index in 0..<count {
            if index < cells.count, let value = cells[index]?.value(Target.self) {
                values.append(value)
            } else if let value = readAgain(index) {
                values.append(value)
            }
        }
        return values
    }

    @usableFromInline func readAgain(_ index: Int) -> Target? { parts.identifiers.flatMap { value(for: $0[index]) } }

    /// The resources, nil unless all of them are at hand.
    public var allValues: [Target]? {
        guard let identifiers else { return nil }
        let values = values
        return values.count == identifiers.count ? values : nil
    }

    /// The resource with this identifier, when it is at hand.
    public func value(for identifier: ResourceIdentifier) -> Target? {
        if let value = heldValue(for: identifier) { return value }
        // It was read without an error before, from the same bytes.
        return resolver.flatMap { try? $0.value(Target.self, identifier) }
    }

    /// The same as `values`; throws for a resource that is there but cannot be read, as in a damaged archive.
    public func resolved() throws -> [Target] {
        let cells = parts.readCells
        return try (identifiers ?? []).enumerated().compactMap { index, identifier in
            if index < cells.count, let value = cells[index]?.value(Target.self) { return value }
            if let value = heldValue(for: identifier) { return value }
            return try resolver?.value(Target.self, identifier)
        }
    }

    /// The relationship's links; nil when it has none. What is set is written in responses.
    public var links: Links? {
        get { details?["links"].flatMap { Links(json: $0) } }
        set { editable().details = RelationshipDetails(details, "links", newValue?.json) }
    }

    /// The relationship's meta; nil when it has none. What is set is written in responses.
    public var meta: JSONObject? {
        get { details?["meta"]?.object }
        set { editable().details = RelationshipDetails(details, "meta", newValue.map(JSON.object)) }
    }

    /// The whole relationship object.
    public var object: RelationshipObject {
        var members = JSONObject()
        if let json = data.json { members["data"] = json }
        for member in details?.members ?? JSONObject() { members.append(name: member.name, value: member.value) }
        return RelationshipObject(members: members)
    }
}

// MARK: - Editing

extension ToMany {
    /// Links to one more resource. One without id and lid cannot be linked to: encoding throws then. So does encoding a relationship
    /// that was not loaded before, unless it goes into a `Create`.
    public mutating func append(_ value: Target) {
        guard let identifier = value.identifier else {
            editable().hasUnidentified = true
            return
        }
        link(to: identifier)
        editable().held[identifier.bare] = ValueCell(given: value)
    }

    fileprivate mutating func link(to identifier: ResourceIdentifier) {
        let isWhole = isLoaded
        let parts = editable()
        // In place; the values that were read stay where they are.
        if parts.identifiers == nil { parts.identifiers = [identifier] } else { parts.identifiers?.append(identifier) }
        parts.isEditedUnloaded = !isWhole
    }

    /// Drops every link to that resource. Of a relationship that is not loaded it is not known whether it has one: encoding throws
    /// then, unless it goes into a `Create`.
    public mutating func remove(_ identifier: ResourceIdentifier) {
        let isWhole = isLoaded
        let parts = editable()
        var list = parts.identifiers ?? []
        parts.identifiers = nil
        list.removeAll { $0.isSameResource(as: identifier) }
        parts.identifiers = list
        parts.targets = []
        parts.isEditedUnloaded = !isWhole
    }

    /// Whether it links to that resource.
    public func contains(_ identifier: ResourceIdentifier) -> Bool {
        identifiers?.contains { $0.isSameResource(as: identifier) } ?? false
    }
}

extension ToMany where Target: Resource {
    /// Links to the resources of the target's type with these ids.
    public init(ids: some Sequence<Target.ID>) {
        self.init(identifiers: ids.compactMap { $0.wireText.map { ResourceIdentifier(type: Target.type, id: $0) } })
    }

    /// The ids of what it links to, of whatever type; nil while it is not loaded.
    public var ids: [Target.ID]? { identifiers?.compactMap { $0.id.flatMap { Target.ID(wireText: $0) } } }

    /// Links to one more resource of the target's type; see `append(_:)`.
    public mutating func append(id: Target.ID) {
        if let text = id.wireText { link(to: ResourceIdentifier(type: Target.type, id: text)) }
    }
}

/// What a to-many relationship is, whatever it leads to.
///
/// An object and not generic, for the reasons that `ToOneParts` has. `@unchecked Sendable`: changed only where nobody else has it.
@usableFromInline final class ToManyParts: @unchecked Sendable {
    // Unchecked: one thread changes them, and nothing calls back meanwhile.
    @safe @exclusivity(unchecked) var identifiers: [ResourceIdentifier]?
    /// Where the values are, in the order of the identifiers, as both were read; those of identifiers that were changed are not there.
    @safe @exclusivity(unchecked) var targets: [ReferenceCell?] = []
    /// Whether something was appended to the relationship, or removed from it, while it was not loaded.
    var isEditedUnloaded = false
    var details: RelationshipDetails?
    var resolver: ReferenceResolver?
    /// Values given by the program, by identity alone: what else an identifier says may change.
    var held: [ResourceIdentifier: ReferenceCell] = [:]
    /// Whether the program gave a resource without id and lid, which cannot be linked to.
    var hasUnidentified = false

    init() {}

    init(_ other: ToManyParts) {
        identifiers = other.identifiers
        targets = other.targets
        isEditedUnloaded = other.isEditedUnloaded
        details = other.details
        resolver = other.resolver
        held = other.held
        hasUnidentified = other.hasUnidentified
    }

    /// Where values were read to, unless the program gave some, which win.
    @usableFromInline var readCells: [ReferenceCell?] { held.isEmpty ? targets : [] }
}

extension ToMany: Hashable {
    /// Whether state, identifiers, links and meta are equal; the resources themselves do not count.
    public static func == (a: ToMany, b: ToMany) -> Bool {
        a.identifiers == b.identifiers && a.isEditedUnloaded == b.isEditedUnloaded && a.details == b.details
    }

    /// Feeds identifiers, links and meta to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifiers)
        hasher.combine(details)
    }
}

extension ToMany: ExpressibleByArrayLiteral {
    /// Links to these resources.
    public init(arrayLiteral elements: Target...) { self.init(elements) }
}

extension ToMany: CustomStringConvertible {
    /// The linkage as compact JSON text.
    public var description: String { "ToMany(\(data))" }
}

extension ToMany: Codable {
    /// Only `JSONAPIDecoder` reads references; any other decoder gets an error that says so.
    public init(from decoder: any Decoder) throws { throw WrongDecoder.error(Self.self, decoder) }

    /// Writes the relationship object. Throws where something was appended to a relationship that is not loaded, or removed from it.
    public func encode(to encoder: any Encoder) throws {
        if isEditedUnloaded { throw EncodingFailure.editedUnloaded(at: .root, resource: nil).encodingError }
        try object.encode(to: encoder)
    }
}

import JSONText

/// A to-many relationship, kept as references.
///
/// ```swift
/// article.comments.identifiers        // nil while it is not loaded
/// article.comments.count              // 3
/// article.comments.values             // the resources that are available
/// article.comments.append(id: "17")
/// ```
///
/// Three states survive decoding, editing and encoding: not loaded, empty, and a list. A list keeps its order and its repetitions.
///
/// When you append to a relationship that is not loaded, or remove from it, the result is not the whole list. A patch or a document with it
/// would replace what the server has. Encoding it therefore throws, unless it is part of a `Create`. Send `Linkage(adding:)` or
/// `Linkage(removing:)` to the relationship's own address instead. The same is true of a relationship whose links lead to a next or a
/// previous page: it was read in part. A patch that sets such a page, or contains it as a property of `ResourceFields`, throws even if it
/// was not edited. Set `identifiers` to replace the whole list.
///
/// `ToOne` explains how values are made, what equality means, and what a reference keeps alive.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-relationships>
public struct ToMany<Target: ResourceRepresentable>: Sendable {
    @usableFromInline var parts: ToManyParts

    /// Creates a relationship from the parts that were read.
    init(_ parts: ToManyParts) { self.parts = parts }

    /// The identifiers of the linked resources, in order; nil while the relationship is not loaded. After an edit of a relationship that
    /// was not loaded, only the identifiers that were appended.
    ///
    /// Setting it replaces the whole list. The relationship is then loaded, unless the new value is nil. Links to resources that the
    /// decoder left out, because `missingResources` is `omit`, are not in the list. They stay when you edit the list in place, and are
    /// removed when you set it. If the relationship was a page, setting it also removes the links to the other pages.
    public var identifiers: [ResourceIdentifier]? {
        get { parts.identifiers }
        set {
            let parts = editable()
            parts.identifiers = newValue
            parts.isEditedUnloaded = false
            parts.isAssigned = false
            if parts.isPage { parts.details = parts.details?.withoutPages }
            parts.isPage = false
            parts.targets = []
            parts.omitted = []
            parts.unidentified = []
        }
        _modify {
            let parts = editable()
            parts.targets = []
            let before = parts.isPage ? parts.identifiers : nil
            // If the caller throws, nothing after `yield` runs.
            defer { if parts.isPage, parts.identifiers != before { parts.isEditedUnloaded = true } }
            yield &parts.identifiers
        }
    }

    var isEditedUnloaded: Bool { parts.isEditedUnloaded }
    var isPage: Bool { parts.isPage }
    /// Whether an array of resources was assigned although the links before were unknown, or their resources not available.
    var isAssigned: Bool { parts.isAssigned }
    /// Whether all links are known.
    private var isWhole: Bool { isLoaded && !parts.isPage }
    var details: RelationshipDetails? { parts.details }
    var resolver: ReferenceResolver? { parts.resolver }
    /// Whether the program gave a resource with neither id nor lid, which cannot be linked.
    var hasUnidentified: Bool { !parts.unidentified.isEmpty }
    /// Whether the program gave values.
    var holdsValues: Bool { !parts.hasOnlyReadValues }

    /// The parts, copied first when they are shared.
    private mutating func editable() -> ToManyParts {
        if !isKnownUniquelyReferenced(&parts) { parts = ToManyParts(parts) }
        return parts
    }

    /// Returns the place that the value at an index was read to.
    func readCell(_ index: Int) -> ReferenceCell? { parts.cell(index).flatMap { $0.isGiven ? nil : $0 } }

    /// Returns the cell of the value that the program gave: the one at this index, or the last one with the same identity.
    func givenCell(_ index: Int) -> ReferenceCell? {
        if parts.held.isEmpty { return nil }
        if let cell = parts.cell(index), cell.isGiven { return cell }
        return parts.identifiers.flatMap { parts.held[$0[index].key(for: Target.self)] }
    }

    /// A relationship without `data`: its resources are unknown.
    public static var notLoaded: ToMany { ToMany(identifiers: nil) }

    /// A relationship without any resource, `"data": []`.
    public static var empty: ToMany { ToMany(identifiers: []) }

    /// Creates a relationship to the resources with the given identifiers; nil for a relationship that is not loaded.
    public init(identifiers: [ResourceIdentifier]?) {
        parts = ToManyParts()
        parts.identifiers = identifiers
    }

    /// Creates a relationship to the resources with the given identifiers.
    @_disfavoredOverload
    public init(_ identifiers: some Sequence<ResourceIdentifier>) { self.init(identifiers: Array(identifiers)) }

    /// Creates a relationship to the given resources. A resource with neither id nor lid cannot be linked; encoding then throws.
    public init(_ values: some Sequence<Target>) {
        self.init(identifiers: [])
        for value in values { append(value) }
    }
}

// MARK: - Reading

extension ToMany {
    /// Whether the linkage is known, even if it is empty: the relationship had `data`, or the program set it.
    public var isLoaded: Bool { identifiers != nil && !isEditedUnloaded }

    /// The number of linked resources; 0 while the relationship is not loaded.
    public var count: Int { identifiers?.count ?? 0 }

    /// Whether the relationship is loaded and has no resources. False after a resource with neither id nor lid was appended, which `count`
    /// leaves out.
    public var isEmpty: Bool { isWhole && count == 0 && !hasUnidentified }

    /// The linkage as it is written, with the resources that the decoder left out; absent while the relationship is not loaded, whatever
    /// was appended. A resource with neither id nor lid is an identifier without both, so that encoding the linkage throws.
    public var data: Linkage {
        guard isLoaded else { return .absent }
        let unlinked = parts.unidentified.map { _ in ResourceIdentifier(ofObject: (Target.self as? any Resource.Type)?.type ?? "") }
        return .many((writtenIdentifiers ?? []) + unlinked)
    }

    /// The identifiers, and those that the decoder left out: each after as many others as it had before it. One that the program has added
    /// again is written in its new place only.
    var writtenIdentifiers: [ResourceIdentifier]? {
        guard let identifiers, !parts.omitted.isEmpty else { return identifiers }
        let added = Set(identifiers.map(\.bare))
        let omitted = parts.omitted.filter { !added.contains($0.identifier.bare) }
        return Self.inserted(omitted.map { ($0.position, $0.identifier) }, into: identifiers)
    }

    /// Returns elements with others between them, each after as many elements as it had before it.
    private static func inserted<Element>(_ others: [(Int, Element)], into elements: [Element]) -> [Element] {
        if others.isEmpty { return elements }
        var all: [Element] = []
        var next = others[...]
        for (index, element) in elements.enumerated() {
            while let (position, other) = next.first, position <= index {
                all.append(other)
                next.removeFirst()
            }
            all.append(element)
        }
        return all + next.map(\.1)
    }

    /// The available resources, in order. Those that the document did not include are left out. A resource with neither id nor lid that was
    /// appended is among them, although `count` and `identifiers` leave it out.
    ///
    /// Inside the initializer of a model, while the document is read, no resource is available.
    ///
    /// - Complexity: O(count); see `ToOne.value` for the cost of each.
    @inlinable public var values: [Target] {
        guard parts.hasOnlyReadValues else { return givenAndReadValues }
        var values: [Target] = []
        values.reserveCapacity(count)
        let cells = parts.areShown ? parts.targets : []
        for index in 0..<count {
            if index < cells.count, let value = cells[index]?.shownValue(Target.self) {
                values.append(value)
            } else if let value = readAgain(index) {
                values.append(value)
            }
        }
        return values
    }

    @usableFromInline var givenAndReadValues: [Target] { withUnidentified((0..<count).map { readAgain($0) }) }

    /// Returns the available values, and between them those with neither id nor lid.
    private func withUnidentified(_ values: [Target?]) -> [Target] {
        Self.inserted(parts.unidentified.map { ($0.position, $0.cell?.value(Target.self)) }, into: values).compactMap(\.self)
    }

    // It was read from the same bytes before, without an error.
    @usableFromInline func readAgain(_ index: Int) -> Target? { try? value(at: index) }

    /// Returns the value at an index, which the program gave or which was read.
    private func value(at index: Int) throws -> Target? {
        guard let identifier = parts.identifiers?[index] else { return nil }
        if let cell = givenCell(index) { return cell.value(Target.self) }
        if let cell = parts.cell(index), let value = cell.value(Target.self) { return value }
        return try resolver?.value(Target.self, identifier, in: parts.cell(index))
    }

    /// The resources; nil unless all of them are available. Nil for a relationship that is not loaded, whatever was appended, and for a
    /// page of one.
    public var allValues: [Target]? {
        guard isWhole else { return nil }
        let values = values
        return values.count == count + parts.unidentified.count ? values : nil
    }

    /// Returns the resource with the given identifier; nil when it is not available.
    public func value(for identifier: ResourceIdentifier) -> Target? {
        if let cell = parts.held[identifier.key(for: Target.self)] { return cell.value(Target.self) }
        // It was read from the same bytes before, without an error.
        guard let resolver else { return nil }
        if let value = try? resolver.value(Target.self, identifier, in: nil) { return value }
        // A UUID may be linked in the other case.
        guard identifier.id?.utf8.count == 36 else { return nil }
        let linked = identifiers?.first { $0.isSameResource(as: identifier, for: Target.self) }
        return linked.flatMap { try? resolver.value(Target.self, $0, in: nil) }
    }

    /// Returns the same resources as `values`. Throws when a resource exists but cannot be read, as in a damaged archive.
    public func resolved() throws -> [Target] { withUnidentified(try (0..<count).map { try value(at: $0) }) }

    /// The relationship's links; nil when it has none. Links that you set are written in responses.
    public var links: Links? {
        get { details?["links"].flatMap { Links(json: $0) } }
        set { editable().details = RelationshipDetails(details, "links", newValue?.json) }
    }

    /// The relationship's meta; nil when it has none. Meta that you set is written in responses.
    public var meta: JSONObject? {
        get { details?["meta"]?.object }
        set { editable().details = RelationshipDetails(details, "meta", newValue.map(JSON.object)) }
    }

    /// The whole relationship object.
    public var object: RelationshipObject { RelationshipObject(data, details) }
}

// MARK: - Editing

extension ToMany {
    /// Appends a resource. Encoding throws when the resource has neither id nor lid, and when the relationship was not loaded before and is
    /// not part of a `Create`.
    public mutating func append(_ value: Target) {
        // Before the edit, which would change a value that holds this relationship: an optimized caller of another module holds no
        // reference of its own for a generic argument.
        let cell = ValueCell(given: value)
        guard let identifier = cell.value?.identifier else { return addUnidentified(cell) }
        link(to: identifier)
        let parts = editable()
        while parts.targets.count < count - 1 { parts.targets.append(nil) }
        parts.targets.append(cell)
        parts.held[identifier.key(for: Target.self)] = cell
    }

    /// Appends a link to the resource with the given identifier, of any type; see `append(_:)` for a value. Encoding throws when the
    /// identifier has neither id nor lid.
    public mutating func append(_ identifier: ResourceIdentifier) { link(to: identifier) }

    /// Notes a resource that cannot be linked.
    fileprivate mutating func addUnidentified(_ cell: ReferenceCell?) {
        let position = count
        editable().unidentified.append((position, cell))
    }

    fileprivate mutating func link(to identifier: ResourceIdentifier) {
        let isWhole = isWhole
        let parts = editable()
        // In place: the values that were read keep their positions.
        if parts.identifiers == nil { parts.identifiers = [identifier] } else { parts.identifiers?.append(identifier) }
        parts.isEditedUnloaded = !isWhole
    }

    /// Removes every link to a resource with the identity of the given value. Does nothing for a value with neither id nor lid. When the
    /// relationship was not loaded, encoding then throws, unless the relationship is part of a `Create`.
    public mutating func remove(_ value: Target) {
        if let identifier = value.identifier { remove(identifier) }
    }

    /// Removes every link to the given resource. When the relationship was not loaded, it is unknown whether it had one. Encoding then
    /// throws, unless the relationship is part of a `Create`.
    public mutating func remove(_ identifier: ResourceIdentifier) {
        let isWhole = isWhole
        let parts = editable()
        let (list, targets) = (parts.identifiers ?? [], parts.targets)
        // Only the place of a value finds a resource with neither id nor lid again, so places stay with their identifiers.
        let kept = list.indices.filter { !list[$0].isSameResource(as: identifier, for: Target.self) }
        parts.identifiers = kept.map { list[$0] }
        parts.targets = kept.prefix { $0 < targets.count }.map { targets[$0] }
        parts.omitted.removeAll { $0.identifier.isSameResource(as: identifier, for: Target.self) }
        parts.isEditedUnloaded = !isWhole
    }

    /// Whether the relationship links to the given resource.
    public func contains(_ identifier: ResourceIdentifier) -> Bool {
        identifiers?.contains { $0.isSameResource(as: identifier, for: Target.self) } ?? false
    }
}

extension ToMany where Target: Resource {
    /// Creates a relationship to the resources of the target's type with the given ids. Encoding throws when one of them is nil.
    public init(ids: some Sequence<Target.ID>) {
        let texts = ids.map(\.wireText)
        self.init(identifiers: texts.compactMap { $0.map { ResourceIdentifier(type: Target.type, id: $0) } })
        if texts.contains(nil) { addUnidentified(nil) }
    }

    /// The ids of the linked resources, whatever their types; nil while the relationship is not loaded. Ids that `Target.ID` cannot
    /// represent are not in it, such as `virtual` for a `UUID`: `identifiers` has all. To change the relationship, use `append(id:)` and
    /// `remove(_:)`, which keep the others.
    public var ids: [Target.ID]? { identifiers?.compactMap { $0.id.flatMap { Target.ID(wireText: $0) } } }

    /// Appends a resource of the target's type by its id; see `append(_:)`. Encoding throws when the id is nil.
    public mutating func append(id: Target.ID) {
        guard let text = id.wireText else { return addUnidentified(nil) }
        link(to: ResourceIdentifier(type: Target.type, id: text))
    }

    /// Removes every link to the resource of the target's type with the given id; see `remove(_:)`. Does nothing for an id that is nil.
    public mutating func remove(id: Target.ID) {
        if let text = id.wireText { remove(ResourceIdentifier(type: Target.type, id: text)) }
    }
}

/// The contents of a to-many relationship, whatever its target type.
///
/// `ToOneParts` explains why this is an object and not generic. `@unchecked Sendable`: it changes only while a single owner has it.
@usableFromInline final class ToManyParts: @unchecked Sendable {
    // Unchecked: one thread changes them, and nothing calls back in the meantime.
    @safe @exclusivity(unchecked) var identifiers: [ResourceIdentifier]?
    /// The cells of the values, in the order of the identifiers: the places that they were read to, and those that the program gave.
    /// Identifiers that were appended have none. Setting the identifiers removes the cells.
    @safe @exclusivity(unchecked) @usableFromInline var targets: [ReferenceCell?] = []
    /// The identifiers that the decoder left out, in order. Each has the number of the others before it.
    var omitted: [(position: Int, identifier: ResourceIdentifier)] = []
    /// Whether something was appended or removed while the relationship was not loaded, or known in part.
    var isEditedUnloaded = false
    /// Whether the links lead to further pages of the list.
    var isPage = false
    /// Whether an array was assigned that cannot contain the links before, because they were not available. See `Embedded`.
    var isAssigned = false
    /// Whether the relationship was read, even if it was not there.
    var isRead = false
    var details: RelationshipDetails?
    var resolver: ReferenceResolver?
    /// The last value that the program gave for each identity; see `ResourceIdentifier.key`. Kept when the identifiers are edited.
    var held: [ResourceIdentifier: ReferenceCell] = [:]
    /// The resources with neither id nor lid that the program gave, in order, each with the number of identifiers before it. They cannot be
    /// linked. Without a cell for an id that is nil.
    var unidentified: [(position: Int, cell: ReferenceCell?)] = []

    init() {}

    init(_ other: ToManyParts) {
        identifiers = other.identifiers
        targets = other.targets
        omitted = other.omitted
        isEditedUnloaded = other.isEditedUnloaded
        isPage = other.isPage
        isAssigned = other.isAssigned
        isRead = other.isRead
        details = other.details
        resolver = other.resolver
        held = other.held
        unidentified = other.unidentified
    }

    /// Whether the program gave no values, which take precedence over those that were read with the same identity.
    @usableFromInline var hasOnlyReadValues: Bool { held.isEmpty && unidentified.isEmpty }

    /// Whether the values that were read are shown. They were all read in one call.
    @usableFromInline var areShown: Bool { targets.lazy.compactMap(\.self).first?.isShown ?? true }

    /// Returns the cell of the value at an index.
    func cell(_ index: Int) -> ReferenceCell? { index < targets.count ? targets[index] : nil }

    /// Whether the same cells and the same resolver give the values.
    func hasOrigins(of other: ToManyParts) -> Bool {
        guard resolver?.origin === other.resolver?.origin, held.count == other.held.count else { return false }
        return held.allSatisfy { identifier, cell in other.held[identifier] === cell }
            && (held.isEmpty || targets.elementsEqual(other.targets) { $0 === $1 })
            && unidentified.elementsEqual(other.unidentified) { $0.cell === $1.cell }
    }
}

extension ToMany: Hashable {
    /// Whether state, identifiers, links and meta are equal, and the identifiers that the decoder left out. The resources themselves are
    /// not compared.
    public static func == (a: ToMany, b: ToMany) -> Bool {
        if a.parts === b.parts { return true }
        let areEqual =
            a.identifiers == b.identifiers && a.isEditedUnloaded == b.isEditedUnloaded && a.isPage == b.isPage
            && a.isAssigned == b.isAssigned && a.details == b.details
            && a.parts.unidentified.map(\.position) == b.parts.unidentified.map(\.position)
            && a.parts.omitted.elementsEqual(b.parts.omitted) { $0 == $1 }
        if areEqual, !a.parts.hasOrigins(of: b.parts) { ReferenceWatch.noteOther() }
        return areEqual
    }

    /// Feeds identifiers, links and meta to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifiers)
        hasher.combine(details)
    }
}

extension ToMany: ExpressibleByArrayLiteral {
    /// Creates a relationship to the given resources.
    public init(arrayLiteral elements: Target...) { self.init(elements) }
}

extension ToMany: CustomStringConvertible {
    /// The linkage as compact JSON text, in `ToMany(…)`.
    public var description: String { "ToMany(\(data))" }
}

extension ToMany: Codable {
    /// Throws `DecodingError`, because only `JSONAPIDecoder` reads references.
    public init(from decoder: any Decoder) throws { throw WrongDecoder.error(Self.self, decoder) }

    /// Writes the relationship object. Throws `EncodingError` when the relationship was edited while it was not loaded, for a page of it in
    /// a request that changes a resource, for an array that `Embedded` refuses there, for a resource with neither id nor lid, and inside an
    /// attribute.
    public func encode(to encoder: any Encoder) throws {
        let isRequest = try (encoder as? ValueEncoder)?.isRequestForRelationship(Self.self) ?? false
        let refusesPages = (encoder as? ValueEncoder)?.session.refusesPages == true
        if hasUnidentified { throw EncodingFailure.unidentified(Target.self, at: .root, resource: nil).encodingError }
        if isEditedUnloaded || isPage && refusesPages { throw EncodingFailure.editedUnloaded(at: .root, resource: nil).encodingError }
        if isAssigned, refusesPages { throw EncodingFailure.assigned(at: .root, resource: nil, .useDefaultKeys).encodingError }
        try (isRequest ? RelationshipObject(data: data) : object).write(to: encoder, isPage: isPage, isAssigned: isAssigned)
    }
}

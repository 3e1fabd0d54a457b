import JSONAPIRules
import JSONMapping
import JSONText

// Relationships whose resources are embedded by value.

/// Reads a relationship to resources of one type.
class RelationshipPlan<Value, Element: ResourceRepresentable>: PropertyPlan<Value> {
    override var readsRelationships: Bool { true }
    final let elements: ElementPlan<Element>

    init(_ elements: ElementPlan<Element>) {
        self.elements = elements
        elements.isLinkedTo = true
    }
}

/// Reads `var author: Person` and, with `decodeIfPresent`, `var author: Person?`.
final class EmbeddedOnePlan<Element: ResourceRepresentable>: RelationshipPlan<Element, Element> {
    override var isWrittenAtPaths: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Element {
        try session.heldResource(Element.self, at: place.word) ?? session.plain(Element.self, at: place)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Element {
        try elements.one(session, ordinal, name)
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Element? {
        try elements.oneIfPresent(session, ordinal, name)
    }
}

/// Reads `var comments: [Comment]`.
final class EmbeddedManyPlan<Element: ResourceRepresentable>: RelationshipPlan<[Element], Element> {
    override var isWrittenAtPaths: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [Element] {
        try session.heldResources(Element.self, at: place.word) ?? session.plain([Element].self, at: place)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [Element] {
        try elements.many(session, ordinal, name)
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [Element]? {
        try elements.manyIfPresent(session, ordinal, name)
    }

    override func decodeAbsent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [Element] {
        try session.unloaded(name, of: ordinal, Element.self)
    }
}

extension DecodingSession {
    /// Returns the relationship object with the given name, after checking it; nil when there is none.
    @inline(__always)
    func relationshipEntry(_ name: FieldName, of ordinal: Int) throws -> RelationshipEntry? {
        if let word = relationship(name, of: ordinal), view.isObject(word) { return try checkedRelationship(at: word) }
        return try unusualRelationshipEntry(name, of: ordinal)
    }

    /// Throws for an identifier in place of a relationship object. Without `data`, it would be read as a relationship that is not loaded.
    @inline(__always)
    private func checkedRelationship(at word: Int) throws -> RelationshipEntry {
        let entry = RelationshipEntry(view, at: word)
        if entry.data == 0, entry.hasOthers { try refuseIdentifier(entry) }
        return entry
    }

    @inline(never)
    private func refuseIdentifier(_ entry: RelationshipEntry) throws {
        guard entry.links == 0, entry.meta == 0, !options.leniencies.contains(.emptyRelationships),
            ["type", "id"].allSatisfy({ view.member($0, of: entry.word) != nil })
        else { return }
        throw failure(
            .wrongType, at: entry.word, expected: "a relationship object", found: "an identifier in place of one",
            advice: "the server must put the identifier into `data`")
    }

    @inline(never)
    private func unusualRelationshipEntry(_ name: FieldName, of ordinal: Int) throws -> RelationshipEntry? {
        guard let word = relationship(name, of: ordinal) ?? (name.hasDot ? relationship(atPath: name.text, of: ordinal) : nil) else {
            return nil
        }
        if view.isObject(word) { return try checkedRelationship(at: word) }
        if view.isNull(word) && options.leniencies.contains(.nullContainers) || isEmptyArrayContainer(word) { return nil }
        throw document.failure(Fault(notObject: .relationshipObject, at: word, view))
    }

    /// Returns the relationship that a path such as `relationships.author` names; nil for a path to anything else.
    func relationship(atPath path: String, of ordinal: Int) -> Int? {
        let group = "relationships.".utf8
        return path.utf8.starts(with: group) ? relationship(String(Substring(path.utf8.dropFirst(group.count))), of: ordinal) : nil
    }

    /// Whether an empty array is in place of an object, and is read as an empty or absent object.
    func isEmptyArrayContainer(_ word: Int) -> Bool {
        view.isArray(word) && view.count(at: word) == 0 && options.leniencies.contains(.emptyArrayContainers)
    }

    /// Returns the identifier in to-one linkage; nil for null.
    @inline(__always)
    func toOneIdentifier(_ relationship: RelationshipEntry) throws -> IdentifierEntry? {
        if view.isObject(relationship.data) { return try identifierEntry(relationship.data) }
        if view.isNull(relationship.data) { return nil }
        try checkEmptyToOne(relationship)
        return nil
    }

    /// Throws, except for an empty array that is read as null.
    @inline(never)
    private func checkEmptyToOne(_ relationship: RelationshipEntry) throws {
        let data = relationship.data
        if isEmptyArrayContainer(data) {
            return report(.leniency(.emptyArrayContainers), at: data, "an empty array for a to-one relationship was read as null")
        }
        guard view.isArray(data) else { throw failure(.wrongType, at: data, expected: "linkage, an identifier or null") }
        let isEmpty = view.count(at: data) == 0
        throw failure(
            .cardinality, at: data, expected: "to-one linkage, an identifier or null", found: isEmpty ? "an empty array" : "an array",
            advice: "declare an array or ToMany for a to-many relationship" + (isEmpty ? ", or set the leniency emptyArrayContainers" : ""))
    }

    /// Returns whether there is an array to iterate over; false for a null that is read as empty.
    @inline(__always)
    func checkToMany(_ relationship: RelationshipEntry) throws -> Bool {
        if view.isArray(relationship.data) { return true }
        try checkNotToMany(relationship)
        return false
    }

    /// Throws, except for a null that is read as empty.
    @inline(never)
    private func checkNotToMany(_ relationship: RelationshipEntry) throws {
        let (data, isNull) = (relationship.data, view.isNull(relationship.data))
        if isNull, options.leniencies.contains(.nullToMany) {
            return report(.leniency(.nullToMany), at: data, "null for a to-many relationship was read as empty")
        }
        guard isNull || view.isObject(data) else { throw failure(.wrongType, at: data, expected: "linkage, an array of identifiers") }
        throw failure(
            .cardinality, at: data, expected: "to-many linkage, an array", found: isNull ? nil : "one identifier",
            advice: "declare an optional or ToOne for a to-one relationship" + (isNull ? ", or set the leniency nullToMany" : ""))
    }

    /// Returns the identifier object at `word`, after checking it.
    @inline(__always)
    func identifierEntry(_ word: Int) throws -> IdentifierEntry {
        try checkIsObject(word, "a resource identifier object")
        var entry = IdentifierEntry(view, at: word)
        if entry.type != 0, view.isString(entry.type), entry.id != 0, view.isString(entry.id), entry.lid == 0 { return entry }
        // As in resource objects: outside of them, the identifier is primary data. Inside, there may be a whole resource in its place.
        let isResource = resourceDepth == 0 || index.embedded[UInt32(truncatingIfNeeded: word)] != nil
        if entry.id != 0, isResource, view.isNull(entry.id), options.leniencies.contains(.missingIDs) { entry.id = 0 }
        try checkUnusual(entry)
        return entry
    }

    /// Throws for an element of `data` or of linkage that is no object.
    @inline(__always)
    func checkIsObject(_ word: Int, _ expected: String) throws {
        if !view.isObject(word) { throw failure(.wrongType, at: word, expected: expected, advice: DecodingFailure.dropAdvice) }
    }

    /// Returns the identifier object at `word`, an element of linkage; nil for one that cannot be read and is left out.
    @inline(__always)
    func identifierElement(_ word: Int) throws -> IdentifierEntry? {
        do { return try identifierEntry(word) } catch let error where dropsElement(error, at: word) { return nil }
    }

    /// Checks identifiers with a lid, and those that a leniency accepts.
    @inline(never)
    private func checkUnusual(_ entry: IdentifierEntry) throws {
        guard entry.type != 0 else { throw document.failure(Fault(.identifierType, .missing, at: entry.word)) }
        guard view.isString(entry.type) else { throw document.failure(Fault(.identifierIdentityString, .type, at: entry.type)) }
        // Beside an id, null is no lid.
        if entry.lid != 0, !view.isString(entry.lid), entry.id == 0 || !view.isNull(entry.lid) {
            throw document.failure(Fault(.identifierIdentityString, .lid, at: entry.lid))
        }
        if entry.id == 0 {
            if entry.lid != 0 { return }
            if options.leniencies.contains(.identifiersWithoutID) { return }
            throw document.failure(Fault(.identifierID, .missingID, at: entry.word))
        }
        if view.isString(entry.id) || view.isInteger(entry.id) && options.leniencies.contains(.integerIDs) { return }
        throw document.failure(Fault(.identifierIdentityString, RuleFinding.Break(ofID: entry.id, view), at: entry.id))
    }
}

extension DecodingSession {
    /// Reports that a relationship was left out of the current resource, because the value would contain itself.
    ///
    /// - Parameters:
    ///   - relationship: The word of the relationship's name, which is only the end of `name` if that is a path.
    ///   - type: The model of the resources that are left out.
    func cut(_ identifier: IdentifierEntry, _ name: FieldName, of relationship: Int, _ type: Any.Type) {
        noteCut(view.string(at: relationship), type)
        report(.cycleCut, at: identifier.word, "`\(name.text)` leads back to a resource that contains this one, so it was left out")
    }

    /// The failure for a resource that a model reads inside itself, which the check for cycles does not see.
    func nestedInItself(_ ordinal: Int) -> DecodingFailure {
        failure(
            .cycle, at: Int(entries[ordinal].word), expected: "a resource", found: "a resource that is already being read around this one",
            advice: "declare the relationship as ToOne or ToMany")
    }

    func cycle(_ identifier: IdentifierEntry, _ name: String, _ type: Any.Type, advice: String? = nil) -> DecodingFailure {
        let path = steps { frame in
            (frame.name == 0 ? "" : "\(view.string(at: frame.name)) → ")
                + (self.identifier(of: frame.ordinal).map { "\($0.type) \($0.id ?? "")" } ?? "")
        }
        return failure(
            .cycle, at: identifier.word, expected: "embedded values that end",
            found: "the cycle " + (path + [name]).joined(separator: ", ") + " → back",
            advice: advice ?? "declare `\(name)` as ToOne<\(type)>, or make it optional")
    }

    func notIncluded(_ identifier: IdentifierEntry, _ name: String, advice: String? = nil) -> DecodingFailure {
        let (type, key) = (view.string(at: identifier.type), identifier.id != 0 ? identifier.id : identifier.lid)
        let id = key != 0 ? view.string(at: key) : ""
        let isWhole = ["attributes", "relationships"].contains { view.member($0, of: identifier.word) != nil }
        return failure(
            .notIncluded, at: identifier.word,
            expected: options.ignoresResponseMembers ? "a new resource with a lid" : "the resource \(type) \(id) in `included`",
            found: isWhole ? "a whole resource in place of its identifier" : "only its identifier",
            advice: isWhole
                ? "set the leniency embeddedResources to read it"
                : advice ?? "ask the server to include `\(name)`, make it optional, or declare it as ToOne or ToMany")
    }

    func emptyRelationship(_ name: String, _ relationship: RelationshipEntry) -> DecodingFailure {
        failure(
            .unexpectedNull, at: relationship.data, expected: "a related resource",
            advice: "make `\(name)` optional: the relationship may be empty")
    }

    func notLoaded(_ name: String, _ relationship: RelationshipEntry, advice: String? = nil) -> DecodingFailure {
        failure(
            .missingMember, at: relationship.word, expected: "`data`, the linkage of `\(name)`",
            found: "a relationship that is not loaded",
            advice: advice ?? "ask the server to include `\(name)`, make it optional, or declare it as ToOne or ToMany")
    }

    func missingRelationship(_ name: String, in ordinal: Int, advice: String? = nil) -> DecodingFailure {
        DecodingFailure(.missingMember, note(at: Int(entries[ordinal].word), .relationship(name, of: ordinal, advice: advice)))
    }

    /// Whether the options say to continue without an element that cannot be read. Reports it in that case. Errors about limits are always
    /// thrown.
    func dropsElement(_ error: any Error, at word: Int) -> Bool {
        guard options.invalidElements == .drop else { return false }
        let failure = DecodingFailure.of(error)
        if let failure, failure.kind.category == .limit { return false }
        report(.droppedElement, at: word, "left out: \(description(of: error, failure))")
        return true
    }

    /// Returns the text of an error, with its place in the document that this one was made from.
    private func description(of error: any Error, _ failure: DecodingFailure?) -> String {
        if let failure { return failure.at(place(failure.pointer), offset: failure.offset, position: failure.position).description }
        return "\((error as? ValidationError)?.moved(place) ?? error)"
    }
}

/// Writes `var author: Person`. A `Resource` inside an attribute is an ordinary `Codable` value.
final class EmbeddedOneWriter<Element: ResourceRepresentable>: PropertyWriter<Element> {
    override var relationship: RelationshipKind? { .toOne }
    private let elements: ElementWriter<Element>
    private let plain = CodableWriter<Element>()

    init(_ elements: ElementWriter<Element>) { self.elements = elements }

    override func write(_ value: Element, _ session: EncodingSession, _ sink: ValueSink) throws {
        if try !elements.writeReference(to: value, session, sink) { try plain.write(value, session, sink) }
    }

    override func write(_ value: Element, _ session: EncodingSession, as name: KnownName) throws {
        guard let identifier = value.identifier else {
            if !session.wants(name.text) { return }
            throw session.unidentified(name.text, Element.self)
        }
        let type = session.types.number(of: identifier.type, near: elements.typeHint)
        if try session.beginLinkage(name) {
            try session.write(identifier, type, into: session.relationships, at: ["relationships", name.text, "data"])
            try session.endLinkage(of: name)
        }
        guard let node = session.node(through: name.text) else { return }
        if session.meetRead(identifier, as: Element.self, node) { return }
        elements.meet(value, identifier, type, session, node, from: nil)
    }
}

/// Writes `var comments: [Comment]`, also when it is empty.
final class EmbeddedManyWriter<Element: ResourceRepresentable>: PropertyWriter<[Element]> {
    override var relationship: RelationshipKind? { .toMany }
    private let elements: ElementWriter<Element>
    private let plain = CodableWriter<[Element]>()

    init(_ elements: ElementWriter<Element>) { self.elements = elements }

    override func write(_ value: [Element], _ session: EncodingSession, _ sink: ValueSink) throws { try plain.write(value, session, sink) }

    override func write(_ values: [Element], _ session: EncodingSession, as name: KnownName) throws {
        let node = session.node(through: name.text)
        guard node != nil || session.wants(name.text) else { return }
        var holder: Int?
        let hasLinkage = try session.beginLinkage(name)
        let output = session.relationships
        if hasLinkage { output.beginArray() }
        for index in 0..<values.count {
            guard let identifier = values.borrow(index, { $0.identifier }) else {
                if hasLinkage { throw session.unidentified(name.text, Element.self, index) }
                continue
            }
            let type = session.types.number(of: identifier.type, near: elements.typeHint)
            if hasLinkage { try session.write(identifier, type, into: output, at: ["relationships", name.text, "data", String(index)]) }
            // A path may continue along a relationship that the fieldset leaves out.
            if let node, !session.meetRead(identifier, as: Element.self, node) {
                values.borrow(index) { elements.meet($0, identifier, type, session, node, in: values, at: index, &holder) }
            }
        }
        guard hasLinkage else { return }
        output.endArray()
        try session.endLinkage(of: name)
    }
}

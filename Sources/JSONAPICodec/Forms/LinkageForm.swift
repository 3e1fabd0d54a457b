import JSONAPIRules
import JSONText

// Relationships as they appear in a document: identifiers, and whole relationship objects.

/// Reads a relationship as it appears in a document: its identifiers, or the whole object.
class LinkagePlan<Value>: PropertyPlan<Value> {
    override var readsRelationships: Bool { true }

    /// Returns the value of a relationship object; nil when it is not loaded or null.
    func value(_ session: DecodingSession, of relationship: RelationshipEntry) throws -> Value? { nil }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        if let value = try decodeIfPresent(session, ordinal, name) { return value }
        guard let relationship = try session.relationshipEntry(name, of: ordinal) else {
            throw session.missingRelationship(name.text, in: ordinal)
        }
        guard relationship.data != 0 else { throw session.notLoaded(name.text, relationship) }
        throw session.failure(.unexpectedNull, at: relationship.data, expected: "an identifier", advice: "make `\(name.text)` optional")
    }

    override var isWrittenAtPaths: Bool { true }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value? {
        if let relationship = try session.relationshipEntry(name, of: ordinal) { return try value(session, of: relationship) }
        // Linkage may also be a plain value at a path, such as `attributes.author`.
        guard name.hasDot, let place = try session.plainPlace(name, of: ordinal), !session.view.isNull(place.word) else { return nil }
        return try decode(session, at: place)
    }
}

/// Reads `var author: RelationshipObject`: the relationship as it is.
final class RelationshipObjectPlan: LinkagePlan<RelationshipObject> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> RelationshipObject {
        guard session.view.isObject(place.word) else {
            throw session.failure(.wrongType, at: place.word, expected: "a relationship object")
        }
        return RelationshipObject(members: session.object(at: place.word))
    }

    override func value(_ session: DecodingSession, of relationship: RelationshipEntry) throws -> RelationshipObject? {
        let view = session.view
        var object = session.received(session.json(at: relationship.word)).flatMap { RelationshipObject(json: $0) }
        guard session.options.invalidElements == .drop, view.isArray(relationship.data) else { return object }
        let elements = try Elements(view, of: relationship.data).filter { try session.identifierElement($0) != nil }
        if elements.count < view.count(at: relationship.data) {
            object?.members["data"] = .array(JSONArray(elements.map { view.json(at: $0) }))
            object?.members["@page"] = true
        }
        return object
    }
}

/// Reads `var author: ResourceIdentifier?`: only to-one linkage.
final class IdentifierPlan: LinkagePlan<ResourceIdentifier> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> ResourceIdentifier {
        session.identifier(try session.identifierEntry(place.word))
    }

    override func value(_ session: DecodingSession, of relationship: RelationshipEntry) throws -> ResourceIdentifier? {
        relationship.data == 0 ? nil : try session.toOneIdentifier(relationship).map(session.identifier)
    }
}

/// Reads `var comments: [ResourceIdentifier]`: only to-many linkage.
final class IdentifiersPlan: LinkagePlan<[ResourceIdentifier]> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [ResourceIdentifier] {
        guard session.view.isArray(place.word) else {
            throw session.failure(.wrongType, at: place.word, expected: "an array of identifiers")
        }
        try session.checkWhole(linkageAt: place.word)
        return try identifiers(session, place.word)
    }

    private func identifiers(_ session: DecodingSession, _ array: Int) throws -> [ResourceIdentifier] {
        try Elements(session.view, of: array).compactMap {
            // A patch must not delete a link that cannot be read. What is no object links to nothing.
            try (session.view.isObject($0) ? Optional(session.identifierEntry($0)) : session.identifierElement($0)).map(session.identifier)
        }
    }

    override func value(_ session: DecodingSession, of relationship: RelationshipEntry) throws -> [ResourceIdentifier]? {
        if relationship.data == 0 { return nil }
        try session.checkWhole(relationship)
        return try session.checkToMany(relationship) ? identifiers(session, relationship.data) : []
    }
}

extension DecodingSession {
    enum Resolution {
        case found(Int)
        /// Not in the document, but possibly in the source of single resources.
        case elsewhere
        case missing
        /// Of another type. The reference has no value.
        case unresolved
    }

    /// Looks up an identifier for a reference that keeps it in any case.
    @inline(__always)
    func resolution(of identifier: IdentifierEntry, _ elements: AnyElementPlan) throws -> Resolution {
        if source == nil {
            let target = elements.linkedTarget(self, identifier)
            if target >= 0 { return .found(target) }
        }
        return try unusualResolution(of: identifier, elements)
    }

    @inline(never)
    private func unusualResolution(of identifier: IdentifierEntry, _ elements: AnyElementPlan) throws -> Resolution {
        guard elements.accepts(self, typeAt: identifier.type) else {
            try elements.refuseType(self, identifier, isRequired: options.refusesOtherTypes, "; its identifier is kept")
            return .unresolved
        }
        if let source {
            // A whole resource in place of an identifier may be nowhere else.
            let isHere = index.embedded[UInt32(truncatingIfNeeded: identifier.word)] != nil
            if options.missingResources == .keep && !isHere || mayHave(self.identifier(identifier), elements.valueType, source) {
                return .elsewhere
            }
        }
        if let target = document.index.ordinal(of: identifier, view) { return .found(target) }
        if options.missingResources == .throw { throw notIncluded(identifier, view.string(at: identifier.type)) }
        return .missing
    }

    /// Whether a resource may exist in a source, which is asked once for each identity: the answer can cost as much as reading the resource.
    private func mayHave(_ identifier: ResourceIdentifier, _ model: Any.Type, _ source: SourceResolver) -> Bool {
        if let known = inSource[ObjectIdentifier(model)]?[identifier.bare] { return known }
        let mayExist = source.mayHave(identifier, for: model)
        inSource[ObjectIdentifier(model), default: [:]][identifier.bare] = mayExist
        return mayExist
    }

    /// Returns the resolver by which the encoder finds a resource of a type that the reference does not accept; nil if there is none.
    func resolver(ofOther identifier: IdentifierEntry) -> ReferenceResolver? {
        if source == nil, document.index.ordinal(of: identifier, view) == nil { return nil }
        // A value with this reference holds the document, which must not hold the value.
        referenceCount += 1
        return source ?? referenceResolver()
    }

    /// Returns the identifier object with all its members.
    @inline(__always)
    func identifier(_ entry: IdentifierEntry) -> ResourceIdentifier { identifier(entry, type: view.string(at: entry.type)) }

    /// Returns the identifier object with all its members, for a type that is already known. If a server reads it from a request, returns only
    /// the members that the specification defines.
    @inline(__always)
    func identifier(_ entry: IdentifierEntry, type: String) -> ResourceIdentifier {
        if entry.id != 0, entry.lid == 0, entry.meta == 0, !entry.hasOthers {
            return ResourceIdentifier(type: type, id: view.string(at: entry.id))
        }
        return fullIdentifier(entry, type)
    }

    private func fullIdentifier(_ entry: IdentifierEntry, _ type: String) -> ResourceIdentifier {
        var additional = JSONObject()
        if entry.hasOthers, !options.ignoresResponseMembers {
            // What is found as a resource is not copied: whole resources inside each other would be copied once for each of them.
            let isResource = index.isFoundResource(at: entry.word, view)
            view.forEachMember(of: entry.word) { name, value in
                let name = view.string(at: name)
                if ResourceIdentifier.defines(name) || isResource && ResourceIdentifier.isField(name) { return }
                additional.append(name: name, value: json(at: value))
            }
        }
        return ResourceIdentifier(
            type: type, id: entry.id == 0 ? nil : view.string(at: entry.id),
            lid: entry.lid == 0 || view.isNull(entry.lid) ? nil : view.string(at: entry.lid),
            meta: entry.meta == 0 || !view.isObject(entry.meta) ? nil : object(at: entry.meta), additional: additional)
    }

    /// Returns the links, meta and other members of a relationship object; nil when there are none.
    @inline(__always)
    func details(_ relationship: RelationshipEntry) -> RelationshipDetails? {
        if relationship.links == 0 && relationship.meta == 0 && !relationship.hasOthers || options.ignoresResponseMembers { return nil }
        var members = JSONObject()
        view.forEachMember(of: relationship.word) { name, value in
            switch view.string(at: name) {
            // The linkage is kept elsewhere, and can be large.
            case "data": break
            // Null or an array, which real servers send for no links and for no meta, must not be written.
            case "links" where value != relationship.links || !view.isObject(value): break
            case "meta" where value != relationship.meta || !view.isObject(value): break
            case let name: members.append(name: name, value: json(at: value))
            }
        }
        return members.isEmpty ? nil : RelationshipDetails(members)
    }

    /// Returns a relationship as it is. If a server reads it from a request, returns only its linkage, with the members that the specification
    /// defines; nil if it has none.
    func received(_ relationship: JSON) -> JSON? {
        guard options.ignoresResponseMembers, let members = relationship.object else { return relationship }
        return members["data"].map { ["data": Linkage(json: $0)?.withoutAdditionalMembers.json ?? $0] }
    }

    func relationshipInAttribute(at word: Int, _ type: Any.Type) -> DecodingFailure {
        failure(
            .wrongType, at: word, expected: "a plain value",
            found: "\(type), which represents a relationship, inside an attribute",
            advice: "declare it as a property of the resource itself")
    }

    /// Throws when a reference has the name of an attribute. That is a mistake in the model, not a relationship that is not loaded.
    func checkNotAttribute(_ name: FieldName, of ordinal: Int, _ type: Any.Type) throws {
        guard let word = try plainPlace(name, of: ordinal)?.word, !view.isNull(word) else { return }
        throw failure(
            .wrongType, at: word, expected: "the relationship `\(name.text)`", found: "an attribute of that name",
            advice: "declare `\(name.text)` as a plain value instead of \(type)")
    }
}

/// Writes `var author: ResourceIdentifier?` and `var comments: [ResourceIdentifier]`: only linkage.
final class LinkageWriter<Value: Encodable>: PropertyWriter<Value> {
    private let kind: RelationshipKind
    override var relationship: RelationshipKind? { kind }
    private let linkage: (Value) -> Linkage
    private let plain = CodableWriter<Value>()

    init(_ kind: RelationshipKind, _ linkage: @escaping (Value) -> Linkage) {
        self.kind = kind
        self.linkage = linkage
    }

    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws { try plain.write(value, session, sink) }

    override func write(_ value: Value, _ session: EncodingSession, as name: KnownName) throws {
        let linkage = linkage(value)
        if case .absent = linkage { return }
        try session.writeRelationship(name) { try session.writeData(linkage, of: name, into: $0) }
        session.meet(linkage, through: name.text)
    }
}

/// Writes `var author: RelationshipObject`: the relationship as it is.
final class RelationshipObjectWriter: PropertyWriter<RelationshipObject> {
    override var relationship: RelationshipKind? { .any }

    override func write(_ value: RelationshipObject, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.writeTree(value.json, into: sink)
    }

    override func write(_ value: RelationshipObject, _ session: EncodingSession, as name: KnownName) throws {
        if session.isRequest, !value.members.contains(name: "data") { return }
        if session.refusesPages, value.isPage, session.wants(name.text) {
            throw EncodingFailure.editedUnloaded(
                at: session.pointer(["relationships", name.text]), resource: session.identified,
                "remove its links to pages and set `data` to")
        }
        try session.writeRelationship(name, value.members) { output in
            let data = value.members["data"]
            guard let linkage = Linkage(json: data) else {
                throw session.failure(
                    .wrongPlace, at: ["relationships", name.text, "data"], expected: "linkage: null, an identifier or an array of them",
                    found: (data ?? .null).kindName,
                    advice: data?.object == nil ? nil : "write the type of the resource beside its id")
            }
            try session.writeData(linkage, of: name, into: output)
            // Marked, because the comparison of two values does not see the links.
            if session.absentFields == .compared, value.isPage {
                output.name(plain: RelationshipObject.partMark)
                output.null()
            }
        }
        session.meet(value.data, through: name.text)
    }
}

extension EncodingSession {
    /// Notes the resources that linkage refers to in the document that was read.
    func meet(_ linkage: Linkage, through name: String) {
        guard linkage != .absent, let resolver, let node = node(through: name) else { return }
        for identifier in linkage.identifiers { meet(identifier, through: resolver, node) }
    }

    /// Writes linkage. Throws when it is absent, and when an identifier has no identity.
    func write(_ linkage: Linkage, into output: JSONOutput, at tokens: @autoclosure () -> [String]) throws {
        switch linkage {
        case .absent:
            throw failure(
                .missingLinkage, at: tokens(), expected: "linkage: null, an identifier or an array of them", found: "none",
                advice: "set the linkage of the relationship")
        case .null: output.null()
        case .one(let identifier): try write(identifier, into: output, at: tokens())
        case .many(let identifiers):
            output.beginArray()
            for (index, identifier) in identifiers.enumerated() {
                try write(identifier, into: output, at: tokens() + [String(index)])
            }
            output.endArray()
        }
    }

    /// Writes the `data` of a relationship object; nothing for linkage that is absent.
    func writeData(_ linkage: Linkage, of name: KnownName, into output: JSONOutput) throws {
        if case .absent = linkage { return }
        output.name(plain: "data")
        try write(linkage, into: output, at: ["relationships", name.text, "data"])
    }

    /// Notes a relationship that the model has given to its container, whether it is written or not.
    func noteGiven(_ name: String) {
        if clearsRelationships { extras.given.insert(ByteText(name)) }
    }

    /// Notes the relationship that a path leads to or into.
    func noteGiven(at path: [String]) {
        if path.count > 1, path[0] == "relationships" { noteGiven(path[1]) }
    }

    /// Notes a `Field` that is absent, so that a patch leaves the member as it is.
    func noteAbsent(at path: [String]) {
        noteGiven(at: path)
        if clearsRelationships { extras.absent.append(path) }
    }

    func noteAbsent(_ name: String, _ type: Any.Type) {
        guard clearsRelationships else { return }
        if let member = PropertyRole.marker(type) { return noteAbsent(at: [member]) }
        noteGiven(name)
        noteAbsent(at: ["attributes", name])
    }

    /// Does the same inside a value. Elements of arrays have no paths.
    func noteAbsent(_ path: [String], in sink: ValueSink) {
        let keys = sink.path.compactMap(\.key)
        if keys.allSatisfy({ $0.intValue == nil }) { noteAbsent(at: sink.group + keys.map(\.stringValue) + path) }
    }

    /// Writes a relationship that is nil, when a patch compares values. It may never have been loaded. It is therefore marked, and clears
    /// only linkage that the other value has.
    func writeCleared(_ kind: RelationshipKind, as name: KnownName) throws {
        if namesRelationships || statesCleared && kind == .toOne { return try writeEmptyToOne(name) }
        if statesCleared { return }
        try writeRelationship(name) { output in
            output.name(plain: PatchGround.nilMark)
            output.null()
        }
    }

    /// Writes a to-one relationship that is cleared.
    func writeEmptyToOne(_ name: KnownName) throws { try writeRelationship(name) { try writeData(.null, of: name, into: $0) } }

    func unidentified(_ name: String, _ type: Any.Type, _ index: Int? = nil) -> EncodingFailure {
        .unidentified(type, at: pointer(["relationships", name]), resource: identified, index)
    }
}

extension EncodingFailure {
    /// The failure for a related resource that cannot be linked.
    static func unidentified(
        _ type: Any.Type, at pointer: JSONPointer, resource: ResourceIdentifier?, _ index: Int? = nil
    ) -> EncodingFailure {
        EncodingFailure(
            .missingIdentity, at: pointer, resource: resource, expected: "a related resource with an id or a lid",
            found: "a \(type) with neither" + (index.map { ", at index \($0)" } ?? ""),
            advice: "create it first, or give it a LocalID and create both in one atomic request")
    }
}

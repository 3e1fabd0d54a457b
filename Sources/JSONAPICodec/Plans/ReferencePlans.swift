import JSONText

// Relationships kept as references or as they are on the wire. None of these fails for a relationship that is missing: it is
// "not loaded".

/// `var author: ToOne<Person>`.
final class ToOnePlan<Target: ResourceRepresentable>: PropertyPlan<ToOne<Target>> {
    override var readsRelationships: Bool { true }
    private let elements: ElementPlan<Target>

    init(_ elements: ElementPlan<Target>) {
        self.elements = elements
        elements.isLinkedTo = true
    }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> ToOne<Target> {
        throw session.relationshipInAttribute(at: place.word, ToOne<Target>.self)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToOne<Target> {
        try decodeIfPresent(session, ordinal, name) ?? .notLoaded
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToOne<Target>? {
        guard let relationship = try session.relationshipEntry(name, of: ordinal) else {
            return try session.checkNotAttribute(name, of: ordinal, ToOne<Target>.self)
        }
        var reference = ToOne<Target>.notLoaded
        reference.details = session.details(relationship)
        guard relationship.data != 0 else { return reference }
        guard let identifier = try session.toOneIdentifier(relationship) else {
            reference.linkage = .empty
            return reference
        }
        switch try session.resolution(of: identifier, elements) {
        case .found(let target):
            session.referenceCount += 1
            reference.resolver = session.referenceResolver()
            session.addPending(elements, target)
        case .elsewhere: reference.resolver = session.source
        case .missing:
            if session.options.missingResources == .omit { return reference }
        case .otherType: break
        }
        reference.linkage = .identifier(session.identifier(identifier))
        return reference
    }
}

/// `var comments: ToMany<Comment>`.
final class ToManyPlan<Target: ResourceRepresentable>: PropertyPlan<ToMany<Target>> {
    override var readsRelationships: Bool { true }
    private let elements: ElementPlan<Target>

    init(_ elements: ElementPlan<Target>) {
        self.elements = elements
        elements.isLinkedTo = true
    }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> ToMany<Target> {
        throw session.relationshipInAttribute(at: place.word, ToMany<Target>.self)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToMany<Target> {
        try decodeIfPresent(session, ordinal, name) ?? .notLoaded
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToMany<Target>? {
        guard let relationship = try session.relationshipEntry(name, of: ordinal) else {
            return try session.checkNotAttribute(name, of: ordinal, ToMany<Target>.self)
        }
        var reference = ToMany<Target>.notLoaded
        reference.details = session.details(relationship)
        guard relationship.data != 0 else { return reference }
        guard try session.checkToMany(relationship) else {
            reference.identifiers = []
            return reference
        }
        let view = session.view
        var identifiers: [ResourceIdentifier] = []
        identifiers.reserveCapacity(view.count(at: relationship.data))
        var word = view.first(in: relationship.data)
        let end = view.end(of: relationship.data)
        while word < end {
            let identifier = try session.identifierEntry(word)
            var isKept = true
            switch try session.resolution(of: identifier, elements) {
            case .found(let target):
                session.referenceCount += 1
                if reference.resolver == nil { reference.resolver = session.referenceResolver() }
                session.addPending(elements, target)
            case .elsewhere: reference.resolver = session.source
            case .missing: isKept = session.options.missingResources != .omit
            case .otherType: break
            }
            if isKept { identifiers.append(session.identifier(identifier)) }
            word = session.view.next(after: word)
        }
        reference.identifiers = identifiers
        return reference
    }
}

/// `var author: RelationshipObject`: the relationship as it is.
final class RelationshipObjectPlan: PropertyPlan<RelationshipObject> {
    override var readsRelationships: Bool { true }
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> RelationshipObject {
        guard session.view.isObject(place.word) else {
            throw session.failure(.wrongType, at: place.word, expected: "a relationship object")
        }
        return RelationshipObject(members: session.view.object(at: place.word))
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> RelationshipObject {
        guard let value = try decodeIfPresent(session, ordinal, name) else {
            throw session.missingRelationship(name.text, in: ordinal)
        }
        return value
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> RelationshipObject? {
        try session.relationshipEntry(name, of: ordinal).map { try decode(session, at: ValuePlace(field: $0.word)) }
    }
}

/// `var author: ResourceIdentifier?`: to-one linkage alone.
final class IdentifierPlan: PropertyPlan<ResourceIdentifier> {
    override var readsRelationships: Bool { true }
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> ResourceIdentifier {
        session.identifier(try session.identifierEntry(place.word))
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ResourceIdentifier {
        guard let relationship = try session.relationshipEntry(name, of: ordinal) else {
            throw session.missingRelationship(name.text, in: ordinal)
        }
        guard relationship.data != 0 else { throw session.notLoaded(name.text, relationship) }
        guard let identifier = try session.toOneIdentifier(relationship) else {
            throw session.failure(.unexpectedNull, at: relationship.data, expected: "an identifier", advice: "make `\(name.text)` optional")
        }
        return session.identifier(identifier)
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ResourceIdentifier? {
        guard let relationship = try session.relationshipEntry(name, of: ordinal), relationship.data != 0 else { return nil }
        return try session.toOneIdentifier(relationship).map(session.identifier)
    }
}

/// `var comments: [ResourceIdentifier]`: to-many linkage alone.
final class IdentifiersPlan: PropertyPlan<[ResourceIdentifier]> {
    override var readsRelationships: Bool { true }
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> [ResourceIdentifier] {
        guard session.view.isArray(place.word) else {
            throw session.failure(.wrongType, at: place.word, expected: "an array of identifiers")
        }
        var identifiers: [ResourceIdentifier] = []
        try session.view.forEachElement(of: place.word) { element, _ in
            identifiers.append(session.identifier(try session.identifierEntry(element)))
        }
        return identifiers
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [ResourceIdentifier] {
        guard let relationship = try session.relationshipEntry(name, of: ordinal) else {
            throw session.missingRelationship(name.text, in: ordinal)
        }
        guard relationship.data != 0 else { throw session.notLoaded(name.text, relationship) }
        return try session.checkToMany(relationship) ? decode(session, at: ValuePlace(relationship.data, .elsewhere, in: nil)) : []
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> [ResourceIdentifier]? {
        guard let relationship = try session.relationshipEntry(name, of: ordinal), relationship.data != 0 else { return nil }
        return try session.checkToMany(relationship) ? decode(session, at: ValuePlace(relationship.data, .elsewhere, in: nil)) : []
    }
}

// MARK: - Shared

extension DecodingSession {
    enum Resolution {
        case found(Int)
        /// Not in the document, but maybe where single resources come from.
        case elsewhere
        case missing
        case otherType
    }

    /// Looks an identifier up for a reference that will keep it in any case.
    @inline(__always)
    func resolution<Target>(of identifier: IdentifierEntry, _ elements: ElementPlan<Target>) throws -> Resolution {
        guard elements.accepts(self, typeAt: identifier.type) else {
            if options.unknownTypes == .throw { throw unexpectedLinkage(identifier, Target.self, elements.requiredType) }
            report(.unknownType, at: identifier.word, "a related resource of a type that \(Target.self) is not for; its identifier is kept")
            return .otherType
        }
        if let source, options.missingResources == .keep || source.has(self.identifier(identifier)) { return .elsewhere }
        if let target = document.index.ordinal(of: identifier, view) { return .found(target) }
        if options.missingResources == .throw { throw notIncluded(identifier, view.string(at: identifier.type)) }
        return .missing
    }

    /// The identifier object, with everything in it.
    @inline(__always)
    func identifier(_ entry: IdentifierEntry) -> ResourceIdentifier {
        let type = view.string(at: entry.type)
        if entry.id != 0, entry.lid == 0, entry.meta == 0, !entry.hasOthers {
            return ResourceIdentifier(type: type, id: view.string(at: entry.id))
        }
        return fullIdentifier(entry, type)
    }

    private func fullIdentifier(_ entry: IdentifierEntry, _ type: String) -> ResourceIdentifier {
        var additional = JSONObject()
        if entry.hasOthers {
            view.forEachMember(of: entry.word) { name, value in
                let name = view.string(at: name)
                if !["type", "id", "lid", "meta"].contains(name) { additional.append(name: name, value: view.json(at: value)) }
            }
        }
        return ResourceIdentifier(
            type: type, id: entry.id == 0 ? nil : view.string(at: entry.id), lid: entry.lid == 0 ? nil : view.string(at: entry.lid),
            meta: entry.meta == 0 ? nil : view.object(at: entry.meta), additional: additional)
    }

    /// Links, meta and other members of a relationship object; nil when there are none.
    @inline(__always)
    func details(_ relationship: RelationshipEntry) -> RelationshipDetails? {
        if relationship.links == 0, relationship.meta == 0, !relationship.hasOthers { return nil }
        var members = view.object(at: relationship.word)
        members["data"] = nil
        return RelationshipDetails(members)
    }

    func relationshipInAttribute(at word: Int, _ type: Any.Type) -> DecodingFailure {
        failure(
            .wrongType, at: word, expected: "a plain value",
            found: "\(type), which stands for a relationship of a resource, inside an attribute",
            advice: "declare it as a property of the resource itself")
    }

    /// A reference whose name is an attribute's is a mistake in the model, not a relationship that is not loaded.
    func checkNotAttribute<Value>(_ name: FieldName, of ordinal: Int, _ type: Value.Type) throws -> Value? {
        guard let word = attribute(name, of: ordinal), !view.isNull(word) else { return nil }
        throw failure(
            .wrongType, at: word, expected: "the relationship `\(name.text)`", found: "an attribute of that name",
            advice: "declare `\(name.text)` as a plain value instead of \(type)")
    }
}

import JSONMapping
import JSONText

// `var comments: ToMany<Comment>`: never fails when the relationship is missing, which means "not loaded".

/// Reads `var comments: ToMany<Comment>`.
final class ToManyPlan<Target: ResourceRepresentable>: RelationshipPlan<ToMany<Target>, Target> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> ToMany<Target> {
        throw session.relationshipInAttribute(at: place.word, ToMany<Target>.self)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToMany<Target> {
        try decodeIfPresent(session, ordinal, name) ?? decodeAbsent(session, ordinal, name)
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToMany<Target>? {
        guard let parts = try session.toMany(name, of: ordinal, elements, ToMany<Target>.self) else { return nil }
        return ToMany(parts)
    }

    override func decodeAbsent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToMany<Target> {
        let parts = ToManyParts()
        parts.isRead = true
        return ToMany(parts)
    }
}

extension DecodingSession {
    /// Reads a to-many relationship as references; nil when the resource has no relationship with that name.
    ///
    /// - Parameter type: The type of the property. Not generic. Otherwise the runtime would look up types in every relationship, which took
    ///   a fifth of the time of reading one.
    fileprivate func toMany(
        _ name: FieldName, of ordinal: Int, _ elements: AnyElementPlan, _ type: @autoclosure () -> Any.Type
    ) throws -> ToManyParts? {
        guard let relationship = try relationshipEntry(name, of: ordinal) else {
            try checkNotAttribute(name, of: ordinal, type())
            return nil
        }
        let parts = ToManyParts()
        parts.isRead = true
        parts.details = details(relationship)
        guard relationship.data != 0 else { return parts }
        parts.isAssigned = parts.details?["@page"] == PatchGround.assignedMark
        parts.isPage = !parts.isAssigned && isPage(relationship)
        if parts.isAssigned { parts.details = RelationshipDetails(parts.details, "@page", nil) }
        if try checkToMany(relationship) { try readLinkage(relationship, of: ordinal, elements, parts) } else { parts.identifiers = [] }
        return parts
    }

    private func readLinkage(_ relationship: RelationshipEntry, of ordinal: Int, _ elements: AnyElementPlan, _ parts: ToManyParts) throws {
        let count = view.count(at: relationship.data)
        var identifiers: [ResourceIdentifier] = []
        identifiers.reserveCapacity(count)
        var targets: [ReferenceCell?] = []
        targets.reserveCapacity(count)
        try view.forEachElement(of: relationship.data) { word, _ throws in
            // A patch must not delete the link that is not known.
            guard let identifier = try identifierElement(word) else {
                parts.details = RelationshipDetails(parts.details, "@page", true)
                return parts.isPage = true
            }
            var target: ReferenceCell?
            // The resource has the required type, whose text is already available.
            var type: String?
            switch try resolution(of: identifier, elements) {
            case .found(let ordinalOfTarget):
                if parts.resolver == nil { parts.resolver = referenceResolver() }
                target = elements.reference(self, from: ordinal, to: ordinalOfTarget)
                type = elements.requiredType
            case .elsewhere: parts.resolver = source
            case .missing:
                if options.missingResources == .omit { return parts.omitted.append((identifiers.count, self.identifier(identifier))) }
            case .unresolved: if parts.resolver == nil { parts.resolver = resolver(ofOther: identifier) }
            }
            identifiers.append(self.identifier(identifier, type: type ?? view.string(at: identifier.type)))
            targets.append(target)
        }
        parts.identifiers = identifiers
        parts.targets = targets
    }
}

/// Writes `var comments: ToMany<Comment>`.
final class ToManyWriter<Target: ResourceRepresentable>: PropertyWriter<ToMany<Target>> {
    override var relationship: RelationshipKind? { .toMany }
    private let elements: ElementWriter<Target>

    init(_ elements: ElementWriter<Target>) { self.elements = elements }

    override func write(_ value: ToMany<Target>, _ session: EncodingSession, as name: KnownName) throws {
        if session.namesRelationships, !value.isLoaded { return try session.writeEmptyToOne(name) }
        if value.identifiers == nil, value.details == nil && !session.hasLinks(of: name) || session.isRequest, !value.hasUnidentified {
            return
        }
        if value.isPage, !value.isEditedUnloaded, !value.hasUnidentified, session.absentFields == .compared {
            // Marked, because the comparison of two values must not take another page for a change.
            return try session.writeRelationship(name) { output in
                output.name(plain: RelationshipObject.partMark)
                try session.write(.many(value.writtenIdentifiers ?? []), into: output, at: ["relationships", name.text, "data"])
            }
        }
        let isPart = value.isEditedUnloaded || session.refusesPages && value.isPage && !value.hasUnidentified
        if isPart, !session.isCreation, session.wants(name.text) {
            throw EncodingFailure.editedUnloaded(at: session.pointer(["relationships", name.text]), resource: session.identified)
        }
        if value.isAssigned, session.refusesPages, !value.hasUnidentified, session.wants(name.text) {
            let pointer = session.pointer(["relationships", name.text])
            throw EncodingFailure.assigned(at: pointer, resource: session.identified, session.options.keyStrategy)
        }
        try session.writeRelationship(name, value.details?.members) { output in
            if value.hasUnidentified { throw session.unidentified(name.text, Target.self) }
            try session.writeData(value.writtenIdentifiers.map(Linkage.many) ?? .absent, of: name, into: output)
            if value.isAssigned, session.marksAssigned {
                output.name(plain: RelationshipObject.partMark)
                output.bool(false)
            }
        }
        guard let node = session.node(through: name.text) else { return }
        if let check = session.nameCheck, elements.isOfUnion { check.open(node) }
        for (index, identifier) in (value.identifiers ?? []).enumerated() {
            if let cell = value.givenCell(index), let held = cell.value(Target.self) {
                elements.meet(held, identifier, session, node, from: cell)
            } else if let resolver = value.resolver {
                session.meet(identifier, through: resolver, as: Target.self, node)
            }
        }
    }
}

extension ToMany: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? { { ToManyPlan($0.elementPlan(for: Target.self)) } }

    static var writerMaker: WriterFactory.Maker? { { ToManyWriter<Target>($0.elementWriter(for: Target.self)) } }
}

extension EncodingFailure {
    /// The failure for a relationship that was edited while it was not loaded.
    ///
    /// - Parameter cure: How to set all resources.
    static func editedUnloaded(
        at pointer: JSONPointer, resource: ResourceIdentifier?, _ cure: String = "set `identifiers` to"
    ) -> EncodingFailure {
        EncodingFailure(
            .missingLinkage, at: pointer, resource: resource, expected: "a relationship that is loaded as a whole, or unchanged",
            found: "a relationship that is not loaded, or only one page of it, and was changed",
            advice: """
                send Linkage(adding:) or Linkage(removing:) to the address of the relationship, which keeps the other links; or load it \
                first, or \(cure) all resources of the relationship
                """)
    }
}

extension EncodingFailure {
    /// The failure for an array of `@Embedded` that was assigned where the links before were not available.
    static func assigned(at pointer: JSONPointer, resource: ResourceIdentifier?, _ keys: KeyStrategy) -> EncodingFailure {
        let property = "$\(pointer.tokens.last.flatMap { keys.keyName($0) } ?? "property")"
        return EncodingFailure(
            .missingLinkage, at: pointer, resource: resource, expected: "a relationship whose links were all available when it was set",
            found: "an array that was assigned in place of nil, where the server may have other links",
            advice: """
                assign `\(property) = ToMany(…)` to link to exactly these resources; or use `\(property).append(_:)` to add to the links \
                that are known
                """)
    }
}

extension ToMany: ReferenceType {
    package static var targetType: any ResourceRepresentable.Type { Target.self }
    package static var isToMany: Bool { true }
}

extension ToMany: PlaceholderWrapper {
    static func placeholder(_ placeholder: Placeholder, depth: PlaceholderDepth) -> Any? {
        placeholder == .first ? ToMany.notLoaded : ToMany.empty
    }
}

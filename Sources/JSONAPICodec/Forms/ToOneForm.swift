import JSONText

// `var author: ToOne<Person>`: never fails when the relationship is missing, which means "not loaded".

/// Reads `var author: ToOne<Person>`.
final class ToOnePlan<Target: ResourceRepresentable>: RelationshipPlan<ToOne<Target>, Target> {
    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> ToOne<Target> {
        throw session.relationshipInAttribute(at: place.word, ToOne<Target>.self)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToOne<Target> {
        try decodeIfPresent(session, ordinal, name) ?? .notLoaded
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToOne<Target>? {
        guard let parts = try session.toOne(name, of: ordinal, elements, ToOne<Target>.self) else { return nil }
        return ToOne(parts)
    }

    override func decodeAbsent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ToOne<Target> { .notLoaded }
}

extension DecodingSession {
    /// Reads a to-one relationship as a reference; nil when the resource has no relationship with that name.
    ///
    /// - Parameter type: The type of the property. Not generic. Otherwise the runtime would look up types in every relationship, which took
    ///   a fifth of the time of reading one.
    func toOne(_ name: FieldName, of ordinal: Int, _ elements: AnyElementPlan, _ type: @autoclosure () -> Any.Type) throws -> ToOneParts? {
        guard let relationship = try relationshipEntry(name, of: ordinal) else {
            try checkNotAttribute(name, of: ordinal, type())
            return nil
        }
        let details = details(relationship)
        guard relationship.data != 0 else { return details == nil ? .notLoaded : ToOneParts(.notLoaded, details: details) }
        guard let identifier = try toOneIdentifier(relationship) else {
            return details == nil ? .empty : ToOneParts(.empty, details: details)
        }
        var (resolver, target): (ReferenceResolver?, ReferenceCell?)
        switch try resolution(of: identifier, elements) {
        case .found(let ordinalOfTarget):
            resolver = referenceResolver()
            target = elements.reference(self, from: ordinal, to: ordinalOfTarget)
        case .elsewhere: resolver = source
        case .missing:
            if options.missingResources == .omit { return ToOneParts(.notLoaded, details: details.flatMap { $0.areEnough ? $0 : nil }) }
        case .unresolved: resolver = self.resolver(ofOther: identifier)
        }
        return ToOneParts(.identifier(self.identifier(identifier)), details: details, resolver: resolver, target: target)
    }
}

/// Writes `var author: ToOne<Person>`.
final class ToOneWriter<Target: ResourceRepresentable>: PropertyWriter<ToOne<Target>> {
    override var relationship: RelationshipKind? { .toOne }
    private let elements: ElementWriter<Target>

    init(_ elements: ElementWriter<Target>) { self.elements = elements }

    override func write(_ value: ToOne<Target>, _ session: EncodingSession, as name: KnownName) throws {
        if session.namesRelationships, value.linkage == .notLoaded { return try session.writeEmptyToOne(name) }
        if case .notLoaded = value.linkage, value.details == nil && !session.hasLinks(of: name) || session.isRequest { return }
        try session.writeRelationship(name, value.details?.members) { output in
            if value.linkage == .unidentified { throw session.unidentified(name.text, Target.self) }
            try session.writeData(value.data, of: name, into: output)
        }
        guard case .identifier(let identifier) = value.linkage, let node = session.node(through: name.text) else { return }
        if let check = session.nameCheck, elements.isOfUnion { check.open(node) }
        if let held = value.heldValue {
            elements.meet(held, identifier, session, node, from: value.parts.target)
        } else if let resolver = value.resolver {
            session.meet(identifier, through: resolver, as: Target.self, node)
        }
    }
}

extension ToOne: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? { { ToOnePlan($0.elementPlan(for: Target.self)) } }

    static var writerMaker: WriterFactory.Maker? { { ToOneWriter<Target>($0.elementWriter(for: Target.self)) } }
}

extension ToOne: ReferenceType {
    package static var targetType: any ResourceRepresentable.Type { Target.self }
    package static var isToMany: Bool { false }
}

extension ToOne: PlaceholderWrapper {
    /// The second one has a resource, if that can be made, because a property of `@Embedded` is nil without it. The resource has first
    /// placeholders only, so that the cost does not grow with the number of resources that refer to each other.
    static func placeholder(_ placeholder: Placeholder, depth: PlaceholderDepth) -> Any? {
        if placeholder == .first { return ToOne.notLoaded }
        let target = Placeholder.first.anyValue(Target.self, depth) as? Target
        return target.map { ToOne($0) } ?? ToOne(ResourceIdentifier(type: "placeholder", id: "\(placeholder.rawValue)"))
    }
}

import JSONText

// `@Embedded<ToOne<Person>> var author: Person?`: read and written as the reference.

/// Reads `@Embedded<ToOne<Person>> var author: Person?`.
final class EmbeddedReferencePlan<Reference: EmbeddableReference>: PropertyPlan<Embedded<Reference>> {
    private let references: PropertyPlan<Reference>

    init(_ references: PropertyPlan<Reference>) { self.references = references }

    override var readsRelationships: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Embedded<Reference> {
        Embedded(projectedValue: try references.decode(session, at: place))
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Embedded<Reference> {
        Embedded(projectedValue: try references.decode(session, ordinal, name))
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Embedded<Reference>? {
        try references.decodeIfPresent(session, ordinal, name).map { Embedded(projectedValue: $0) }
    }

    override func decodeAbsent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Embedded<Reference> {
        Embedded(projectedValue: try references.decodeAbsent(session, ordinal, name))
    }
}

extension Embedded: PlannedWrapper {
    static func planMaker() -> PlanFactory.Maker? { { EmbeddedReferencePlan($0.plan(for: Reference.self)) } }
}

/// Writes `@Embedded<ToOne<Person>> var author: Person?`.
final class EmbeddedReferenceWriter<Reference: EmbeddableReference>: PropertyWriter<Embedded<Reference>> {
    private let references: PropertyWriter<Reference>

    init(_ references: PropertyWriter<Reference>) { self.references = references }

    override var writesAttributes: Bool { false }

    override func write(_ value: Embedded<Reference>, _ session: EncodingSession, _ sink: ValueSink) throws {
        try references.write(value.projectedValue, session, sink)
    }

    override var relationship: RelationshipKind? { references.relationship }

    override func write(_ value: Embedded<Reference>, _ session: EncodingSession, as name: KnownName) throws {
        try references.write(value.projectedValue, session, as: name)
    }
}

extension Embedded: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? { { EmbeddedReferenceWriter<Reference>($0.writer(for: Reference.self)) } }
}

extension Embedded: ReferenceType where Reference: ReferenceType {
    static var targetType: any ResourceRepresentable.Type { Reference.targetType }
    static var isToMany: Bool { Reference.isToMany }
}

import JSONMapping
import JSONText

// Optionals, and the null of a `Field`.

/// Reads an optional of a type with its own plan.
final class OptionalPlan<Wrapped>: WrapperPlan<Wrapped?, Wrapped> {
    init(_ wrapped: PropertyPlan<Wrapped>) { super.init(wrapped, holding: { $0 }) }

    override var usesCodable: Bool { false }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Wrapped? {
        session.view.isNull(place.word) ? nil : try wrapped.decode(session, at: place)
    }

    /// Reads a property with `decode` instead of `decodeIfPresent`. An attribute may then be null but not absent, as with `JSONDecoder`. An
    /// id may be absent, because a model that is generic over its id reads it in this way.
    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Wrapped? {
        if readsAttributes, wrapped.valueOfNothing == nil, !name.isIdentity, case .absent = session.place(of: name, in: ordinal) {
            throw session.missingProperty(name.text, in: ordinal, as: Wrapped.self)
        }
        return try wrapped.decodeIfPresent(session, ordinal, name)
    }

    override func decodeAbsent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Wrapped? { nil }
}

/// Writes an optional: null, or the value in it.
final class OptionalWriter<Wrapped>: WrapperWriter<Wrapped?, Wrapped> {
    init(_ wrapped: PropertyWriter<Wrapped>) { super.init(wrapped) { $0 } }

    override func write(_ value: Wrapped?, _ session: EncodingSession, as name: KnownName) throws {
        if let value { try wrapped.write(value, session, as: name) } else { try writeNil(session, as: name) }
    }

    override func write(_ value: Wrapped?, _ session: EncodingSession, at segments: [String]) throws {
        if let value { return try wrapped.write(value, session, at: segments) }
        if let relationship, let name = segments.linkedName, session.clearsRelationships {
            return try session.writeCleared(relationship, as: session.known(name))
        }
        if writesAttributes || relationship != nil { session.sink(at: segments).output.null() }
    }
}

/// Writes the null of a `Field`.
final class StatedNullWriter<Value: Encodable>: PropertyWriter<StatedNull<Value>> {
    private let writer: PropertyWriter<Value>

    init(_ writer: PropertyWriter<Value>) { self.writer = writer }

    override var writesAttributes: Bool { writer.writesAttributes }
    override var leavesOutNil: Bool { true }

    override func noteOmitted(_ name: String, _ session: EncodingSession, _ sink: ValueSink) { session.noteAbsent([name], in: sink) }

    override func write(_ value: StatedNull<Value>, _ session: EncodingSession, _ sink: ValueSink) throws { sink.output.null() }

    override func write(_ value: StatedNull<Value>, _ session: EncodingSession, as name: KnownName) throws {
        if writer.writesAttributes {
            if try session.beginAttribute(name) { session.output.null() }
        } else if let kind = writer.relationship, kind != .toMany {
            try session.writeEmptyToOne(name)
        } else {
            let part = writer.relationship == nil ? PropertyRole.marker(Value.self) ?? name.text : nil
            throw session.failure(
                part == nil ? .missingLinkage : .wrongPlace, at: part.map { [$0] } ?? ["relationships", name.text],
                expected: "a value, because \(Value.self) cannot be null", found: "the null of a Field",
                advice: part == nil
                    ? "set an empty array to remove all related resources, or `.absent` to leave the property unchanged"
                    : "set `.absent`, which leaves the member out")
        }
    }

    override func write(_ value: StatedNull<Value>, _ session: EncodingSession, at segments: [String]) throws {
        guard writer.relationship != nil, let name = segments.linkedName else { return try super.write(value, session, at: segments) }
        try write(value, session, as: session.known(name))
    }
}

extension Optional: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? {
        guard let wrapped = Wrapped.self as? any Decodable.Type else { return nil }
        func make<Value: Decodable>(_ type: Value.Type) -> PlanFactory.Maker {
            { session in
                // `Optional.init(from:)` lets a type read null itself, so such a type must be read with Codable.
                let plan = session.plan(for: type)
                return plan is CodablePlan<Value> ? CodablePlan<Value?>() : OptionalPlan(plan)
            }
        }
        return make(wrapped)
    }

    static var writerMaker: WriterFactory.Maker? {
        func make<Value: Encodable>(_ type: Value.Type) -> WriterFactory.Maker { { OptionalWriter<Value>($0.writer(for: Value.self)) } }
        return (Wrapped.self as? any Encodable.Type).map { make($0) }
    }
}

extension StatedNull: TransparentWrapper, WrittenWrapper {
    static var wrappedType: Any.Type { Value.self }
    static var writerMaker: WriterFactory.Maker? { { StatedNullWriter<Value>($0.writer(for: Value.self)) } }
}

import JSONMapping
import JSONText

// `@EmptyAsNil var closedAt: Date?`: nil keeps the form in which the document writes it.

/// Reads `@EmptyAsNil var closedAt: Date?`.
final class EmptyAsNilPlan<Wrapped>: PropertyPlan<EmptyAsNil<Wrapped>> {
    private let wrapped: PropertyPlan<Wrapped>

    init(_ wrapped: PropertyPlan<Wrapped>) { self.wrapped = wrapped }

    override var valueOfNothing: EmptyAsNil<Wrapped>? { EmptyAsNil(.missing) }

    override var readsNull: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> EmptyAsNil<Wrapped> {
        if session.view.isNull(place.word) { return EmptyAsNil(.null) }
        do {
            return EmptyAsNil(wrappedValue: try wrapped.decode(session, at: place))
        } catch {
            guard let form = session.emptyForm(at: place.word) else { throw error }
            return EmptyAsNil(form)
        }
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> EmptyAsNil<Wrapped> {
        switch session.place(of: name, in: ordinal) {
        case .value(let place): return try decode(session, at: place)
        case .identity(let word): return try decodeIdentity(session, at: word)
        case .absent:
            try session.checkNotElsewhere(name, of: ordinal, Wrapped.self)
            return EmptyAsNil(.missing)
        }
    }

    override func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> EmptyAsNil<Wrapped>? {
        try decode(session, ordinal, name)
    }
}

extension DecodingSession {
    /// Returns the form of a value without contents; nil for any other value.
    fileprivate func emptyForm(at word: Int) -> EmptyForm? {
        switch view.kind(at: word) {
        case .null: .null
        case .string: view.string(at: word).isEmpty ? .text : nil
        case .array: view.count(at: word) == 0 ? .array : nil
        case .object: view.count(at: word) == 0 ? .object : nil
        default: nil
        }
    }
}

extension EmptyAsNil: PlannedWrapper {
    static func planMaker() -> PlanFactory.Maker? {
        func make<Wrapped: Decodable>(_ type: Wrapped.Type) -> PlanFactory.Maker { { EmptyAsNilPlan($0.plan(for: type)) } }
        return (Value.self as? any Decodable.Type).map { make($0) }
    }
}

/// Writes `@EmptyAsNil var closedAt: Date?`.
final class EmptyAsNilWriter<Wrapped>: PropertyWriter<EmptyAsNil<Wrapped>> {
    private let wrapped: PropertyWriter<Wrapped>

    init(_ wrapped: PropertyWriter<Wrapped>) { self.wrapped = wrapped }

    override func write(_ value: EmptyAsNil<Wrapped>, _ session: EncodingSession, _ sink: ValueSink) throws {
        if let value = value.wrappedValue { return try wrapped.write(value, session, sink) }
        try session.writeTree(value.emptyForm.json, into: sink)
    }

    override func write(_ value: EmptyAsNil<Wrapped>, _ session: EncodingSession, as name: KnownName) throws {
        if let value = value.wrappedValue { return try wrapped.write(value, session, as: name) }
        if isWritten(value, session) { try super.write(value, session, as: name) }
    }

    override func write(_ value: EmptyAsNil<Wrapped>, _ session: EncodingSession, at segments: [String]) throws {
        if value.wrappedValue != nil || isWritten(value, session) { try super.write(value, session, at: segments) }
    }

    /// Whether nil is written. One that was missing is left out, like any other nil.
    private func isWritten(_ value: EmptyAsNil<Wrapped>, _ session: EncodingSession) -> Bool {
        value.emptyForm != .missing || session.options.nilEncodingStrategy == .null
    }
}

extension EmptyAsNil: WrittenWrapper {
    static var writerMaker: WriterFactory.Maker? {
        func make<Wrapped: Encodable>(_ type: Wrapped.Type) -> WriterFactory.Maker { { EmptyAsNilWriter($0.writer(for: type)) } }
        return (Value.self as? any Encodable.Type).map { make($0) }
    }
}

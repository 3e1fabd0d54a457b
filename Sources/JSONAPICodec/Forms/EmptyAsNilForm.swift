import JSONMapping
import JSONText

// `@EmptyAsNil var closedAt: Date?`: nil keeps the form in which the document writes it.

extension EmptyAsNil: TransparentWrapper {
    static var wrappedType: Any.Type { Value.self }
}

/// Reads `@EmptyAsNil var closedAt: Date?`. Only attributes have forms of nil.
final class EmptyAsNilPlan<Wrapped>: WrapperPlan<EmptyAsNil<Wrapped>, Wrapped> {
    init(_ wrapped: PropertyPlan<Wrapped>) {
        super.init(wrapped, holding: { EmptyAsNil(wrappedValue: $0) }, empty: { EmptyAsNil(.missing) })
    }

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
        guard readsAttributes else { return try super.decode(session, ordinal, name) }
        switch session.place(of: name, in: ordinal) {
        case .value(let place): return try decode(session, at: place)
        case .identity(let word): return try decodeIdentity(session, at: word)
        case .absent(let word):
            try session.checkNotElsewhere(name, of: ordinal, Wrapped.self, after: word)
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
        (view.isArray(word) || view.isObject(word)) && view.count(at: word) > 0 ? nil : EmptyForm(view.json(at: word))
    }
}

extension EmptyAsNil: PlannedWrapper where Value: Decodable {
    static var planMaker: PlanFactory.Maker? { { EmptyAsNilPlan<Value>($0.plan(for: Value.self)) } }
}

/// Writes `@EmptyAsNil var closedAt: Date?`.
final class EmptyAsNilWriter<Wrapped>: WrapperWriter<EmptyAsNil<Wrapped>, Wrapped> {
    private let forms = JSONTreeWriter<JSON> { $0 }

    override func write(_ value: EmptyAsNil<Wrapped>, _ session: EncodingSession, _ sink: ValueSink) throws {
        if let form = form(of: value) { try forms.write(form, session, sink) } else { try super.write(value, session, sink) }
    }

    override func write(_ value: EmptyAsNil<Wrapped>, _ session: EncodingSession, as name: KnownName) throws {
        if let form = form(of: value) { try forms.write(form, session, as: name) } else { try super.write(value, session, as: name) }
    }

    override func write(_ value: EmptyAsNil<Wrapped>, _ session: EncodingSession, at segments: [String]) throws {
        if let form = form(of: value) { return try forms.write(form, session, at: segments) }
        try super.write(value, session, at: segments)
    }

    /// Returns the form of nil that was read; nil for a value, and for a nil that is left out like any other.
    private func form(of value: EmptyAsNil<Wrapped>) -> JSON? {
        // In `… ? nil : json`, nil would be `JSON.null`.
        guard value.wrappedValue == nil, value.emptyForm != .missing, writesAttributes else { return nil }
        return value.emptyForm.json
    }
}

extension EmptyAsNil: WrittenWrapper where Value: Encodable {
    static var writerMaker: WriterFactory.Maker? { { EmptyAsNilWriter<Value>($0.writer(for: Value.self)) { $0.wrappedValue } } }
}

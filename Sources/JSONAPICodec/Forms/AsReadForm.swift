import JSONMapping
import JSONText

// `@DecimalText var total: Decimal?`: the property is written as it was read.

/// Reads `@DecimalText var total: Decimal?`, and everything else of the type `ConvertedAsRead`.
final class ConvertedAsReadPlan<Source: ConversionSource>: PropertyPlan<ConvertedAsRead<Source>> {
    private let plan = CodablePlan<ConvertedAsRead<Source>>()

    override var valueOfNothing: ConvertedAsRead<Source>? { ConvertedAsRead(wrappedValue: nil) }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> ConvertedAsRead<Source> {
        try plan.decode(session, at: place)
    }

    override func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> ConvertedAsRead<Source> {
        guard case .absent(let word) = session.place(of: name, in: ordinal) else { return try plan.decode(session, ordinal, name) }
        try session.checkNotElsewhere(name, of: ordinal, Source.Value.self, after: word)
        return ConvertedAsRead(wrappedValue: nil)
    }
}

/// Writes `@DecimalText var total: Decimal?`, and everything else of the type `ConvertedAsRead`.
final class ConvertedAsReadWriter<Source: ConversionSource>: CodableWriter<ConvertedAsRead<Source>> {
    override func write(_ value: ConvertedAsRead<Source>, _ session: EncodingSession, as name: KnownName) throws {
        if isWritten(value, session) { try super.write(value, session, as: name) }
    }

    override func write(_ value: ConvertedAsRead<Source>, _ session: EncodingSession, at segments: [String]) throws {
        if isWritten(value, session) { try super.write(value, session, at: segments) }
    }

    /// Whether the value is written. One that was missing is left out, like any other nil.
    private func isWritten(_ value: ConvertedAsRead<Source>, _ session: EncodingSession) -> Bool {
        value.wrappedValue != nil || value.projectedValue != nil || session.options.nilEncodingStrategy == .null
    }
}

extension ConvertedAsRead: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? { { _ in ConvertedAsReadPlan<Source>() } }

    static var writerMaker: WriterFactory.Maker? { { _ in ConvertedAsReadWriter<Source>() } }
}

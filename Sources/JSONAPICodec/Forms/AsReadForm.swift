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

extension ConvertedAsRead: PlannedWrapper, WrittenWrapper {
    static var planMaker: PlanFactory.Maker? { { _ in ConvertedAsReadPlan<Source>() } }

    static var writerMaker: WriterFactory.Maker? { { _ in OmittedWrapperWriter<ConvertedAsRead>() } }
}

import JSONText

// Any other type, with its own `init(from:)` and `encode(to:)`.

/// Reads any `Decodable` type with its own `init(from:)`.
final class CodablePlan<Value: Decodable>: PropertyPlan<Value> {
    private let nothing: Value?

    /// - Parameter nothing: The value of a missing property; nil when that is an error.
    init(ofNothing nothing: Value? = nil) { self.nothing = nothing }

    override var usesCodable: Bool { true }
    override var valueOfNothing: Value? { nothing }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Value {
        try session.nested(at: place) { try Value(from: $0) }
    }

    override func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> Value {
        guard let type = Value.self as? any ResourceID.Type else { return try decode(session, at: ValuePlace(field: word)) }
        guard let value = type.init(wireText: session.view.string(at: word)) as? Value else { throw session.otherID(Value.self, at: word) }
        return value
    }
}

extension DecodingSession {
    /// Returns the value that `body` reads from the decoder of a place, one level deeper. Errors of the type's own code get a place.
    @inline(__always)
    func nested<Value>(at place: ValuePlace, _ body: (ValueDecoder) throws -> Value) throws -> Value {
        try checkWhole(linkageAt: place.word)
        try nest()
        defer { unnest() }
        do {
            return try body(ValueDecoder(self, place))
        } catch let error as DecodingError {
            throw located(error, at: place, as: Value.self)
        }
    }
}

/// Writes any `Encodable` type with its own `encode(to:)`.
class CodableWriter<Value: Encodable>: PropertyWriter<Value> {
    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.nest()
        defer { session.unnest() }
        try session.write(into: sink) { try value.encode(to: $0) }
    }
}

extension EncodingSession {
    /// Writes the value that `body` encodes.
    @inline(__always)
    func write(into sink: ValueSink, _ body: (any Encoder) throws -> Void) throws {
        try sink.closingAfterError { try body(ValueEncoder(self, sink, sink.open(.same))) }
        sink.close()
    }
}

import Foundation
import JSONMapping
import JSONText

// Any other type, with its own `init(from:)` and `encode(to:)`.

/// Reads any `Decodable` type with its own `init(from:)`.
final class CodablePlan<Value: Decodable>: PropertyPlan<Value> {
    override var usesCodable: Bool { true }

    override func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Value {
        try session.nest()
        defer { session.unnest() }
        do {
            return try Value(from: ValueDecoder(session, place))
        } catch let error as DecodingError {
            throw session.located(error, at: place, as: Value.self)
        }
    }

    override func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> Value {
        guard let type = Value.self as? any ResourceID.Type else { return try decode(session, at: ValuePlace(field: word)) }
        guard let value = type.init(wireText: session.view.string(at: word)) as? Value else {
            throw session.otherID(Value.self, at: word)
        }
        return value
    }
}

/// Writes any `Encodable` type with its own `encode(to:)`.
final class CodableWriter<Value: Encodable>: PropertyWriter<Value> {
    override func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        try session.nest()
        defer { session.unnest() }
        let depth = sink.depth
        let id = sink.open(.same)
        do {
            try value.encode(to: ValueEncoder(session, sink, id))
        } catch {
            sink.abandon(to: depth)
            throw error
        }
        sink.close()
    }
}

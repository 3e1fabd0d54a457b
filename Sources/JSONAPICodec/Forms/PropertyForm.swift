import Foundation
import JSONMapping
import JSONText

// How a property is read and written, whatever its type.

/// How a property of one Swift type is read from a resource object. One instance per type and session.
///
/// The base class reads attributes; relationships and markers override where to look.
class PropertyPlan<Value> {
    /// Whether the property is a relationship.
    var readsRelationships: Bool { false }

    /// Whether the property is an attribute, or the identity.
    var readsAttributes: Bool { !readsRelationships }

    /// Whether it does what the type's own `init(from:)` does, for which a resource can stand as well.
    var usesCodable: Bool { false }

    /// What a property is that is not there, where that is no error.
    var valueOfNothing: Value? { nil }

    /// Reads a plain JSON value, wherever it stands.
    func decode(_ session: DecodingSession, at place: ValuePlace) throws -> Value {
        throw session.failure(.wrongType, at: place.word, expected: "\(Value.self)")
    }

    /// Reads the property `name` of a resource. Throws when it is missing.
    func decode(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        switch session.place(of: name, in: ordinal) {
        case .value(let place): return try decode(session, at: place)
        case .identity(let word): return try decodeIdentity(session, at: word)
        case .absent: return try absent(session, ordinal, name)
        }
    }

    /// A function of its own: where it was inlined, the runtime was asked for the type of the optional on every way, which took
    /// 3 % of decoding a compound document.
    @inline(never)
    private func absent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value {
        if let value = valueOfNothing { return value }
        if name.isType, let type = session.assumedTypes[ordinal] as? Value { return type }
        try session.checkNotPart(name, of: ordinal, Value.self)
        throw session.missing(name.text, in: ordinal, as: Value.self)
    }

    /// The same, nil when the property is missing or null.
    func decodeIfPresent(_ session: DecodingSession, _ ordinal: Int, _ name: FieldName) throws -> Value? {
        switch session.place(of: name, in: ordinal) {
        case .value(let place): return session.view.isNull(place.word) ? nil : try decode(session, at: place)
        case .identity(let word): return try decodeIdentity(session, at: word)
        case .absent:
            if name.isType { return assumedType(session, ordinal) }
            try session.checkNotPart(name, of: ordinal, Value.self)
            return nil
        }
    }

    @inline(never)
    private func assumedType(_ session: DecodingSession, _ ordinal: Int) -> Value? { session.assumedTypes[ordinal] as? Value }

    /// Reads an `id` or `type` member: a string on the wire, whatever the Swift type.
    func decodeIdentity(_ session: DecodingSession, at word: Int) throws -> Value {
        try decode(session, at: ValuePlace(field: word))
    }
}

/// How a property of one Swift type is written into a resource object. One instance per type and session.
///
/// The base class writes attributes; relationships and markers override where to.
class PropertyWriter<Value> {
    /// Whether the property is an attribute. A nil of another kind is never written.
    var writesAttributes: Bool { true }

    /// Writes a plain JSON value, wherever it stands.
    func write(_ value: Value, _ session: EncodingSession, _ sink: ValueSink) throws {
        throw session.failure(
            .wrongPlace, in: sink, expected: "a plain value",
            found: "\(Value.self), which stands for a relationship or a part of a resource",
            advice: "declare it as a property of the resource itself")
    }

    /// Writes what clears the property, where a patch compares values: nothing, for what nil does not clear.
    func writeCleared(_ session: EncodingSession, as name: KnownName) throws {}

    /// Writes the property `name` of the current resource.
    func write(_ value: Value, _ session: EncodingSession, as name: KnownName) throws {
        guard try session.beginAttribute(name) else { return }
        let sink = session.sink
        let depth = sink.depth
        _ = sink.open(.name(name.text))
        do {
            try write(value, session, sink)
        } catch {
            sink.abandon(to: depth)
            throw error
        }
        sink.closeSilently()
    }

    /// Writes the value at a path of names from the resource object on.
    func write(_ value: Value, _ session: EncodingSession, at segments: [String]) throws {
        let sink = session.sink(at: segments)
        let depth = sink.depth
        do {
            try write(value, session, sink)
        } catch {
            sink.abandon(to: depth)
            throw error
        }
    }
}

import JSONMapping
import JSONText

/// Encodes a plain JSON value for `encode(to:)`, as `JSONEncoder` does.
struct ValueEncoder: AbsenceEncoder {
    let session: EncodingSession
    let sink: ValueSink
    /// The number of the value in the sink.
    let id: Int

    init(_ session: EncodingSession, _ sink: ValueSink, _ id: Int) {
        (self.session, self.sink, self.id) = (session, sink, id)
    }

    /// Returns an encoder of no value. Writing to it throws.
    static func closed(_ session: EncodingSession) -> ValueEncoder { ValueEncoder(session, ValueSink(), 0) }

    @inline(__always)
    var isCurrent: Bool { sink.isCurrent(id) }

    var codingPath: [any CodingKey] { session.codingPath(sink.path) }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        session.containerMaker(for: type).make(begun(.keyed))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { ElementEncodingContainer(begun(.unkeyed)) }

    /// Returns the encoder for a container of the value. Writing to it throws if the value has another container.
    private func begun(_ kind: ValueSink.Kind) -> ValueEncoder { session.begin(kind, sink, id) ? self : ValueEncoder(session, sink, 0) }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func noteAbsent(_ path: [String]) { session.noteAbsent(path, in: sink) }
}

extension ValueEncoder: SingleValueEncodingContainer {
    private func begin() throws { guard isCurrent, sink.begin(.single) else { throw session.misuse(sink) } }

    func encodeNil() throws {
        try session.edge {
            try begin()
            sink.output.null()
        }
    }

    func encode<Value: Encodable>(_ value: Value) throws { try general(value) }

    private func general<Value: Encodable>(_ value: Value) throws {
        try session.edge {
            try begin()
            try session.writer(for: Value.self).write(value, session, sink)
        }
    }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension ValueEncoder {
    func encode(_ value: Int128) throws { try general(value) }
    func encode(_ value: UInt128) throws { try general(value) }
}

extension EncodingSession {
    /// Begins the container of a value. Returns false when it cannot be written to. Nesting that is too deep is noted as an error.
    func begin(_ kind: ValueSink.Kind, _ sink: ValueSink, _ id: Int) -> Bool {
        guard sink.isCurrent(id) else { return false }
        if sink.isUndecided, sink.wireDepth >= options.maximumDepth {
            note(tooDeep(in: sink).encodingError)
            return false
        }
        return sink.begin(kind)
    }

    /// Writes the name of a member of the object with the given number.
    @inline(__always)
    func writeName(_ name: String, of id: Int, in sink: ValueSink) throws {
        guard sink === self.sink else { return sink.output.name(name) }
        try writeName(names.number(of: name), name, of: id)
    }

    /// Does the same in the session's sink, for a name that was looked up.
    @inline(__always)
    func writeName(_ number: Int, _ name: @autoclosure () -> String, of id: Int) throws {
        guard number >= 0, names[number].member >= 0, names.note(number, in: id) else {
            return try writeUnusualName(name(), number, of: id)
        }
        output.name(Int(names[number].member), of: pieces)
    }

    @inline(never)
    private func writeUnusualName(_ name: String, _ number: Int, of id: Int) throws {
        if number < 0 {
            // Not in the table, so the finished text is checked.
            resource.needsCheck = true
        } else if names[number].member >= 0 || !names.note(number, in: id) {
            throw failure(
                .duplicateName, expected: "each name once in an object", found: "`\(name)` twice",
                advice: EncodingFailure.adviceOnRepeatedName)
        }
        output.name(name)
    }

    /// Writes a value inside the innermost one of `sink`, which is one step of its path.
    @inline(__always)
    func write<Value: Encodable>(_ value: Value, as step: PathStep, in sink: ValueSink) throws {
        try sink.closingAfterError { try writer(for: Value.self).write(value, self, sink, inside: step) }
    }

    func misuse(_ sink: ValueSink) -> any Error {
        firstError
            ?? failure(
                .misuse, in: sink, expected: "one container, written to before its value ends",
                found: "a second container of another kind, or one that is finished")
    }
}

/// The keyed container of a JSON object.
struct ValueEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let session: EncodingSession
    private let sink: ValueSink
    private let id: Int

    /// - Parameter encoder: The encoder of an object.
    init(_ encoder: ValueEncoder) { (session, sink, id) = (encoder.session, encoder.sink, encoder.id) }

    var codingPath: [any CodingKey] { session.codingPath(sink.path) }

    @inline(__always)
    private func begin(_ name: String) throws {
        guard sink.isCurrent(id) else { throw session.misuse(sink) }
        try session.writeName(name, of: id, in: sink)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try general(value, key) }

    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        if let value { return try general(value, key) }
        if session.clearsRelationships { session.writer(for: Value.self).noteOmitted(key.stringValue, session, sink) }
    }

    private func general<Value: Encodable>(_ value: Value, _ key: Key) throws {
        try session.edge {
            try begin(key.stringValue)
            try session.write(value, as: .name(key.stringValue), in: sink)
        }
    }

    @inline(__always)
    private func scalar<Value: Scalar>(_ value: Value, _ key: Key) throws {
        guard value.isRepresentable else { return try general(value, key) }
        try session.edge {
            try begin(key.stringValue)
            try value.write(sink.output)
        }
    }

    mutating func encodeNil(forKey key: Key) throws {
        try session.edge {
            try begin(key.stringValue)
            sink.output.null()
        }
    }

    // MARK: - Containers inside

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
        nestedEncoder(key.stringValue).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nestedEncoder(key.stringValue).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { nestedEncoder("super") }
    mutating func superEncoder(forKey key: Key) -> any Encoder { nestedEncoder(key.stringValue) }

    private func nestedEncoder(_ name: String) -> ValueEncoder {
        do {
            try session.edge { try begin(name) }
        } catch {
            return .closed(session)
        }
        return session.nestedEncoder(.name(name), in: sink)
    }

    // MARK: - Scalars by name

    @inline(__always)
    mutating func encode<Value: Scalar>(_ value: Value, forKey key: Key) throws { try scalar(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128, forKey key: Key) throws { try scalar(value, key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try scalar(value, key) }
}

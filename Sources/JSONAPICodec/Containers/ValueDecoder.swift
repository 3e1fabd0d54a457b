import JSONText

/// Shows a plain JSON value to `init(from:)`, as `JSONDecoder` would.
struct ValueDecoder: Decoder {
    let session: DecodingSession
    let word: Int

    init(_ session: DecodingSession, _ word: Int) {
        self.session = session
        self.word = word
    }

    var codingPath: [any CodingKey] { session.codingPath(ofValue: word) }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard session.view.isObject(word) else { throw mismatch("an object") }
        return KeyedDecodingContainer(ValueContainer<Key>(session, word))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard session.view.isArray(word) else { throw mismatch("an array") }
        return ElementContainer(session, word)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    private func mismatch(_ expected: String) -> DecodingError {
        let isNull = session.view.isNull(word)
        return session.failure(
            isNull ? .unexpectedNull : .wrongType, at: word, expected: expected,
            advice: isNull ? "make the property optional if null is meant" : nil
        ).decodingError(codingPath: codingPath)
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { session.view.isNull(word) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try session.edge(codingPath) { try session.plan(for: type).decode(session, at: word) }
    }

    private func scalar<Value: Scalar>() throws -> Value {
        try session.edge(codingPath) { try session.scalar(at: word) }
    }
}

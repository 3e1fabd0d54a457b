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

    func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
    func decode(_ type: String.Type) throws -> String { try scalar() }
    func decode(_ type: Double.Type) throws -> Double { try scalar() }
    func decode(_ type: Float.Type) throws -> Float { try scalar() }
    func decode(_ type: Int.Type) throws -> Int { try scalar() }
    func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
    func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
    func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
    func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
    func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }
}

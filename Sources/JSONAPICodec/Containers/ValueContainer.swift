import JSONText

/// The keyed container of a plain JSON object: an attribute's value, or anything inside one.
struct ValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let session: DecodingSession
    let word: Int

    init(_ session: DecodingSession, _ word: Int) {
        self.session = session
        self.word = word
    }

    var codingPath: [any CodingKey] { session.codingPath(ofValue: word) }
    var allKeys: [Key] { session.view.names(of: word).compactMap { Key(stringValue: $0) } }

    // MARK: - Members

    @inline(__always)
    private func member(_ key: Key) -> Int? {
        var name = key.stringValue
        return name.withUTF8 { session.member($0, ofValue: word) }
    }

    private func required(_ key: Key) throws -> Int {
        if let member = member(key) { return member }
        let names = session.view.names(of: word)
        throw session.failure(
            .missingMember, at: word, expected: "the member `\(key.stringValue)`",
            found: names.isEmpty ? "an empty object" : "only \(NearestName.list(names))",
            advice: NearestName.find(key.stringValue, in: names).map { "the nearest member is `\($0)`" })
    }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        try session.edge(codingPath + [key]) { session.view.isNull(try required(key)) }
    }

    // MARK: - Values

    @inline(__always)
    private func scalar<Value: Scalar>(_ key: Key) throws -> Value {
        if let member = member(key), let value = Value.read(session.view, member) { return value }
        return try session.edge(codingPath + [key]) { try session.scalar(at: required(key)) }
    }

    @inline(__always)
    private func scalarIfPresent<Value: Scalar>(_ key: Key) throws -> Value? {
        guard let member = member(key), !session.view.isNull(member) else { return nil }
        if let value = Value.read(session.view, member) { return value }
        return try session.edge(codingPath + [key]) { try session.scalar(at: member) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try session.edge(codingPath + [key]) { try session.plan(for: type).decode(session, at: required(key)) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let member = member(key), !session.view.isNull(member) else { return nil }
        return try session.edge(codingPath + [key]) { try session.plan(for: type).decode(session, at: member) }
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try scalar(key) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try scalar(key) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try scalar(key) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(key) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try scalar(key) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(key) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(key) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(key) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try scalar(key) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(key) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(key) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(key) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(key) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(key) }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try scalarIfPresent(key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try scalarIfPresent(key) }

    // MARK: - Containers inside

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(key).unkeyedContainer() }

    /// The member `super`; for an object without it, the object itself, whose members a superclass then shares.
    func superDecoder() throws -> any Decoder { ValueDecoder(session, session.view.member("super", of: word) ?? word) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: Key) throws -> ValueDecoder {
        try session.edge(codingPath + [key]) { ValueDecoder(session, try required(key)) }
    }
}

import JSONMapping
import JSONText

/// The keyed container of a plain JSON object: an attribute's value, or anything inside one.
struct ValueContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let session: DecodingSession
    private let decoder: ValueDecoder
    private let word: Int
    private let slot: Int

    /// - Parameter decoder: The decoder of an object.
    init(_ decoder: ValueDecoder) {
        session = decoder.session
        self.decoder = decoder
        word = decoder.word
        slot = MemberFinder.valueSlot(decoder.depth)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    /// Each name once. Of members with the same name, the last is used.
    var allKeys: [Key] {
        var names = session.view.names(of: word)
        if let shadow = Shadow(in: session.options.userInfo) { names.removeAll { UTF8Bytes.areEqual($0, shadow.name) } }
        guard session.view.hasDuplicates(word) else { return names.compactMap { Key(stringValue: $0) } }
        return ByteText.distinct(names).compactMap { Key(stringValue: $0) }
    }

    // MARK: - Members

    @inline(__always)
    private func member(_ key: Key) -> Int? {
        key.stringValue.withName { session.finder.member($0, of: word, slot: slot, in: session.view) }
    }

    @inline(__always)
    private func place(_ member: Int) -> ValuePlace { ValuePlace(member, .member, in: decoder) }

    private func required(_ key: Key) throws -> Int {
        if let member = member(key) { return member }
        throw DecodingFailure(.missingMember, session.note(at: word, .member(key.stringValue)))
            .decodingError(missing: key, in: codingPath)
    }

    func contains(_ key: Key) -> Bool { member(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { session.view.isNull(try required(key)) }

    // MARK: - Values

    @inline(__always)
    private func scalar<Value: Scalar>(_ key: Key) throws -> Value {
        if let member = member(key), let value = Value.read(session.view, member) { return value }
        let member = try required(key)
        return try session.edge(codingPath + [key], Value.self) { try session.scalar(at: member) }
    }

    @inline(__always)
    private func scalarIfPresent<Value: Scalar>(_ key: Key) throws -> Value? {
        guard let member = member(key), !session.view.isNull(member) else { return nil }
        if let value = Value.read(session.view, member) { return value }
        return try session.edge(codingPath + [key], Value.self) { try session.scalar(at: member) }
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let member = try required(key)
        return try session.edge(codingPath + [key], type) { try session.plan(for: type).decode(session, at: place(member)) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let member = member(key), !session.view.isNull(member) else { return nil }
        return try session.edge(codingPath + [key], type) { try session.plan(for: type).decode(session, at: place(member)) }
    }

    @inline(__always)
    func decode<Value: Scalar>(_ type: Value.Type, forKey key: Key) throws -> Value { try scalar(key) }

    // Not generic: the standard library has functions of these types, which would be preferred.
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

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try scalar(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try scalar(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try scalarIfPresent(key) }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try scalarIfPresent(key) }

    // MARK: - Containers inside

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
        try nestedDecoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try nestedDecoder(key).unkeyedContainer() }

    /// Returns a decoder for the member `super`. Without that member it is the object itself, whose members the superclass then shares.
    func superDecoder() throws -> any Decoder {
        guard let member = session.view.member("super", of: word) else { return decoder }
        return ValueDecoder(session, place(member))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { try nestedDecoder(key) }

    private func nestedDecoder(_ key: Key) throws -> ValueDecoder { ValueDecoder(session, place(try required(key))) }
}

import JSONText

/// The unkeyed container of a JSON array.
struct ElementContainer: UnkeyedDecodingContainer {
    private let session: DecodingSession
    private let decoder: ValueDecoder
    private let end: Int
    private var next: Int
    private(set) var currentIndex = 0

    /// - Parameter decoder: The decoder of an array.
    init(_ decoder: ValueDecoder) {
        session = decoder.session
        self.decoder = decoder
        next = session.view.first(in: decoder.word)
        end = session.view.end(of: decoder.word)
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { session.view.count(at: decoder.word) }
    var isAtEnd: Bool { next >= end }

    private var elementPath: [any CodingKey] { codingPath + [PathKey(index: currentIndex)] }

    /// Returns the current element. Throws at the end.
    @inline(__always)
    private func current(_ type: Any.Type) throws -> ValuePlace {
        guard !isAtEnd else { throw pastTheEnd(type) }
        return ValuePlace(next, .index(currentIndex), in: decoder)
    }

    @inline(never)
    private func pastTheEnd(_ type: Any.Type) -> DecodingError {
        let failure = session.failure(
            .missingMember, at: decoder.word, expected: "an element at index \(currentIndex)", found: "an array of \(currentIndex) elements"
        )
        return .valueNotFound(
            type, DecodingError.Context(codingPath: elementPath, debugDescription: failure.brief, underlyingError: failure))
    }

    private mutating func advance() {
        next = session.view.next(after: next)
        currentIndex += 1
    }

    // MARK: - Elements

    /// Skips a null, and returns whether there was one.
    mutating func decodeNil() throws -> Bool {
        guard session.view.isNull(try current(Never.self).word) else { return false }
        advance()
        return true
    }

    /// Advances only when the element could be read, so that the caller can try another type.
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let place = try current(type)
        let value = try session.edge(elementPath, type) { try session.value(of: type, at: place) }
        advance()
        return value
    }

    /// The standard library's reads the static type. See `DecodingSession.value(of:at:)`.
    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        try isAtEnd || decodeNil() ? nil : decode(type)
    }

    private mutating func scalar<Value: Scalar>() throws -> Value {
        let word = try current(Value.self).word
        let value = try Value.read(session.view, word) ?? session.edge(elementPath, Value.self) { try session.scalar(at: word) }
        advance()
        return value
    }

    mutating func decode<Value: Scalar>(_ type: Value.Type) throws -> Value { try scalar() }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try scalar() }
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try scalar() }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        try nested([String: Any].self) { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nested([Any].self) { try $0.unkeyedContainer() } }

    mutating func superDecoder() throws -> any Decoder { try nested((any Decoder).self) { $0 } }

    private mutating func nested<Result>(_ type: Any.Type, _ make: (ValueDecoder) throws -> Result) throws -> Result {
        let made = try make(ValueDecoder(session, try current(type)))
        advance()
        return made
    }
}

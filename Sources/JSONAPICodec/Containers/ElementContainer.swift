import JSONText

/// The unkeyed container of a JSON array.
struct ElementContainer: UnkeyedDecodingContainer {
    private let session: DecodingSession
    private let array: Int
    private var next: Int
    private(set) var currentIndex = 0

    init(_ session: DecodingSession, _ array: Int) {
        self.session = session
        self.array = array
        next = session.view.first(in: array)
    }

    var codingPath: [any CodingKey] { session.codingPath(ofValue: array) }
    var count: Int? { session.view.count(at: array) }
    var isAtEnd: Bool { next >= session.view.end(of: array) }

    private var elementPath: [any CodingKey] { codingPath + [PathKey(index: currentIndex)] }

    /// The current element. Throws at the end.
    private func current(_ type: Any.Type) throws -> Int {
        guard !isAtEnd else {
            let failure = session.failure(
                .missingMember, at: array, expected: "an element at index \(currentIndex)", found: "an array of \(currentIndex) elements")
            throw DecodingError.valueNotFound(
                type, DecodingError.Context(codingPath: elementPath, debugDescription: failure.description, underlyingError: failure))
        }
        return next
    }

    private mutating func advance() {
        next = session.view.next(after: next)
        currentIndex += 1
    }

    // MARK: - Elements

    /// Steps over a null; stays at anything else.
    mutating func decodeNil() throws -> Bool {
        guard session.view.isNull(try current(Any?.self)) else { return false }
        advance()
        return true
    }

    /// Steps on only when the element could be read, so that a caller may try another type.
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let word = try current(type)
        let value = try session.edge(elementPath) { try session.plan(for: type).decode(session, at: word) }
        advance()
        return value
    }

    private mutating func scalar<Value: Scalar>() throws -> Value {
        let word = try current(Value.self)
        let value: Value
        if let plain = Value.read(session.view, word) {
            value = plain
        } else {
            value = try session.edge(elementPath) { try session.scalar(at: word) }
        }
        advance()
        return value
    }

    mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar() }
    mutating func decode(_ type: String.Type) throws -> String { try scalar() }
    mutating func decode(_ type: Double.Type) throws -> Double { try scalar() }
    mutating func decode(_ type: Float.Type) throws -> Float { try scalar() }
    mutating func decode(_ type: Int.Type) throws -> Int { try scalar() }
    mutating func decode(_ type: Int8.Type) throws -> Int8 { try scalar() }
    mutating func decode(_ type: Int16.Type) throws -> Int16 { try scalar() }
    mutating func decode(_ type: Int32.Type) throws -> Int32 { try scalar() }
    mutating func decode(_ type: Int64.Type) throws -> Int64 { try scalar() }
    mutating func decode(_ type: UInt.Type) throws -> UInt { try scalar() }
    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try scalar() }
    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try scalar() }
    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try scalar() }
    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try scalar() }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
        let container = try ValueDecoder(session, current(type)).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try ValueDecoder(session, current([Any].self)).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = ValueDecoder(session, try current((any Decoder).self))
        advance()
        return decoder
    }
}

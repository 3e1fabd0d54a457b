import JSONText

/// Shows one resource object to a model's `init(from:)`: as a single flat container of its identity, attributes and
/// relationships.
struct ResourceDecoder: Decoder {
    let session: DecodingSession
    let ordinal: Int

    init(_ session: DecodingSession, _ ordinal: Int) {
        self.session = session
        self.ordinal = ordinal
    }

    var codingPath: [any CodingKey] { session.codingPath(ofResource: ordinal) }
    var userInfo: [CodingUserInfoKey: Any] { session.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ResourceContainer<Key>(session, ordinal))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw session.failure(
            .wrongType, at: Int(session.entries[ordinal].word), expected: "an array", found: "a resource object"
        ).decodingError(codingPath: codingPath)
    }

    /// For types that wrap a resource: `decode` hands the same resource on.
    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        ResourceValueContainer(decoder: self)
    }

    /// The value of a union, for a union's own `init(from:)`.
    func union<Union: ResourceUnion>(_ type: Union.Type) throws -> Union {
        try session.elementPlan(for: type).build(session, ordinal)
    }
}

/// A resource as a single value.
struct ResourceValueContainer: SingleValueDecodingContainer {
    let decoder: ResourceDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let session = decoder.session
        let word = Int(session.entries[decoder.ordinal].word)
        return try session.edge(codingPath) {
            switch session.plan(for: type) {
            case is CodablePlan<Value>: return try Value(from: decoder)
            case _ where type is any ResourceRepresentable.Type: return try Value(from: decoder)
            case let plan: return try plan.decode(session, at: word)
            }
        }
    }
}

// MARK: - The Codable edge

extension DecodingSession {
    /// Runs `body` and makes a `DecodingError` of a failure of ours; other errors pass.
    @inline(__always)
    func edge<Value>(_ codingPath: @autoclosure () -> [any CodingKey], _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as DecodingFailure {
            throw failure.decodingError(codingPath: codingPath())
        }
    }

    /// The coding path of a resource: the index in primary data, then the relationships through which it was reached.
    func codingPath(ofResource ordinal: Int) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        for frame in path {
            if frame.name != 0 {
                keys.append(PathKey(view.string(at: frame.name)))
            } else if frame.ordinal < document.index.primaryCount, document.layout.data != 0, view.isArray(document.layout.data) {
                keys.append(PathKey(index: frame.ordinal))
            }
            if frame.ordinal == ordinal { break }
        }
        return keys
    }

    /// The coding path of a value inside a resource's attributes, or anywhere in the document.
    func codingPath(ofValue word: Int) -> [any CodingKey] {
        guard let ordinal = document.index.ordinal(holding: word, view) else {
            return view.pointer(to: word).tokens.map { PathKey($0) }
        }
        var tokens = view.pointer(to: word, from: Int(entries[ordinal].word)).tokens[...]
        if let first = tokens.first, first == "attributes" || first == "relationships" { tokens = tokens.dropFirst() }
        return codingPath(ofResource: ordinal) + tokens.map { PathKey($0) as any CodingKey }
    }
}

extension DecodingFailure {
    /// The error that Codable's callers know, with this inside.
    func decodingError(codingPath: [any CodingKey], type: Any.Type = Any.self) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: description, underlyingError: self)
        switch kind {
        case .missingMember: return .keyNotFound(codingPath.last ?? PathKey(pointer.tokens.last ?? ""), context)
        case .unexpectedNull, .notIncluded: return .valueNotFound(type, context)
        case .wrongType, .cardinality, .unexpectedType: return .typeMismatch(type, context)
        default: return .dataCorrupted(context)
        }
    }

    init(_ error: JSONSyntaxError) {
        self.init(
            error.kind == .duplicateName ? .duplicateName : .syntax, at: error.pointer, offset: error.offset, expected: "a JSON text",
            found: error.description, syntaxError: error)
    }

    /// The same with line and column, when they are wanted and known.
    func located(in text: UnsafeBufferPointer<UInt8>, _ isWanted: Bool) -> DecodingFailure {
        guard isWanted, position == nil, let offset else { return self }
        var copy = self
        copy.position = TextPosition(of: offset, in: text)
        return copy
    }
}

extension DecodingSession {
    /// An error that a type's own code threw, as the standard library does for a raw value that an enum does not have, with a
    /// failure inside that says where. Others, and those that have something inside, stay as they are.
    func located(_ error: DecodingError, at word: Int, as type: Any.Type) -> DecodingError {
        error.mapContext { old in
            guard old.underlyingError == nil else { return old }
            let failure = failure(
                .invalidValue, at: word, expected: "a value that \(type) takes", found: "\(view.kindName(at: word)) that it refuses")
            return DecodingError.Context(codingPath: old.codingPath, debugDescription: old.debugDescription, underlyingError: failure)
        }
    }
}

extension DecodingError {
    func mapContext(_ change: (Context) -> Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, let old): .typeMismatch(type, change(old))
        case .valueNotFound(let type, let old): .valueNotFound(type, change(old))
        case .keyNotFound(let key, let old): .keyNotFound(key, change(old))
        case .dataCorrupted(let old): .dataCorrupted(change(old))
        @unknown default: self
        }
    }

    /// The same error, its failure with line and column. A text that is not the failure's own stays.
    func located(in text: UnsafeBufferPointer<UInt8>, _ isWanted: Bool) -> DecodingError {
        guard let failure, isWanted, failure.position == nil else { return self }
        let located = failure.located(in: text, isWanted)
        return mapContext { old in
            let isOurs = old.debugDescription == failure.description
            return Context(
                codingPath: old.codingPath, debugDescription: isOurs ? located.description : old.debugDescription,
                underlyingError: located)
        }
    }
}

import JSONMapping
import JSONText

/// Presents one resource object to a model's `init(from:)`, as a single flat container of its identity, attributes and relationships.
package struct ResourceDecoder: Decoder {
    package let session: DecodingSession
    let ordinal: Int

    package var codingPath: [any CodingKey] { session.codingPath(ofResource: ordinal) }
    package var userInfo: [CodingUserInfoKey: Any] { session.userInfo(of: ordinal) }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        let maker = session.containerMaker(for: type)
        if maker.isOfObservable {
            let entry = session.entries[ordinal]
            let words = [entry.attributes, entry.relationships].filter { $0 != 0 }.map { Int($0) }
            try session.edge(codingPath, [String: Any].self) { try maker.checkNames(of: words, session) }
        }
        return maker.make(self)
    }

    package func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw session.failure(
            .wrongType, at: Int(session.entries[ordinal].word), expected: "an array", found: "a resource object"
        ).decodingError(codingPath: codingPath, type: [Any].self)
    }

    /// Returns a container for types that wrap a resource. Its `decode` reads the same resource.
    package func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ResourceDecoder: SingleValueDecodingContainer {
    package func decodeNil() -> Bool { false }

    package func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try session.edge(codingPath, type) {
            let plan = session.plan(for: type)
            if plan.usesCodable || type is any ResourceRepresentable.Type { return try type.init(from: self) }
            return try session.value(of: type, at: ValuePlace(Int(session.entries[ordinal].word), .elsewhere, in: nil))
        }
    }
}

// MARK: - The Codable edge

extension DecodingSession {
    /// Runs `body` and converts a failure of this library to a `DecodingError`. Other errors pass unchanged.
    @inline(__always)
    func edge<Value>(_ codingPath: @autoclosure () -> [any CodingKey], _ type: Any.Type, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as DecodingFailure {
            throw failure.decodingError(codingPath: codingPath(), type: type)
        }
    }

    /// Returns the coding path of a resource: the index in the primary data, then the relationships through which it was reached.
    ///
    /// A path of more than 200 relationships has only the first and the last hundred, and `…` between them.
    ///
    /// When the resource is no longer being read, this is only its place in the primary data. A decoder that a model has kept may cause
    /// that.
    func codingPath(ofResource ordinal: Int) -> [any CodingKey] {
        guard let depth = (0..<frames.count).last(where: { frames[$0].ordinal == ordinal }) else { return primaryPath(ordinal) }
        // Many failures in a deep chain would cost as much as their paths.
        guard depth >= 200 else { return (0...depth).flatMap(pathKeys) }
        return (0..<100).flatMap(pathKeys) + [PathKey("…")] + (depth - 99...depth).flatMap(pathKeys)
    }

    private func pathKeys(_ index: Int) -> [any CodingKey] {
        let frame = frames[index]
        return frame.name == 0 ? primaryPath(frame.ordinal) : [PathKey(codingName(view.string(at: frame.name)))]
    }

    private func primaryPath(_ ordinal: Int) -> [any CodingKey] {
        let data = document.layout.data
        return ordinal < document.index.primaryCount && data != 0 && view.isArray(data) ? [PathKey(index: ordinal)] : []
    }

    /// Returns the coding path of a value, from the links of its place.
    func codingPath(of place: ValuePlace) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var place = place
        while let parent = place.parent {
            keys.append(key(of: place))
            if parent.keepsPath { return parent.codingPath + keys.reversed() }
            place = parent.place
        }
        guard case .member = place.step, let ordinal = document.index.ordinal(holding: place.word, view) else {
            return codingPath(ofValueElsewhere: place.word) + keys.reversed()
        }
        keys.append(PathKey(codingName(view.string(at: view.name(ofValue: place.word)))))
        return codingPath(ofResource: ordinal) + keys.reversed()
    }

    private func key(of place: ValuePlace) -> PathKey {
        if case .index(let index) = place.step { return PathKey(index: index) }
        return PathKey(view.string(at: view.name(ofValue: place.word)))
    }

    /// Returns the coding path of a value anywhere in the document. The first time, this takes a walk to the value.
    private func codingPath(ofValueElsewhere word: Int) -> [any CodingKey] {
        let ordinal = document.index.ordinal(holding: word, view)
        if lastWalk?.word != word {
            lastWalk = (word, ordinal.map { view.pointer(to: word, from: Int(entries[$0].word)) } ?? view.pointer(to: word))
        }
        var tokens = (lastWalk?.pointer.tokens ?? [])[...]
        guard let ordinal else { return keys(tokens) }
        if let first = tokens.first, first == "attributes" || first == "relationships" { tokens = tokens.dropFirst() }
        return codingPath(ofResource: ordinal) + keys(tokens)
    }

    private func keys(_ tokens: ArraySlice<String>) -> [any CodingKey] { tokens.map { PathKey($0) } }
}

extension DecodingFailure {
    /// Runs `body`, and converts a failure of this library to a `DecodingError`. Other errors pass unchanged.
    package static func converted<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let failure as DecodingFailure { throw failure.spelled.decodingError(codingPath: []) }
    }

    /// Returns a `DecodingError` with this failure as its underlying error.
    ///
    /// - Parameter type: The type that was read.
    package func decodingError(codingPath: [any CodingKey], type: Any.Type = Any.self) -> DecodingError {
        let context = DecodingError.Context(codingPath: codingPath, debugDescription: brief, underlyingError: self)
        let type = requestedType ?? type
        switch kind {
        case .missingMember: return .keyNotFound(codingPath.last ?? PathKey(pointer.tokens.last ?? ""), context)
        case .unexpectedNull, .notIncluded: return .valueNotFound(type, context)
        case .wrongType, .cardinality, .unexpectedType: return .typeMismatch(type, context)
        default: return .dataCorrupted(context)
        }
    }

    /// Returns the error for a key that is missing in a container. The path is that of the container.
    func decodingError(missing key: any CodingKey, in codingPath: [any CodingKey]) -> DecodingError {
        .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: brief, underlyingError: self))
    }

    /// Returns the error for a property of a resource. When the property itself is missing, the path is that of the resource.
    func decodingError(at key: any CodingKey, in codingPath: [any CodingKey], type: Any.Type) -> DecodingError {
        kind == .missingMember ? decodingError(missing: key, in: codingPath) : decodingError(codingPath: codingPath + [key], type: type)
    }

    package init(_ error: JSONSyntaxError) {
        self.init(
            error.kind == .duplicateName ? .duplicateName : .syntax, at: error.pointer, offset: error.offset, expected: "a JSON text",
            found: error.description, syntaxError: error)
    }

    /// Returns the failure with its words, and with line and column when they are wanted and known.
    func located(in text: BorrowedText, _ isWanted: Bool) -> DecodingFailure {
        var first = spelled
        var others = others.map(\.spelled)
        if isWanted {
            let positions = text.positions(of: ([first] + others).map { $0.position == nil ? $0.offset : nil })
            first.position = first.position ?? positions[0]
            for index in others.indices { others[index].position = others[index].position ?? positions[index + 1] }
        }
        return first.adding(others, omittedCount)
    }
}

import JSONText

extension JSONAPIDecoder {
    /// Returns a plain value from compact JSON text, with the strategies of this decoder. Reads what `JSONAPIEncoder.json` has written.
    ///
    /// - Parameter source: the source of the resources that the value refers to; nil if it contains them.
    package func value<Value: Decodable>(
        _ type: Value.Type, from text: [UInt8], holding source: (any ResourceSource)? = nil
    ) throws -> Value {
        let wrapped = Array(#"{"value":"#.utf8) + text + [UInt8(ascii: "}")]
        return try wrapped.withText { text in
            do {
                let tape = try tape(of: text, inside: 1)
                tape.takeOwnership()
                return try DecodingSession.run(DecodingSession(try ParsedDocument(tape, options: self))) { session in
                    session.held = source.map { SourceResolver($0, self) }
                    guard let word = session.view.member("value", of: session.view.root) else {
                        throw session.failure(.missingMember, at: session.view.root, expected: "a value")
                    }
                    return try session.value(of: type, at: ValuePlace(word, .elsewhere, in: nil))
                }
            } catch let failure as DecodingFailure {
                throw Self.inside(failure.spelled).decodingError(codingPath: [], type: type)
            } catch {
                throw ErrorRelocation(
                    pointer: Self.inside, failure: Self.inside,
                    codingPath: { Array($0.first?.stringValue == "value" ? $0.dropFirst() : $0[...]) }
                ).moved(error)
            }
        }
    }

    /// Returns a place of the wrapped text as a place of the value.
    private static func inside(_ pointer: JSONPointer) -> JSONPointer {
        pointer.tokens.first == "value" ? JSONPointer(tokens: Array(pointer.tokens.dropFirst())) : pointer
    }

    private static func inside(_ failure: DecodingFailure) -> DecodingFailure {
        failure.at(inside(failure.pointer), offset: nil, position: nil)
    }
}

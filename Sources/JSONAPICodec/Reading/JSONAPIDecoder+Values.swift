import JSONText

extension JSONAPIDecoder {
    /// Returns a plain value from compact JSON text, with the strategies of this decoder. Reads what `JSONAPIEncoder.json` has written.
    ///
    /// - Parameter source: the source of the resources that the value refers to; nil if it contains them.
    package func value<Value: Decodable>(
        _ type: Value.Type, from text: [UInt8], holding source: (any ResourceSource)? = nil
    ) throws -> Value {
        let wrapped = Array(#"{"":"#.utf8) + text + [UInt8(ascii: "}")]
        return try wrapped.withText { wrapped in
            let tape = try tape(of: wrapped, around: text)
            tape.takeOwnership()
            do {
                return try DecodingSession.run(DecodingSession(try ParsedDocument(tape, options: self))) { session in
                    session.held = source.map { SourceResolver($0, self) }
                    guard let word = session.view.member("", of: session.view.root) else {
                        throw session.failure(.missingMember, at: session.view.root, expected: "a value")
                    }
                    return try session.value(of: type, at: ValuePlace(word, .elsewhere, in: nil))
                }
            } catch let failure as DecodingFailure {
                throw Self.inside(failure.spelled).decodingError(codingPath: [], type: type)
            } catch {
                throw ErrorRelocation(
                    pointer: Self.inside, failure: Self.inside,
                    codingPath: { Array($0.first?.stringValue == "" ? $0.dropFirst() : $0[...]) }
                ).moved(error)
            }
        }
    }

    /// Parses the wrapped text. The object, its name, and the bytes around the value do not count for the limits.
    private func tape(of wrapped: BorrowedText, around text: [UInt8]) throws -> Tape {
        var raised = reading(inside: 1)
        raised.maximumBytes = min(reading.maximumBytes, .max - 5) + 5
        raised.maximumValues = min(reading.maximumValues, .max - 3) + 3
        do {
            do { return try wrapped.tape(raised) } catch {
                // The error of the value alone names the limit.
                try text.withText { _ = try tape(of: $0) }
                throw DecodingFailure(error)
            }
        } catch {
            throw ErrorRelocation.withoutOffsets.moved(error)
        }
    }

    /// Returns a place of the wrapped text as a place of the value.
    private static func inside(_ pointer: JSONPointer) -> JSONPointer {
        pointer.tokens.first == "" ? JSONPointer(tokens: Array(pointer.tokens.dropFirst())) : pointer
    }

    private static func inside(_ failure: DecodingFailure) -> DecodingFailure {
        failure.at(inside(failure.pointer), offset: nil, position: nil)
    }
}

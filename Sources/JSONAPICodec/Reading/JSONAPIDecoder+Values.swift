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
                var reading = reading
                reading.maximumDepth += 1
                let tape: Tape
                do throws(JSONSyntaxError) { tape = try text.tape(reading) } catch { throw DecodingFailure(error) }
                tape.takeOwnership()
                return try DecodingSession.run(DecodingSession(try ParsedDocument(tape, options: self))) { session in
                    session.held = source.map { SourceResolver($0, self) }
                    guard let word = session.view.member("value", of: session.view.root) else {
                        throw session.failure(.missingMember, at: session.view.root, expected: "a value")
                    }
                    return try session.plan(for: type).decode(session, at: ValuePlace(word, .elsewhere, in: nil))
                }
            } catch let failure as DecodingFailure {
                throw failure.spelled.decodingError(codingPath: [], type: type)
            }
        }
    }
}

import JSONText

extension JSONAPIDecoder {
    /// Calls `body` with the tape of a text. The limits of a whole document's size do not count for it.
    ///
    /// When the tape outlives `body`, it gets a copy of the text. Throws `DecodingFailure` for text that is not JSON.
    /// - Parameter memory: what another tape has given up, instead of new memory.
    /// - Parameter released: called with the tape afterwards, unless it outlives `body`.
    func withPortionTape<Result>(
        _ text: Span<UInt8>, reusing memory: TapeMemory? = nil, _ body: (Tape) throws -> Result, released: (Tape) -> Void = { _ in }
    ) throws -> Result {
        try unsafe text.withUnsafeBufferPointer { bytes in
            var tape: Tape
            do throws(JSONSyntaxError) {
                // SAFETY: the bytes stay in place to the end of the closure; whoever keeps the tape longer gets a copy of them.
                tape = try unsafe Tape.borrowing(bytes, options: portionReading, reusing: memory)
            } catch {
                throw DecodingFailure(error)
            }
            defer { if isKnownUniquelyReferenced(&tape) { released(tape) } else { tape.takeOwnership() } }
            return try body(tape)
        }
    }
}

extension JSONReadingOptions {
    /// Returns what is wrong with a text; nil when nothing is.
    func syntaxError(in text: Span<UInt8>) -> JSONSyntaxError? {
        unsafe text.withUnsafeBufferPointer { bytes in
            do throws(JSONSyntaxError) {
                // SAFETY: the tape is gone before the bytes are.
                _ = try unsafe Tape.borrowing(bytes, options: self)
                return nil
            } catch {
                return error
            }
        }
    }
}

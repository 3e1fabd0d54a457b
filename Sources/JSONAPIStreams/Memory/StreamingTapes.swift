import JSONAPICodec
import JSONText

extension JSONAPIDecoder {
    /// Calls `body` with the tape of a text, without the limits on the size of a whole document.
    ///
    /// When the tape outlives `body`, it gets a copy of the text. Throws `DecodingFailure` for text that is not JSON.
    /// - Parameter memory: Memory that another tape no longer needs, to use instead of new memory.
    /// - Parameter released: Called with the tape afterwards, unless it outlives `body`.
    func withPortionTape<Result>(
        _ text: Span<UInt8>, reusing memory: TapeMemory? = nil, _ body: (Tape) throws -> Result, released: (Tape) -> Void = { _ in }
    ) throws -> Result {
        try unsafe text.withUnsafeBufferPointer { bytes in
            var tape: Tape
            do throws(JSONSyntaxError) {
                // SAFETY: the bytes stay in place until the end of the closure. A tape that is kept longer gets a copy of them.
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
    /// Returns the syntax error of a text; nil when the text is valid.
    func syntaxError(in text: Span<UInt8>) -> JSONSyntaxError? {
        unsafe text.withUnsafeBufferPointer { bytes in
            do throws(JSONSyntaxError) {
                // SAFETY: the tape is released before the bytes are.
                _ = try unsafe Tape.borrowing(bytes, options: self)
                return nil
            } catch {
                return error
            }
        }
    }
}

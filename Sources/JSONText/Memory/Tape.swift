/// A JSON text, parsed once: the tape, and the bytes it points into.
///
/// The tape either borrows the bytes (the caller keeps them in place and calls `takeOwnership()` before letting go) or owns a
/// copy. `TapeView` reads it and describes its layout.
///
/// `@unchecked Sendable`: words do not change after parsing, except for marks, which are left by the session that created the tape
/// before any other thread sees it; the byte pointer changes only in `takeOwnership()`, under the same condition.
@safe
package final class Tape: @unchecked Sendable {
    /// What reads the tape. Valid while the tape lives, and until `takeOwnership()`.
    package private(set) var view: TapeView
    package var wordCount: Int { view.wordCount }
    package var byteCount: Int { view.byteCount }
    /// Every name that repeats an earlier one of its object: the object's word and the later name's word, in closing order.
    package let duplicates: [Duplicate]
    private var ownsBytes: Bool
    private var memory: TapeMemory?

    package struct Duplicate: Sendable {
        package let object: Int
        package let name: Int
    }

    /// - Parameters:
    ///   - memory: belongs to the tape from now on. Its first `wordCount` words are those of `text`.
    ///   - text: stays where it is until the tape is gone or `takeOwnership()` was called.
    init(memory: TapeMemory, text: TextBytes, wordCount: Int, duplicates: [Duplicate]) {
        self.memory = memory
        view = memory.words(wordCount).view(wordCount, of: text)
        self.duplicates = duplicates
        self.ownsBytes = false
    }

    deinit {
        memory?.deallocate()
        if ownsBytes { unsafe view.start.deallocate() }
    }

    /// Calls `body` with the tape of `text`.
    ///
    /// When the tape outlives `body`, it copies the text. Views taken inside `body` are then no longer valid.
    /// - Parameters:
    ///   - memory: what another tape has given up, instead of new memory. It is gone whether the text can be parsed or not.
    ///   - shortLength: the greatest length that stands in the first word of a string or number; for tests.
    package static func with<Result>(
        _ text: Span<UInt8>, options: JSONReadingOptions, reusing memory: TapeMemory? = nil, shortLength: Int = .max,
        _ body: (Tape) throws -> Result
    ) throws -> Result {
        try unsafe text.withUnsafeBufferPointer { bytes in
            var tape = try unsafe TapeParser.parse(TextBytes(bytes), options: options, reusing: memory, shortLength: shortLength)
            defer { if !isKnownUniquelyReferenced(&tape) { tape.takeOwnership() } }
            return try body(tape)
        }
    }

    /// Takes the memory of a tape that nobody reads any more; nil when it was taken before. Views of the tape are no longer valid.
    package func giveUpMemory() -> TapeMemory? {
        defer { memory = nil }
        return memory
    }

    /// Copies the text into memory of the tape's own, so that it may outlive the buffer it was parsed from. Views taken
    /// before are no longer valid.
    package func takeOwnership() {
        guard !ownsBytes else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(byteCount, 1))
        // In bounds: the text has so many bytes, and the copy has room for them.
        unsafe copy.initialize(from: view.start, count: byteCount)
        view = unsafe view.withText(at: UnsafePointer(copy))
        ownsBytes = true
    }

    /// Calls `body` with the whole text.
    package func withText<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        // In bounds: the text has so many bytes, and the tape keeps or borrows them for as long.
        try body(unsafe Span(_unsafeStart: view.start, count: byteCount))
    }
}

extension Tape {
    /// Parses a text that the caller keeps in place as long as the tape borrows it. See `with` for a text that is a span.
    @unsafe
    package static func borrowing(
        _ text: UnsafeBufferPointer<UInt8>, options: JSONReadingOptions, reusing memory: TapeMemory? = nil
    ) throws(JSONSyntaxError) -> Tape {
        try TapeParser.parse(unsafe TextBytes(text), options: options, reusing: memory)
    }
}

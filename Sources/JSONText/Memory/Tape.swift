/// A parsed JSON text: the tape, and the bytes to which it points.
///
/// The tape either borrows the bytes or owns a copy. If it borrows them, the caller keeps them in place, or calls `takeOwnership()` before
/// it releases them. `TapeView` reads the tape and describes its layout.
///
/// `@unchecked Sendable`: after parsing, the words do not change, except for marks. Only the session that created the tape sets marks,
/// before any other thread has access to the tape. The byte pointer only changes in `takeOwnership()`, under the same condition.
@safe
package final class Tape: @unchecked Sendable {
    /// A view for reading the tape. It is valid while the tape exists, and until `takeOwnership()` is called.
    package private(set) var view: TapeView
    package var wordCount: Int { view.wordCount }
    package var byteCount: Int { view.byteCount }
    /// All names that repeat an earlier name of their object, in the order in which the objects end.
    package let duplicates: [Duplicate]
    private var ownsBytes: Bool
    private var memory: TapeMemory?

    package struct Duplicate: Sendable {
        package let object: Int
        package let name: Int
    }

    /// - Parameters:
    ///   - memory: The memory, which the tape owns from now on. Its first `wordCount` words are those of `text`.
    ///   - text: The text, which stays in place until the tape is freed or `takeOwnership()` is called.
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

    /// Parses a text and calls `body` with its tape.
    ///
    /// If the tape outlives `body`, it copies the text. Views from inside `body` are then no longer valid.
    /// - Parameters:
    ///   - memory: Memory from `giveUpMemory()` to use instead of new memory. It is no longer valid, even if parsing fails.
    ///   - shortLength: The maximum length that is stored in the first word of a string or number. For tests.
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

    /// Returns the memory of a tape that is no longer used, or nil if it was already returned. Views of the tape are no longer valid.
    package func giveUpMemory() -> TapeMemory? {
        defer { memory = nil }
        return memory
    }

    /// Copies the text to memory that the tape owns, so that the tape can outlive the original buffer. Existing views are no longer valid.
    package func takeOwnership() {
        guard !ownsBytes else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(byteCount, 1))
        // In bounds: the text has `byteCount` bytes, and the copy has room for them.
        unsafe copy.initialize(from: view.start, count: byteCount)
        view = unsafe view.withText(at: UnsafePointer(copy))
        ownsBytes = true
    }

    /// Calls `body` with the whole text.
    package func withText<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        // In bounds: the text has `byteCount` bytes, and the tape owns or borrows them.
        try body(unsafe Span(_unsafeStart: view.start, count: byteCount))
    }
}

extension Tape {
    /// Parses a text that the caller keeps in place as long as the tape borrows it. For a span, use `with`.
    @unsafe
    package static func borrowing(
        _ text: UnsafeBufferPointer<UInt8>, options: JSONReadingOptions, reusing memory: TapeMemory? = nil
    ) throws(JSONSyntaxError) -> Tape {
        try TapeParser.parse(unsafe TextBytes(text), options: options, reusing: memory)
    }
}

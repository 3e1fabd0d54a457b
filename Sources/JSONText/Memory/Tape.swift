/// A parsed JSON text: the tape, and the bytes to which it points.
///
/// The tape either borrows the bytes or owns a copy. If it borrows them, the caller keeps them in place, or calls `takeOwnership()` before
/// it releases them. `TapeView` reads the tape and describes its layout.
///
/// `@unchecked Sendable`: after parsing, the words do not change, except for marks and in `append`. Only the code that created the tape
/// calls these, before any other thread has access to the tape. The byte pointer also changes in `takeOwnership()`, under the same
/// condition.
@safe
package final class Tape: @unchecked Sendable {
    /// A view for reading the tape. It is valid while the tape exists, and until `takeOwnership()` or `append` is called.
    @inlinable package var view: TapeView { current }
    // Unchecked, because it changes only while no other code has access to the tape. Code of another module ignores the attribute of a
    // stored property and checks each access, so it reads `view`.
    @safe @exclusivity(unchecked) @usableFromInline private(set) var current: TapeView
    package var wordCount: Int { view.wordCount }
    package var byteCount: Int { view.byteCount }
    /// All names that repeat an earlier name of their object, in the order in which the objects end.
    package private(set) var duplicates: [Duplicate]
    /// The memory of the text, if the tape owns it; nil if it borrows the bytes.
    private var owned: OwnedText?
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
        current = memory.words(wordCount).view(wordCount, of: text)
        self.duplicates = duplicates
    }

    deinit {
        memory?.deallocate()
        owned?.release()
    }

    /// Parses a text and calls `body` with its tape.
    ///
    /// If the tape outlives `body`, it copies the text. Views from inside `body` are then no longer valid.
    /// - Parameter shortLength: The maximum length that is stored in the first word of a string or number. For tests.
    package static func with<Result>(
        _ text: Span<UInt8>, options: JSONReadingOptions, shortLength: Int = .max, _ body: (Tape) throws -> Result
    ) throws -> Result {
        try unsafe text.withUnsafeBufferPointer { bytes in
            var tape = try unsafe TapeParser.parse(TextBytes(bytes), options: options, reusing: nil, shortLength: shortLength)
            defer { if !isKnownUniquelyReferenced(&tape) { tape.takeOwnership() } }
            return try body(tape)
        }
    }

    /// Returns the memory of a tape that is no longer used, or nil if it was already returned. Views of the tape are no longer valid.
    package func giveUpMemory() -> TapeMemory? {
        defer { memory = nil }
        return memory
    }

    /// Copies the text to memory that the tape owns, so that the tape can outlive the original buffer. Gives up most of the memory of the
    /// words if a larger tape was there before. Existing views are no longer valid.
    package func takeOwnership() {
        guard owned == nil, let fitted = memory?.fitted(to: wordCount) else { return }
        let copy = OwnedText(capacity: byteCount)
        precondition(copy.capacity >= byteCount)
        // In bounds: the text has `byteCount` bytes, and the copy has room for them.
        unsafe copy.start.initialize(from: view.start, count: byteCount)
        current = unsafe fitted.words(wordCount).view(wordCount, of: TextBytes(start: copy.start, count: byteCount))
        (owned, memory) = (copy, fitted)
    }

    /// Calls `body` with the whole text.
    package func withText<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        // In bounds: the text has `byteCount` bytes, and the tape owns or borrows them.
        try body(unsafe Span(_unsafeStart: view.start, count: byteCount))
    }
}

// MARK: - Growing

extension Tape {
    /// Inserts elements at the end of the array at `array`, with commas between them. The array must be the last value of the root object,
    /// with nothing between or after the brackets that end the two. The tape must own its text.
    ///
    /// Only the elements are parsed. If they are not JSON, the tape is empty, and reading a value stops the process.
    ///
    /// - Parameter options: those with which the text was parsed. The limits hold for the whole text.
    /// - Complexity: O(n), n = bytes of the elements, on average over many calls.
    package func append(_ elements: Span<UInt8>, to array: Int, options: JSONReadingOptions) throws(JSONSyntaxError) {
        precondition(byteCount >= 2 && view.isArray(array) && view.end(of: array) == wordCount)
        guard let memory, let owned else { preconditionFailure("a tape without memory of its own") }
        let start = byteCount - 2
        let comma = view.count(at: array) > 0 ? 1 : 0
        try TapeParser.checkSize(byteCount + comma + elements.count, options)
        let text = insert(elements, behindComma: comma, in: owned)
        let parser = TapeParser(
            text, options: options, from: start + comma, continuing: array, in: memory, wordCount: wordCount)
        var count = 0
        defer {
            self.memory = parser.memory
            current = parser.memory.words(count).view(count, of: text)
        }
        try parser.parse()
        count = parser.top
        duplicates += parser.duplicates
    }

    /// Inserts no comma or one, and bytes, before the last two bytes of the text. The view must be renewed then.
    private func insert(_ bytes: Span<UInt8>, behindComma comma: Int, in old: OwnedText) -> TextBytes {
        let start = byteCount - 2
        let count = byteCount + comma + bytes.count
        let memory = count > old.capacity ? old.grown(to: max(count, old.capacity * 2)) : old
        owned = memory
        let text = unsafe memory.start
        // In bounds: there is room for `count` bytes, and the last two are moved to the end.
        let ending = unsafe (text[start], text[start + 1])
        if comma > 0 { unsafe text[start] = UInt8(ascii: ",") }
        unsafe bytes.withUnsafeBufferPointer { bytes in
            if let first = bytes.baseAddress { unsafe (text + (start + comma)).update(from: first, count: bytes.count) }
        }
        unsafe (text[count - 2], text[count - 1]) = ending
        return unsafe TextBytes(start: UnsafePointer(text), count: count)
    }

    /// Returns a copy of the tape and its text, with its marks.
    package func copy() -> Tape {
        guard let memory else { preconditionFailure("a tape without memory") }
        let text = unsafe TextBytes(start: view.start, count: byteCount)
        let copy = Tape(memory: memory.copy(wordCount), text: text, wordCount: wordCount, duplicates: duplicates)
        copy.takeOwnership()
        return copy
    }
}

extension [Tape.Duplicate] {
    /// The first repeated name outside of all values of repeated names. The pointer to another one can lead into a value of an earlier
    /// member, which look-ups do not find.
    package var outermost: Tape.Duplicate? { self.min { ($0.object, $0.name) < ($1.object, $1.name) } }
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

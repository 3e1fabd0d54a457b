/// A JSON text, parsed once: the tape, and the bytes it points into.
///
/// The tape either borrows the bytes (the caller keeps them in place and calls `takeOwnership()` before letting go) or owns a
/// copy. `TapeView` reads it and tells how it is laid out.
///
/// `@unchecked Sendable`: words are immutable after parsing; the byte pointer changes only in `takeOwnership()`, which the
/// one session that created the tape calls before it lets any other thread see it.
package final class Tape: @unchecked Sendable {
    /// What reads the tape. Valid while the tape lives, and until `takeOwnership()`.
    package private(set) var view: TapeView
    package let wordCount: Int
    package let byteCount: Int
    /// Every name that stands a second time in its object: the object's word and the later name's word, in closing order.
    package let duplicates: [Duplicate]
    private var ownsBytes: Bool
    private var memory: TapeMemory?

    package struct Duplicate: Sendable {
        package let object: Int
        package let name: Int
    }

    /// - Parameter memory: belongs to the tape from now on.
    init(memory: TapeMemory, bytes: UnsafePointer<UInt8>, wordCount: Int, byteCount: Int, duplicates: [Duplicate]) {
        self.memory = memory
        view = TapeView(words: memory.words, bytes: bytes)
        self.wordCount = wordCount
        self.byteCount = byteCount
        self.duplicates = duplicates
        self.ownsBytes = false
    }

    deinit {
        memory?.deallocate()
        if ownsBytes { view.bytes.deallocate() }
    }

    /// Parses `text`, which has to stay where it is until the tape is gone or `takeOwnership()` was called.
    ///
    /// - Parameter memory: what another tape has given up, instead of new memory; it is gone whether the text can be parsed or not.
    package static func borrowing(
        _ text: UnsafeBufferPointer<UInt8>, options: JSONReadingOptions, reusing memory: TapeMemory? = nil
    ) throws(JSONSyntaxError) -> Tape {
        try TapeParser.parse(text, options: options, reusing: memory)
    }

    /// Takes the memory of a tape that nobody reads any more; nil when it was taken before.
    package func giveUpMemory() -> TapeMemory? {
        defer { memory = nil }
        return memory
    }

    /// Copies the text into memory of the tape's own, so that it may outlive the buffer it was parsed from. Views taken
    /// before are void.
    package func takeOwnership() {
        guard !ownsBytes else { return }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(byteCount, 1))
        copy.initialize(from: view.bytes, count: byteCount)
        view = TapeView(words: view.words, bytes: UnsafePointer(copy))
        ownsBytes = true
    }

    /// The whole text.
    package var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: view.bytes, count: byteCount) }
}

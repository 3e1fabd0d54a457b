/// Memory for the text of a tape that outlives the caller's buffer.
///
/// The system clears new memory page by page, which took a tenth of the time of reading a `Document` of 237 KB. Therefore up to four blocks
/// are kept for future texts, each of 64 KiB to half a megabyte. A text takes a block only if it fills at least half of it.
///
/// Bounds: offsets from 0 up to, but not including, `capacity`. The owner releases the memory once.
@safe
struct OwnedText {
    let start: UnsafeMutablePointer<UInt8>
    let capacity: Int

    private static let kept = MemoryPool()
    private static let keptCapacities = 1 << 16...1 << 19

    /// Takes memory for the given number of bytes.
    init(capacity: Int) {
        let fitting = Self.keptCapacities.contains(capacity) ? Self.kept.take { ($0 as? Block)?.fits(capacity) ?? false } : nil
        if let text = (fitting as? Block)?.give() {
            self = text
        } else {
            self = unsafe OwnedText(start: GrowingMemory.resize(nil, to: max(capacity, 1)), capacity: max(capacity, 1))
        }
    }

    @unsafe
    private init(start: UnsafeMutablePointer<UInt8>, capacity: Int) {
        unsafe self.start = start
        self.capacity = capacity
    }

    /// Returns larger memory that begins with the same bytes. This memory is no longer valid.
    func grown(to capacity: Int) -> OwnedText { unsafe OwnedText(start: GrowingMemory.resize(start, to: capacity), capacity: capacity) }

    /// Keeps or frees the memory, which nothing may use afterwards.
    func release() {
        if Self.keptCapacities.contains(capacity) { Self.kept.keep(Block(self)) } else { unsafe GrowingMemory.release(start) }
    }

    /// Memory that is kept.
    private final class Block {
        private var text: OwnedText?

        init(_ text: OwnedText) { self.text = text }

        deinit { if let text { unsafe GrowingMemory.release(text.start) } }

        func fits(_ capacity: Int) -> Bool { text.map { capacity...(capacity * 2) ~= $0.capacity } ?? false }

        func give() -> OwnedText? {
            defer { text = nil }
            return text
        }
    }
}

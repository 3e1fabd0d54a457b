/// Memory for the words of a tape.
///
/// It comes from the C library, because `UnsafeMutablePointer.allocate` asks for aligned memory on Linux, which takes twice as long.
///
/// Rules: the memory has room for `capacity` words. It belongs to one owner at a time (a parser, then its tape, then whoever keeps it
/// for the next tape), who gives it back or hands it on.
@safe
package struct TapeMemory: @unchecked Sendable {
    private let words: UnsafeMutablePointer<UInt64>
    /// How many words have room.
    package let capacity: Int

    /// - Parameter old: is taken where it is large enough, and else given back.
    init(capacity: Int, reusing old: TapeMemory? = nil) {
        if let old {
            if old.capacity >= capacity {
                self = old
                return
            }
            old.deallocate()
        }
        precondition(capacity >= 0 && capacity <= Int.max / MemoryLayout<UInt64>.stride)
        // Memory of the C library is aligned for words, and all bytes of the words are there.
        let memory = unsafe UnsafeMutableRawPointer(GrowingMemory.resize(nil, to: capacity * MemoryLayout<UInt64>.stride))
        unsafe words = memory.bindMemory(to: UInt64.self, capacity: capacity)
        self.capacity = capacity
    }

    /// Gives the memory back to the system. Nothing that was made from it may be used afterwards.
    package func deallocate() {
        unsafe GrowingMemory.free(UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self))
    }

    /// The first `count` words.
    func words(_ count: Int) -> TapeWords {
        precondition(count >= 0 && count <= capacity)
        // In bounds: checked.
        return unsafe TapeWords(start: words, capacity: count)
    }

    /// Room for the marks of a text, at the end of the memory.
    func marks(forTextOf byteCount: Int) -> StringMarks {
        let place = capacity - StringMarks.wordCount(for: byteCount)
        precondition(place >= 0)
        // In bounds: as many words as the marks take are left behind `place`.
        return unsafe StringMarks(count: byteCount, bits: UnsafeMutableRawPointer(words + place))
    }

    /// Copies the first `count` words, and the marks of a text, to the same places of larger memory.
    func copy(_ count: Int, marksOf byteCount: Int, to larger: TapeMemory) {
        let markWords = StringMarks.wordCount(for: byteCount)
        precondition(count >= 0 && count <= capacity - markWords && larger.capacity >= capacity)
        // In bounds: both have room for the words and behind them for the marks.
        unsafe larger.words.update(from: words, count: count)
        unsafe (larger.words + (larger.capacity - markWords)).update(from: words + (capacity - markWords), count: markWords)
    }
}

/// The words of a tape while the parser writes them.
///
/// Bounds: indices from 0 up to, but not including, `capacity`. Every access checks its index, in release builds too. Valid while the
/// memory is.
@safe
struct TapeWords: @unchecked Sendable {
    private let start: UnsafeMutablePointer<UInt64>
    /// How many words have room.
    let capacity: Int

    @unsafe
    init(start: UnsafeMutablePointer<UInt64>, capacity: Int) {
        unsafe self.start = start
        self.capacity = capacity
    }

    /// Whether `index` has room.
    @inline(__always)
    func contains(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: capacity) }

    @inline(__always)
    subscript(index: Int) -> UInt64 {
        get {
            precondition(contains(index), "an index outside of the tape")
            // In bounds: checked.
            return unsafe start[index]
        }
        nonmutating set {
            precondition(contains(index), "an index outside of the tape")
            // In bounds: checked.
            unsafe start[index] = newValue
        }
    }

    /// What reads the first `count` words, which point into `text`.
    @inline(__always)
    func view(_ count: Int, of text: TextBytes) -> TapeView {
        precondition(count >= 0 && count <= capacity)
        return unsafe TapeView(words: start, wordCount: count, text: text.address, byteCount: text.count)
    }
}

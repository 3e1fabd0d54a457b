/// The memory for the words of a tape.
///
/// It is allocated by the C library, because `UnsafeMutablePointer.allocate` requests aligned memory on Linux, which takes twice as long.
///
/// Rules: the memory has room for `capacity` words. It has one owner at a time: a parser, then its tape, then the code that keeps it for
/// the next tape. The owner frees the memory or passes it on.
@safe
package struct TapeMemory: @unchecked Sendable {
    private let words: UnsafeMutablePointer<UInt64>
    /// The number of words for which there is room.
    package let capacity: Int

    /// - Parameter old: Memory that is reused if it is large enough, and otherwise freed.
    init(capacity: Int, reusing old: TapeMemory? = nil) {
        if let old {
            if old.capacity >= capacity {
                self = old
                return
            }
            old.deallocate()
        }
        precondition(capacity >= 0 && capacity <= Int.max / MemoryLayout<UInt64>.stride)
        // The C library returns memory that is aligned for words, and the size is that of all words.
        let memory = unsafe UnsafeMutableRawPointer(GrowingMemory.resize(nil, to: capacity * MemoryLayout<UInt64>.stride))
        unsafe words = memory.bindMemory(to: UInt64.self, capacity: capacity)
        self.capacity = capacity
    }

    @unsafe
    private init(words: UnsafeMutablePointer<UInt64>, capacity: Int) {
        unsafe self.words = words
        self.capacity = capacity
    }

    /// Frees the memory. Nothing that was created from it may be used afterwards.
    package func deallocate() {
        unsafe GrowingMemory.release(UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self))
    }

    /// Returns the first `count` words.
    func words(_ count: Int) -> TapeWords {
        precondition(count >= 0 && count <= capacity)
        // In bounds: checked.
        return unsafe TapeWords(start: words, capacity: count)
    }

    /// Returns marks for a text, which are stored at the end of the memory.
    func marks(forTextOf byteCount: Int) -> StringMarks {
        let place = capacity - StringMarks.wordCount(for: byteCount)
        precondition(place >= 0)
        // In bounds: there is room for the words of the marks from `place` to the end.
        return unsafe StringMarks(count: byteCount, bits: UnsafeMutableRawPointer(words + place))
    }

    /// Returns memory with more capacity that begins with the same words. Memory that is too small is moved, and no longer valid.
    func grown(to capacity: Int) -> TapeMemory { capacity > self.capacity ? resized(to: capacity) : self }

    /// Returns memory that begins with the first `count` words, and has room for few more. Memory that is much too large is moved, and no
    /// longer valid.
    func fitted(to count: Int) -> TapeMemory { capacity / 2 > max(count, 256) ? resized(to: count) : self }

    private func resized(to capacity: Int) -> TapeMemory {
        precondition(capacity >= 0 && capacity <= Int.max / MemoryLayout<UInt64>.stride)
        let old = unsafe UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self)
        // The C library returns memory that is aligned for words, and the size is that of all words.
        let memory = unsafe UnsafeMutableRawPointer(GrowingMemory.resize(old, to: capacity * MemoryLayout<UInt64>.stride))
        return unsafe TapeMemory(words: memory.bindMemory(to: UInt64.self, capacity: capacity), capacity: capacity)
    }

    /// Returns new memory with the first `count` words.
    func copy(_ count: Int) -> TapeMemory {
        precondition(count >= 0 && count <= capacity)
        let copy = TapeMemory(capacity: count)
        // In bounds: both have room for the words.
        unsafe copy.words.update(from: words, count: count)
        return copy
    }

    /// Copies the first `count` words to the start of larger memory, and the marks of a text to its end.
    func copy(_ count: Int, marksOf byteCount: Int, to larger: TapeMemory) {
        let markWords = StringMarks.wordCount(for: byteCount)
        precondition(count >= 0 && count <= capacity - markWords && larger.capacity >= capacity)
        // In bounds: both have room for the words and for the marks after them.
        unsafe larger.words.update(from: words, count: count)
        unsafe (larger.words + (larger.capacity - markWords)).update(from: words + (capacity - markWords), count: markWords)
    }
}

/// The words of a tape while the parser writes them.
///
/// Bounds: indices from 0 up to, but not including, `capacity`. Every access checks its index, in release builds, too. The words are
/// valid as long as their memory.
@safe
struct TapeWords: @unchecked Sendable {
    private let start: UnsafeMutablePointer<UInt64>
    /// The number of words for which there is room.
    let capacity: Int

    @unsafe
    init(start: UnsafeMutablePointer<UInt64>, capacity: Int) {
        unsafe self.start = start
        self.capacity = capacity
    }

    /// Returns whether an index is in bounds.
    @inline(__always)
    func contains(_ index: Int) -> Bool { UInt(bitPattern: index) < UInt(bitPattern: capacity) }

    @inline(__always)
    subscript(index: Int) -> UInt64 {
        get {
            precondition(contains(index), "an index outside the tape")
            // In bounds: checked.
            return unsafe start[index]
        }
        nonmutating set {
            precondition(contains(index), "an index outside the tape")
            // In bounds: checked.
            unsafe start[index] = newValue
        }
    }

    /// Returns a view of the first `count` words, which point into `text`.
    @inline(__always)
    func view(_ count: Int, of text: TextBytes) -> TapeView {
        precondition(count >= 0 && count <= capacity)
        return unsafe TapeView(words: start, wordCount: count, text: text.address, byteCount: text.count)
    }
}

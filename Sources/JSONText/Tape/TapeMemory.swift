/// Memory for the words of a tape, from the C library, as `UnsafeMutablePointer.allocate` asks for aligned memory on Linux, which takes
/// twice as long.
///
/// Its rule: it belongs to one owner at a time (a parser, then its tape, then whoever keeps it for the next), who gives it back or
/// hands it on.
package struct TapeMemory: @unchecked Sendable {
    let words: UnsafeMutablePointer<UInt64>
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
        // Aligned for words, as all memory of the C library; the bytes of all of them are there.
        let memory = UnsafeMutableRawPointer(GrowingMemory.resize(nil, to: capacity * MemoryLayout<UInt64>.stride))
        words = memory.bindMemory(to: UInt64.self, capacity: capacity)
        self.capacity = capacity
    }

    /// Gives the memory back to the system.
    package func deallocate() {
        GrowingMemory.free(UnsafeMutableRawPointer(words).assumingMemoryBound(to: UInt8.self))
    }
}

/// Values of any type that never move once they are added: their addresses stay good while more are added, and no value is copied
/// to look at it.
///
/// An `Array` in a class would be checked for exclusive access and uniqueness at each use, and in unspecialized generic code would
/// ask the runtime for its type: together a quarter of the instructions of encoding a compound document.
///
/// Unsafe memory, with these rules: the first `count` elements are initialized; chunk n holds 16 · 2ⁿ elements and is there when an
/// element in it is. An address is good until its element is removed or the list ends.
final class StableList<Element> {
    private let state: UnsafeMutablePointer<StableListState>
    /// Where each chunk begins, behind the state in the same memory. Untyped, as the type of a pointer to `Element` would have to
    /// be asked for.
    private let chunks: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    /// So many chunks hold 2³⁶ elements.
    private static var chunkLimit: Int { 32 }

    init() {
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: MemoryLayout<StableListState>.stride + Self.chunkLimit * MemoryLayout<UnsafeMutableRawPointer?>.stride,
            alignment: MemoryLayout<StableListState>.alignment)
        state = memory.bindMemory(to: StableListState.self, capacity: 1)
        state.initialize(to: StableListState())
        chunks = (memory + MemoryLayout<StableListState>.stride).bindMemory(to: UnsafeMutableRawPointer?.self, capacity: Self.chunkLimit)
        chunks.initialize(repeating: nil, count: Self.chunkLimit)
    }

    deinit {
        removeAll()
        for index in 0..<state.pointee.chunks { chunks[index]?.deallocate() }
        UnsafeMutableRawPointer(state).deallocate()
    }

    @inline(__always)
    var count: Int { state.pointee.count }

    /// The number of elements in front of a chunk.
    private static func start(of chunk: Int) -> Int { (16 << chunk) - 16 }

    /// The place of an element, which is there or the next to be added.
    @inline(__always)
    private func place(_ index: Int) -> UnsafeMutablePointer<Element>? {
        let shifted = UInt(bitPattern: index &+ 16)
        let chunk = (UInt.bitWidth &- 5) &- shifted.leadingZeroBitCount
        guard let base = chunks[chunk] else { return nil }
        return base.assumingMemoryBound(to: Element.self) + (index &+ 16 &- (16 << chunk))
    }

    /// Adds an element; answers its number.
    @inline(__always)
    @discardableResult
    func append(_ element: consuming Element) -> Int {
        let count = state.pointee.count
        if count == state.pointee.capacity { grow() }
        place(count)?.initialize(to: element)
        state.pointee.count = count &+ 1
        return count
    }

    /// Adds a copy of an element that is somewhere else; answers its number.
    @inline(__always)
    func append(copying element: UnsafePointer<Element>) -> Int {
        let count = state.pointee.count
        if count == state.pointee.capacity { grow() }
        place(count)?.initialize(from: element, count: 1)
        state.pointee.count = count &+ 1
        return count
    }

    /// Adds a copy of an element; answers where it is. A call: in code that would have to ask for the type of the elements, the list
    /// knows it.
    @inline(never)
    func keep(copyOf element: UnsafePointer<Element>) -> UnsafeMutablePointer<Element> { pointer(append(copying: element)) }

    @inline(never)
    private func grow() {
        let chunk = state.pointee.chunks
        precondition(chunk < Self.chunkLimit)
        chunks[chunk] = UnsafeMutableRawPointer(UnsafeMutablePointer<Element>.allocate(capacity: 16 << chunk))
        state.pointee.chunks = chunk + 1
        state.pointee.capacity += 16 << chunk
    }

    /// Where an element is.
    @inline(__always)
    func pointer(_ index: Int) -> UnsafeMutablePointer<Element> {
        precondition(index >= 0 && index < state.pointee.count)
        // There: every element in front of `count` has its chunk.
        return place(index).unsafelyUnwrapped
    }

    @inline(__always)
    subscript(index: Int) -> Element {
        unsafeAddress { UnsafePointer(pointer(index)) }
        unsafeMutableAddress { pointer(index) }
    }

    /// Copies an element to uninitialized memory, without a stop in between.
    @inline(__always)
    func copy(_ index: Int, to place: UnsafeMutablePointer<Element>) { place.initialize(to: pointer(index).pointee) }

    /// Takes all elements away; the memory stays for those to come.
    func removeAll() {
        for index in 0..<state.pointee.chunks {
            let count = min(max(state.pointee.count - Self.start(of: index), 0), 16 << index)
            if count > 0 { chunks[index]?.assumingMemoryBound(to: Element.self).deinitialize(count: count) }
        }
        state.pointee.count = 0
    }

    /// Takes the last element away.
    @inline(__always)
    func removeLast() {
        let count = state.pointee.count &- 1
        pointer(count).deinitialize(count: 1)
        state.pointee.count = count
    }
}

/// Outside of the list, where it would be another type for each type of elements.
private struct StableListState {
    var count = 0
    /// Elements that fit into the chunks made so far.
    var capacity = 0
    var chunks = 0
}

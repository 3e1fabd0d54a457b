/// Bytes that grow at the end. Writing JSON is appending a few bytes very often; an array would check at each append whether it
/// is shared, and a class around it whether someone else looks at it, which together took a third of the instructions of
/// encoding.
///
/// This is the one place of the module that uses unsafe memory for writing. Its rules: `count <= capacity`, the first `count`
/// bytes are initialized, and every write is preceded by a `reserve` of at least as many bytes.
struct TextBuffer {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        base = .allocate(capacity: self.capacity)
    }

    /// Gives the memory back. Nothing may be called afterwards.
    func deallocate() { base.deallocate() }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    /// Makes room for that many bytes more.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }

    /// One byte, for which there is room.
    @inline(__always)
    mutating func put(_ byte: UInt8) {
        base[count] = byte
        count &+= 1
    }

    /// Bytes for which there is room.
    @inline(__always)
    mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        (base + count).update(from: start, count: text.count)
        count &+= text.count
    }

    /// A number in decimal, for whose digits there is room.
    @inline(__always)
    mutating func put(digits: Int, of value: UInt64) {
        var rest = value
        var place = count &+ digits
        count = place
        repeat {
            place &-= 1
            base[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        put(byte)
    }

    mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        reserve(text.count)
        put(text)
    }

    /// Drops everything behind the first `count` bytes.
    mutating func truncate(to count: Int) { self.count = min(count, self.count) }
}

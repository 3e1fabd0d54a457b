/// Bytes that grow at the end. Writing JSON is appending a few bytes very often; an array would check at each append whether it
/// is shared, and a class around it whether someone else looks at it, which together took a third of the instructions of
/// encoding.
///
/// This is the one place of the module that uses unsafe memory for writing. Its rules: `count <= capacity`, the first `count`
/// bytes are initialized, and every write is preceded by a `reserve` of at least as many bytes.
struct TextBuffer {
    private(set) var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        base = GrowingMemory.resize(nil, to: self.capacity)
    }

    /// Gives the memory back. Nothing may be called afterwards.
    func deallocate() { GrowingMemory.free(base) }

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    /// Makes room for that many bytes more.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        // Half as much again: what is left over when the text is handed out is a quarter of it on average.
        capacity = max(capacity + capacity / 2, count + more)
        base = GrowingMemory.resize(base, to: capacity)
    }

    /// Hands the memory over to the caller, who gives it back to the C library, and begins anew.
    mutating func take() -> UnsafeMutableBufferPointer<UInt8> {
        let fitting = capacity / 2 > count ? GrowingMemory.resize(base, to: count) : base
        let text = UnsafeMutableBufferPointer(start: fitting, count: count)
        self = TextBuffer(capacity: 16)
        return text
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
        Self.copy(text, to: base + count)
        count &+= text.count
    }

    /// A piece, for which there is the room that pieces need.
    @inline(__always)
    mutating func put(_ piece: OutputPiece) {
        let target = UnsafeMutableRawPointer(base + count)
        target.storeBytes(of: piece.first, as: SIMD2<UInt64>.self)
        target.storeBytes(of: piece.second, toByteOffset: 16, as: SIMD2<UInt64>.self)
        count &+= piece.count
    }

    /// Copies the bytes of `text` up to the first that is not plain; answers how many were copied. There is room for sixteen.
    @inline(__always)
    mutating func putPlain(_ text: ShortText, _ plain: PlainBytes) -> Int {
        let words = SIMD2(text.low, text.high)
        UnsafeMutableRawPointer(base + count).storeBytes(of: SIMD2(words[0].littleEndian, words[1].littleEndian), as: SIMD2<UInt64>.self)
        // Behind the end are zeroes, which are not plain.
        let copied = plain.count(in: words)
        count &+= copied
        return copied
    }

    /// A name between quotes, and a colon; there is room for three bytes more than the name has.
    @inline(__always)
    mutating func putName(_ name: UnsafeBufferPointer<UInt8>) {
        let start = base + count
        start[0] = 0x22
        Self.copy(name, to: start + 1)
        let end = start + (name.count &+ 1)
        end[0] = 0x22
        end[1] = 0x3A
        count &+= name.count &+ 3
    }

    /// Names and ids are short: up to 32 bytes are moved as two words that may overlap, which is a third of a call of memcpy.
    @inline(__always)
    private static func copy(_ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        let length = text.count
        switch length {
        case 33...: target.update(from: start, count: length)
        case 16...: move(SIMD2<UInt64>.self, start, target, length)
        case 8...: move(UInt64.self, start, target, length)
        case 4...: move(UInt32.self, start, target, length)
        default: for index in 0..<length { target[index] = start[index] }
        }
    }

    /// Moves `length` bytes, at least one word and at most two.
    @inline(__always)
    private static func move<Word: BitwiseCopyable>(
        _ type: Word.Type, _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ length: Int
    ) {
        let from = UnsafeRawPointer(source)
        let to = UnsafeMutableRawPointer(target)
        let last = length &- MemoryLayout<Word>.size
        let first = from.loadUnaligned(as: type)
        let second = from.loadUnaligned(fromByteOffset: last, as: type)
        to.storeBytes(of: first, as: type)
        to.storeBytes(of: second, toByteOffset: last, as: type)
    }

    /// Lets `body` write up to `room` bytes, for which there is room; it answers how many they are.
    @inline(__always)
    mutating func put(room: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
        count &+= body(UnsafeMutableBufferPointer(start: base + count, count: room))
    }

    /// Copies the bytes of `text`, for which there is room, up to the first that is not plain; answers how many were copied.
    ///
    /// The blocks are 16, 8 or 4 bytes long, and the last one overlaps the one in front of it.
    @inline(__always)
    mutating func putPlain(_ text: UnsafeBufferPointer<UInt8>, _ plain: PlainBytes) -> Int {
        guard let start = text.baseAddress else { return 0 }
        let from = UnsafeRawPointer(start)
        let to = UnsafeMutableRawPointer(base + count)
        let length = text.count
        var copied = 0
        switch length {
        case 16...:
            while true {
                let offset = min(copied, length &- 16)
                let block = from.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
                to.storeBytes(of: block, toByteOffset: offset, as: SIMD2<UInt64>.self)
                let number = plain.count(in: SIMD2(block[0].littleEndian, block[1].littleEndian))
                copied = offset &+ number
                if number < 16 || copied == length { break }
            }
        case 8...:
            let first = from.loadUnaligned(as: UInt64.self)
            let second = from.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
            to.storeBytes(of: first, as: UInt64.self)
            to.storeBytes(of: second, toByteOffset: length &- 8, as: UInt64.self)
            let number = plain.count(in: SIMD2(first.littleEndian, second.littleEndian))
            copied = number < 8 ? number : length &- 16 &+ number
        case 4...:
            let first = from.loadUnaligned(as: UInt32.self)
            let second = from.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)
            to.storeBytes(of: first, as: UInt32.self)
            to.storeBytes(of: second, toByteOffset: length &- 4, as: UInt32.self)
            let word = UInt64(first.littleEndian) | UInt64(second.littleEndian) << 32
            let number = min(plain.count(in: SIMD2(word, word)), 8)
            copied = number < 4 ? number : length &- 8 &+ number
        default:
            while copied < length, plain.contains(start[copied]) {
                to.storeBytes(of: start[copied], toByteOffset: copied, as: UInt8.self)
                copied &+= 1
            }
        }
        count &+= copied
        return copied
    }

    /// `true` or `false`, for which there is room for eight bytes.
    @inline(__always)
    mutating func put(_ value: Bool) {
        // The letters as a word, the first one lowest: no copy of bytes whose number is looked at first.
        let letters: UInt64 = value ? 0x6575_7274 : 0x65_736C_6166
        UnsafeMutableRawPointer(base + count).storeBytes(of: letters.littleEndian, as: UInt64.self)
        count &+= value ? 4 : 5
    }

    /// A number of so many digits in decimal, for which there is room.
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

    /// A number in decimal, for whose digits there is room.
    @inline(__always)
    mutating func put(decimal value: UInt64) {
        var rest = value
        var digits = rest == 0 ? 1 : 0
        while rest > 0 {
            rest /= 10
            digits += 1
        }
        put(digits: digits, of: value)
    }

    /// `value` divided by `scale`, which is 10 to the number of decimals. There is room for 20 bytes.
    @inline(__always)
    mutating func put(_ value: UInt64, decimals: Int, scale: UInt64, isNegative: Bool) {
        if isNegative { put(0x2D) }
        put(decimal: value / scale)
        guard decimals > 0 else { return }
        put(0x2E)
        var rest = value % scale
        var place = count &+ decimals
        count = place
        for _ in 0..<decimals {
            place &-= 1
            base[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
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

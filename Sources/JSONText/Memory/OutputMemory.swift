/// A growing buffer of bytes for the text of a `JSONOutput`.
///
/// Writing JSON appends a few bytes at a time. An array would check for each append whether it is shared. Together with bounds checks,
/// this took a third of the instructions of encoding.
///
/// Memory: `count <= capacity`, and the first `count` bytes are initialized. Each operation reserves the memory to which it writes, so
/// no sequence of calls can write out of bounds.
@safe struct OutputMemory: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 16)
        unsafe base = GrowingMemory.resize(nil, to: self.capacity)
    }

    deinit { unsafe GrowingMemory.release(base) }

    /// Reserves memory for `more` bytes.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        precondition(more >= 0)
        // Growing by half leaves unused memory of a quarter of the text on average.
        capacity = max(capacity + capacity / 2, count + more)
        unsafe base = GrowingMemory.resize(base, to: capacity)
    }

    /// Returns the address after the last byte, with room for `room` bytes.
    @inline(__always)
    private mutating func end(room: Int) -> UnsafeMutablePointer<UInt8> {
        reserve(room)
        return unsafe base + count
    }

    /// Adds the number of bytes that were written at the end.
    @inline(__always)
    private mutating func advance(_ written: Int) {
        count &+= written
        assert(count <= capacity)
    }

    // MARK: - Bytes

    /// Appends a byte.
    @inline(__always)
    mutating func append(_ byte: UInt8) {
        unsafe end(room: 1).pointee = byte
        advance(1)
    }

    /// Appends the same byte several times.
    mutating func append(_ byte: UInt8, times: Int) {
        guard times > 0 else { return }
        unsafe end(room: times).update(repeating: byte, count: times)
        advance(times)
    }

    /// Appends bytes.
    @inline(__always)
    mutating func append(_ text: Span<UInt8>) {
        // In bounds: there is room for `text.count` bytes.
        unsafe text.withUnsafeBufferPointer { unsafe Self.copy($0, to: end(room: $0.count)) }
        advance(text.count)
    }

    /// Appends the bytes of a literal.
    mutating func append(_ text: StaticString) { text.withUTF8Buffer { unsafe append($0.span) } }

    /// Appends a comma if `withComma` is true, and a piece. Traps for a number that belongs to no piece.
    @inline(__always)
    mutating func append(_ piece: Int, of pieces: OutputPieces, withComma: Bool) {
        // In bounds: there is room for a comma and 64 bytes of the piece.
        let start = unsafe end(room: OutputPieces.room &+ 1)
        unsafe start.pointee = 0x2C
        let comma = withComma ? 1 : 0
        let length = unsafe pieces.copy(piece, to: UnsafeMutableRawPointer(start + comma))
        advance(comma &+ length)
    }

    /// Appends the bytes that `body` writes. `body` receives `room` bytes and returns the number of bytes that it used. Traps if it returns
    /// more than `room`.
    @inline(__always)
    mutating func append(room: Int, _ body: (inout MutableSpan<UInt8>) -> Int) {
        let memory = unsafe UnsafeMutableBufferPointer(start: end(room: room), count: room)
        // The bytes are set to 0, so that `body` cannot read uninitialized memory.
        unsafe memory.update(repeating: 0)
        var span = unsafe memory.mutableSpan
        let written = body(&span)
        precondition(written >= 0 && written <= room)
        advance(written)
    }

    /// Appends a name in quotation marks, and a colon. The name must need no escapes.
    @inline(__always)
    mutating func append(plainName name: Span<UInt8>) {
        // In bounds: there is room for the name, two quotation marks and the colon.
        let start = unsafe end(room: name.count &+ 3)
        unsafe start[0] = 0x22
        unsafe name.withUnsafeBufferPointer { unsafe Self.copy($0, to: start + 1) }
        unsafe start[name.count &+ 1] = 0x22
        unsafe start[name.count &+ 2] = 0x3A
        advance(name.count &+ 3)
    }

    // MARK: - Strings

    /// Appends a string in quotation marks. Bytes that are not plain are escaped.
    ///
    /// - Complexity: O(n), n = number of bytes. Plain bytes are copied in blocks.
    @inline(__always)
    mutating func append(quoted text: Span<UInt8>, _ plain: PlainBytes) {
        // In bounds: there is room for at least two bytes.
        unsafe end(room: text.count &+ 2).pointee = 0x22
        advance(1)
        let copied = appendPlain(text, plain)
        if copied < text.count { appendRest(text, from: copied, plain) }
        append(0x22)
    }

    /// Appends a `String` in quotation marks.
    @inline(__always)
    mutating func append(quoted text: String, _ plain: PlainBytes) {
        UTF8Bytes.withBytes(of: text) { append(quoted: $0, plain) }
    }

    /// Appends the bytes from `start`. The first of them needs an escape.
    @inline(never)
    private mutating func appendRest(_ text: Span<UInt8>, from start: Int, _ plain: PlainBytes) {
        var position = start
        while position &+ 32 <= text.count { position &+= appendBlock(text, from: position, plain) }
        while position < text.count {
            position &+= appendPlain(text.extracting(position...), plain)
            guard position < text.count else { return }
            append(escaped: text[position])
            position &+= 1
        }
    }

    /// Appends 32 bytes, or those before the first one that is not plain and its escape. Returns how many bytes of the text these are.
    /// There must be 32 bytes from `position` on.
    ///
    /// There are no branches on where a run ends, because the processor cannot foresee it. For runs of thirty bytes, this takes a third of
    /// the time.
    @inline(__always)
    private mutating func appendBlock(_ text: Span<UInt8>, from position: Int, _ plain: PlainBytes) -> Int {
        precondition(position >= 0 && position &+ 32 <= text.count)
        let target = unsafe UnsafeMutableRawPointer(end(room: 40))
        // In bounds: thirty-two bytes are left, and there is room for them and the eight bytes of an escape.
        let first = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: SIMD2<UInt64>.self)
        let second = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: position &+ 16, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: first, as: SIMD2<UInt64>.self)
        unsafe target.storeBytes(of: second, toByteOffset: 16, as: SIMD2<UInt64>.self)
        let length = plain.count(in: first, second)
        let isEscape = length < 32 ? 1 : 0
        // For 32 plain bytes, this is the escape of the last one, and the next bytes are written over it.
        let escape = Escapes.escape(text[position &+ length &+ isEscape &- 1])
        unsafe target.storeBytes(of: escape.word.littleEndian, toByteOffset: length, as: UInt64.self)
        advance(length &+ escape.length &* isEscape)
        return length &+ isEscape
    }

    @inline(__always)
    private mutating func append(escaped byte: UInt8) {
        let escape = Escapes.escape(byte)
        // In bounds: there is room for eight bytes.
        unsafe UnsafeMutableRawPointer(end(room: 8)).storeBytes(of: escape.word.littleEndian, as: UInt64.self)
        advance(escape.length)
    }

    /// Appends bytes up to the first that is not plain, and returns their number.
    ///
    /// The bytes are copied in blocks of 16, 8 or 4 bytes. The last block can overlap the previous one.
    @inline(__always)
    private mutating func appendPlain(_ text: Span<UInt8>, _ plain: PlainBytes) -> Int {
        let copied = unsafe text.withUnsafeBufferPointer { bytes in
            // In bounds: there is room for all bytes of the text, and no block extends beyond either end of the text.
            unsafe Self.copyPlain(bytes, to: UnsafeMutableRawPointer(end(room: bytes.count)), plain)
        }
        advance(copied)
        return copied
    }

    /// Copies bytes up to the first that is not plain, and returns their number. `target` must have room for all bytes.
    @inline(__always)
    private static func copyPlain(_ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableRawPointer, _ plain: PlainBytes) -> Int {
        guard let start = text.baseAddress else { return 0 }
        let source = unsafe UnsafeRawPointer(start)
        let length = text.count
        var copied = 0
        switch length {
        case 16...:
            while true {
                let offset = min(copied, length &- 16)
                let block = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
                unsafe target.storeBytes(of: block, toByteOffset: offset, as: SIMD2<UInt64>.self)
                let number = plain.count(in: SIMD2(block[0].littleEndian, block[1].littleEndian))
                copied = offset &+ number
                if number < 16 || copied == length { return copied }
            }
        case 8...:
            let first = unsafe source.loadUnaligned(as: UInt64.self)
            let second = unsafe source.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
            unsafe target.storeBytes(of: first, as: UInt64.self)
            unsafe target.storeBytes(of: second, toByteOffset: length &- 8, as: UInt64.self)
            let number = plain.count(in: SIMD2(first.littleEndian, second.littleEndian))
            return number < 8 ? number : length &- 16 &+ number
        case 4...:
            let first = unsafe source.loadUnaligned(as: UInt32.self)
            let second = unsafe source.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)
            unsafe target.storeBytes(of: first, as: UInt32.self)
            unsafe target.storeBytes(of: second, toByteOffset: length &- 4, as: UInt32.self)
            let word = UInt64(first.littleEndian) | UInt64(second.littleEndian) << 32
            let number = min(plain.count(in: SIMD2(word, word)), 8)
            return number < 4 ? number : length &- 8 &+ number
        default:
            while copied < length, unsafe plain.contains(start[copied]) {
                unsafe target.storeBytes(of: start[copied], toByteOffset: copied, as: UInt8.self)
                copied &+= 1
            }
            return copied
        }
    }

    /// Copies all bytes to `target`, which must have room for them. Names and ids are short. Up to 32 bytes are copied as two words that
    /// can overlap, which takes a third of the time of `memcpy`.
    @inline(__always)
    private static func copy(_ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>) {
        guard let start = text.baseAddress else { return }
        let length = text.count
        switch length {
        case 33...: unsafe target.update(from: start, count: length)
        case 16...: unsafe move(SIMD2<UInt64>.self, start, target, length)
        case 8...: unsafe move(UInt64.self, start, target, length)
        case 4...: unsafe move(UInt32.self, start, target, length)
        default: for index in 0..<length { unsafe target[index] = start[index] }
        }
    }

    /// Copies `length` bytes, at least one word and at most two.
    @inline(__always)
    private static func move<Word: BitwiseCopyable>(
        _ type: Word.Type, _ source: UnsafePointer<UInt8>, _ target: UnsafeMutablePointer<UInt8>, _ length: Int
    ) {
        let from = unsafe UnsafeRawPointer(source)
        let to = UnsafeMutableRawPointer(target)
        let last = length &- MemoryLayout<Word>.size
        let first = unsafe from.loadUnaligned(as: type)
        let second = unsafe from.loadUnaligned(fromByteOffset: last, as: type)
        unsafe to.storeBytes(of: first, as: type)
        unsafe to.storeBytes(of: second, toByteOffset: last, as: type)
    }

    // MARK: - Scalars

    /// Appends `true` or `false`.
    @inline(__always)
    mutating func append(_ value: Bool) {
        // The letters in one word, the first letter in the lowest byte. Storing a word is faster than copying a number of bytes.
        let letters: UInt64 = value ? 0x6575_7274 : 0x65_736C_6166
        // In bounds: there is room for eight bytes.
        unsafe UnsafeMutableRawPointer(end(room: 8)).storeBytes(of: letters.littleEndian, as: UInt64.self)
        advance(value ? 4 : 5)
    }

    /// Appends an integer in decimal.
    @inline(__always)
    mutating func append(integer value: Int64) {
        if value < 0 { append(0x2D) }
        append(decimal: value.magnitude)
    }

    /// Appends an unsigned integer in decimal.
    @inline(__always)
    mutating func append(decimal value: UInt64) {
        var rest = value
        var digits = rest == 0 ? 1 : 0
        while rest > 0 {
            rest /= 10
            digits &+= 1
        }
        append(digits: digits, of: value)
    }

    /// Appends the last `digits` digits of a number in decimal.
    @inline(__always)
    private mutating func append(digits: Int, of value: UInt64) {
        // In bounds: there is room for `digits` bytes, and `place` is less than `digits`.
        let start = unsafe end(room: digits)
        var rest = value
        var place = digits
        while place > 0 {
            place &-= 1
            unsafe start[place] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        advance(digits)
    }

    /// Appends `value` divided by `scale`, which is 10 to the power of `decimals`.
    @inline(__always)
    mutating func append(_ value: UInt64, decimals: Int, scale: UInt64, isNegative: Bool) {
        if isNegative { append(0x2D) }
        append(decimal: value / scale)
        guard decimals > 0 else { return }
        append(0x2E)
        append(digits: decimals, of: value % scale)
    }

    // MARK: - The text

    /// Calls `body` with all bytes.
    @inline(__always)
    borrowing func withText<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        // The first `count` bytes are initialized, and nothing can be appended while this value is borrowed.
        try body(unsafe UnsafeBufferPointer(start: base, count: count).span)
    }

    /// Returns the bytes in a range, which is clamped to the existing bytes.
    borrowing func bytes(in range: Range<Int>) -> [UInt8] {
        // In bounds: clamped.
        unsafe Array(UnsafeBufferPointer(start: base, count: count)[range.clamped(to: 0..<count)])
    }

    /// Removes everything after the first `count` bytes.
    @inline(__always)
    mutating func truncate(to count: Int) { self.count = max(min(count, self.count), 0) }

    /// Returns the memory and continues with an empty buffer of another capacity. The caller releases the memory with `free` of the C
    /// library.
    mutating func take(continuingWith capacity: Int) -> UnsafeMutableBufferPointer<UInt8> {
        let fitting = unsafe self.capacity - count > count / 4 ? GrowingMemory.resize(base, to: count) : base
        let text = unsafe UnsafeMutableBufferPointer(start: fitting, count: count)
        self.capacity = max(capacity, 16)
        count = 0
        unsafe base = GrowingMemory.resize(nil, to: self.capacity)
        return unsafe text
    }
}

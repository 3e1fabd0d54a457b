/// Where the plain runs of strings end: one bit for each byte of a stretch of the text, set for quotation marks, backslashes and
/// control characters.
///
/// In a stretch that is not UTF-8 the bit of each non-ASCII byte is set as well, so that the reader of a string comes across the fault
/// and can say which byte is wrong.
///
/// The bits are made in one go for many kilobytes, without a branch. To find the end of a string is then one load and a count
/// of zeros, for most lengths: a sixth less time for the whole tape than looking at the string's bytes, because the next token
/// waits for that end.
///
/// Bounds: bits are read only for positions from the start of what is covered up to `end`, which `next(from:)` checks; the bit at `end`
/// is always set, so no search goes beyond it. The text's last four bytes are never covered, so that four bytes can be read at every
/// place that is found. A stretch ends in front of a character of the text.
@safe
struct StringMarks: @unchecked Sendable {
    private var bits: UnsafeMutableRawPointer
    private let capacity: Int
    /// Address of the bits, less the first byte of the text that is covered divided by eight. Every look-up would have to subtract it,
    /// and the next token would have to wait for that, which took 4 % of the time.
    private var origin: UInt = 0
    /// The first byte of the text that is covered. No position is covered at the beginning.
    private var first = Int.min
    /// The first byte of the text behind what is covered.
    private(set) var end = Int.min

    /// How many bytes at the end of the text are never covered.
    static let uncovered = 4

    /// Stretches longer than this would leave the processor's first cache.
    private static let longest = 1 << 15

    /// - Parameter bits: `wordCount(for: count)` words that nobody else uses.
    @unsafe
    init(count: Int, bits: UnsafeMutableRawPointer) {
        capacity = Self.capacity(for: count)
        unsafe self.bits = unsafe bits
    }

    /// How many words the bits for a text of so many bytes take: a bit for each byte of the longest stretch, and 128 more.
    static func wordCount(for count: Int) -> Int { (capacity(for: count) / 8 + 16 + 7) / 8 }

    private static func capacity(for count: Int) -> Int { count < longest ? (count &+ 15) & ~15 : longest }

    /// Goes on with a copy of the bits at the place of other, unused marks for the same text.
    mutating func move(to other: StringMarks) {
        precondition(other.capacity == capacity)
        origin = unsafe origin &- UInt(bitPattern: bits) &+ UInt(bitPattern: other.bits)
        unsafe bits = unsafe other.bits
    }

    /// Whether the marks tell where the run of plain bytes ends that begins at `position`.
    @inline(__always)
    func covers(_ position: Int) -> Bool { UInt(bitPattern: position &- first) <= UInt(bitPattern: end &- first) }

    /// The first marked byte at `position` or behind it, or `end`.
    @inline(__always)
    func next(from position: Int) -> Int {
        precondition(covers(position), "a position that is not covered")
        let first = word(at: position) &>> UInt64(truncatingIfNeeded: position & 7)
        if first != 0 { return position &+ first.trailingZeroBitCount }
        var place = position & ~7
        // The bit at `end` is set.
        while true {
            place &+= 64
            let word = word(at: place)
            if word != 0 { return place &+ word.trailingZeroBitCount }
        }
    }

    /// The bits of 64 bytes of the text, the first of which is the last place at or before `position` that eight divides.
    @inline(__always)
    private func word(at position: Int) -> UInt64 {
        // In bounds: the position is covered, or a search came here because no bit up to it is set, so it is not behind `end`. There are
        // eight bytes of bits from the one of `end` on.
        let address = unsafe UnsafeRawPointer(bitPattern: origin &+ UInt(bitPattern: position) &>> 3).unsafelyUnwrapped
        return unsafe UInt64(littleEndian: address.loadUnaligned(as: UInt64.self))
    }

    /// Moves to the stretch that begins with `position`, which is not one of the text's last four bytes.
    @inline(never)
    mutating func cover(from position: Int, of text: TextBytes) {
        precondition(position >= 0 && position < text.count - Self.uncovered && Self.capacity(for: text.count) == capacity)
        let bytes = unsafe UnsafeRawPointer(text.address)
        var place = position & ~7
        first = place
        origin = unsafe UInt(bitPattern: bits) &- UInt(bitPattern: place) / 8
        end = max(UTF8Stretch.boundary(atOrBefore: min(place + capacity, text.count - Self.uncovered), in: text), place)
        var target = unsafe bits
        // In bounds, here and below: `end` is inside the text and at most `capacity` bytes behind the start, and the bits have room for
        // 128 more.
        while place &+ 128 <= end {
            unsafe Self.storeMarks(ofBlock: bytes + place, to: target)
            place &+= 128
            unsafe target += 16
        }
        while place &+ 16 <= end {
            unsafe target.storeBytes(
                of: Self.marks(bytes.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)).littleEndian, as: UInt16.self)
            place &+= 16
            unsafe target += 2
        }
        let rest = end - place
        if rest > 0 {
            let marks = unsafe lastMarks(bytes, rest) | 1 << UInt16(rest)
            unsafe target.storeBytes(of: marks.littleEndian, as: UInt16.self)
            unsafe target += 2
        }
        unsafe target.storeBytes(of: .max, as: UInt64.self)
        if !UTF8Stretch.isValid(text, from: first, to: end) { markNonASCII(text) }
    }

    /// Sets the bits of all non-ASCII bytes that are covered.
    @inline(never)
    private func markNonASCII(_ text: TextBytes) {
        for place in first..<end where text[place] >= 0x80 {
            // In bounds: the place is covered.
            let byte = (place - first) >> 3
            unsafe bits.storeBytes(
                of: bits.load(fromByteOffset: byte, as: UInt8.self) | 1 << UInt8(place & 7), toByteOffset: byte, as: UInt8.self)
        }
    }

    /// The marks of the last one to fifteen bytes before `end`.
    @unsafe
    private func lastMarks(_ text: UnsafeRawPointer, _ length: Int) -> UInt16 {
        if end >= 16 {
            return Self.marks(unsafe text.loadUnaligned(fromByteOffset: end - 16, as: SIMD16<UInt8>.self)) >> UInt16(16 - length)
        }
        var chunk = SIMD16<UInt8>(repeating: 0)
        for i in 0..<length { chunk[i] = unsafe text.load(fromByteOffset: end - length + i, as: UInt8.self) }
        return Self.marks(chunk)
    }

    /// Stores one bit for each of 128 bytes.
    ///
    /// The marks of eight chunks are laid into one, a bit of each byte for every chunk, and then turned like a matrix: 1.2
    /// instructions for each byte, a third less than chunk by chunk.
    @unsafe @inline(__always)
    private static func storeMarks(ofBlock block: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        var rows = SIMD2<UInt64>(repeating: 0)
        for chunk in 0..<8 {
            let marks = marks(in: unsafe block.loadUnaligned(fromByteOffset: chunk &* 16, as: SIMD16<UInt8>.self))
            rows |= marks &>> SIMD2(repeating: UInt64(7 &- chunk))
        }
        rows = transposed(rows)
        let bits = unsafe unsafeBitCast(SIMD2(rows[0].littleEndian, rows[1].littleEndian), to: SIMD16<UInt8>.self)
        // Byte n of the low half has the marks of the first eight bytes of chunk n, the high half those of the others.
        var inOrder = SIMD16<UInt8>()
        inOrder.evenHalf = bits.lowHalf
        inOrder.oddHalf = bits.highHalf
        unsafe target.storeBytes(of: inOrder, as: SIMD16<UInt8>.self)
    }

    /// Both halves as matrices of eight times eight bits, turned: bit n of byte m becomes bit m of byte n.
    @inline(__always)
    private static func transposed(_ halves: SIMD2<UInt64>) -> SIMD2<UInt64> {
        var rows = halves
        exchange(7, 0x00AA_00AA_00AA_00AA, &rows)
        exchange(14, 0x0000_CCCC_0000_CCCC, &rows)
        exchange(28, 0x0000_0000_F0F0_F0F0, &rows)
        return rows
    }

    /// Exchanges the bits of the mask with those that stand so much higher.
    @inline(__always)
    private static func exchange(_ distance: UInt64, _ mask: UInt64, _ rows: inout SIMD2<UInt64>) {
        let differing = (rows ^ rows &>> SIMD2(repeating: distance)) & SIMD2(repeating: mask)
        rows ^= differing ^ differing &<< SIMD2(repeating: distance)
    }

    /// One bit for each of sixteen bytes, the first in the lowest.
    @inline(__always)
    private static func marks(_ chunk: SIMD16<UInt8>) -> UInt16 {
        let words = marks(in: chunk)
        return UInt16(truncatingIfNeeded: gathered(words[0]) | gathered(words[1]) << 8)
    }

    /// The highest bits of the eight bytes, side by side. The factor moves each of them to a place of its own in the highest byte.
    @inline(__always)
    private static func gathered(_ marks: UInt64) -> UInt64 { (marks &* 0x0002_0408_1020_4081) >> 56 }

    /// The highest bit of each byte that is marked; the first byte is the lowest of the first word.
    ///
    /// Arithmetic of lanes: the standard library's comparisons of vectors are compiled to loops.
    @inline(__always)
    private static func marks(in chunk: SIMD16<UInt8>) -> SIMD2<UInt64> {
        let quotes = chunk ^ SIMD16(repeating: 0x22)
        let backslashes = chunk ^ SIMD16(repeating: 0x5C)
        let one = SIMD16<UInt8>(repeating: 1)
        // In an ASCII lane, x - 1 reaches the highest bit only from zero, and x - 0x20 only from below 0x20.
        let marks = (quotes &- one) | (backslashes &- one) | (chunk &- SIMD16(repeating: 0x20))
        let words = unsafe unsafeBitCast(marks & (~chunk & SIMD16(repeating: 0x80)), to: SIMD2<UInt64>.self)
        return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    }
}

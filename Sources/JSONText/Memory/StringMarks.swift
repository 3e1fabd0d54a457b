/// Marks the bytes at which plain runs of strings end. Each byte of a stretch of the text has one bit, which is set for quotation marks,
/// backslashes and control characters.
///
/// If a stretch is not valid UTF-8, the bit of each non-ASCII byte is set too. The parser of a string then stops at the invalid byte and
/// can report its place.
///
/// The bits are computed without branches for many kilobytes at a time. In most cases, finding the end of a string then takes one load and
/// a count of zero bits. This is important because the next token has to wait for that end. Compared with examining the bytes of the
/// string, it takes a sixth less time for the whole tape.
///
/// Bounds: bits are read only for positions from the start of the covered stretch up to `end`, which `next(from:)` checks. The bit at `end`
/// is always set, so that no search continues beyond it. The last four bytes of the text are never covered, so that four bytes can be
/// read at every result. A stretch ends at the start of a character.
@safe
struct StringMarks: @unchecked Sendable {
    private var bits: UnsafeMutableRawPointer
    private let capacity: Int
    /// The address of the bits, minus an eighth of the position of the first covered byte. Subtracting it in each lookup would delay the
    /// next token, which took 4 % of the time.
    private var origin: UInt = 0
    /// The position of the first covered byte. Initially, no position is covered.
    private var first = Int.min
    /// The position after the last covered byte.
    private(set) var end = Int.min

    /// The number of bytes at the end of the text that are never covered.
    static let uncovered = 4

    /// The maximum length of a stretch. The bits of a longer one would not fit in the first-level cache.
    private static let longest = 1 << 15

    /// - Parameter bits: `wordCount(for: count)` words that nothing else uses.
    @unsafe
    init(count: Int, bits: UnsafeMutableRawPointer) {
        capacity = Self.capacity(for: count)
        unsafe self.bits = unsafe bits
    }

    /// Returns the number of words for the bits of a text with `count` bytes: one bit for each byte of the longest stretch, and 128 more.
    static func wordCount(for count: Int) -> Int { (capacity(for: count) / 8 + 16 + 7) / 8 }

    private static func capacity(for count: Int) -> Int { count < longest ? (count &+ 15) & ~15 : longest }

    /// Moves to the memory of other, unused marks for the same text, to which the bits were copied.
    mutating func move(to other: StringMarks) {
        precondition(other.capacity == capacity)
        origin = unsafe origin &- UInt(bitPattern: bits) &+ UInt(bitPattern: other.bits)
        unsafe bits = unsafe other.bits
    }

    /// Returns whether the marks determine the end of the plain run that begins at `position`.
    @inline(__always)
    func covers(_ position: Int) -> Bool { UInt(bitPattern: position &- first) <= UInt(bitPattern: end &- first) }

    /// Returns the first marked position from `position` on, or `end` if there is none.
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

    /// Returns the bits of 64 bytes of the text, from `position` rounded down to a multiple of eight.
    @inline(__always)
    private func word(at position: Int) -> UInt64 {
        // In bounds: the position is covered, or a search reached it because no bit before it is set, so it is at most `end`. There are
        // eight bytes of bits from that of `end` on.
        let address = unsafe UnsafeRawPointer(bitPattern: origin &+ UInt(bitPattern: position) &>> 3).unsafelyUnwrapped
        return unsafe UInt64(littleEndian: address.loadUnaligned(as: UInt64.self))
    }

    /// Covers the stretch that begins at `position` rounded down to a multiple of eight. `position` must not be in the last four bytes.
    @inline(never)
    mutating func cover(from position: Int, of text: TextBytes) {
        precondition(position >= 0 && position < text.count - Self.uncovered && Self.capacity(for: text.count) == capacity)
        let bytes = unsafe UnsafeRawPointer(text.address)
        var place = position & ~7
        first = place
        origin = unsafe UInt(bitPattern: bits) &- UInt(bitPattern: place) / 8
        end = max(UTF8Stretch.boundary(atOrBefore: min(place + capacity, text.count - Self.uncovered), in: text), place)
        var target = unsafe bits
        // In bounds, here and below: `end` is inside the text and at most `capacity` bytes after the start, and there is room for 128 more
        // bits.
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

    /// Sets the bits of all covered non-ASCII bytes.
    @inline(never)
    private func markNonASCII(_ text: TextBytes) {
        for place in first..<end where text[place] >= 0x80 {
            // In bounds: the position is covered.
            let byte = (place - first) >> 3
            unsafe bits.storeBytes(
                of: bits.load(fromByteOffset: byte, as: UInt8.self) | 1 << UInt8(place & 7), toByteOffset: byte, as: UInt8.self)
        }
    }

    /// Returns the marks of the last 1 to 15 bytes before `end`.
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
    /// The marks of eight chunks are combined into one, with one bit in each byte for each chunk, and then transposed. This takes 1.2
    /// instructions for each byte of the text, a third less than one chunk at a time.
    @unsafe @inline(__always)
    private static func storeMarks(ofBlock block: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
        var rows = SIMD2<UInt64>(repeating: 0)
        for chunk in 0..<8 {
            let marks = marks(in: unsafe block.loadUnaligned(fromByteOffset: chunk &* 16, as: SIMD16<UInt8>.self))
            rows |= marks &>> SIMD2(repeating: UInt64(7 &- chunk))
        }
        rows = transposed(rows)
        let bits = unsafe unsafeBitCast(SIMD2(rows[0].littleEndian, rows[1].littleEndian), to: SIMD16<UInt8>.self)
        // Byte n of the low half contains the marks of the first eight bytes of chunk n. Byte n of the high half contains those of the
        // others.
        var inOrder = SIMD16<UInt8>()
        inOrder.evenHalf = bits.lowHalf
        inOrder.oddHalf = bits.highHalf
        unsafe target.storeBytes(of: inOrder, as: SIMD16<UInt8>.self)
    }

    /// Transposes both halves as matrices of 8 × 8 bits: bit n of byte m becomes bit m of byte n.
    @inline(__always)
    private static func transposed(_ halves: SIMD2<UInt64>) -> SIMD2<UInt64> {
        var rows = halves
        exchange(7, 0x00AA_00AA_00AA_00AA, &rows)
        exchange(14, 0x0000_CCCC_0000_CCCC, &rows)
        exchange(28, 0x0000_0000_F0F0_F0F0, &rows)
        return rows
    }

    /// Exchanges the bits of the mask with the bits that are `distance` higher.
    @inline(__always)
    private static func exchange(_ distance: UInt64, _ mask: UInt64, _ rows: inout SIMD2<UInt64>) {
        let differing = (rows ^ rows &>> SIMD2(repeating: distance)) & SIMD2(repeating: mask)
        rows ^= differing ^ differing &<< SIMD2(repeating: distance)
    }

    /// Returns one bit for each of sixteen bytes, with the first byte in the lowest bit.
    @inline(__always)
    private static func marks(_ chunk: SIMD16<UInt8>) -> UInt16 {
        let words = marks(in: chunk)
        return UInt16(truncatingIfNeeded: gathered(words[0]) | gathered(words[1]) << 8)
    }

    /// Returns the highest bits of eight bytes as one byte. The factor moves each of them to its own place in the highest byte.
    @inline(__always)
    private static func gathered(_ marks: UInt64) -> UInt64 { (marks &* 0x0002_0408_1020_4081) >> 56 }

    /// Returns the highest bit of each marked byte. The first byte is the lowest byte of the first word.
    ///
    /// This uses arithmetic, because comparisons of SIMD vectors in the standard library are compiled to loops.
    @inline(__always)
    private static func marks(in chunk: SIMD16<UInt8>) -> SIMD2<UInt64> {
        let quotes = chunk ^ SIMD16(repeating: 0x22)
        let backslashes = chunk ^ SIMD16(repeating: 0x5C)
        let one = SIMD16<UInt8>(repeating: 1)
        // For an ASCII byte, x - 1 sets the highest bit only if x is 0, and x - 0x20 only if x is below 0x20.
        let marks = (quotes &- one) | (backslashes &- one) | (chunk &- SIMD16(repeating: 0x20))
        let words = unsafe unsafeBitCast(marks & (~chunk & SIMD16(repeating: 0x80)), to: SIMD2<UInt64>.self)
        return SIMD2(UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1]))
    }
}

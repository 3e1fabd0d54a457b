// Borrows, compares and hashes the bytes to which the tape points, and converts them to strings.

extension TapeView {
    /// Calls `body` with the bytes of the string or number at `index`, with escapes as in the text. Any other value has no bytes.
    @inlinable @inline(__always)
    package func withBytes<Result, Failure: Error>(
        at index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let word = firstWord(at: index)
        let (offset, length) = (Int(truncatingIfNeeded: word & 0xFFFF_FFFF), length(of: word, at: index))
        assert(offset <= byteCount && length <= byteCount &- offset)
        // In bounds: the parser checked offset and length of every string and number, and any other length is 0.
        return try body(unsafe Span(_unsafeStart: start + offset, count: length))
    }

    /// Returns the bytes of the text in a range of offsets, which must be in bounds.
    func text(in range: Range<Int>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
        // SAFETY: checked in the line above.
        return unsafe Array(UnsafeBufferPointer(start: start + range.lowerBound, count: range.count))
    }

    /// Returns the byte of the text at `offset`, or 0 if the offset is out of bounds.
    @inlinable @inline(__always) package func byte(atOffset offset: Int) -> UInt8 {
        // In bounds: checked.
        UInt(bitPattern: offset) < UInt(truncatingIfNeeded: storedByteCount) ? unsafe start[offset] : 0
    }

    /// Returns the string or name at `index` with its escapes decoded, or the text of a number. Returns an empty string for any other
    /// value.
    ///
    /// - Complexity: O(n), n = length of the string.
    @inlinable package func string(at index: Int) -> String {
        let word = firstWord(at: index)
        guard word >> 56 == 0x50 else { return unusualString(at: index) }
        // In bounds: the word is that of a short string, and the parser has checked its offset and length.
        return unsafe Self.text(
            UnsafeBufferPointer(
                start: start + Int(truncatingIfNeeded: word & 0xFFFF_FFFF), count: Int(truncatingIfNeeded: word >> 32 & 0xFF_FFFF)))
    }

    /// Returns a string of bytes that the parser has found to be UTF-8.
    ///
    /// On new systems, the bytes are not checked again. This takes an eighth of the time for 300 non-ASCII bytes, and the same time for
    /// ASCII.
    @unsafe
    @usableFromInline static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // The parser checks that every string and name is UTF-8. It is still UTF-8 after its escapes are decoded.
            return unsafe String(copying: UTF8Span(unchecked: bytes.span))
        }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text of a string with escapes, of a string that is too long for its word, or of a number. Returns an empty string for
    /// any other value.
    @usableFromInline func unusualString(at index: Int) -> String {
        let word = firstWord(at: index)
        guard word >> 61 == 2 else { return "" }
        if word >> 60 == 5, word & Flag.escaped != 0 { return unescapedString(at: index) }
        return withBytes(at: index) { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe Self.text($0) } }
    }

    /// Returns the text of the number at `index`.
    package func numberText(at index: Int) -> String { unusualString(at: index) }

    @usableFromInline func unescapedString(at index: Int) -> String {
        withBytes(at: index) { raw in
            // The decoded text is never longer than the text with escapes.
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { place in
                var output = unsafe ByteOutput(place)
                Escapes.unescape(raw, into: &output)
                return unsafe Self.text(output.bytes)
            }
        }
    }

    // MARK: - Comparing

    /// Returns whether the string at `index`, with its escapes decoded, has exactly these bytes. Composed and decomposed é differ.
    ///
    /// For a short string without escapes, a single comparison of the upper half of its word checks the kind, the flags and the length.
    /// A match counts only if `other` is short, because a longer length has bits in the places of the flags and the kind.
    @inlinable @inline(__always) package func string(at index: Int, equals other: Span<UInt8>) -> Bool {
        unsafe other.withUnsafeBufferPointer { unsafe string(at: index, equals: $0) }
    }

    /// Does the same for a buffer pointer.
    @unsafe
    @inlinable @inline(__always) package func string(at index: Int, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = firstWord(at: index)
        guard word >> 32 == Self.plainString(length: other.count), other.count <= Self.maximumShortLength else {
            return unsafe word >> 56 != 0x50 && unusualString(at: index, equals: other)
        }
        guard let bytes = other.baseAddress else { return true }
        // In bounds: the word is that of a short string with the same number of bytes as `other`.
        return unsafe Bytes.equal(start + Int(truncatingIfNeeded: word & 0xFFFF_FFFF), bytes, count: other.count)
    }

    /// Returns the upper half of the word of a short string without escapes. `length` must be at most `maximumShortLength`; otherwise, the
    /// result can be that of another value.
    @inlinable @inline(__always) static func plainString(length: Int) -> UInt64 { 5 << 28 | UInt64(truncatingIfNeeded: length) }

    /// Does the same for a string with escapes, for a string that is too long for its word, and for the text of a number.
    @unsafe
    @usableFromInline func unusualString(at index: Int, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = firstWord(at: index)
        guard word >> 61 == 2 else { return false }
        if word >> 60 == 5, word & Flag.escaped != 0 {
            guard Self.canDecode(length(of: word, at: index), to: other.count) else { return false }
            var text = unescapedString(at: index)
            return text.withUTF8 { unsafe Bytes.areEqual($0.span, other.span) }
        }
        return withBytes(at: index) { unsafe Bytes.areEqual($0, other.span) }
    }

    /// Does the same for a literal. The compiler reduces it to a comparison of one or two words.
    @inlinable @inline(__always) package func string(at index: Int, equals other: StaticString) -> Bool {
        // In bounds: the literal has this many bytes.
        unsafe string(at: index, equals: UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }

    /// Does the same for a `String`. The overload is disfavored, so that a literal uses the faster one above.
    @_disfavoredOverload
    package func string(at index: Int, equals other: String) -> Bool {
        UTF8Bytes.withBytes(of: other) { string(at: index, equals: $0) }
    }

    /// Returns whether two strings of this tape have the same bytes with their escapes decoded.
    @inlinable @inline(__always) package func string(at first: Int, equalsStringAt second: Int) -> Bool {
        let (word, other) = (firstWord(at: first), firstWord(at: second))
        guard word >> 56 == 0x50, other >> 56 == 0x50 else { return unusualString(at: first, equalsStringAt: second) }
        // Both are short strings without escapes, so the upper halves of their words differ only in the length.
        guard word >> 32 == other >> 32 else { return false }
        // In bounds: both words are those of short strings of that length.
        return unsafe Bytes.equal(
            start + Int(truncatingIfNeeded: word & 0xFFFF_FFFF), start + Int(truncatingIfNeeded: other & 0xFFFF_FFFF),
            count: Int(truncatingIfNeeded: word >> 32 & 0xFF_FFFF))
    }

    @usableFromInline func unusualString(at first: Int, equalsStringAt second: Int) -> Bool {
        let word = firstWord(at: second)
        guard word >> 61 == 2 else { return false }
        guard word >> 60 == 5, word & Flag.escaped != 0 else { return withBytes(at: second) { string(at: first, equals: $0) } }
        let (raw, other) = (length(of: word, at: second), length(at: first))
        guard raw / 6 <= other, isEscaped(first) ? other / 6 <= raw : other <= raw else { return false }
        return string(at: first, equals: unescapedString(at: second))
    }

    /// Whether a string with escapes can have the given number of bytes without them: at most six bytes stand for one. Without this check,
    /// a long string would be decoded for each short one that it is compared with.
    private static func canDecode(_ raw: Int, to count: Int) -> Bool { raw / 6 <= count && count <= raw }

    // MARK: - Hashing

    /// Returns `state` mixed with the bytes of the string at `index`, with its escapes decoded.
    @inlinable @inline(__always)
    package func hash(stringAt index: Int, _ keys: KeyedHash, into state: UInt64) -> UInt64 {
        isEscaped(index) ? Self.hash(unescapedString(at: index), keys, into: state) : withBytes(at: index) { keys.mix($0, into: state) }
    }

    /// Returns `state` mixed with a text in the same way as `hash(stringAt:_:into:)`.
    @usableFromInline package static func hash(_ text: String, _ keys: KeyedHash, into state: UInt64) -> UInt64 {
        UTF8Bytes.withBytes(of: text) { keys.mix($0, into: state) }
    }
}

/// Appends bytes to memory that the caller provides.
///
/// Bounds: the capacity of this memory. Every write checks it.
@safe
struct ByteOutput {
    private let place: UnsafeMutableBufferPointer<UInt8>
    /// The number of bytes written.
    private(set) var count = 0

    @unsafe
    init(_ place: UnsafeMutableBufferPointer<UInt8>) { unsafe self.place = place }

    mutating func append(_ byte: UInt8) {
        precondition(unsafe count < place.count)
        // In bounds: checked.
        unsafe place[count] = byte
        count &+= 1
    }

    /// Copies the bytes from `start` on and decodes escapes of two bytes, up to an escape of another length or one near the end. Returns
    /// where its backslash is, or the number of bytes. There must be room for all bytes from `start` on.
    ///
    /// Thirty-two bytes are copied before they are searched, and there are no branches on where the backslash is, because the processor
    /// cannot foresee it. For runs of thirty bytes, this takes a third of the time.
    @inline(__always)
    mutating func append(unescaped bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(unsafe start >= 0 && start <= bytes.count && bytes.count &- start <= place.count &- count)
        var position = start
        // The escape behind thirty-one bytes is inside the text too, and so is the byte behind thirty-two and one more.
        while position &+ 34 <= bytes.count {
            // In bounds: thirty-two bytes are left, and there is room for them.
            let first = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
            let second = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position &+ 16, as: SIMD16<UInt8>.self)
            unsafe UnsafeMutableRawBufferPointer(place).storeBytes(of: first, toByteOffset: count, as: SIMD16<UInt8>.self)
            unsafe UnsafeMutableRawBufferPointer(place).storeBytes(of: second, toByteOffset: count &+ 16, as: SIMD16<UInt8>.self)
            let firstLength = Bytes.lengthUpToBackslash(first)
            let length = firstLength &+ Bytes.lengthUpToBackslash(second) & (0 &- firstLength &>> 4)
            let isEscape = length < 32 ? 1 : 0
            let escape = bytes[position &+ length &+ 1]
            position &+= length
            count &+= length
            if isEscape != 0, escape == UInt8(ascii: "u") { return position }
            // In bounds: fewer bytes were written than read. Without an escape, the next byte is written over this one.
            unsafe place[count] = Escapes.simple(escape)
            position &+= isEscape &* 2
            count &+= isEscape
        }
        while position < bytes.count, bytes[position] != UInt8(ascii: "\\") {
            append(bytes[position])
            position &+= 1
        }
        return position
    }

    /// The bytes written.
    @unsafe
    var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(rebasing: place[..<count]) }
}

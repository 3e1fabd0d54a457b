// The bytes that the tape points at: lent, compared, hashed, made into strings.

extension TapeView {
    /// Calls `body` with the bytes of the string or number at `index`, as written. Any other value has none.
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

    /// The byte of the text at `offset`; 0 where the text has none.
    @inlinable @inline(__always) package func byte(atOffset offset: Int) -> UInt8 {
        // In bounds: checked.
        UInt(bitPattern: offset) < UInt(truncatingIfNeeded: storedByteCount) ? unsafe start[offset] : 0
    }

    /// The text of the string (or name) at `index`, unescaped; empty for a value of another kind but a number. O(length).
    @inlinable package func string(at index: Int) -> String {
        let word = firstWord(at: index)
        guard word >> 56 == 0x50 else { return unusualString(at: index) }
        // In bounds: the word is that of a short string, whose offset and length the parser checked.
        return unsafe Self.text(
            UnsafeBufferPointer(
                start: start + Int(truncatingIfNeeded: word & 0xFFFF_FFFF), count: Int(truncatingIfNeeded: word >> 32 & 0xFF_FFFF)))
    }

    /// A string of bytes that the parser found to be UTF-8.
    ///
    /// They are not checked again where the system can make a string without: an eighth of the time for 300 bytes beyond ASCII, and the
    /// same time for ASCII.
    @unsafe
    @usableFromInline static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // Every string and name on a tape is checked to be UTF-8 when it is put there, and stays it without its escapes.
            return unsafe String(copying: UTF8Span(unchecked: bytes.span))
        }
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    /// The text of a string with escapes, of one too long for its word, and of a number; empty for any other value.
    @usableFromInline func unusualString(at index: Int) -> String {
        let word = firstWord(at: index)
        guard word >> 61 == 2 else { return "" }
        if word >> 60 == 5, word & Flag.escaped != 0 { return unescapedString(at: index) }
        return withBytes(at: index) { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe Self.text($0) } }
    }

    /// The text of the number at `index`, as written.
    package func numberText(at index: Int) -> String { unusualString(at: index) }

    @usableFromInline func unescapedString(at index: Int) -> String {
        withBytes(at: index) { raw in
            // An escape is never shorter than the UTF-8 it stands for, so the raw length is enough.
            unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { place in
                var output = unsafe ByteOutput(place)
                Escapes.unescape(raw, into: &output)
                return unsafe Self.text(output.bytes)
            }
        }
    }

    // MARK: - Comparing

    /// Whether the unescaped text at `index` is exactly these bytes. Nothing is normalized: composed and decomposed é differ.
    ///
    /// A short string without escapes has kind, flags and length in the upper half of its word, which one comparison covers.
    @inlinable @inline(__always) package func string(at index: Int, equals other: Span<UInt8>) -> Bool {
        unsafe other.withUnsafeBufferPointer { unsafe string(at: index, equals: $0) }
    }

    /// The form with a pointer, for this folder and for callers that have not moved yet.
    @unsafe
    @inlinable @inline(__always) package func string(at index: Int, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = firstWord(at: index)
        guard word >> 32 == Self.plainString(length: other.count) else {
            return unsafe word >> 56 != 0x50 && unusualString(at: index, equals: other)
        }
        guard let bytes = other.baseAddress else { return true }
        // In bounds: the word is that of a short string of as many bytes as `other` has.
        return unsafe Bytes.equal(start + Int(truncatingIfNeeded: word & 0xFFFF_FFFF), bytes, count: other.count)
    }

    /// The upper half of the word of a short string without escapes.
    @inlinable @inline(__always) static func plainString(length: Int) -> UInt64 { 5 << 28 | UInt64(truncatingIfNeeded: length) }

    /// The same for a string with escapes, one too long for its word, and for a number's text.
    @unsafe
    @usableFromInline func unusualString(at index: Int, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = firstWord(at: index)
        guard word >> 61 == 2 else { return false }
        if word >> 60 == 5, word & Flag.escaped != 0 {
            var text = unescapedString(at: index)
            return text.withUTF8 { unsafe Bytes.areEqual($0.span, other.span) }
        }
        return withBytes(at: index) { unsafe Bytes.areEqual($0, other.span) }
    }

    /// The same for a literal: the comparison is compiled to that of one or two words.
    @inlinable @inline(__always) package func string(at index: Int, equals other: StaticString) -> Bool {
        // In bounds: the literal has so many bytes.
        unsafe string(at: index, equals: UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }

    /// Disfavored, so that a literal means the quicker one above.
    @_disfavoredOverload
    package func string(at index: Int, equals other: String) -> Bool {
        UTF8Bytes.withBytes(of: other) { string(at: index, equals: $0) }
    }

    /// Whether two strings of this tape have the same unescaped bytes.
    @inlinable @inline(__always) package func string(at first: Int, equalsStringAt second: Int) -> Bool {
        let (word, other) = (firstWord(at: first), firstWord(at: second))
        guard word >> 56 == 0x50, other >> 56 == 0x50 else { return unusualString(at: first, equalsStringAt: second) }
        // Two short strings without escapes; the upper halves differ in the length alone.
        guard word >> 32 == other >> 32 else { return false }
        // In bounds: both words are those of short strings of that length.
        return unsafe Bytes.equal(
            start + Int(truncatingIfNeeded: word & 0xFFFF_FFFF), start + Int(truncatingIfNeeded: other & 0xFFFF_FFFF),
            count: Int(truncatingIfNeeded: word >> 32 & 0xFF_FFFF))
    }

    @usableFromInline func unusualString(at first: Int, equalsStringAt second: Int) -> Bool {
        let word = firstWord(at: second)
        guard word >> 61 == 2 else { return false }
        if word >> 60 == 5, word & Flag.escaped != 0 { return string(at: first, equals: unescapedString(at: second)) }
        return withBytes(at: second) { string(at: first, equals: $0) }
    }

    // MARK: - Hashing

    /// Feeds the unescaped bytes of the string at `index` to the hasher, and their number.
    @inlinable package func hash(stringAt index: Int, into hasher: inout Hasher) {
        if isEscaped(index) {
            Self.hash(unescapedString(at: index), into: &hasher)
        } else {
            withBytes(at: index) { Bytes.hash($0, into: &hasher) }
        }
    }

    /// Feeds a text of the caller's to the hasher as `hash(stringAt:into:)` would.
    @usableFromInline package static func hash(_ text: String, into hasher: inout Hasher) {
        UTF8Bytes.withBytes(of: text) { Bytes.hash($0, into: &hasher) }
    }

    /// Mixes the unescaped bytes of the string at `index` into `state`.
    @inlinable @inline(__always)
    package func hash(stringAt index: Int, _ keys: KeyedHash, into state: UInt64) -> UInt64 {
        isEscaped(index) ? Self.hash(unescapedString(at: index), keys, into: state) : withBytes(at: index) { keys.mix($0, into: state) }
    }

    /// Mixes a text of the caller's into `state` as `hash(stringAt:_:into:)` would.
    @usableFromInline package static func hash(_ text: String, _ keys: KeyedHash, into state: UInt64) -> UInt64 {
        UTF8Bytes.withBytes(of: text) { keys.mix($0, into: state) }
    }
}

/// Bytes that are written one behind the other into memory of the caller's.
///
/// Bounds: the capacity of that memory, which every write checks.
@safe
struct ByteOutput {
    private let place: UnsafeMutableBufferPointer<UInt8>
    /// Number of bytes written.
    private(set) var count = 0

    @unsafe
    init(_ place: UnsafeMutableBufferPointer<UInt8>) { unsafe self.place = place }

    mutating func append(_ byte: UInt8) {
        precondition(unsafe count < place.count)
        // In bounds: checked.
        unsafe place[count] = byte
        count &+= 1
    }

    /// Copies the bytes from `start` up to the next backslash. Returns where that is, or the number of bytes. There must be room for all
    /// bytes from `start` on.
    ///
    /// Thirty-two bytes are copied before they are searched: half the time of a search and a copy for runs of fifty bytes.
    @inline(__always)
    mutating func append(upToBackslash bytes: Span<UInt8>, from start: Int) -> Int {
        precondition(unsafe start >= 0 && start <= bytes.count && bytes.count &- start <= place.count &- count)
        var position = start
        while position &+ 32 <= bytes.count {
            // In bounds: thirty-two bytes are left, and there is room for them.
            let first = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
            let second = unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position &+ 16, as: SIMD16<UInt8>.self)
            unsafe UnsafeMutableRawBufferPointer(place).storeBytes(of: first, toByteOffset: count, as: SIMD16<UInt8>.self)
            unsafe UnsafeMutableRawBufferPointer(place).storeBytes(of: second, toByteOffset: count &+ 16, as: SIMD16<UInt8>.self)
            let firstLength = Bytes.lengthUpToBackslash(first)
            let length = firstLength < 16 ? firstLength : 16 &+ Bytes.lengthUpToBackslash(second)
            position &+= length
            count &+= length
            if length < 32 { return position }
        }
        while position < bytes.count, bytes[position] != UInt8(ascii: "\\") {
            append(bytes[position])
            position &+= 1
        }
        return position
    }

    /// What was written.
    @unsafe
    var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(rebasing: place[..<count]) }
}

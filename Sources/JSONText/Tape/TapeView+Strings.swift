// Strings on the tape: made into `String`s, compared and hashed where they lie.

extension TapeView {
    /// The text of the string (or name) at `index`, unescaped. O(length).
    @inlinable package func string(at index: Int) -> String {
        let word = words[index]
        guard word >> 56 == 0x40 else { return unusualString(at: index) }
        let start = bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
        let count = Int(truncatingIfNeeded: word >> 32 & 0xFF_FFFF)
        return Self.text(UnsafeBufferPointer(start: start, count: count))
    }

    /// A string of bytes that the parser found to be UTF-8. They are not looked at again where the system can make one without,
    /// which takes an eighth of the time for 300 bytes beyond ASCII, and the same for ASCII.
    @usableFromInline package static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            // SAFETY: every string and name on a tape is checked to be UTF-8 when it is put there.
            return String(copying: UTF8Span(unchecked: bytes.span))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same for a string with escapes, one too long for its word, and for a number's text; empty for a container.
    @usableFromInline package func unusualString(at index: Int) -> String {
        if isContainer(index) { return "" }
        return isEscaped(index) ? unescapedString(at: index) : Self.text(rawBytes(at: index))
    }

    /// The text of the number at `index`, as written.
    package func numberText(at index: Int) -> String {
        String(decoding: rawBytes(at: index), as: UTF8.self)
    }

    @usableFromInline package func unescapedString(at index: Int) -> String {
        let raw = rawBytes(at: index)
        // An escape is never shorter than the UTF-8 it stands for, so the raw length is enough.
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { output in
            Self.text(UnsafeBufferPointer(rebasing: output[..<Escapes.unescape(raw, into: output)]))
        }
    }

    /// Whether the unescaped text at `index` is exactly these bytes. No normalization: composed and decomposed é differ.
    ///
    /// A short string without escapes has kind, flags and length in the upper half of its word, where one comparison tells.
    @inlinable @inline(__always) package func string(at index: Int, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        let word = words[index]
        guard word >> 32 == Self.plainString(length: other.count) else {
            return word >> 56 != 0x40 && unusualString(at: index, equals: other)
        }
        guard let start = other.baseAddress else { return true }
        return Bytes.equal(bytes + Int(truncatingIfNeeded: word & 0xFFFF_FFFF), start, count: other.count)
    }

    /// The upper half of the word of a short string without escapes.
    @inlinable @inline(__always) static func plainString(length: Int) -> UInt64 { 4 << 28 | UInt64(truncatingIfNeeded: length) }

    /// The same for a string with escapes, one too long for its word, and for a number's text.
    @usableFromInline package func unusualString(at index: Int, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        if isContainer(index) { return false }
        if isEscaped(index) { return unescapedString(at: index, equals: other) }
        let count = length(at: index)
        guard count == other.count else { return false }
        guard count > 0, let start = other.baseAddress else { return true }
        return Bytes.equal(bytes + offset(at: index), start, count: count)
    }

    @usableFromInline package func unescapedString(at index: Int, equals other: UnsafeBufferPointer<UInt8>) -> Bool {
        var text = unescapedString(at: index)
        return text.withUTF8 { mine in
            guard mine.count == other.count else { return false }
            guard let a = mine.baseAddress, let b = other.baseAddress else { return true }
            return Bytes.equal(a, b, count: mine.count)
        }
    }

    /// With a literal the comparison is compiled to that of one or two words.
    @inlinable @inline(__always) package func string(at index: Int, equals other: StaticString) -> Bool {
        string(at: index, equals: UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
    }

    /// Disfavored, so that a literal means the quicker one above.
    @_disfavoredOverload
    package func string(at index: Int, equals other: String) -> Bool {
        var other = other
        return other.withUTF8 { string(at: index, equals: $0) }
    }

    /// Whether two strings of this tape have the same unescaped bytes.
    @inlinable @inline(__always) package func string(at first: Int, equalsStringAt second: Int) -> Bool {
        // Kind, flags and length of two short strings without escapes.
        let word = words[first]
        if word >> 56 == 0x40, words[second] >> 32 == word >> 32 {
            return Bytes.equal(
                bytes + offset(at: first), bytes + offset(at: second), count: Int(truncatingIfNeeded: word >> 32 & 0xFF_FFFF))
        }
        return unusualString(at: first, equalsStringAt: second)
    }

    @usableFromInline package func unusualString(at first: Int, equalsStringAt second: Int) -> Bool {
        if isContainer(second) { return false }
        if isEscaped(second) {
            var text = unescapedString(at: second)
            return text.withUTF8 { string(at: first, equals: $0) }
        }
        return string(at: first, equals: rawBytes(at: second))
    }

    /// Feeds the unescaped bytes of the string at `index` to the hasher, and their number.
    @inlinable package func hash(stringAt index: Int, into hasher: inout Hasher) {
        if isEscaped(index) {
            Self.hash(unescapedString(at: index), into: &hasher)
        } else {
            Bytes.hash(rawBytes(at: index), into: &hasher)
        }
    }

    /// Feeds a text of the caller's to the hasher as `hash(stringAt:into:)` would.
    @usableFromInline package static func hash(_ text: String, into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { Bytes.hash($0, into: &hasher) }
    }
}

/// Comparison and hashing of bytes, eight at a time.
@usableFromInline package enum Bytes {
    /// Feeds the bytes to the hasher as words, and their number: half the cost of `combine(bytes:)` for ids.
    @inlinable package static func hash(_ bytes: UnsafeBufferPointer<UInt8>, into hasher: inout Hasher) {
        let text = UnsafeRawBufferPointer(bytes)
        var position = 0
        while position + 8 <= text.count {
            hasher.combine(text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position += 8
        }
        // What is left, at most seven bytes, and the number of all in the highest byte.
        var last: UInt64 = 0
        while position < text.count {
            last = last << 8 | UInt64(text[position])
            position += 1
        }
        hasher.combine(last | UInt64(truncatingIfNeeded: text.count) << 56)
        if text.count > 255 { hasher.combine(text.count) }
    }

    /// Both pointers must have `count` readable bytes; both callers take them from buffers of that count.
    @inlinable @inline(__always) package static func equal(_ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, count: Int) -> Bool {
        let a = UnsafeRawPointer(a)
        let b = UnsafeRawPointer(b)
        if count >= 8 {
            var i = 0
            while i &+ 8 <= count {
                if a.loadUnaligned(fromByteOffset: i, as: UInt64.self) != b.loadUnaligned(fromByteOffset: i, as: UInt64.self) {
                    return false
                }
                i &+= 8
            }
            // The last eight bytes, some of them a second time: shorter than a loop over the rest.
            return a.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
                == b.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        }
        if count >= 4 {
            return a.loadUnaligned(as: UInt32.self) == b.loadUnaligned(as: UInt32.self)
                && a.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
                    == b.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
        }
        if count >= 2 {
            return a.loadUnaligned(as: UInt16.self) == b.loadUnaligned(as: UInt16.self)
                && a.load(fromByteOffset: count - 1, as: UInt8.self) == b.load(fromByteOffset: count - 1, as: UInt8.self)
        }
        return count <= 0 || a.load(as: UInt8.self) == b.load(as: UInt8.self)
    }
}

/// Escapes inside strings that the parser has already accepted.
enum Escapes {
    /// Writes the text that `raw` stands for and answers its length in bytes. `output` has room for `raw.count` bytes.
    static func unescape(_ raw: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var read = 0
        var written = 0
        while read < raw.count {
            let run = lengthOfRun(raw, from: read)
            if run > 0 {
                _ = UnsafeMutableBufferPointer(rebasing: output[written..<written + run])
                    .update(fromContentsOf: UnsafeBufferPointer(rebasing: raw[read..<read + run]))
                read += run
                written += run
                continue
            }
            let escape = raw[read + 1]
            read += 2
            if escape == UInt8(ascii: "u") {
                var scalar = hexadecimal(raw, at: read)
                read += 4
                if scalar & 0xFC00 == 0xD800 {
                    let low = hexadecimal(raw, at: read + 2)
                    scalar = 0x10000 + ((scalar & 0x3FF) << 10) + (low & 0x3FF)
                    read += 6
                }
                written += encode(scalar, into: output, at: written)
            } else {
                output[written] = simple(escape)
                written += 1
            }
        }
        return written
    }

    /// Bytes from `start` up to the next backslash or the end, found sixteen at a time.
    @inline(__always)
    private static func lengthOfRun(_ raw: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard let base = raw.baseAddress else { return 0 }
        let text = UnsafeRawPointer(base)
        var position = start
        // In bounds: sixteen bytes are left.
        while position &+ 16 <= raw.count {
            let chunk = text.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self) ^ SIMD16(repeating: 0x5C)
            // The highest bit of a lane is set only where a backslash has become zero.
            let marks = (chunk &- SIMD16(repeating: 1)) & ~chunk & SIMD16(repeating: 0x80)
            let words = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
            let low = UInt64(littleEndian: words[0])
            if low != 0 { return position &- start &+ low.trailingZeroBitCount >> 3 }
            let high = UInt64(littleEndian: words[1])
            if high != 0 { return position &- start &+ 8 &+ high.trailingZeroBitCount >> 3 }
            position &+= 16
        }
        while position < raw.count, raw[position] != UInt8(ascii: "\\") { position += 1 }
        return position - start
    }

    private static func simple(_ escape: UInt8) -> UInt8 {
        switch escape {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: escape
        }
    }

    /// The number that four hexadecimal digits stand for.
    ///
    /// All four at once: a digit's value is in its lower half, 9 less for a letter, whose bit 6 is set. A quarter of the time that a
    /// look at each digit takes.
    @inline(__always)
    private static func hexadecimal(_ raw: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32 {
        guard start >= 0, start &+ 4 <= raw.count, let base = raw.baseAddress else { return 0 }
        let digits = UInt32(bigEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: start, as: UInt32.self))
        let values = (digits & 0x0F0F_0F0F) &+ (digits >> 6 & 0x0101_0101) &* 9
        let pairs = (values >> 4 | values) & 0x00FF_00FF
        return (pairs >> 8 | pairs) & 0xFFFF
    }

    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func encode(_ scalar: UInt32, into output: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (scalar >> shift) & 0x3F) }
        switch scalar {
        case ..<0x80:
            output[start] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case ..<0x800:
            output[start] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
            output[start + 1] = continuation(0)
            return 2
        case ..<0x10000:
            output[start] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
            output[start + 1] = continuation(6)
            output[start + 2] = continuation(0)
            return 3
        default:
            output[start] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
            output[start + 1] = continuation(12)
            output[start + 2] = continuation(6)
            output[start + 3] = continuation(0)
            return 4
        }
    }
}

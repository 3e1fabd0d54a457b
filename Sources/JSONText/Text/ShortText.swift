/// A text of at most fifteen bytes as two words, taken from a string that holds its bytes in itself: most ids and many names.
///
/// Such a text is hashed, compared and written in registers, and its string is neither copied nor counted. By a pointer to its bytes
/// the string would first be put into memory and read from there again. With ids kept so, encoding a compound document took 6 % fewer
/// instructions.
@usableFromInline
package struct ShortText: Equatable, Sendable {
    /// Bytes that have to be free where it is written between quotes.
    static let room = 18

    /// The first eight bytes, the first one lowest; 0 behind the end.
    @usableFromInline let low: UInt64
    /// The other seven; the highest byte is 0.
    @usableFromInline let high: UInt64
    /// The number of bytes.
    @usableFromInline package let count: Int

    @inlinable
    init(low: UInt64, high: UInt64, count: Int) {
        self.low = low
        self.high = high
        self.count = count
    }

    /// The bytes of that text; nil for a text that keeps its bytes elsewhere, even a short one.
    @inlinable
    @inline(__always)
    package init?(inside text: String) { self.init(bits: StringBits(text)) }

    /// The same for a text that may be none.
    @inlinable
    @inline(__always)
    package init?(inside text: String?) { self.init(bits: StringBits(text)) }

    @inlinable
    @inline(__always)
    package init?(bits: StringBits) {
        // The last byte says that the text is inside, and in its lower half how long it is.
        guard bits.second & 0x2000_0000_0000_0000 != 0, Self.isLayoutKnown else { return nil }
        self.init(low: bits.first, high: bits.second & 0x00FF_FFFF_FFFF_FFFF, count: Int(bits.second >> 56 & 0xF))
    }

    /// No bytes.
    package static let empty = ShortText(low: 0, high: 0, count: 0)

    /// The text as a string.
    package var string: String {
        withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { String(decoding: $0.prefix(count), as: UTF8.self) }
    }

    /// The bytes of a text, wherever it keeps them; nil for more than fifteen.
    package init?(_ text: String) {
        if let short = ShortText(inside: text) {
            self = short
        } else {
            var text = text
            guard let short = text.withUTF8({ ShortText($0) }) else { return nil }
            self = short
        }
    }

    /// The same of bytes.
    @inline(never)
    package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count < 16 else { return nil }
        var words: (low: UInt64, high: UInt64) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            if index < 8 { words.low |= UInt64(byte) << (8 * index) } else { words.high |= UInt64(byte) << (8 * (index - 8)) }
        }
        self.init(low: words.low, high: words.high, count: bytes.count)
    }

    /// Whether strings of this system look as `init(bits:)` believes: as the standard library's inlined code has them on 64-bit
    /// systems. Elsewhere, and as long as nobody has looked, no text counts as being inside, and everything goes by bytes.
    ///
    /// `nonisolated(unsafe)`: set once, by whoever first makes a `JSONOutput`; a constant would be asked for by a call each time, and
    /// so would a variable that is checked for exclusive access.
    @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) static var isLayoutKnown = false

    /// Looks at the strings of this system.
    static let learnLayout: Void = {
        let samples = ["", "7", "12345678", "é", "a-text-of-15-by"]
        isLayoutKnown =
            samples.allSatisfy { sample in
                var copy = sample
                let expected = copy.withUTF8 { ShortText($0) }
                let bits = StringBits(sample)
                return bits.first == expected?.low && bits.second & 0x00FF_FFFF_FFFF_FFFF == expected?.high
                    && bits.second >> 56 & 0x2F == 0x20 | UInt64(sample.utf8.count)
            } && StringBits("a text of 16 byt").second & 0x2000_0000_0000_0000 == 0 && StringBits(nil).second == 0
    }()
}

/// What stands in memory for a string, as two words: the same words are the same string as long as it lives. Different words say
/// nothing.
@usableFromInline
package struct StringBits: Equatable, Sendable {
    @usableFromInline package let first: UInt64
    @usableFromInline package let second: UInt64

    @inlinable
    package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    @inlinable
    @inline(__always)
    package init(_ text: String) { self = withUnsafeBytes(of: text) { StringBits($0) } }

    @inlinable
    @inline(__always)
    package init(_ text: String?) { self = withUnsafeBytes(of: text) { StringBits($0) } }

    /// SAFETY: sixteen bytes are read only where a string has as many, where addresses have 64 bits.
    @inlinable
    @inline(__always)
    init(_ memory: UnsafeRawBufferPointer) {
        guard memory.count == 16 else {
            self.init(first: 0, second: 0)
            return
        }
        self.init(
            first: memory.loadUnaligned(as: UInt64.self).littleEndian,
            second: memory.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian)
    }
}

/// A hash of bytes with secret keys, for tables of texts that come from outside.
///
/// Sixteen bytes at a time are mixed with the keys and multiplied to twice their width, and both halves of the product are
/// folded together. The keys are drawn once per process: who does not know them can hardly choose texts that collide. About 25
/// instructions for an id of up to sixteen bytes, where the standard library's hasher takes 250, which made 5 % of decoding a
/// compound document.
@usableFromInline package struct KeyedHash: Sendable {
    @usableFromInline package let first: UInt64
    @usableFromInline package let second: UInt64

    @inlinable package init(first: UInt64, second: UInt64) {
        self.first = first
        self.second = second
    }

    /// With the keys of this process.
    @usableFromInline package static let shared = KeyedHash(first: .random(in: .min ... .max), second: .random(in: .min ... .max) | 1)

    /// Mixes the bytes, and their number, into `state`.
    @inlinable @inline(__always)
    package func mix(_ bytes: Span<UInt8>, into state: UInt64) -> UInt64 {
        let count = bytes.count
        guard count > 0 else { return fold(first, state ^ second) }
        let text = unsafe bytes.bytes
        var state = state
        var position = 0
        // In bounds: sixteen bytes, and one more, are left.
        while position &+ 16 < count {
            let low = unsafe text.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
            let high = unsafe text.unsafeLoadUnaligned(fromByteOffset: position &+ 8, as: UInt64.self)
            // Both factors are secret: a factor that is known, such as one byte again and again, lets bytes of the other change places.
            state = fold(low ^ first, high ^ state ^ second)
            position &+= 16
        }
        let (low, high) = Self.last(text, from: position)
        // The number of bytes tells apart what has the same two words; added before the product it would cancel out.
        return fold(low ^ first, high ^ state ^ second) &+ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15
    }

    /// The bytes from `start` on, at most sixteen, as two words, some bytes in both.
    @inlinable @inline(__always)
    static func last(_ text: RawSpan, from start: Int) -> (UInt64, UInt64) {
        let count = text.byteCount &- start
        // In bounds, everywhere below: offsets and widths are chosen by the number of bytes.
        if count >= 8 {
            return unsafe (
                text.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self),
                text.unsafeLoadUnaligned(fromByteOffset: start &+ count &- 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return unsafe (
                UInt64(text.unsafeLoadUnaligned(fromByteOffset: start, as: UInt32.self)),
                UInt64(text.unsafeLoadUnaligned(fromByteOffset: start &+ count &- 4, as: UInt32.self))
            )
        }
        if count > 0 {
            let begin = unsafe text.unsafeLoad(fromByteOffset: start, as: UInt8.self)
            let middle = unsafe text.unsafeLoad(fromByteOffset: start &+ (count >> 1), as: UInt8.self)
            let end = unsafe text.unsafeLoad(fromByteOffset: start &+ count &- 1, as: UInt8.self)
            return (UInt64(begin), UInt64(middle) << 8 | UInt64(end))
        }
        return (0, 0)
    }

    @inlinable @inline(__always)
    func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}

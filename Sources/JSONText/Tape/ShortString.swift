/// Strings of up to fifteen bytes, made from bytes that are known to be UTF-8.
///
/// The standard library keeps so short a text in the two words of the string itself, but offers no way to make one without a call
/// that checks the bytes again: 110 instructions where 25 do, for what are most of the strings of a document. Their form is part of
/// the platforms' binary interface where there is one. It is looked at once in each process, and where it is another one, strings
/// are made in the ordinary way.
@usableFromInline package enum ShortString {
    /// The most bytes.
    @usableFromInline package static let limit = 15

    /// The string with these bytes, at most `limit`, which have to be valid UTF-8.
    @usableFromInline package static func make(_ bytes: UnsafePointer<UInt8>, count: Int) -> String {
        #if _pointerBitWidth(_64)
            if hasKnownForm { return unsafeBitCast(words(bytes, count), to: String.self) }
        #endif
        return ordinary(bytes, count)
    }

    private static func ordinary(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> String {
        String(unsafeUninitializedCapacity: limit) { output in
            output.baseAddress?.initialize(from: bytes, count: count)
            return count
        }
    }

    #if _pointerBitWidth(_64)
        /// The bytes from the lowest to the highest; in the last one a mark for ASCII, or other text, and the number of bytes.
        @inline(__always)
        private static func words(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
            let text = UnsafeRawPointer(bytes)
            var low: UInt64 = 0
            var high: UInt64 = 0
            if count >= 8 {
                low = text.loadUnaligned(as: UInt64.self)
                // The last eight bytes, of which those that are in the first word are shifted out; none for a text of eight.
                high = text.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self) >> UInt64(truncatingIfNeeded: (16 &- count) &* 8)
            } else if count >= 4 {
                let end = UInt64(text.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
                low = UInt64(text.loadUnaligned(as: UInt32.self)) | end << UInt64(truncatingIfNeeded: (count &- 4) &* 8)
            } else {
                for place in 0..<count {
                    low |= UInt64(text.load(fromByteOffset: place, as: UInt8.self)) << UInt64(truncatingIfNeeded: place &* 8)
                }
            }
            let isASCII = (low | high) & 0x8080_8080_8080_8080 == 0
            return (low, high | UInt64(truncatingIfNeeded: (isASCII ? 0xE0 : 0xA0) | count) << 56)
        }

        /// Whether strings of every length, of ASCII and of other text, are made of the words that they are expected to be made of.
        private static let hasKnownForm: Bool = {
            guard MemoryLayout<String>.size == 16 else { return false }
            let letters = Array("abcdefghijklmno".utf8)
            for count in 1...limit {
                guard isKnown(Array(letters.prefix(count))) else { return false }
                guard count == 1 || isKnown([0xC3, 0xA9] + letters.prefix(count - 2)) else { return false }
            }
            return true
        }()

        private static func isKnown(_ text: [UInt8]) -> Bool {
            text.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return false }
                return words(start, text.count) == unsafeBitCast(ordinary(start, text.count), to: (UInt64, UInt64).self)
            }
        }
    #endif
}

import Foundation

extension UUID {
    /// Creates a UUID from its 36 characters. Foundation also reads longer texts whose rest follows a NUL.
    package init?(text: String) { self.init(text: Array(text.utf8).span) }

    /// Creates a UUID from the bytes of its 36 characters, 8-4-4-4-12 hexadecimal digits.
    package init?(text: Span<UInt8>) {
        guard text.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        for index in 0..<36 {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard text[index] == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.digit(text[index]) else { return nil }
            // The first three groups have 16 digits.
            if index < 18 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
        }
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        let (a, b) = words
        self.init(
            uuid: (
                byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5), byte(a, 6), byte(a, 7),
                byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3), byte(b, 4), byte(b, 5), byte(b, 6), byte(b, 7)
            ))
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt64? {
        if byte &- 0x30 <= 9 { return UInt64(byte &- 0x30) }
        let letter = (byte | 0x20) &- 0x61
        return letter <= 5 ? UInt64(letter) + 10 : nil
    }
}

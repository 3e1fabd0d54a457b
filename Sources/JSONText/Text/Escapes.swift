/// Writes escapes, and decodes those in strings that the parser has accepted.
package enum Escapes {
    // MARK: - Writing

    /// Returns the escape of a byte, whose first character is in the lowest byte of the word, and its length: two or six bytes.
    @inline(__always)
    static func escape(_ byte: UInt8) -> (word: UInt64, length: Int) {
        let letter = letter(for: byte)
        return letter != 0 ? (0x5C | UInt64(letter) << 8, 2) : (unicode(byte), 6)
    }

    /// Returns the character behind the backslash, or 0 for a control character that has no escape of two bytes.
    ///
    /// A table in a number, with b, t, n, f and r for the control characters from 8 on, and no branches, because the processor cannot
    /// foresee them. The byte must be ASCII.
    @inline(__always)
    private static func letter(for byte: UInt8) -> UInt8 {
        let table: UInt64 = 0x62 | 0x74 << 8 | 0x6E << 16 | 0x66 << 32 | 0x72 << 40
        // The shift is too wide for any control character but 8 to 15, and gives 0.
        let control = UInt8(truncatingIfNeeded: table >> (UInt64(byte ^ 8) << 3))
        // All bits for a control character, and none for another one.
        let isControl = 0 &- (byte &- 0x20) &>> 7
        return byte & ~isControl | control & isControl
    }

    /// Returns `\\u00` and the two hexadecimal digits of a control character.
    private static func unicode(_ byte: UInt8) -> UInt64 {
        let low = byte & 0xF
        return 0x3030_755C | UInt64(0x30 + byte >> 4) << 32 | UInt64(low < 10 ? 0x30 + low : 0x57 + low) << 40
    }

    // MARK: - Decoding

    /// Writes the text of `raw` with its escapes decoded. `output` must have room for the number of bytes in `raw`.
    static func unescape(_ raw: Span<UInt8>, into output: inout ByteOutput) {
        let count = raw.count
        var read = 0
        while true {
            let backslash = output.append(unescaped: raw, from: read)
            // The parser leaves no backslash at the end.
            guard backslash &+ 1 < count else { return }
            let escape = raw[backslash &+ 1]
            read = backslash &+ 2
            if escape == UInt8(ascii: "u") {
                var scalar = hexadecimal(raw, at: read)
                read &+= 4
                if scalar & 0xFC00 == 0xD800 {
                    let low = hexadecimal(raw, at: read &+ 2)
                    scalar = 0x10000 + ((scalar & 0x3FF) << 10) + (low & 0x3FF)
                    read &+= 6
                }
                encode(scalar, into: &output)
            } else {
                output.append(simple(escape))
            }
        }
    }

    /// Returns whether a backslash and this byte are an escape of two bytes.
    ///
    /// A table in two numbers instead of branches, which the processor cannot foresee.
    @inline(__always)
    static func isSimple(_ escape: UInt8) -> Bool {
        let marks: UInt64 = 1 << 0x22 | 1 << 0x2F
        let letters: UInt64 = 1 << 0x1C | 1 << 0x22 | 1 << 0x26 | 1 << 0x2E | 1 << 0x32 | 1 << 0x34
        return escape < 0x80 && (escape < 0x40 ? marks : letters) &>> UInt64(escape & 0x3F) & 1 != 0
    }

    /// The byte that `\b`, `\f`, `\n`, `\r`, `\t` or another escape of two bytes stands for.
    ///
    /// A table in a number instead of branches, which the processor cannot foresee. The letters differ in bits 1 to 4; four bits of the
    /// table for each hold what it stands for.
    @inline(__always)
    static func simple(_ escape: UInt8) -> UInt8 {
        let table: UInt64 = 0x8 << 4 | 0xC << 12 | 0xA << 28 | 0xD << 36 | 0x9 << 40
        let control = UInt8(truncatingIfNeeded: table &>> (UInt64(escape >> 1 & 0xF) << 2) & 0xF)
        return escape < UInt8(ascii: "a") ? escape : control
    }

    /// Returns the value of four hexadecimal digits, or 0 if there are fewer than four bytes.
    ///
    /// All four digits are converted at the same time. The low four bits of a byte are the value of a digit. For a letter, bit 6 is set and
    /// 9 is added. This takes a quarter of the time of converting one digit at a time.
    @inline(__always)
    private static func hexadecimal(_ raw: Span<UInt8>, at start: Int) -> UInt32 {
        guard start >= 0, start <= raw.count &- 4 else { return 0 }
        let high = UInt32(raw[start]) << 24 | UInt32(raw[start &+ 1]) << 16
        let digits = high | UInt32(raw[start &+ 2]) << 8 | UInt32(raw[start &+ 3])
        let values = (digits & 0x0F0F_0F0F) &+ (digits >> 6 & 0x0101_0101) &* 9
        let pairs = (values >> 4 | values) & 0x00FF_00FF
        return (pairs >> 8 | pairs) & 0xFFFF
    }

    /// Returns the value of a hexadecimal digit, or nil for another byte.
    package static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func encode(_ scalar: UInt32, into output: inout ByteOutput) {
        func continuation(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (scalar >> shift) & 0x3F) }
        switch scalar {
        case ..<0x80:
            output.append(UInt8(truncatingIfNeeded: scalar))
        case ..<0x800:
            output.append(UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6))
            output.append(continuation(0))
        case ..<0x10000:
            output.append(UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12))
            output.append(continuation(6))
            output.append(continuation(0))
        default:
            output.append(UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18))
            output.append(continuation(12))
            output.append(continuation(6))
            output.append(continuation(0))
        }
    }
}

/// The well-formed byte sequences of UTF-8 (The Unicode Standard, table 3-7).
enum UTF8Sequence {
    /// Returns the length of the sequence of two to four bytes at `start`, or nil if it is invalid or incomplete.
    @inline(__always)
    static func length(at start: Int, in text: TextBytes) -> Int? {
        // After the end, `byteOrZero` returns 0, which is not a continuation byte.
        func isContinuation(_ offset: Int) -> Bool { text.byteOrZero(at: offset) & 0xC0 == 0x80 }
        let lead = text.byteOrZero(at: start)
        guard isContinuation(start + 1) else { return nil }
        let second = text.byteOrZero(at: start + 1)
        switch lead {
        case 0xC2...0xDF:
            return 2
        case 0xE0...0xEF:
            // Overlong forms and surrogates are invalid.
            if lead == 0xE0 && second < 0xA0 || lead == 0xED && second > 0x9F { return nil }
            return isContinuation(start + 2) ? 3 : nil
        case 0xF0...0xF4:
            // Overlong forms and values above U+10FFFF are invalid.
            if lead == 0xF0 && second < 0x90 || lead == 0xF4 && second > 0x8F { return nil }
            return isContinuation(start + 2) && isContinuation(start + 3) ? 4 : nil
        default:
            return nil
        }
    }

    /// Returns whether the text ends inside the sequence at `start`, so that more bytes could make it well-formed.
    static func isCut(at start: Int, in text: TextBytes) -> Bool {
        let lead = text.byteOrZero(at: start)
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        let present = text.count - start
        guard (0xC2...0xF4).contains(lead), present < length else { return false }
        let isSecondLegal = present < 2 || secondBytes(after: lead).contains(text.byteOrZero(at: start + 1))
        return isSecondLegal && (present < 3 || text.byteOrZero(at: start + 2) & 0xC0 == 0x80)
    }

    /// The bytes that can follow a first byte. They exclude overlong forms, surrogates, and values above U+10FFFF.
    private static func secondBytes(after lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }
}

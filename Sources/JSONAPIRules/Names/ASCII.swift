extension UInt8 {
    /// Whether the byte is `a` to `z` or `A` to `Z` in ASCII.
    package var isASCIILetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }

    /// Whether the byte is `0` to `9` in ASCII.
    package var isASCIIDigit: Bool { self &- UInt8(ascii: "0") < 10 }

    /// Whether the byte is a letter or a digit in ASCII.
    package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
}

/// Reads the value of a header, byte by byte.
struct HeaderScanner {
    let bytes: [UInt8]
    var position = 0

    /// Creates a scanner after the white space at the beginning.
    init(_ text: String) {
        bytes = Array(text.utf8)
        skipSpace()
    }

    /// The next byte; nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Reads the given byte, if it is the next one.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Reads all bytes up to the first one that is not a part of the text.
    mutating func text(while isPart: (UInt8) -> Bool) -> String {
        let start = position
        while let next, isPart(next) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    mutating func skipSpace() {
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }
}

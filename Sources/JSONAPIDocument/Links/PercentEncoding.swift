import JSONAPIRules
import JSONText

/// Percent-encoding of bytes in URIs.
///
/// <https://www.rfc-editor.org/rfc/rfc3986#section-2>
package enum PercentEncoding {
    /// Appends `%` and two hexadecimal digits.
    package static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 0xF))
    }

    /// Appends a text, and percent-encodes all bytes except unreserved characters.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            if isUnreserved(byte) { bytes.append(byte) } else { append(byte, to: &bytes) }
        }
    }

    /// <https://www.rfc-editor.org/rfc/rfc3986#section-2.3>
    package static func isUnreserved(_ byte: UInt8) -> Bool { byte.isASCIILetterOrDigit || "-._~".utf8.contains(byte) }

    /// Whether two hexadecimal digits follow the `%` at `offset`.
    package static func isTriplet(_ bytes: [UInt8], at offset: Int) -> Bool {
        byte(in: bytes[...], at: offset) != nil
    }

    /// Returns the byte that the `%` at `offset` and two hexadecimal digits stand for; nil when these digits do not follow.
    static func byte(in bytes: ArraySlice<UInt8>, at offset: Int) -> UInt8? {
        guard offset + 2 < bytes.endIndex, let high = Escapes.hexadecimalDigit(bytes[offset + 1]),
            let low = Escapes.hexadecimalDigit(bytes[offset + 2])
        else { return nil }
        return high << 4 | low
    }

    /// Returns a text with the bytes in place of the triplets. A percent sign without two hexadecimal digits stands for itself.
    static func decoded(_ text: some Sequence<UInt8>) -> String {
        let bytes = Array(text)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let encoded = bytes[position] == UInt8(ascii: "%") ? byte(in: bytes[...], at: position) : nil
            result.append(encoded ?? bytes[position])
            position += encoded == nil ? 1 : 3
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10 }
}

import Foundation

/// Creates URLs from texts that are almost URI references, as servers write them.
///
/// ```
/// /people?page[after]=a%2Bb   →   /people?page%5Bafter%5D=a%2Bb
/// ```
///
/// Once Foundation has to encode anything, it also encodes the percent sign. The result would be `a%252Bb`, which is a different page.
package enum URLText {
    /// Returns the URL of a reference; nil when Foundation cannot read it.
    package static func url(_ text: String, relativeTo base: URL? = nil) -> URL? {
        URL(string: encoded(text), relativeTo: base)
    }

    /// Returns the text with every byte percent-encoded that a URI must not contain. That includes brackets, and percent signs that do not
    /// begin an encoded byte. The authority stays as it is, because IP addresses have brackets and host names have their own encoding.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc3986#section-2>
    /// - Complexity: O(n), n = bytes.
    static func encoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let authority = authority(of: bytes)
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for (position, byte) in bytes.enumerated() {
            let isKept =
                switch byte {
                case _ where authority.contains(position): true
                case UInt8(ascii: "["), UInt8(ascii: "]"): false
                case UInt8(ascii: "%"): PercentEncoding.isTriplet(bytes, at: position)
                default: isLegal(byte)
                }
            if isKept { output.append(byte) } else { PercentEncoding.append(byte, to: &output) }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the text with every byte percent-encoded that a URI must not contain, except brackets and percent signs. The result can be
    /// part of a list of URIs in a header: it has no space, quotation mark or control character.
    package static func encodedURI(_ text: String) -> String {
        FormEncoding.encoded(text, FormEncoding.Style(keeps: { isLegal($0) }, space: "%20"))
    }

    /// The range of user, host and port: after the first `//`, unless that is in the path, the query or the fragment.
    private static func authority(of bytes: [UInt8]) -> Range<Int> {
        let slash = UInt8(ascii: "/")
        guard let start = bytes.firstIndex(where: isDelimiter), start + 1 < bytes.count, bytes[start] == slash, bytes[start + 1] == slash,
            start == 0 || bytes[start - 1] == UInt8(ascii: ":")
        else { return 0..<0 }
        return start + 2..<(bytes[(start + 2)...].firstIndex(where: isDelimiter) ?? bytes.count)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether a byte is visible ASCII that a URI may contain.
    private static func isLegal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "^"), UInt8(ascii: "`"),
            UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: byte > 0x20 && byte < 0x7F
        }
    }
}

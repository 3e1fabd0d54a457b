import Foundation
import JSONText

extension Conversion where Input == JSON, Output == URL {
    /// A URL or a relative reference as text. Text with characters that RFC 3986 does not allow is `conversionFailed`. So is text that
    /// Foundation would change, such as `/people?page[size]=2`, in which the brackets should be percent-encoded.
    ///
    /// Foundation's own checks differ between versions, so this conversion checks the characters first. They must be ASCII without
    /// whitespace, `%` must precede two hexadecimal digits, and there must be at most one `#`.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc3986#section-2>
    public static var url: Self { .text("a URL", parse: { unchanged($0) }, format: { $0.absoluteString }) }

    /// Returns the URL that is written as the same text, or nil if there is none.
    private static func unchanged(_ text: String) -> URL? {
        guard isPlausible(text), let url = URL(string: text), UTF8Bytes.areEqual(url.absoluteString, text) else { return nil }
        return url
    }

    private static func isPlausible(_ text: String) -> Bool {
        UTF8Bytes.withBytes(of: text) { bytes in
            var hashes = 0
            for index in bytes.indices {
                switch bytes[index] {
                case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "`"),
                    UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
                    return false
                case UInt8(ascii: "#"): hashes += 1
                case UInt8(ascii: "%"):
                    guard bytes.count - index > 2, isHexadecimal(bytes[index + 1]), isHexadecimal(bytes[index + 2]) else { return false }
                case 0x21...0x7E: break
                default: return false
                }
            }
            return !bytes.isEmpty && hashes <= 1
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool { Escapes.hexadecimalDigit(byte) != nil }
}

extension URL: JSONConvertible {
    /// A conversion to and from text.
    public static var conversion: Conversion<JSON, URL> { .url }
}

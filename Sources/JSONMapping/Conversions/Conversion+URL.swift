import Foundation
import JSONText

extension Conversion where Input == JSON, Output == URL {
    /// A URL or a relative reference as text. Text that RFC 3986 does not allow is `conversionFailed`.
    ///
    /// Foundation's own answer differs between its versions, so the characters are looked at here first: ASCII without blanks,
    /// `%` before two hexadecimal digits, one `#`. https://www.rfc-editor.org/rfc/rfc3986#section-2
    public static var url: Self {
        .text("a URL", parse: { isPlausible($0) ? URL(string: $0) : nil }, format: { $0.absoluteString })
    }

    private static func isPlausible(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let forbidden = Set("\"<>\\^`{|}".utf8)
        guard !bytes.isEmpty, bytes.filter({ $0 == UInt8(ascii: "#") }).count <= 1 else { return false }
        for (index, byte) in bytes.enumerated() {
            guard 0x21...0x7E ~= byte, !forbidden.contains(byte) else { return false }
            if byte == UInt8(ascii: "%") {
                let digits = bytes[(index + 1)...].prefix(2)
                guard digits.count == 2, digits.allSatisfy({ isHexadecimal($0) }) else { return false }
            }
        }
        return true
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") <= 5
    }
}

extension URL: JSONConvertible {
    /// Text.
    public static var conversion: Conversion<JSON, URL> { .url }
}

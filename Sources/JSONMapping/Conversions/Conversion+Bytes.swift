import Foundation
import JSONText

extension Conversion where Input == JSON, Output == Data {
    /// Bytes as Base64 text with padding and without whitespace, as `JSONDecoder` reads them by default.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc4648#section-4>
    public static var base64: Self {
        .text(
            "Base64",
            parse: { text in
                guard let (digits, padding) = digits(of: text), (digits.count + padding) % 4 == 0,
                    digits.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") })
                else { return nil }
                return Data(base64Encoded: text)
            },
            format: { $0.base64EncodedString() })
    }

    /// Bytes as Base64 text for URLs and file names, with `-` and `_`. Padding is optional when reading, and is not written.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc4648#section-5>
    public static var base64URL: Self {
        .text(
            "Base64 for URLs",
            parse: { text in
                guard let (digits, padding) = digits(of: text), padding == 0 || (digits.count + padding) % 4 == 0,
                    digits.allSatisfy({ isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
                else { return nil }
                let plain = String(decoding: digits, as: UTF8.self).replacing("-", with: "+").replacing("_", with: "/")
                return Data(base64Encoded: plain + String(repeating: "=", count: (4 - digits.count % 4) % 4))
            },
            format: { data in
                data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
            })
    }

    /// Returns the digits of Base64 text and the number of `=` at its end, or nil for an invalid length. The text is checked here because
    /// Foundation's own checks differ between versions.
    private static func digits(of text: String) -> (digits: Substring.UTF8View, padding: Int)? {
        var digits = text.utf8[...]
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        let padding = text.utf8.count - digits.count
        return padding <= 2 && digits.count % 4 != 1 ? (digits, padding) : nil
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- UInt8(ascii: "a") <= 25
    }

    /// Bytes as pairs of hexadecimal digits. Reading ignores case, and writing uses lowercase letters.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc4648#section-8>
    public static var hex: Self {
        .text(
            "hexadecimal digits, two for each byte",
            parse: { text in
                let values = text.utf8.map { Escapes.hexadecimalDigit($0) }
                guard values.count % 2 == 0, !values.contains(nil) else { return nil }
                let digits = values.compactMap { $0 }
                return Data(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
            },
            format: { data in
                let digits = Array("0123456789abcdef".utf8)
                return String(decoding: data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
            })
    }
}

extension Data: JSONConvertible {
    /// A conversion to and from Base64 text.
    public static var conversion: Conversion<JSON, Data> { .base64 }
}

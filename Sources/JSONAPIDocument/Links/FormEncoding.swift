import JSONText

/// Reads and writes query parameters in the form `application/x-www-form-urlencoded`, byte by byte.
///
/// ```
/// fields%5Barticles%5D=title,body&page[size]=+10   ⇄   fields[articles] = "title,body", page[size] = " 10"
/// ```
///
/// <https://jsonapi.org/format/1.1/#appendix-query-details-parsing>
package enum FormEncoding {
    /// Returns the pairs of a query string, decoded, in order. Empty pieces are left out. A piece without `=` has an empty value.
    ///
    /// Every text can be read. A percent sign without two hexadecimal digits stands for itself. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// - Complexity: O(n), n = bytes.
    package static func pairs(of text: some StringProtocol) -> [(name: String, value: String)] {
        Array(text.utf8).split(separator: UInt8(ascii: "&")).map { piece in
            let end = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            return (decoded(piece[..<end]), decoded(piece[end...].dropFirst()))
        }
    }

    /// Returns the query string with a new value for a parameter: in place of the first one with this name, otherwise at the end. Everything
    /// else stays as it is, byte by byte.
    ///
    /// - Complexity: O(n), n = bytes.
    package static func replacing(_ name: String, with value: String, in text: String) -> String {
        let new = self.text(of: [(name, value)])
        var isThere = false
        let pieces = text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true).compactMap { piece -> String? in
            let bytes = Array(piece)
            let own = decoded(bytes[..<(bytes.firstIndex(of: UInt8(ascii: "=")) ?? bytes.endIndex)])
            guard UTF8Bytes.areEqual(own, name) else { return String(decoding: bytes, as: UTF8.self) }
            defer { isThere = true }
            return isThere ? nil : new
        }
        return (isThere ? pieces : pieces + [new]).joined(separator: "&")
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        PercentEncoding.decoded(bytes.lazy.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}

// MARK: - Writing

extension FormEncoding {
    /// Which bytes are written as they are, and how a space is written.
    package struct Style: Sendable {
        let keeps: @Sendable (UInt8) -> Bool
        let space: String

        /// For names in a URL: exactly as the serializer of the URL standard writes them.
        package static let name = Style(keeps: { isSafe($0) }, space: "+")
        /// For values in a URL. Commas stay, so that people can read lists. Every reader accepts `%20` as a space.
        package static let value = Style(keeps: { isSafe($0) || $0 == UInt8(ascii: ",") }, space: "%20")
        /// For names that people read. Only what would change the meaning is encoded.
        package static let readableName = Style(
            keeps: { isReadable($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "?") }, space: "+")
        /// For values that people read. Only what would change the meaning is encoded.
        package static let readableValue = Style(keeps: isReadable, space: "+")

        private static func isSafe(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                true
            default: false
            }
        }

        @Sendable private static func isReadable(_ byte: UInt8) -> Bool {
            switch byte {
            case 0...0x20, 0x7F, UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: "#"): false
            default: true
            }
        }
    }

    /// Returns the pairs as a query string.
    package static func text(
        of pairs: some Sequence<(name: String, value: String)>, names: Style = .name, values: Style = .value
    ) -> String {
        var output: [UInt8] = []
        for pair in pairs {
            if !output.isEmpty { output.append(UInt8(ascii: "&")) }
            write(pair.name, names, to: &output)
            output.append(UInt8(ascii: "="))
            write(pair.value, values, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns `text`, encoded.
    package static func encoded(_ text: String, _ style: Style) -> String {
        var output: [UInt8] = []
        write(text, style, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static func write(_ text: String, _ style: Style, to output: inout [UInt8]) {
        for byte in text.utf8 {
            if byte == UInt8(ascii: " ") {
                output.append(contentsOf: style.space.utf8)
            } else if style.keeps(byte) {
                output.append(byte)
            } else {
                PercentEncoding.append(byte, to: &output)
            }
        }
    }
}

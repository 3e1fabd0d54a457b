import JSONText

/// A text that is checked as a URI, a URI reference, a relation type or a language tag.
package struct URIText {
    private let bytes: [UInt8]

    package init(_ text: String) { bytes = Array(text.utf8) }

    package init(_ view: TapeView, _ word: Int) {
        bytes = Array(view.string(at: word).utf8)
    }

    /// Whether the text is a URI reference (RFC 3986). Empty text is one, too.
    ///
    /// Brackets are allowed after the authority, because the specification itself uses `?page[number]=2`. All other characters that the
    /// RFC does not allow are rejected: whitespace, quotation marks, `<`, `>`, `\`, `^`, backticks, braces, `|`, and non-ASCII characters.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc3986#section-4.1>
    package var isReference: Bool {
        guard hasLegalCharacters, hasLegalAuthority else { return false }
        // The first segment of a relative reference has no colon, so the text before a colon there is a scheme.
        guard let delimiter = bytes.firstIndex(where: Self.isDelimiter), bytes[delimiter] == UInt8(ascii: ":") else { return true }
        return isScheme(bytes[..<delimiter])
    }

    /// Whether the text is a URI: a reference with a scheme.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc3986#section-3>
    package var isURI: Bool {
        guard isReference, let delimiter = bytes.firstIndex(where: Self.isDelimiter) else { return false }
        return bytes[delimiter] == UInt8(ascii: ":")
    }

    /// Returns whether two URIs name the same profile. They are compared byte by byte, but a slash at the end is ignored: the address of a
    /// profile's page can have one that its URI does not have.
    package static func areSameProfile(_ one: String, _ other: String) -> Bool {
        func withoutSlash(_ uri: String) -> Substring.UTF8View { uri.utf8.last == UInt8(ascii: "/") ? uri.utf8.dropLast() : uri.utf8[...] }
        return withoutSlash(one).elementsEqual(withoutSlash(other))
    }

    /// Whether the text is a relation type: a name in the form of registered ones, or a URI.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc8288#section-3.3>
    package var isRelationType: Bool {
        guard let first = bytes.first else { return false }
        let isName =
            first.isASCIILetter
            && bytes.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
        return isName || isURI
    }

    /// Whether the text is a well-formed language tag.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc5646#section-2.1>
    package var isLanguageTag: Bool { LanguageTag.isWellFormed(bytes) }

    // MARK: - Bytes

    private var hasLegalCharacters: Bool {
        let legal = Self.legalCharacters
        if bytes.allSatisfy(legal.contains) { return true }
        var isInFragment = false
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "%"):
                guard position + 2 < bytes.count, Self.isHexadecimal(bytes[position + 1]), Self.isHexadecimal(bytes[position + 2]) else {
                    return false
                }
                position += 2
            case UInt8(ascii: "#"):
                if isInFragment { return false }
                isInFragment = true
            default:
                guard legal.contains(byte) else { return false }
            }
            position += 1
        }
        return true
    }

    /// Whether the part between `//` and the path consists of user information, a host and a port, or does not exist.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc3986#section-3.2>
    private var hasLegalAuthority: Bool {
        let slash = UInt8(ascii: "/")
        let start: Int
        switch bytes.firstIndex(where: Self.isDelimiter) {
        case let colon? where bytes[colon] == UInt8(ascii: ":"): start = colon + 1
        case 0?: start = 0
        default: return true
        }
        guard bytes.dropFirst(start).starts(with: [slash, slash]) else { return true }
        let authority = bytes[(start + 2)...].prefix { $0 != slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard let at = authority.firstIndex(of: UInt8(ascii: "@")) else { return Self.isHostWithPort(authority) }
        let place = authority[(at + 1)...]
        return !authority[..<at].contains(where: Self.isBracket) && !place.contains(UInt8(ascii: "@")) && Self.isHostWithPort(place)
    }

    private static func isHostWithPort(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        if text.first == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")), isAddress(text[(text.startIndex + 1)..<end]) else { return false }
            rest = text[(end + 1)...]
        } else {
            rest = text.drop { $0 != UInt8(ascii: ":") }
            if text.prefix(text.count - rest.count).contains(where: isBracket) { return false }
        }
        return rest.isEmpty || rest.first == UInt8(ascii: ":") && rest.dropFirst().allSatisfy(\.isASCIIDigit)
    }

    /// Returns whether the text in brackets looks like an address of IPv6 or of a later version.
    private static func isAddress(_ text: ArraySlice<UInt8>) -> Bool {
        if let first = text.first, first | 0x20 == UInt8(ascii: "v") { return !text.contains(where: isBracket) }
        return text.contains(UInt8(ascii: ":"))
            && text.allSatisfy { isHexadecimal($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    private static func isBracket(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") }

    private func isScheme(_ text: ArraySlice<UInt8>) -> Bool {
        guard let first = text.first, first.isASCIILetter else { return false }
        return text.allSatisfy {
            $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Unreserved characters and delimiters. `%` and `#` are handled separately.
    private static let legalCharacters = ASCIISet(
        "-._~:/?[]@!$&'()*+,;=0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    private static func isHexadecimal(_ byte: UInt8) -> Bool { byte.isASCIIDigit || (byte | 0x20) &- UInt8(ascii: "a") < 6 }
}

/// A set of ASCII characters.
private struct ASCIISet {
    /// A bit for each character below 64, and for each from 64 on.
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    init(_ characters: String) {
        for byte in characters.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
    }

    func contains(_ byte: UInt8) -> Bool { byte < 0x80 && (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 != 0 }
}

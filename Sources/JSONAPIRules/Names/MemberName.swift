import JSONText

/// What the name of a member says about it, after the rules for member names.
///
/// ```
/// title, first name, prénom      legal
/// a.b, _id, -, (empty)           illegal
/// @context                       at
/// audit:trail                    ofExtension
/// audit:, audit:-trail, a:b:c    illegalOfExtension
/// ```
///
/// <https://jsonapi.org/format/1.1/#document-member-names>
package enum MemberName {
    case legal
    /// Empty, or with a character that is reserved, or that may stand inside only.
    case illegal
    /// An @-member, which counts for nothing.
    ///
    /// <https://jsonapi.org/format/1.1/#document-member-names-at-members>
    case at
    /// A namespace of ASCII letters and digits, a colon, and a legal name.
    ///
    /// <https://jsonapi.org/format/1.1/#extension-members>
    case ofExtension
    /// A namespace and a colon, and behind it something else.
    case illegalOfExtension

    /// - Complexity: O(n), n = bytes of the name.
    package init(_ bytes: Span<UInt8>) {
        if !bytes.isEmpty, bytes[0] == UInt8(ascii: "@") {
            self = .at
        } else if Self.isLegal(bytes) {
            self = .legal
        } else if let colon = bytes.indices.first(where: { !Self.isLetterOrDigit(bytes[$0]) }), colon > 0,
            bytes[colon] == UInt8(ascii: ":")
        {
            self = Self.isLegal(bytes.extracting((colon + 1)...)) ? .ofExtension : .illegalOfExtension
        } else {
            self = .illegal
        }
    }

    package init(_ bytes: [UInt8]) { self.init(bytes.span) }

    package init(_ name: String) { self = UTF8Bytes.withBytes(of: name) { Self($0) } }

    /// The name (or text) at `word`.
    package init(_ view: TapeView, _ word: Int) {
        if view.isEscaped(word) {
            self.init(view.string(at: word))
        } else {
            self = view.withBytes(at: word) { Self($0) }
        }
    }

    /// Whether these bytes of UTF-8 are a name that a server may choose: ASCII letters and digits and everything from U+0080
    /// anywhere; hyphen, underscore and space inside only; at least one character.
    ///
    /// No normalization and no case folding: composed and decomposed é are two names, each legal.
    package static func isLegal(_ bytes: Span<UInt8>) -> Bool {
        guard !bytes.isEmpty, isGloballyAllowed(bytes[0]), isGloballyAllowed(bytes[bytes.count - 1]) else { return false }
        return bytes.indices.allSatisfy { isGloballyAllowed(bytes[$0]) || isAllowedInside(bytes[$0]) }
    }

    package static func isLegal(_ bytes: [UInt8]) -> Bool { isLegal(bytes.span) }

    package static func isLegal(_ name: String) -> Bool { UTF8Bytes.withBytes(of: name) { isLegal($0) } }

    /// Whether no member name has that byte: all of ASCII but letters, digits, hyphen, underscore and space.
    ///
    /// <https://jsonapi.org/format/1.1/#document-member-names-reserved-characters>
    package static func isReserved(_ byte: UInt8) -> Bool { !isGloballyAllowed(byte) && !isAllowedInside(byte) }

    /// <https://jsonapi.org/format/1.1/#document-member-names-allowed-characters>
    private static func isGloballyAllowed(_ byte: UInt8) -> Bool { byte >= 0x80 || isLetterOrDigit(byte) }

    private static func isAllowedInside(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: " ")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}

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
    package init(_ bytes: some RandomAccessCollection<UInt8>) {
        if bytes.first == UInt8(ascii: "@") {
            self = .at
        } else if Self.isLegal(bytes) {
            self = .legal
        } else if let colon = bytes.firstIndex(where: { !Self.isLetterOrDigit($0) }), colon > bytes.startIndex,
            bytes[colon] == UInt8(ascii: ":")
        {
            self = Self.isLegal(bytes[bytes.index(after: colon)...]) ? .ofExtension : .illegalOfExtension
        } else {
            self = .illegal
        }
    }

    /// The name (or text) at `word`.
    package init(_ view: TapeView, _ word: Int) {
        if view.isEscaped(word) {
            self.init(Array(view.string(at: word).utf8))
        } else {
            self.init(view.rawBytes(at: word))
        }
    }

    /// Whether these bytes of UTF-8 are a name that a server may choose: ASCII letters and digits and everything from U+0080
    /// anywhere; hyphen, underscore and space inside only; at least one character.
    ///
    /// No normalization and no case folding: composed and decomposed é are two names, each legal.
    package static func isLegal(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return false }
        return isGloballyAllowed(first) && isGloballyAllowed(last) && bytes.allSatisfy { isGloballyAllowed($0) || isAllowedInside($0) }
    }

    /// <https://jsonapi.org/format/1.1/#document-member-names-allowed-characters>
    private static func isGloballyAllowed(_ byte: UInt8) -> Bool { byte >= 0x80 || isLetterOrDigit(byte) }

    private static func isAllowedInside(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: " ")
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }
}

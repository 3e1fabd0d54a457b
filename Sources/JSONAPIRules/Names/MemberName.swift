import JSONText

/// The kind of a member by its name, according to the rules for member names.
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
    /// An empty name, or a name with a reserved character, or one that begins or ends with a character that is only allowed inside.
    case illegal
    /// An @-member, which is ignored.
    ///
    /// <https://jsonapi.org/format/1.1/#document-member-names-at-members>
    case at
    /// A namespace of ASCII letters and digits, a colon, and a legal name.
    ///
    /// <https://jsonapi.org/format/1.1/#extension-members>
    case ofExtension
    /// A namespace and a colon, but no legal name after them.
    case illegalOfExtension

    /// Whether the member belongs to the specification or to the server: it is no @-member, and no extension has its namespace.
    package var isPlain: Bool { self == .legal || self == .illegal }

    /// - Complexity: O(n), n = number of bytes in the name.
    package init(_ bytes: Span<UInt8>) {
        if !bytes.isEmpty, bytes[0] == UInt8(ascii: "@") {
            self = .at
        } else if Self.isLegal(bytes) {
            self = .legal
        } else if let colon = bytes.indices.first(where: { !bytes[$0].isASCIILetterOrDigit }), colon > 0,
            bytes[colon] == UInt8(ascii: ":")
        {
            self = Self.isLegal(bytes.extracting((colon + 1)...)) ? .ofExtension : .illegalOfExtension
        } else {
            self = .illegal
        }
    }

    package init(_ bytes: [UInt8]) { self.init(bytes.span) }

    package init(_ name: String) { self = UTF8Bytes.withBytes(of: name) { Self($0) } }

    /// Creates the kind of the name or text at `word`.
    package init(_ view: TapeView, _ word: Int) {
        if view.isEscaped(word) {
            self.init(view.string(at: word))
        } else {
            self = view.withBytes(at: word) { Self($0) }
        }
    }

    /// Returns whether a name in UTF-8 is legal. It must have at least one character. ASCII letters, digits and characters from U+0080 on
    /// are allowed everywhere. Hyphen, underscore and space are only allowed inside.
    ///
    /// Names are neither normalized nor case-folded: composed and decomposed é are different names, and both are legal.
    package static func isLegal(_ bytes: Span<UInt8>) -> Bool {
        guard !bytes.isEmpty, isGloballyAllowed(bytes[0]), isGloballyAllowed(bytes[bytes.count - 1]) else { return false }
        return bytes.indices.allSatisfy { isGloballyAllowed(bytes[$0]) || isAllowedInside(bytes[$0]) }
    }

    package static func isLegal(_ bytes: [UInt8]) -> Bool { isLegal(bytes.span) }

    package static func isLegal(_ name: String) -> Bool { UTF8Bytes.withBytes(of: name) { isLegal($0) } }

    /// Returns whether a byte is a reserved character: any ASCII character except letters, digits, hyphen, underscore and space.
    ///
    /// <https://jsonapi.org/format/1.1/#document-member-names-reserved-characters>
    package static func isReserved(_ byte: UInt8) -> Bool { !isGloballyAllowed(byte) && !isAllowedInside(byte) }

    /// <https://jsonapi.org/format/1.1/#document-member-names-allowed-characters>
    private static func isGloballyAllowed(_ byte: UInt8) -> Bool { byte >= 0x80 || byte.isASCIILetterOrDigit }

    private static func isAllowedInside(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: " ")
    }
}

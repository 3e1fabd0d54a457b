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
    package static func isLegal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        isOfLetters(bytes) || isLegal(Slice(base: bytes, bounds: bytes.indices))
    }

    /// Whether the bytes are ASCII letters, as in most names, four of them at least.
    private static func isOfLetters(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let raw = UnsafeRawBufferPointer(bytes)
        var offset = 0
        guard raw.count >= 8 else {
            guard raw.count >= 4 else { return false }
            // Two halves that overlap, in one word.
            let first = UInt64(raw.loadUnaligned(as: UInt32.self))
            return isOfLetters(first << 32 | UInt64(raw.loadUnaligned(fromByteOffset: raw.count - 4, as: UInt32.self)))
        }
        // SAFETY: a word is loaded only while eight bytes remain; the last one may overlap the one in front of it.
        while raw.count - offset > 8 {
            guard isOfLetters(raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) else { return false }
            offset += 8
        }
        return isOfLetters(raw.loadUnaligned(fromByteOffset: raw.count - 8, as: UInt64.self))
    }

    private static func isOfLetters(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        // Upper case made lower; then the high bit says: `a` or above, and not above `z`. No sum goes beyond its byte.
        let lower = word | ones &* 0x20
        let fromA = (lower & ~highs) &+ ones &* (0x80 - 0x61)
        let aboveZ = (lower & ~highs) &+ ones &* (0x80 - 0x7B)
        return fromA & ~aboveZ & ~word & highs == highs
    }

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

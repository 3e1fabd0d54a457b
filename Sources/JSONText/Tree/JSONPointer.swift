/// A place in a JSON value, after RFC 6901.
///
/// ```swift
/// let pointer = try JSONPointer(parsing: "/data/0/attributes/a~1b")
/// pointer.tokens                    // ["data", "0", "attributes", "a/b"]
/// pointer.appending("x").description  // "/data/0/attributes/a~1b/x"
/// ```
///
/// Tokens are names or positions, without escapes; they are equal when their UTF-8 bytes are. The empty pointer is the
/// whole value.
public struct JSONPointer: Sendable {
    /// The names and positions from the root, unescaped.
    public var tokens: [String]

    /// The pointer to the whole value.
    public static let root = JSONPointer(tokens: [])

    /// A pointer of those tokens, unescaped.
    public init(tokens: [String]) {
        self.tokens = tokens
    }

    /// A pointer of those tokens, unescaped: `JSONPointer("data", "0", "id")` is `/data/0/id`.
    public init(_ tokens: String...) {
        self.tokens = tokens
    }

    /// The pointer of that text: empty, or tokens that each follow a `/`, in which `~0` means `~` and `~1` means `/`.
    ///
    /// Throws `JSONPointerError` with the offset of the fault in bytes.
    /// - Complexity: O(n), n = bytes.
    public init(parsing text: String) throws(JSONPointerError) {
        tokens = []
        let bytes = Array(text.utf8)
        guard let first = bytes.first else { return }
        guard first == JSONPointer.slash else { throw JSONPointerError(.missingSlash, offset: 0) }
        var token: [UInt8] = []
        var index = 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == JSONPointer.slash {
                tokens.append(String(decoding: token, as: UTF8.self))
                token.removeAll(keepingCapacity: true)
            } else if byte == JSONPointer.tilde {
                guard index + 1 < bytes.count, bytes[index + 1] | 1 == 0x31 else {
                    throw JSONPointerError(.invalidEscape, offset: index)
                }
                index += 1
                token.append(bytes[index] == 0x30 ? JSONPointer.tilde : JSONPointer.slash)
            } else {
                token.append(byte)
            }
            index += 1
        }
        tokens.append(String(decoding: token, as: UTF8.self))
    }

    private static let slash: UInt8 = 0x2F
    private static let tilde: UInt8 = 0x7E
}

// MARK: - Places above and below

extension JSONPointer {
    /// The pointer to the member of that name.
    public func appending(_ name: String) -> JSONPointer {
        JSONPointer(tokens: tokens + [name])
    }

    /// The pointer to the element at that position, from 0.
    public func appending(_ position: Int) -> JSONPointer {
        appending(String(position))
    }

    /// The pointer to the container, nil for the root.
    public var parent: JSONPointer? {
        tokens.isEmpty ? nil : JSONPointer(tokens: Array(tokens.dropLast()))
    }

    /// Whether `other` points to the same place or one inside it.
    ///
    /// - Complexity: O(n), n = bytes of this pointer.
    public func isPrefix(of other: JSONPointer) -> Bool {
        tokens.count <= other.tokens.count && zip(tokens, other.tokens).allSatisfy { UTF8Bytes.areEqual($0, $1) }
    }

    /// The position that a token means in an array; nil unless it is digits without leading zeros that fit `Int`.
    ///
    /// `-`, the place behind the last element, is no position.
    /// https://www.rfc-editor.org/rfc/rfc6901#section-4
    package static func position(_ token: String) -> Int? {
        var position = 0
        let digits = token.utf8
        guard let first = digits.first, first != 0x30 || digits.count == 1 else { return nil }
        for byte in digits {
            let digit = byte &- 0x30
            guard digit <= 9 else { return nil }
            let (tens, tensOverflow) = position.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = tens.addingReportingOverflow(Int(digit))
            guard !tensOverflow, !sumOverflow else { return nil }
            position = sum
        }
        return position
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The text of RFC 6901: empty for the root, else `/` and a token for each level, with `~0` for `~`, `~1` for `/`.
    ///
    /// - Complexity: O(n), n = bytes.
    public var description: String {
        var text: [UInt8] = []
        for token in tokens {
            text.append(JSONPointer.slash)
            for byte in token.utf8 {
                switch byte {
                case JSONPointer.tilde: text += [JSONPointer.tilde, 0x30]
                case JSONPointer.slash: text += [JSONPointer.tilde, 0x31]
                default: text.append(byte)
                }
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension JSONPointer: Hashable {
    /// Whether all tokens have the same bytes.
    public static func == (lhs: JSONPointer, rhs: JSONPointer) -> Bool {
        lhs.tokens.count == rhs.tokens.count && lhs.isPrefix(of: rhs)
    }

    /// Feeds the bytes of all tokens to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tokens.count)
        for token in tokens { UTF8Bytes.hash(token, into: &hasher) }
    }
}

/// Why a text is no JSON Pointer. Errors of one kind are equal.
public struct JSONPointerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `invalidEscape`.
        public let description: String

        /// The text is neither empty nor starts with `/`.
        public static let missingSlash = Kind(description: "missingSlash")
        /// A `~` is not followed by `0` or `1`.
        public static let invalidEscape = Kind(description: "invalidEscape")
    }

    /// What went wrong.
    public let kind: Kind
    /// Where, in bytes from 0.
    public let offset: Int

    init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// Whether both are of one kind.
    public static func == (lhs: JSONPointerError, rhs: JSONPointerError) -> Bool {
        lhs.kind == rhs.kind
    }

    /// Feeds the kind to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
    }

    /// A sentence for people, with the cure.
    public var description: String {
        switch kind {
        case .missingSlash: "A JSON Pointer is empty or starts with /."
        case .invalidEscape: "At byte \(offset) of the JSON Pointer ~ is not followed by 0 or 1; write ~0 for ~."
        default: "At byte \(offset) the text is no JSON Pointer: \(kind)."
        }
    }
}

/// A place in a JSON value, as a JSON Pointer (RFC 6901).
///
/// ```swift
/// let pointer = try JSONPointer(parsing: "/data/0/attributes/a~1b")
/// pointer.tokens                    // ["data", "0", "attributes", "a/b"]
/// pointer.appending("x").description  // "/data/0/attributes/a~1b/x"
/// ```
///
/// Tokens are names or positions without escapes, and are compared by their UTF-8 bytes. The empty pointer is the whole value.
public struct JSONPointer: Sendable {
    /// The names and positions from the root, unescaped.
    public var tokens: [String]

    /// The pointer to the whole value.
    public static let root = JSONPointer(tokens: [])

    /// Creates a pointer from unescaped tokens.
    public init(tokens: [String]) {
        self.tokens = tokens
    }

    /// Creates a pointer from unescaped tokens: `JSONPointer("data", "0", "id")` is `/data/0/id`.
    public init(_ tokens: String...) {
        self.tokens = tokens
    }

    /// Creates a pointer from its text. The text is empty, or each token follows a `/`. In tokens, `~0` means `~` and `~1` means `/`.
    ///
    /// Throws a `JSONPointerError` with the byte offset of the first error.
    /// - Complexity: O(n), n = number of bytes.
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
    /// Returns a pointer to the member with a name.
    public func appending(_ name: String) -> JSONPointer {
        JSONPointer(tokens: tokens + [name])
    }

    /// Returns a pointer to the element at a position, from 0.
    public func appending(_ position: Int) -> JSONPointer {
        appending(String(position))
    }

    /// The pointer to the container, or nil for the root.
    public var parent: JSONPointer? {
        tokens.isEmpty ? nil : JSONPointer(tokens: Array(tokens.dropLast()))
    }

    /// Returns whether `other` points to the same place or to a place inside it.
    ///
    /// - Complexity: O(n), n = number of bytes in this pointer.
    public func isPrefix(of other: JSONPointer) -> Bool {
        tokens.count <= other.tokens.count && zip(tokens, other.tokens).allSatisfy { UTF8Bytes.areEqual($0, $1) }
    }

    /// Returns the array position that a token stands for. Returns nil unless it consists of digits without leading zeros and is in the
    /// range of `Int`. `-`, the place after the last element, is not a position.
    ///
    /// <https://www.rfc-editor.org/rfc/rfc6901#section-4>
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
    /// The text of the pointer: empty for the root, and otherwise `/` and a token for each level. `~` is written as `~0`, and `/` as `~1`.
    ///
    /// - Complexity: O(n), n = number of bytes.
    public var description: String {
        var text: [UInt8] = []
        for token in tokens {
            text.append(JSONPointer.slash)
            Self.spell(token.utf8, into: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the bytes of a token with their escapes.
    static func spell(_ token: some Sequence<UInt8>, into text: inout [UInt8]) {
        for byte in token {
            switch byte {
            case tilde: text += [tilde, 0x30]
            case slash: text += [tilde, 0x31]
            default: text.append(byte)
            }
        }
    }
}

extension JSONPointer: Hashable {
    /// Returns whether all tokens have the same bytes.
    public static func == (lhs: JSONPointer, rhs: JSONPointer) -> Bool {
        lhs.tokens.count == rhs.tokens.count && lhs.isPrefix(of: rhs)
    }

    /// Hashes the bytes of all tokens.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tokens.count)
        for token in tokens { UTF8Bytes.hash(token, into: &hasher) }
    }
}

/// An error in the text of a JSON Pointer. Two errors of the same kind are equal.
public struct JSONPointerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, such as `invalidEscape`.
        public let description: String

        /// The text is not empty and does not start with `/`.
        public static let missingSlash = Kind(description: "missingSlash")
        /// A `~` is not followed by `0` or `1`.
        public static let invalidEscape = Kind(description: "invalidEscape")
    }

    /// The kind of the error.
    public let kind: Kind
    /// The byte offset of the error, from 0.
    public let offset: Int

    init(_ kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    /// Returns whether both errors have the same kind.
    public static func == (lhs: JSONPointerError, rhs: JSONPointerError) -> Bool {
        lhs.kind == rhs.kind
    }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
    }

    /// A sentence that describes the error and how to fix it.
    public var description: String {
        switch kind {
        case .missingSlash: "A JSON Pointer must be empty or start with `/`."
        case .invalidEscape: "In the JSON Pointer, `~` at byte \(offset) is not followed by 0 or 1. Write `~0` for `~`."
        default: "The JSON Pointer is invalid at byte \(offset): \(kind)."
        }
    }
}

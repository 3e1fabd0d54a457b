/// An error in a JSON text, with its place.
///
/// ```swift
/// do { _ = try JSON(parsing: #"{"a":1,}"#) } catch {
///     error.kind                      // .unexpectedByte
///     error.offset                    // 7, in bytes from 0
///     "\(error)"                      // unexpected "}": the comma before it is one too many (unexpectedByte at byte 7)
/// }
/// ```
///
/// Two errors are equal if their kinds and offsets are equal.
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// The kind of the error. New kinds may be added, so always handle unknown ones.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, such as `invalidEscape`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The text ends inside a value. The offset is the length of the text.
        public static let unexpectedEnd = Kind("unexpectedEnd")
        /// There is content after the value.
        public static let trailingContent = Kind("trailingContent")
        /// A byte is not allowed at its place.
        public static let unexpectedByte = Kind("unexpectedByte")
        /// A number is incomplete or has an invalid character.
        public static let invalidNumber = Kind("invalidNumber")
        /// A string contains a byte below 0x20.
        public static let controlCharacter = Kind("controlCharacter")
        /// A backslash does not begin a valid escape. The offset is that of the backslash.
        public static let invalidEscape = Kind("invalidEscape")
        /// An escape is half of a surrogate pair. The offset is that of its backslash.
        public static let invalidSurrogate = Kind("invalidSurrogate")
        /// The text contains bytes that are not UTF-8. The offset is the start of the invalid sequence.
        public static let invalidUTF8 = Kind("invalidUTF8")
        /// The text is UTF-16 or UTF-32. JSON text must be UTF-8 (RFC 8259, section 8.1).
        public static let unsupportedEncoding = Kind("unsupportedEncoding")
        /// An object repeats a name and the options do not allow it. The offset is that of the second name's quotation mark.
        public static let duplicateName = Kind("duplicateName")
        /// The nesting is deeper than `JSONReadingOptions.maximumDepth`. The offset is that of the first bracket beyond the limit.
        public static let depthLimit = Kind("depthLimit")
        /// The text is longer than `JSONReadingOptions.maximumBytes`. Nothing was read.
        public static let sizeLimit = Kind("sizeLimit")
        /// The text has more values than `JSONReadingOptions.maximumValues`.
        public static let valueLimit = Kind("valueLimit")
        /// A string is longer than `JSONReadingOptions.maximumStringLength`. The offset is that of its quotation mark.
        public static let stringLimit = Kind("stringLimit")
        /// A number is longer than `JSONReadingOptions.maximumNumberLength`. The offset is that of its first character.
        public static let numberLimit = Kind("numberLimit")

        /// Whether the text exceeds a limit. It may still be valid JSON.
        public var isLimit: Bool {
            [.depthLimit, .sizeLimit, .valueLimit, .stringLimit, .numberLimit].contains(self)
        }
    }

    /// The kind of the error.
    public let kind: Kind

    /// The byte offset of the error, from 0. A byte-order mark counts. For a truncated text, the offset is the length of the text.
    public let offset: Int

    /// What was found and what was expected, in words and without the position.
    public let reason: String

    /// The innermost array or object that contains the error, or the root if there is none.
    public let pointer: JSONPointer

    package init(_ kind: Kind, offset: Int, reason: String, pointer: JSONPointer = JSONPointer()) {
        self.kind = kind
        self.offset = offset
        self.reason = reason
        self.pointer = pointer
    }

    /// Returns the line and the column of the error. Pass the text that was read.
    ///
    /// - Complexity: O(n), n = `offset`.
    public func position(in text: some Sequence<UInt8>) -> TextPosition { TextPosition(of: offset, in: text) }

    /// Returns whether both errors have the same kind and offset.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.offset == b.offset }

    /// Hashes the kind and the offset.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(offset)
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// The reason, with the kind and the offset.
    public var description: String { "\(reason) (\(kind) at byte \(offset))" }
}

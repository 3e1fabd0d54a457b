/// Why a text is not JSON, and where.
///
/// ```swift
/// do { _ = try JSON(parsing: #"{"a":1,}"#) } catch {
///     error.kind                      // .unexpectedByte
///     error.offset                    // 7, in bytes from 0
///     "\(error)"                      // unexpected "}" at byte 7: the comma before it is one too many
/// }
/// ```
///
/// Two errors are equal when kind and offset are.
public struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What went wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `invalidEscape`.
        public let description: String
        private init(_ name: String) { description = name }

        /// The text ends inside a value. The offset is its length.
        public static let unexpectedEnd = Kind("unexpectedEnd")
        /// Something follows the one value.
        public static let trailingContent = Kind("trailingContent")
        /// A byte that cannot stand here.
        public static let unexpectedByte = Kind("unexpectedByte")
        /// A number breaks off, or goes on where it cannot.
        public static let invalidNumber = Kind("invalidNumber")
        /// A byte below 0x20 inside a string.
        public static let controlCharacter = Kind("controlCharacter")
        /// A backslash that begins no escape. The offset is the backslash.
        public static let invalidEscape = Kind("invalidEscape")
        /// Half of a surrogate pair. The offset is the backslash of the escape.
        public static let invalidSurrogate = Kind("invalidSurrogate")
        /// Bytes that are not UTF-8. The offset is where the broken sequence begins.
        public static let invalidUTF8 = Kind("invalidUTF8")
        /// UTF-16 or UTF-32. JSON that is exchanged is UTF-8 (RFC 8259, section 8.1).
        public static let unsupportedEncoding = Kind("unsupportedEncoding")
        /// A name stands twice in an object and the options refuse that. The offset is the second name's quotation mark.
        public static let duplicateName = Kind("duplicateName")
        /// More nesting than `JSONReadingOptions.maximumDepth`. The offset is the bracket that is too many.
        public static let depthLimit = Kind("depthLimit")
        /// More bytes than `JSONReadingOptions.maximumBytes`. Nothing was read.
        public static let sizeLimit = Kind("sizeLimit")
        /// More values than `JSONReadingOptions.maximumValues`.
        public static let valueLimit = Kind("valueLimit")
        /// A string longer than `JSONReadingOptions.maximumStringLength`. The offset is its quotation mark.
        public static let stringLimit = Kind("stringLimit")
        /// A number longer than `JSONReadingOptions.maximumNumberLength`. The offset is its first character.
        public static let numberLimit = Kind("numberLimit")

        /// Whether the text may be fine JSON and only a limit stands against it.
        public var isLimit: Bool {
            [.depthLimit, .sizeLimit, .valueLimit, .stringLimit, .numberLimit].contains(self)
        }
    }

    /// What went wrong.
    public let kind: Kind

    /// Where: bytes from 0, a byte-order mark included. For a truncated text it is the text's length.
    public let offset: Int

    /// What stood in the way and what was expected, in words, without position.
    public let reason: String

    /// The innermost array or object that was open, as a pointer; the root for an error outside any.
    public let pointer: JSONPointer

    package init(_ kind: Kind, offset: Int, reason: String, pointer: JSONPointer = JSONPointer()) {
        self.kind = kind
        self.offset = offset
        self.reason = reason
        self.pointer = pointer
    }

    /// Line and column of the error in the text that was read. O(offset): counted only when asked.
    public func position(in text: some Sequence<UInt8>) -> TextPosition { TextPosition(of: offset, in: text) }

    /// Whether kind and offset are equal.
    public static func == (a: Self, b: Self) -> Bool { a.kind == b.kind && a.offset == b.offset }

    /// Feeds kind and offset to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(offset)
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// What stood in the way, with kind and offset.
    public var description: String { "\(reason) (\(kind) at byte \(offset))" }
}

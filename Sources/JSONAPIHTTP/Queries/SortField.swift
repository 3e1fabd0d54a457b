import JSONText

/// One criterion of the order of primary data.
///
/// ```swift
/// let sort: [SortField] = ["-published", "title"]     // newest first, then by title
/// sort[0].field          // "published"
/// sort[0].direction      // .descending
/// ```
///
/// The field need not be a field of the resource: servers take `author.name` and names of their own.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-sorting>
public struct SortField: Sendable {
    /// As it is written in `sort`: with a hyphen in front when it is descending.
    public let text: String

    /// The sort field of that text: `-published`, `title`.
    public init(_ text: String) { self.text = text }

    /// Smallest first.
    ///
    /// The standard has no way to ask for the ascending order of a field whose name begins with a hyphen, which no legal name
    /// does: such a one reads as descending.
    public static func ascending(_ field: String) -> SortField { SortField(field) }

    /// Largest first.
    public static func descending(_ field: String) -> SortField { SortField("-" + field) }

    /// Which way to sort.
    public enum Direction: Sendable, Hashable {
        /// Smallest first.
        case ascending
        /// Largest first.
        case descending
    }

    /// Descending when the text begins with a hyphen.
    public var direction: Direction { text.utf8.first == UInt8(ascii: "-") ? .descending : .ascending }

    /// The text without the first hyphen.
    public var field: String {
        direction == .descending ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
    }
}

extension SortField: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The sort field of that text.
    public init(stringLiteral text: String) { self.init(text) }
    /// Whether both texts have the same bytes.
    public static func == (lhs: Self, rhs: Self) -> Bool { UTF8Bytes.areEqual(lhs.text, rhs.text) }
    /// Feeds the bytes of the text to `hasher`.
    public func hash(into hasher: inout Hasher) { UTF8Bytes.hash(text, into: &hasher) }
    /// The text as it is written in `sort`.
    public var description: String { text }
}

import JSONText

/// One criterion for the order of primary data.
///
/// ```swift
/// let sort: [SortField] = ["-published", "title"]     // newest first, then by title
/// sort[0].field          // "published"
/// sort[0].direction      // .descending
/// ```
///
/// The field need not be a field of the resource: servers also accept `author.name`, and names of their own.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-sorting>
public struct SortField: Sendable {
    /// The text in `sort`, with a leading hyphen when it is descending.
    public let text: String

    /// Creates the sort field with the given text: `-published`, `title`.
    public init(_ text: String) { self.text = text }

    /// Returns the criterion for the ascending order of a field.
    ///
    /// The standard cannot express the ascending order of a field whose name begins with a hyphen. No legal name does; such a name is read
    /// as descending.
    public static func ascending(_ field: String) -> SortField { SortField(field) }

    /// Returns the criterion for the descending order of a field.
    public static func descending(_ field: String) -> SortField { SortField("-" + field) }

    /// The direction of an order.
    public enum Direction: Sendable, Hashable {
        /// Smallest first.
        case ascending
        /// Largest first.
        case descending
    }

    /// The direction: descending when the text begins with a hyphen.
    public var direction: Direction { text.utf8.first == UInt8(ascii: "-") ? .descending : .ascending }

    /// The text without its leading hyphen.
    public var field: String {
        direction == .descending ? String(decoding: text.utf8.dropFirst(), as: UTF8.self) : text
    }
}

extension SortField: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates the sort field with the given text.
    public init(stringLiteral text: String) { self.init(text) }
    /// Whether both texts have the same bytes.
    public static func == (lhs: Self, rhs: Self) -> Bool { UTF8Bytes.areEqual(lhs.text, rhs.text) }
    /// Feeds the bytes of the text to `hasher`.
    public func hash(into hasher: inout Hasher) { UTF8Bytes.hash(text, into: &hasher) }
    /// The text as it is written in `sort`.
    public var description: String { text }
}

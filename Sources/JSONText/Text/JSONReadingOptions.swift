/// Limits and choices for reading a JSON text.
///
/// ```swift
/// var options = JSONReadingOptions()
/// options.maximumDepth = 64
/// let json = try JSON(parsing: bytes, options: options)
/// ```
///
/// The grammar is RFC 8259 to the letter and not an option. A UTF-8 byte-order mark at the very beginning is skipped.
public struct JSONReadingOptions: Sendable, Hashable {
    /// What to do with a name that is repeated in one object.
    public enum DuplicateNames: Sendable, Hashable {
        /// Keep both members in order; looking up the name finds the last one. RFC 8259 allows it.
        case keep
        /// Refuse the text with `duplicateName` at the second one.
        case refuse
    }

    /// How deep arrays and objects may nest: 512 by default, the same as for writing. Costs nothing.
    ///
    /// Deeper texts are read safely when this is raised (nothing here recurses), but foreign code that walks the values by
    /// recursion may overflow its stack.
    public var maximumDepth = 512

    /// The longest text in bytes: 1 GiB by default, never above 4 GiB − 1, or 2 GiB − 1 on systems with 32 bits. Checked before anything
    /// is allocated.
    public var maximumBytes = 1 << 30

    /// The most values in one text: 200 million by default, never above 268,435,455, or half of that on systems with 32 bits. A scalar
    /// counts one, a member's name one, an array or object two. It bounds the memory that a text of tiny values can claim: 8 bytes each.
    public var maximumValues = 200_000_000

    /// The longest string in bytes as written, names included: no limit by default.
    public var maximumStringLength = Int.max

    /// The most characters of one number: no limit by default. Reading is linear, but arithmetic on a number of a million
    /// digits may not be.
    public var maximumNumberLength = Int.max

    /// Whether a name may be repeated in one object: both members are kept by default.
    public var duplicateNames = DuplicateNames.keep

    /// The defaults.
    public init() {}
}

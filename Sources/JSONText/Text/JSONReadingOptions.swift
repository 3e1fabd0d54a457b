/// Limits and options for reading a JSON text.
///
/// ```swift
/// var options = JSONReadingOptions()
/// options.maximumDepth = 64
/// let json = try JSON(parsing: bytes, options: options)
/// ```
///
/// The grammar is exactly that of RFC 8259. A UTF-8 byte-order mark at the beginning of the text is skipped.
public struct JSONReadingOptions: Sendable, Hashable {
    /// What happens if an object repeats a name.
    public enum DuplicateNames: Sendable, Hashable {
        /// Keeps all members in order. A look-up finds the last one. RFC 8259 allows repeated names.
        case keep
        /// Throws `duplicateName` at the second name, if the text is JSON otherwise. The object is in no other one that repeats a name.
        case refuse
    }

    /// The maximum nesting depth of arrays and objects. The default is 512, as for writing.
    ///
    /// Reading does not recurse, so any limit is safe. If you raise it, code that walks the values recursively can overflow its stack.
    public var maximumDepth = 512

    /// The maximum length of a text in bytes. The default is 1 GiB.
    ///
    /// Higher values than 4 GiB − 1, or 2 GiB − 1 on 32-bit systems, have no effect. The length is checked before memory is allocated.
    public var maximumBytes = 1 << 30

    /// The maximum number of values in a text. The default is 200 million.
    ///
    /// A scalar and a member's name each count as one value, and an array or an object counts as two. The limit bounds the memory for a
    /// text of many small values, at 8 bytes each. Higher values than 268,435,455, or half of that on 32-bit systems, have no effect.
    public var maximumValues = 200_000_000

    /// The maximum length of a string or a name in bytes, with its escapes as they are in the text. There is no limit by default.
    public var maximumStringLength = Int.max

    /// The maximum number of characters of a number. There is no limit by default. Reading takes linear time, but arithmetic with a number
    /// of a million digits may not.
    public var maximumNumberLength = Int.max

    /// What happens if an object repeats a name. The default is `keep`.
    public var duplicateNames = DuplicateNames.keep

    /// Creates options with the default values.
    public init() {}

    /// For texts that this package wrote, which have no limit.
    package static let unlimited: JSONReadingOptions = {
        var reading = JSONReadingOptions()
        reading.maximumDepth = .max
        reading.maximumBytes = .max
        reading.maximumValues = .max
        return reading
    }()
}

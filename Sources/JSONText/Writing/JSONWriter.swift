/// Writes JSON values as text.
///
/// ```swift
/// let json: JSON = ["b": 1, "a": [true, nil]]
/// try JSONWriter().string(json)  // {"b":1,"a":[true,null]}
///
/// var writer = JSONWriter()
/// writer.style = .indented(spaces: 2)
/// writer.sortsNames = true
/// try writer.string(json)
/// // {
/// //   "a": [
/// //     true,
/// //     null
/// //   ],
/// //   "b": 1
/// // }
/// ```
///
/// Numbers are written with all their digits. Strings are written in UTF-8, and only `"`, `\` and control characters are escaped. Equal
/// options and identical values always give the same bytes.
public struct JSONWriter: Sendable, Hashable {
    /// The layout of the text. Later versions may add styles.
    public struct Style: Sendable, Hashable {
        /// The number of spaces for each level, or nil for text on one line.
        let indentation: Int?

        /// One line, without spaces.
        public static let compact = Style(indentation: nil)

        /// A line for each element and member, indented by the given number of spaces for each level. A negative number counts as 0.
        public static func indented(spaces: Int = 2) -> Style {
            Style(indentation: max(spaces, 0))
        }
    }

    /// For values that were read within the limits of a decoder, or that this package made.
    package static var unlimited: JSONWriter {
        var writer = JSONWriter()
        writer.maximumDepth = .max
        return writer
    }

    /// The layout of the text. The default is `.compact`.
    public var style: Style = .compact

    /// Whether members are sorted by the UTF-8 bytes of their names. The default is false, which keeps the order of the object. Members
    /// with the same name always keep their order. Sorting n members takes O(n log n) time.
    public var sortsNames = false

    /// Whether `/` is written as `\/`, for JSON in HTML. The default is false.
    public var escapesSlashes = false

    /// The maximum nesting depth of containers. `[]` has depth 1. The default is 512, as for reading, so that the text can be read back.
    /// Writing does not recurse, so any limit is safe.
    public var maximumDepth = 512

    /// Creates a writer of compact text.
    public init() {}

    /// Creates a writer with a style.
    public init(style: Style, sortsNames: Bool = false) {
        self.style = style
        self.sortsNames = sortsNames
    }

    /// Returns the text of a value as UTF-8 bytes.
    ///
    /// Throws a `JSONWriteError` if containers are nested deeper than `maximumDepth`.
    /// - Complexity: O(n), n = number of bytes in the text.
    public func write(_ json: JSON) throws(JSONWriteError) -> [UInt8] {
        var bytes: [UInt8] = []
        try write(json, into: &bytes)
        return bytes
    }

    /// Appends the text of a value to `bytes` in UTF-8. If this method throws, `bytes` does not change.
    ///
    /// Throws a `JSONWriteError` if containers are nested deeper than `maximumDepth`.
    /// - Complexity: O(n), n = number of bytes in the text.
    public func write(_ json: JSON, into bytes: inout [UInt8]) throws(JSONWriteError) {
        let output = JSONOutput(style, escapesSlashes: escapesSlashes)
        if let tooDeep = output.value(json, sortsNames: sortsNames, maximumDepth: maximumDepth) {
            throw JSONWriteError(.depthLimit, pointer: tooDeep, limit: maximumDepth)
        }
        if bytes.isEmpty { bytes = output.bytes } else { bytes += output.bytes }
    }

    /// Returns the text of a value.
    ///
    /// Throws a `JSONWriteError` if containers are nested deeper than `maximumDepth`.
    /// - Complexity: O(n), n = number of bytes in the text.
    public func string(_ json: JSON) throws(JSONWriteError) -> String {
        String(decoding: try write(json), as: UTF8.self)
    }
}

/// An error of writing a value. Two errors of the same kind are equal.
public struct JSONWriteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of the error. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The name of the kind, such as `depthLimit`.
        public let description: String

        /// Containers are nested deeper than the writer's `maximumDepth`.
        public static let depthLimit = Kind(description: "depthLimit")
    }

    /// The kind of the error.
    public let kind: Kind
    /// The place of the first value that was not written.
    public let pointer: JSONPointer
    /// The limit that was exceeded.
    public let limit: Int

    init(_ kind: Kind, pointer: JSONPointer, limit: Int) {
        self.kind = kind
        self.pointer = pointer
        self.limit = limit
    }

    /// Returns whether both errors have the same kind.
    public static func == (lhs: JSONWriteError, rhs: JSONWriteError) -> Bool {
        lhs.kind == rhs.kind
    }

    /// Hashes the kind.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
    }

    /// A sentence that describes the error and how to fix it.
    public var description: String {
        "The value is nested deeper than \(limit) levels. Raise `JSONWriter.maximumDepth` to write it."
    }
}

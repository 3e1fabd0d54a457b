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
/// Numbers are written as their text says, digit by digit. Strings are UTF-8; only `"`, `\` and the control characters
/// are escaped. The same value gives the same bytes, always.
public struct JSONWriter: Sendable, Hashable {
    /// How the text is laid out. Later versions may add styles.
    public struct Style: Sendable, Hashable {
        /// Spaces for each level, nil for one line.
        let indentation: Int?

        /// One line, without spaces.
        public static let compact = Style(indentation: nil)

        /// A line for each element and member, with that many spaces for each level; at least 0.
        public static func indented(spaces: Int = 2) -> Style {
            Style(indentation: max(spaces, 0))
        }
    }

    /// How the text is laid out. The default is `.compact`.
    public var style: Style = .compact

    /// Whether members are written by the UTF-8 bytes of their names; members of one name keep their order. The default
    /// is false: members are written in the order of the object. Sorting costs O(n log n) for n members.
    public var sortsNames = false

    /// Whether `/` is written as `\/`, for texts inside HTML. The default is false.
    public var escapesSlashes = false

    /// How deeply containers may be nested: `[]` has depth 1. The default is 512, as for reading, so that what is
    /// written can be read again. Writing needs no stack for depth; any limit is safe.
    public var maximumDepth = 512

    /// A writer of compact text.
    public init() {}

    /// A writer of that style.
    public init(style: Style, sortsNames: Bool = false) {
        self.style = style
        self.sortsNames = sortsNames
    }

    /// The text as UTF-8 bytes.
    ///
    /// Throws `JSONWriteError` when containers are nested deeper than `maximumDepth`.
    /// - Complexity: O(n), n = bytes of the text.
    public func write(_ json: JSON) throws(JSONWriteError) -> [UInt8] {
        var bytes: [UInt8] = []
        try write(json, into: &bytes)
        return bytes
    }

    /// Appends the text as UTF-8 bytes to `bytes`, which stay as they were when it throws.
    ///
    /// Throws `JSONWriteError` when containers are nested deeper than `maximumDepth`.
    /// - Complexity: O(n), n = bytes of the text.
    public func write(_ json: JSON, into bytes: inout [UInt8]) throws(JSONWriteError) {
        let output = JSONOutput(style, escapesSlashes: escapesSlashes)
        if let tooDeep = output.value(json, sortsNames: sortsNames, maximumDepth: maximumDepth) {
            throw JSONWriteError(.depthLimit, pointer: tooDeep, limit: maximumDepth)
        }
        if bytes.isEmpty { bytes = output.bytes } else { bytes += output.bytes }
    }

    /// The text as a string.
    ///
    /// Throws `JSONWriteError` when containers are nested deeper than `maximumDepth`.
    /// - Complexity: O(n), n = bytes of the text.
    public func string(_ json: JSON) throws(JSONWriteError) -> String {
        String(decoding: try write(json), as: UTF8.self)
    }
}

/// Why a value was not written. Errors of one kind are equal.
public struct JSONWriteError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. Later versions may add kinds.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `depthLimit`.
        public let description: String

        /// Containers are nested deeper than the writer's `maximumDepth`.
        public static let depthLimit = Kind(description: "depthLimit")
    }

    /// What went wrong.
    public let kind: Kind
    /// The place of the value that was not written.
    public let pointer: JSONPointer
    /// The limit that was met.
    public let limit: Int

    init(_ kind: Kind, pointer: JSONPointer, limit: Int) {
        self.kind = kind
        self.pointer = pointer
        self.limit = limit
    }

    /// Whether both are of one kind.
    public static func == (lhs: JSONWriteError, rhs: JSONWriteError) -> Bool {
        lhs.kind == rhs.kind
    }

    /// Feeds the kind to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
    }

    /// A sentence for people, with the cure.
    public var description: String {
        "The value is nested deeper than \(limit) levels; raise JSONWriter.maximumDepth to write it."
    }
}

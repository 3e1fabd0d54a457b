import JSONText

/// The way from an object to a value inside it, name by name.
///
/// ```swift
/// let latitude: MappingPath = "location.lat"               // dotted text always splits
/// let odd = MappingPath(segments: ["a.b", "c"])            // segments reach names that contain dots
/// latitude.value(in: ["location": ["lat": 40.7]])   // 40.7
/// ```
///
/// A path leads through objects only: a step through anything else finds nothing. The empty path is the whole value.
public struct MappingPath: Sendable {
    /// The names from the outside in.
    public let segments: [String]

    /// A path of those names, dots and all.
    public init(segments: [String]) {
        self.segments = segments
    }

    /// The path of a dotted text; the empty text is the empty path.
    public init(_ text: String) {
        guard !text.isEmpty else {
            segments = []
            return
        }
        segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// The value at the end of the path; nil when a step finds nothing. A null is a value.
    ///
    /// - Complexity: O(n), n = bytes of the path.
    public func value(in json: JSON) -> JSON? {
        var value = json
        for segment in segments {
            guard case .object(let object) = value, let next = object[segment] else { return nil }
            value = next
        }
        return value
    }

    /// The same below the members of an object.
    func value(in object: JSONObject) -> JSON? {
        if segments.count == 1 { return object[segments[0]] }
        return value(in: .object(object))
    }

    /// The same place as a JSON Pointer.
    public var pointer: JSONPointer { JSONPointer(tokens: segments) }

    /// The first name, empty for the empty path.
    var root: String { segments.first ?? "" }
}

extension MappingPath: Hashable {
    /// Whether all names have the same bytes.
    public static func == (a: MappingPath, b: MappingPath) -> Bool { a.pointer == b.pointer }

    /// Feeds the bytes of all names to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(pointer) }
}

extension MappingPath: ExpressibleByStringLiteral {
    /// The path of a dotted text.
    public init(stringLiteral text: String) { self.init(text) }
}

extension MappingPath: CustomStringConvertible {
    /// The names, joined by dots.
    public var description: String { segments.joined(separator: ".") }
}

/// One path, or several: `"user_id"`, `["latitude", "longitude"]`.
///
/// A field with several paths takes the first that converts; a rule of a rewriter needs them all.
public struct Paths: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The paths in order.
    public let all: [MappingPath]

    /// Those paths.
    public init(_ paths: [MappingPath]) { all = paths }

    /// That path alone.
    public init(_ path: MappingPath) { all = [path] }

    /// The path of a dotted text.
    public init(stringLiteral text: String) { all = [MappingPath(text)] }

    /// Those paths.
    public init(arrayLiteral paths: MappingPath...) { all = paths }
}

import JSONText

/// A path from an object to a value inside it, as a list of member names.
///
/// ```swift
/// let latitude: MappingPath = "location.lat"               // text is split at every dot
/// let odd = MappingPath(segments: ["a.b", "c"])            // segments can contain dots
/// latitude.value(in: ["location": ["lat": 40.7]])   // 40.7
/// ```
///
/// A path leads through objects only. A step into any other value finds nothing, also a step `0` into an array: read the array, and take its
/// element with a conversion. The empty path is the whole value.
public struct MappingPath: Sendable {
    /// The names, from the outermost to the innermost.
    public let segments: [String]

    /// Creates a path from names, which may contain dots.
    public init(segments: [String]) {
        self.segments = segments
    }

    /// Creates a path from text with dots between the names. Empty text is the empty path.
    public init(_ text: String) {
        guard !text.isEmpty else {
            segments = []
            return
        }
        segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { String(Substring($0)) }
    }

    /// Returns the value at the end of the path, or nil if a step finds nothing. A null is a value.
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

    /// Returns what is on the way in place of an object, in words. Nil for null, and if only a member is missing.
    func obstacle(in object: JSONObject) -> String? {
        var value = JSON.object(object)
        for (position, segment) in segments.enumerated() {
            guard case .object(let object) = value else {
                let place = segments.prefix(position).joined(separator: ".")
                return value.isNull ? nil : "\(value.kindName) at `\(place)`, and a path leads through objects only"
            }
            guard let next = object[segment] else { return nil }
            value = next
        }
        return nil
    }

    /// Returns the value at the end of a path that starts at an object.
    func value(in object: JSONObject) -> JSON? {
        if segments.count == 1 { return object[segments[0]] }
        return value(in: .object(object))
    }

    /// The same place as a JSON Pointer.
    public var pointer: JSONPointer { JSONPointer(tokens: segments) }

    /// The first name, or nil for the empty path.
    var root: String? { segments.first }
}

extension MappingPath: Hashable {
    /// Returns whether all names of both paths have the same bytes.
    public static func == (a: MappingPath, b: MappingPath) -> Bool { a.pointer == b.pointer }

    /// Hashes the bytes of all names.
    public func hash(into hasher: inout Hasher) { hasher.combine(pointer) }
}

extension MappingPath: ExpressibleByStringLiteral {
    /// Creates a path from text with dots between the names.
    public init(stringLiteral text: String) { self.init(text) }
}

extension MappingPath: CustomStringConvertible {
    /// The names, joined by dots.
    public var description: String { segments.joined(separator: ".") }
}

/// One or more paths: `"user_id"`, `["latitude", "longitude"]`.
///
/// A field with several paths uses the first one whose value converts. A rule of a rewriter needs a value at every path.
public struct Paths: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The paths in order.
    public let all: [MappingPath]

    /// Creates a list of the given paths.
    public init(_ paths: [MappingPath]) { all = paths }

    /// Creates a list of one path.
    public init(_ path: MappingPath) { all = [path] }

    /// Creates a path from text with dots between the names.
    public init(stringLiteral text: String) { all = [MappingPath(text)] }

    /// Creates a list of the given paths.
    public init(arrayLiteral paths: MappingPath...) { all = paths }
}

/// A coding key that names any place in a resource object, for a hand-written `init(from:)`.
///
/// ```swift
/// init(from decoder: any Decoder) throws {
///     let map = try decoder.container(keyedBy: Key.self)
///     id = try map.decode(String.self, forKey: .id)
///     title = try map.decode(String.self, forKey: .attributes("title"))
///     city = try map.decode(String.self, forKey: .attributes("address", "city"))
///     manager = try map.decodeIfPresent(User.self, forKey: .relationships("users"))
/// }
/// ```
///
/// The decoder looks up a key made by `attributes` or `relationships` only there. A dot in one of its names makes no path. A key strategy
/// converts the first name, which is that of the field, and no name inside its value. A key made from text, such as `Key("title")`, works
/// like any other coding key.
///
/// Specification: <https://jsonapi.org/format/1.1/#document-resource-object-fields>
public struct Key: CodingKey, Sendable, Hashable {
    package enum Root: Hashable { case flat, attributes, relationships, member }

    package let root: Root
    let segments: [String]

    private init(root: Root, _ segments: [String]) {
        self.root = root
        self.segments = segments
    }

    /// Creates a key of the flat container: the name of an attribute or a relationship, or a dotted path.
    public init(_ name: String) { self.init(root: .flat, [name]) }
    /// Creates a key of the flat container, as `init(_:)` does; never nil.
    public init?(stringValue: String) { self.init(stringValue) }
    /// Returns nil, because members of a resource object have names.
    public init?(intValue: Int) { nil }
    /// Always nil, because members of a resource object have names.
    public var intValue: Int? { nil }

    /// The path, joined by dots: `attributes.address.city`.
    public var stringValue: String { path.joined(separator: ".") }

    /// The names that lead to the value from the resource object. For a key of the flat container, its text.
    package var path: [String] {
        switch root {
        case .flat, .member: segments
        case .attributes: ["attributes"] + segments
        case .relationships: ["relationships"] + segments
        }
    }

    /// Returns a key if it names its place explicitly, by `attributes`, `relationships` or a static member; nil for any other key.
    @inline(__always)
    static func explicit<Other: CodingKey>(_ other: Other) -> Key? {
        guard Other.self == Key.self, let key = other as? Key, key.root != .flat else { return nil }
        return key
    }

    /// The resource's id.
    public static let id = Key(root: .member, ["id"])
    /// The resource's type.
    public static let type = Key(root: .member, ["type"])
    /// The resource's local id, for a resource that has no id yet.
    public static let lid = Key(root: .member, ["lid"])
    /// The resource's links object.
    public static let links = Key(root: .member, ["links"])
    /// The resource's meta object.
    public static let meta = Key(root: .member, ["meta"])

    /// Returns the key for a path of names from the resource object, which no key strategy changes.
    static func exact(_ path: [String]) -> Key { Key(root: .member, path) }

    /// Returns the key of an attribute, or of a value nested in one: `.attributes("address", "city")`. Without a name, or with an empty
    /// one, it is the key of the whole attributes object.
    public static func attributes(_ path: String...) -> Key {
        path.allSatisfy(\.isEmpty) ? Key(root: .member, ["attributes"]) : Key(root: .attributes, path)
    }

    /// Returns the key of a relationship, or of a member of its object: `.relationships("author", "links")`. Without a name, or with an
    /// empty one, it is the key of the whole relationships object.
    public static func relationships(_ path: String...) -> Key {
        path.allSatisfy(\.isEmpty) ? Key(root: .member, ["relationships"]) : Key(root: .relationships, path)
    }
}

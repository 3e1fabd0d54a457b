import JSONText

/// The parameters of a family: a base name, followed by names in brackets.
///
/// ```swift
/// var filter: QueryFamily = ["author": "12", "tags": "swift,json"]
/// filter["author", "name"] = "Ann"                                  // filter[author][name]=Ann
/// filter["author.age"] = "40"                                       // filter[author.age]=40
/// filter.append("1", at: "id", "")                                  // filter[id][]=1
/// filter["author"]                                                  // "12"
/// ```
///
/// Each member is a separate parameter: `filter[a][b]` is not part of `filter[a]`. Names are compared byte by byte.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters-families>
public struct QueryFamily: Sendable, Hashable {
    /// The parameters, named by the part after the base name: `[author][name]`, or nothing.
    private(set) var members: [QueryParameter] = []

    /// Creates a family without members.
    public init() {}

    /// Creates a family from parameters that are named by the part after the base name.
    init(members: [QueryParameter]) { self.members = members }

    /// The value of the member with the given names in brackets: the first when there are several; nil when there is none.
    ///
    /// Setting replaces all of them, in place of the first. Setting nil removes them.
    public subscript(name: String, inner: String...) -> String? {
        get { self[path: [name] + inner] }
        set { self[path: [name] + inner] = newValue }
    }

    /// The value of the member with the given path. An empty path means only the base name, as `page` in `page=2`.
    public subscript(path path: [String]) -> String? {
        get { members.first(where: Self.isNamed(path))?.value }
        set {
            let new = newValue.map { QueryParameter(name: Self.suffix(path), value: $0) }
            members.replaceAll(where: Self.isNamed(path), with: new)
        }
    }

    /// The value for only the base name, as in `page=2`.
    public var value: String? {
        get { self[path: []] }
        set { self[path: []] = newValue }
    }

    /// Returns all values of the member with the given names in brackets, in order. Servers allow some to be repeated, such as
    /// `filter[id][]`.
    public func values(_ name: String, _ inner: String...) -> [String] {
        members.filter(Self.isNamed([name] + inner)).map(\.value)
    }

    /// Adds a value, even when there already is one.
    public mutating func append(_ value: String, at name: String, _ inner: String...) {
        members.append(QueryParameter(name: Self.suffix([name] + inner), value: value))
    }

    private static func suffix(_ path: [String]) -> String { path.map { "[\($0)]" }.joined() }

    private static func isNamed(_ path: [String]) -> (QueryParameter) -> Bool {
        let name = suffix(path)
        return { UTF8Bytes.areEqual($0.name, name) }
    }
}

extension QueryFamily: Sequence, ExpressibleByDictionaryLiteral {
    /// Creates members with the given names in brackets, in order.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(value, at: name) }
    }

    /// Returns an iterator over the members, in order: the names in brackets, and the value. The path is nil when the brackets are not
    /// well-formed, which `Query.problems` reports.
    public func makeIterator() -> AnyIterator<(path: [String]?, value: String)> {
        AnyIterator(members.lazy.map { (path: $0.path, value: $0.value) }.makeIterator())
    }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The number of members.
    public var count: Int { members.count }
}

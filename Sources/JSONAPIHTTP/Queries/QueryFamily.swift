import JSONText

/// The parameters of a family: one base name, and what stands in brackets behind it.
///
/// ```swift
/// var filter: QueryFamily = ["author": "12", "tags": "swift,json"]
/// filter["author", "name"] = "Ann"                                  // filter[author][name]=Ann
/// filter["author.age"] = "40"                                       // filter[author.age]=40
/// filter.append("1", at: "id", "")                                  // filter[id][]=1
/// filter["author"]                                                  // "12"
/// ```
///
/// Each is a parameter of its own: `filter[a][b]` is no part of `filter[a]`. Names compare by bytes.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters-families>
public struct QueryFamily: Sendable, Hashable {
    /// Named by what follows the base name: `[author][name]`, or nothing.
    private var members: [QueryParameter] = []

    /// A family without members.
    public init() {}

    /// Takes the names behind the base name.
    init(members: [QueryParameter]) { self.members = members }

    var suffixed: [QueryParameter] { members }

    /// The value of the member with these brackets: the first when there are several; nil when there is none.
    ///
    /// Setting replaces them all, in place of the first; nil removes them.
    public subscript(name: String, inner: String...) -> String? {
        get { self[path: [name] + inner] }
        set { self[path: [name] + inner] = newValue }
    }

    /// The same for a path that was put together; an empty one stands for the base name alone, as `page` in `page=2`.
    public subscript(path path: [String]) -> String? {
        get { members.first(where: Self.isNamed(path))?.value }
        set {
            let isNamed = Self.isNamed(path)
            let position = members.firstIndex(where: isNamed) ?? members.endIndex
            members.removeAll(where: isNamed)
            if let newValue { members.insert(QueryParameter(name: Self.suffix(path), value: newValue), at: position) }
        }
    }

    /// The value of the base name alone, as in `page=2`.
    public var value: String? {
        get { self[path: []] }
        set { self[path: []] = newValue }
    }

    /// All values of the member with these brackets, in order: servers let some be repeated, as `filter[id][]`.
    public func values(_ name: String, _ inner: String...) -> [String] {
        members.filter(Self.isNamed([name] + inner)).map(\.value)
    }

    /// Adds a value, also when there is one already.
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
    /// Members with these brackets, in order.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(value, at: name) }
    }

    /// Goes through the members in order: what stands in the brackets, and the value. The path is nil for brackets that are not
    /// well-formed, which `Query.problems` reports.
    public func makeIterator() -> AnyIterator<(path: [String]?, value: String)> {
        AnyIterator(members.lazy.map { (path: $0.path, value: $0.value) }.makeIterator())
    }

    /// Whether there are no members.
    public var isEmpty: Bool { members.isEmpty }

    /// How many members there are.
    public var count: Int { members.count }
}

import JSONAPICodec
import JSONMapping
import JSONText

/// The query of a request's URL: related resources, fields, order, page and filter.
///
/// ```swift
/// var query = Query(include: ["author", "comments.author"], fields: ["articles": ["title"]], sort: ["-published", "title"])
/// query.page["size"] = "10"
/// query.filter["tags"] = "swift"
/// query.description     // include=author,comments.author&fields[articles]=title&sort=-published,title&page[size]=10&filter[tags]=swift
/// query.appending(to: url)
///
/// let received = Query(parsing: "include=author&sort=-published&unknown=1")
/// received.include                   // ["author"]
/// received.sort?.first?.direction    // .descending
/// received.problems.first?.message   // why a server responds with status 400
/// ```
///
/// A query is a list of decoded parameters, which the properties read and write. Absent and empty are different: when `include` is nil, the
/// server decides what to include; when it is `[]`, nothing is included.
///
/// The order is `include`, `fields`, `sort`, `page`, `filter`, then all others. Each group keeps the order in which it was added. Queries
/// are equal when they have the same parameters in the same order, byte by byte. The text of a query parses back to an equal query.
///
/// Each change costs O(n), n = bytes of all parameters. To add many filters, add them to a `QueryFamily`, and set that.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters>
public struct Query: Sendable, Hashable {
    /// All parameters in order. There is at most one `include`, one `sort`, and one `fields` for each type.
    public private(set) var parameters: [QueryParameter] = []

    /// Creates a query. Commas inside a path or a field separate it, as they do in a URL. `parameters` may be any, and follow those of the
    /// other arguments: lists such as `include` are joined.
    public init(
        include: [String]? = nil, fields: Fieldsets = [:], sort: [SortField]? = nil, page: QueryFamily = [:], filter: QueryFamily = [:],
        parameters: KeyValuePairs<String, String> = [:]
    ) {
        self.init(parameters: [QueryParameter]())
        self.include = include
        if !fields.isEmpty { self.fields = fields }
        self.sort = sort
        if !page.isEmpty { self.page = page }
        if !filter.isEmpty { self.filter = filter }
        self = Query(parameters: self.parameters + parameters.map { QueryParameter(name: $0.key, value: $0.value) })
    }

    /// Creates a query from parameters. Repeated lists (`include`, `sort`, `fields` of the same type) are joined. Other parameters may be
    /// repeated.
    ///
    /// - Complexity: O(n), n = bytes of all names and values.
    public init(parameters: some Sequence<QueryParameter>) {
        var ranks: [[QueryParameter]] = Array(repeating: [], count: 6)
        var places: [[UInt8]: Int] = [:]
        for parameter in parameters {
            let rank = parameter.role.rank
            if parameter.role.isList {
                let name = Array(parameter.name.utf8)
                if let place = places[name] {
                    ranks[rank][place].join(parameter.value)
                    continue
                }
                places[name] = ranks[rank].count
            }
            ranks[rank].append(parameter)
        }
        self.parameters = Array(ranks.joined())
    }
}

// MARK: - Parts of the standard

extension Query {
    /// The paths of the related resources to include, each with dots between its relationships. When nil, the server decides; when empty,
    /// nothing is included.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-includes>
    public var include: [String]? {
        get { value(of: .include)?.commaSeparated }
        set { replace(.include, with: newValue.map { [QueryParameter(name: "include", value: $0.joined(separator: ","))] } ?? []) }
    }

    /// The fields to send, by type. An empty list requests none; for a type without a list the server decides. A type that is empty or
    /// contains brackets is not legal; `problems` reports it.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-sparse-fieldsets>
    public var fields: Fieldsets {
        get {
            Fieldsets(
                unchecked: parameters.compactMap { parameter in
                    guard case .fields(let type) = parameter.role else { return nil }
                    return (type, parameter.value.commaSeparated)
                })
        }
        set {
            let others = parameters.filter { if case .fields = $0.role { false } else { true } }
            let new = newValue.map { QueryParameter(name: "fields[\($0.type)]", value: $0.fields.joined(separator: ",")) }
            self = Query(parameters: others + new)
        }
    }

    /// The order of the primary data, with the most important criterion first.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-sorting>
    public var sort: [SortField]? {
        get { value(of: .sort)?.commaSeparated.map { SortField($0) } }
        set {
            let text = newValue.map { $0.map(\.text).joined(separator: ",") }
            replace(.sort, with: text.map { [QueryParameter(name: "sort", value: $0)] } ?? [])
        }
    }

    /// The parameters whose base name is `page`.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-pagination>
    public var page: QueryFamily {
        get { family(.page, "page") }
        set { replace(.page, with: newValue.members.map { QueryParameter(name: "page" + $0.name, value: $0.value) }) }
    }

    /// The parameters whose base name is `filter`.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-filtering>
    public var filter: QueryFamily {
        get { family(.filter, "filter") }
        set { replace(.filter, with: newValue.members.map { QueryParameter(name: "filter" + $0.name, value: $0.value) }) }
    }

    /// The parameters that the standard leaves to servers, in order, except those with illegal names.
    ///
    /// <https://jsonapi.org/format/1.1/#query-parameters-custom>
    public var customParameters: [QueryParameter] { parameters.filter { $0.role == .other && $0.fault == nil } }

    /// Returns the parameters with the namespace of an extension, in order, except those with illegal names.
    ///
    /// <https://jsonapi.org/format/1.1/#extension-query-parameters>
    public func extensionParameters(namespace: String) -> [QueryParameter] {
        parameters.filter {
            guard case .ofExtension(let own) = $0.role else { return false }
            return UTF8Bytes.areEqual(own, namespace) && $0.fault == nil
        }
    }

    /// The value of the parameter with the given full name: the first when there are several; nil when there is none. Use it for parameters
    /// of servers and extensions: `query["camelCase"]`, `query["version:at"]`.
    ///
    /// Setting replaces all of them, in place of the first. Setting nil removes them.
    public subscript(name: String) -> String? {
        get { parameters.first { UTF8Bytes.areEqual($0.name, name) }?.value }
        set {
            let new = newValue.map { QueryParameter(name: name, value: $0) }
            parameters.replaceAll(where: { UTF8Bytes.areEqual($0.name, name) }, with: new)
            self = Query(parameters: parameters)
        }
    }

    /// Whether there are no parameters.
    public var isEmpty: Bool { parameters.isEmpty }
}

// MARK: - Conditions and builders

extension Query {
    /// Whether `include` requests the given path, by itself or as the beginning of a longer one: `comments.author` includes `comments`.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-includes>
    public func includes(_ path: String) -> Bool {
        include?.contains { Self.path($0, beginsWith: path) } ?? false
    }

    /// Whether `path` is `beginning`, or continues after it.
    static func path(_ path: String, beginsWith beginning: String) -> Bool {
        guard path.utf8.starts(with: beginning.utf8) else { return false }
        let rest = path.utf8.dropFirst(beginning.utf8.count)
        return rest.first.map { $0 == UInt8(ascii: ".") } ?? true
    }

    /// Returns this query with further include paths.
    public func including(_ paths: String...) -> Query {
        changed { $0.include = ($0.include ?? []) + paths }
    }

    /// Returns this query with the fields of a model's type.
    ///
    /// ```swift
    /// Query().fields(of: Article.self, ["title", "author"]).fields(of: Person.self, [])
    /// ```
    public func fields(of model: (some Resource).Type, _ fields: [String]) -> Query {
        changed { $0.fields[model] = fields }
    }

    /// Returns this query with the fields of a model's type, given by key paths.
    ///
    /// ```swift
    /// let query = try Query().fields(Article.self, \.title, \.author)
    /// ```
    ///
    /// `keyStrategy` is that of the decoder for the response. A query does not know the endpoint that will use it, so pass
    /// `endpoint.decoder.keyStrategy` if it is not the default. Otherwise the server is asked for fields that it does not know. Throws
    /// `EncodingError` when the coding key of a property cannot be found. To find it, the model's `init(from:)` is run with placeholders.
    /// The names of a `SchemaResource` are those of its own schema, and not of one in the `schemas` of a decoder.
    public func fields<Model: Resource>(
        _ model: Model.Type, _ properties: PartialKeyPath<Model>..., keyStrategy: JSONAPIDecoder.KeyStrategy = .useDefaultKeys
    ) throws -> Query {
        let names = try properties.map { try model.memberName(of: $0, keyStrategy) }
        return fields(of: model, names)
    }

    /// Returns this query with the given order.
    public func sorted(by fields: SortField...) -> Query {
        changed { $0.sort = fields }
    }

    /// Returns this query with a member of the family `page`.
    public func page(_ name: String, _ value: some CustomStringConvertible) -> Query {
        changed { $0.page[name] = value.description }
    }

    /// Returns this query with a member of the family `filter`.
    public func filter(_ name: String, _ value: some CustomStringConvertible) -> Query {
        changed { $0.filter[name] = value.description }
    }

    private func changed(_ change: (inout Query) -> Void) -> Query {
        var query = self
        change(&query)
        return query
    }
}

// MARK: - Workings

extension Query {
    private func value(of role: QueryParameter.Role) -> String? { parameters.first { $0.role == role }?.value }

    private func family(_ role: QueryParameter.Role, _ base: String) -> QueryFamily {
        QueryFamily(
            members: parameters.lazy.filter { $0.role == role }.map {
                QueryParameter(name: String(decoding: $0.name.utf8.dropFirst(base.utf8.count), as: UTF8.self), value: $0.value)
            })
    }

    /// Replaces all parameters with the given role. The others keep their order.
    private mutating func replace(_ role: QueryParameter.Role, with new: [QueryParameter]) {
        self = Query(parameters: parameters.filter { $0.role != role } + new)
    }
}

extension QueryParameter {
    /// Appends the elements of another list.
    fileprivate mutating func join(_ more: String) {
        if value.isEmpty {
            value = more
        } else if !more.isEmpty {
            value += ","
            value += more
        }
    }
}

extension QueryParameter.Role {
    /// The position of the role in a query.
    fileprivate var rank: Int {
        switch self {
        case .include: 0
        case .fields: 1
        case .sort: 2
        case .page: 3
        case .filter: 4
        case .ofExtension, .other: 5
        }
    }

    /// Whether the value is a list that the standard defines.
    fileprivate var isList: Bool { rank <= 2 }
}

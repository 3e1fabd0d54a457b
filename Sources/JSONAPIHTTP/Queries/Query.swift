import JSONAPICodec
import JSONMapping
import JSONText

/// What a request asks for in the query of its URL: related resources, fields, order, page, filter.
///
/// ```swift
/// var query = Query(include: ["author", "comments.author"], fields: ["articles": ["title"]], sort: ["-published", "title"])
/// query.page["size"] = "10"
/// query.filter["tags"] = "swift"
/// query.description     // include=author,comments.author&fields[articles]=title&sort=-published,title&page[size]=10&filter[tags]=swift
/// query.appending(to: url)
///
/// let asked = Query(parsing: "include=author&sort=-published&unknown=1")
/// asked.include                   // ["author"]
/// asked.sort?.first?.direction    // .descending
/// asked.problems.first?.message   // why a server answers 400
/// ```
///
/// It is a list of parameters, decoded; the properties read and write it. Absent and empty differ: with `include` nil the server
/// decides what to include, with `[]` it includes nothing.
///
/// Order: `include`, `fields`, `sort`, `page`, `filter`, then all others; inside each as they were added. Queries are equal when
/// their parameters are, by bytes, in that order. What is printed parses back equal.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters>
public struct Query: Sendable, Hashable {
    /// All parameters, in order. There is one `include`, one `sort` and one `fields` of each type at most.
    public private(set) var parameters: [QueryParameter] = []

    /// A query of those parts. Commas inside a path or field separate it as they do on the wire.
    public init(
        include: [String]? = nil, fields: Fieldsets = [:], sort: [SortField]? = nil, page: QueryFamily = [:], filter: QueryFamily = [:],
        parameters: KeyValuePairs<String, String> = [:]
    ) {
        self.init(parameters: parameters.lazy.map { QueryParameter(name: $0.key, value: $0.value) })
        self.include = include
        if !fields.isEmpty { self.fields = fields }
        self.sort = sort
        if !page.isEmpty { self.page = page }
        if !filter.isEmpty { self.filter = filter }
    }

    /// A query of those parameters. Repeated lists (`include`, `sort`, `fields` of one type) become one; other parameters may
    /// be repeated.
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
    /// The paths of related resources to include, each with dots between its relationships. Nil: the server decides; empty:
    /// none.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-includes>
    public var include: [String]? {
        get { value(of: .include)?.commaSeparated }
        set { replace(.include, with: newValue.map { [QueryParameter(name: "include", value: $0.joined(separator: ","))] } ?? []) }
    }

    /// The fields to send, by type. An empty list asks for none; a type that is not there is left to the server. A type that is
    /// empty or has brackets in it, as none may be, cannot be asked for: `problems` names it.
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
            let others = parameters.filter { $0.role.rank != QueryParameter.Role.fieldsRank }
            self = Query(
                parameters: others
                    + newValue.map { QueryParameter(name: "fields[\($0.type)]", value: $0.fields.joined(separator: ",")) })
        }
    }

    /// The order of the primary data, the first criterion first.
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
        set { replace(.page, with: newValue.suffixed.map { QueryParameter(name: "page" + $0.name, value: $0.value) }) }
    }

    /// The parameters whose base name is `filter`.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-filtering>
    public var filter: QueryFamily {
        get { family(.filter, "filter") }
        set { replace(.filter, with: newValue.suffixed.map { QueryParameter(name: "filter" + $0.name, value: $0.value) }) }
    }

    /// The parameters that the standard leaves to servers, in order, without those whose names are illegal.
    ///
    /// <https://jsonapi.org/format/1.1/#query-parameters-custom>
    public var customParameters: [QueryParameter] { parameters.filter { $0.role == .other && $0.fault == nil } }

    /// The parameters with the namespace of an extension, in order, without those whose names are illegal.
    ///
    /// <https://jsonapi.org/format/1.1/#extension-query-parameters>
    public func extensionParameters(namespace: String) -> [QueryParameter] {
        parameters.filter {
            guard case .ofExtension(let own) = $0.role else { return false }
            return UTF8Bytes.areEqual(own, namespace) && $0.fault == nil
        }
    }

    /// The value of the parameter of that whole name: the first when there are several; nil when there is none. For parameters
    /// of servers and extensions: `query["camelCase"]`, `query["version:at"]`.
    ///
    /// Setting replaces them all, in place of the first; nil removes them.
    public subscript(name: String) -> String? {
        get { parameters.first { UTF8Bytes.areEqual($0.name, name) }?.value }
        set {
            let position = parameters.firstIndex { UTF8Bytes.areEqual($0.name, name) } ?? parameters.endIndex
            parameters.removeAll { UTF8Bytes.areEqual($0.name, name) }
            guard let newValue else { return }
            parameters.insert(QueryParameter(name: name, value: newValue), at: position)
            if position == parameters.endIndex - 1 { self = Query(parameters: parameters) }
        }
    }

    /// Whether nothing is asked for.
    public var isEmpty: Bool { parameters.isEmpty }
}

// MARK: - Questions and builders

extension Query {
    /// Whether `include` asks for that path, by itself or as the beginning of a longer one: `comments.author` brings `comments`
    /// along.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-includes>
    public func includes(_ path: String) -> Bool {
        include?.contains { Self.path($0, beginsWith: path) } ?? false
    }

    /// Whether `path` is `beginning`, or goes on behind it.
    static func path(_ path: String, beginsWith beginning: String) -> Bool {
        guard path.utf8.starts(with: beginning.utf8) else { return false }
        let rest = path.utf8.dropFirst(beginning.utf8.count)
        return rest.first.map { $0 == UInt8(ascii: ".") } ?? true
    }

    /// This query, including more.
    public func including(_ paths: String...) -> Query {
        changed { $0.include = ($0.include ?? []) + paths }
    }

    /// This query with the fields of a model's type.
    ///
    /// ```swift
    /// Query().fields(of: Article.self, ["title", "author"]).fields(of: Person.self, [])
    /// ```
    public func fields(of model: (some Resource).Type, _ fields: [String]) -> Query {
        changed { $0.fields[model] = fields }
    }

    /// This query with the fields of a model's type, by its properties.
    ///
    /// ```swift
    /// let query = try Query().fields(Article.self, \.title, \.author)
    /// ```
    ///
    /// `keyStrategy` is that of the decoder that reads the answer. Throws `EncodingError` where the coding key of a property cannot be
    /// found: it is looked for by running the model's `init(from:)` with placeholders for values.
    public func fields<Model: Resource>(
        _ model: Model.Type, _ properties: PartialKeyPath<Model>..., keyStrategy: JSONAPIDecoder.KeyStrategy = .useDefaultKeys
    ) throws -> Query {
        let names = try properties.map { try model.memberName(of: $0, keyStrategy) }
        return fields(of: model, names)
    }

    /// This query in that order.
    public func sorted(by fields: SortField...) -> Query {
        changed { $0.sort = fields }
    }

    /// This query with a member of the family `page`.
    public func page(_ name: String, _ value: some CustomStringConvertible) -> Query {
        changed { $0.page[name] = value.description }
    }

    /// This query with a member of the family `filter`.
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

    /// Replaces all parameters of that role; the others keep their order.
    private mutating func replace(_ role: QueryParameter.Role, with new: [QueryParameter]) {
        self = Query(parameters: parameters.filter { $0.role != role } + new)
    }
}

extension QueryParameter {
    /// Adds the elements of another list.
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
    fileprivate static let fieldsRank = 1

    /// The place among the parts of a query.
    fileprivate var rank: Int {
        switch self {
        case .include: 0
        case .fields: Self.fieldsRank
        case .sort: 2
        case .page: 3
        case .filter: 4
        case .ofExtension, .other: 5
        }
    }

    /// Whether the value is a list of the standard's.
    fileprivate var isList: Bool { rank <= 2 }
}

import JSONAPICodec
import JSONText

/// The rules of a server for queries. They find the problems that require status 400.
///
/// ```swift
/// let rules = QueryRules(
///     include: .only(["author", "comments.author"]), sort: .only(["title", "published"]),
///     page: .only(["number", "size"]), filter: .none)
/// let query = Query(parsing: text)
/// try rules.check(query)                      // throws ErrorDocument for a response with status 400
/// let problems = rules.problems(of: query)    // the same as values
/// ```
///
/// By default the rules accept everything that the specification allows: every include path and sort field, all families, and all custom
/// parameters, but no extension.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters>
public struct QueryRules: Sendable, Hashable {
    /// The accepted names of one kind.
    public enum Allowed: Sendable, Hashable {
        /// All legal names are accepted.
        case any
        /// Nothing is accepted; the parameter itself is rejected.
        case none
        /// Only these names are accepted. They are compared byte by byte.
        case only([String])
    }

    /// The paths that `include` may contain. A path also allows its beginnings: `comments.author` allows `comments`.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-includes>
    public var include: Allowed
    /// The fields that `sort` may contain, without direction.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-sorting>
    public var sort: Allowed
    /// The members of the family `page`, named as in `query.page["size"]`: `size`. A full name is accepted as well: `page[size]`, or `page`
    /// for the parameter without brackets.
    public var page: Allowed
    /// The members of the family `filter`, named as in `query.filter["author"]`: `author`. A full name is accepted as well:
    /// `filter[author][name]`, or `filter` for the parameter without brackets.
    public var filter: Allowed
    /// The custom parameters, by full name.
    ///
    /// By its wording, the specification requires status 400 for all parameters that a server does not know. Its editors meant only those
    /// with illegal names, so any is accepted by default.
    public var custom: Allowed
    /// The namespaces of the extensions that are applied.
    ///
    /// <https://jsonapi.org/format/1.1/#extension-query-parameters>
    public var namespaces: [String]

    /// Creates rules that accept everything that is not restricted here.
    public init(
        include: Allowed = .any, sort: Allowed = .any, page: Allowed = .any, filter: Allowed = .any, custom: Allowed = .any,
        namespaces: [String] = []
    ) {
        self.include = include
        self.sort = sort
        self.page = page
        self.filter = filter
        self.custom = custom
        self.namespaces = namespaces
    }
}

extension Query {
    /// The problems that require any server without extensions to respond with status 400. Empty when there are none.
    public var problems: [QueryProblem] { QueryRules().problems(of: self) }
}

// MARK: - Finding problems

extension QueryRules {
    /// Throws `ErrorDocument`, for a response with status 400, when the query has a problem under these rules.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#errors>
    public func check(_ query: Query) throws {
        let problems = problems(of: query)
        if !problems.isEmpty { throw ErrorDocument(errors: problems.map(\.error)) }
    }

    /// Returns the problems that require a server with these rules to respond with status 400, in the order of the parameters. A parameter
    /// with a rejected name has no further problems. The search ends at the 1,000th problem.
    ///
    /// - Complexity: O(n · m), n = bytes of the query, m = names in these rules.
    public func problems(of query: Query) -> [QueryProblem] {
        var problems: [QueryProblem] = []
        for parameter in query.parameters where problems.count < Self.maximum { add(parameter, to: &problems) }
        return problems
    }

    private func add(_ parameter: QueryParameter, to problems: inout [QueryProblem]) {
        if let kind = parameter.fault ?? refusal(of: parameter) {
            let nearest = problems.count < Self.hints ? nearestName(to: parameter, kind) : nil
            problems.append(QueryProblem(parameter.name, kind, nearest: nearest))
            return
        }
        switch parameter.role {
        case .include:
            let paths = parameter.value.commaSeparated
            add(.unknownPath, paths, include, of: parameter, to: &problems, isEmpty: Self.hasEmptyPart) { Query.path($0, beginsWith: $1) }
        case .sort:
            let fields = parameter.value.commaSeparated.map { SortField($0).field }
            add(.unknownSortField, fields, sort, of: parameter, to: &problems, isEmpty: \.isEmpty, isIn: UTF8Bytes.areEqual)
        case .fields:
            if parameter.value.commaSeparated.contains(where: \.isEmpty) { problems.append(QueryProblem(parameter.name, .emptyName)) }
        case .page, .filter, .ofExtension, .other: break
        }
    }

    /// Adds a problem if one of the names is empty, and one for each other name that is in none of the allowed ones.
    private func add(
        _ kind: QueryProblem.Kind, _ names: [String], _ allowed: Allowed, of parameter: QueryParameter, to problems: inout [QueryProblem],
        isEmpty: (String) -> Bool, isIn: (_ allowed: String, _ name: String) -> Bool
    ) {
        if names.contains(where: isEmpty) { problems.append(QueryProblem(parameter.name, .emptyName)) }
        guard case .only(let known) = allowed else { return }
        for name in names where !isEmpty(name) && !known.contains(where: { isIn($0, name) }) {
            let nearest = problems.count < Self.hints ? Self.nearest(to: name, in: known) : nil
            problems.append(QueryProblem(parameter.name, kind, name: name, nearest: nearest))
            if problems.count >= Self.maximum { return }
        }
    }

    private static func hasEmptyPart(_ path: String) -> Bool { path.parts(separatedBy: UInt8(ascii: ".")).contains(where: \.isEmpty) }

    /// The maximum number of problems. A response that is many times as long as the request would help to exhaust a server.
    private static let maximum = 1_000

    /// The number of problems for which the nearest name is searched, which costs more than finding the problem.
    private static let hints = 10

    /// Returns why this server rejects a parameter with a legal name; nil when it accepts it.
    private func refusal(of parameter: QueryParameter) -> QueryProblem.Kind? {
        if case .ofExtension(let namespace) = parameter.role {
            return namespaces.contains { UTF8Bytes.areEqual($0, namespace) } ? nil : .unknownExtension
        }
        return allowedNames(like: parameter.role).allows(parameter.name) ? nil : .unsupportedParameter
    }

    private func nearestName(to parameter: QueryParameter, _ kind: QueryProblem.Kind) -> String? {
        switch kind {
        case .reservedName: return Self.nearest(to: parameter.name, in: ["include", "sort", "fields", "page", "filter"])
        case .unsupportedParameter:
            guard case .only(let names) = allowedNames(like: parameter.role) else { return nil }
            return Self.nearest(to: parameter.name, in: names)
        default: return nil
        }
    }

    /// Returns the full names of parameters that are accepted in a role.
    private func allowedNames(like role: QueryParameter.Role) -> Allowed {
        switch role {
        case .include: include == .none ? .none : .any
        case .sort: sort == .none ? .none : .any
        case .page: page.wholeNames(of: "page")
        case .filter: filter.wholeNames(of: "filter")
        case .other: custom
        case .fields, .ofExtension: .any
        }
    }

    private static func nearest(to name: String, in names: [String]) -> String? {
        name.utf8.count < 60 ? NearestName.find(name, in: names) : nil
    }
}

extension QueryRules.Allowed {
    /// Returns the names of a family's members as full names: `size` becomes `page[size]`.
    fileprivate func wholeNames(of base: String) -> Self {
        guard case .only(let names) = self else { return self }
        return .only(
            names.map { name in
                name.utf8.contains(UInt8(ascii: "[")) || UTF8Bytes.areEqual(name, base) ? name : "\(base)[\(name)]"
            })
    }

    fileprivate func allows(_ name: String) -> Bool {
        switch self {
        case .any: true
        case .none: false
        case .only(let names): names.contains { UTF8Bytes.areEqual($0, name) }
        }
    }
}

import JSONAPICodec
import JSONText

/// What a server takes in a query; finds what forces it to answer 400.
///
/// ```swift
/// let rules = QueryRules(
///     include: .only(["author", "comments.author"]), sort: .only(["title", "published"]),
///     page: .only(["number", "size"]), filter: .none)
/// let query = Query(parsing: text)
/// try rules.check(query)                      // throws ErrorDocument: the answer, with status 400
/// let problems = rules.problems(of: query)    // the same as values
/// ```
///
/// The default takes whatever the specification lets a server take: every include path and sort field, all families, custom
/// parameters known or not, and no extension.
///
/// Specification: <https://jsonapi.org/format/1.1/#query-parameters>
public struct QueryRules: Sendable, Hashable {
    /// What of a kind is taken.
    public enum Allowed: Sendable, Hashable {
        /// Whatever has a legal name.
        case any
        /// Nothing: the parameter itself is refused.
        case none
        /// These, compared by bytes.
        case only([String])
    }

    /// The paths that `include` may have. A path that may be included lets its beginnings be included: with
    /// `comments.author` goes `comments`.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-includes>
    public var include: Allowed
    /// The fields that `sort` may have, without direction.
    ///
    /// <https://jsonapi.org/format/1.1/#fetching-sorting>
    public var sort: Allowed
    /// The members of the family `page`, as `query.page["size"]` names them: `size`. A whole name is one, too: `page[size]`, and `page` for
    /// the parameter without brackets.
    public var page: Allowed
    /// The members of the family `filter`, as `query.filter["author"]` names them: `author`. A whole name is one, too:
    /// `filter[author][name]`, and `filter` for the parameter without brackets.
    public var filter: Allowed
    /// The custom parameters, by whole name.
    ///
    /// The letter of the specification asks for 400 for those that a server does not know; its editors meant badly named ones
    /// only, so any is taken by default.
    public var custom: Allowed
    /// The namespaces of the extensions that are applied.
    ///
    /// <https://jsonapi.org/format/1.1/#extension-query-parameters>
    public var namespaces: [String]

    /// Rules that take whatever is not limited here.
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
    /// What forces any server that supports no extension to answer 400. Empty when there is no such thing.
    public var problems: [QueryProblem] { QueryRules().problems(of: self) }
}

// MARK: - Finding problems

extension QueryRules {
    /// Throws `ErrorDocument`, the answer with status 400, when the query has a problem under these rules.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#errors>
    public func check(_ query: Query) throws {
        let problems = problems(of: query)
        if !problems.isEmpty { throw ErrorDocument(errors: problems.map(\.error)) }
    }

    /// What forces a server with these rules to answer 400, in the order of the parameters. A parameter whose name is refused
    /// has no other problem. Behind the 1,000th problem nothing more is looked for.
    ///
    /// - Complexity: O(n · m), n = bytes of the query, m = what is named here.
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
        case .include: addPaths(parameter, to: &problems)
        case .sort: addSortFields(parameter, to: &problems)
        case .fields:
            if parameter.value.commaSeparated.contains(where: \.isEmpty) { problems.append(QueryProblem(parameter.name, .emptyName)) }
        case .page, .filter, .ofExtension, .other: break
        }
    }

    /// An answer that is many times as long as the question serves those who want to exhaust a server.
    private static let maximum = 1_000

    /// How many problems come with the nearest name, which costs more than finding them.
    private static let hints = 10

    /// For a legal name: why this server does not take it.
    private func refusal(of parameter: QueryParameter) -> QueryProblem.Kind? {
        let allowed: Allowed
        switch parameter.role {
        case .include: return include == .none ? .unsupportedParameter : nil
        case .sort: return sort == .none ? .unsupportedParameter : nil
        case .fields: return nil
        case .ofExtension(let namespace):
            return namespaces.contains { UTF8Bytes.areEqual($0, namespace) } ? nil : .unknownExtension
        case .page: allowed = page.wholeNames(of: "page")
        case .filter: allowed = filter.wholeNames(of: "filter")
        case .other: allowed = custom
        }
        return allowed.allows(parameter.name) ? nil : .unsupportedParameter
    }

    private func addPaths(_ parameter: QueryParameter, to problems: inout [QueryProblem]) {
        let paths = parameter.value.commaSeparated
        func isFaulty(_ path: String) -> Bool { path.parts(separatedBy: UInt8(ascii: ".")).contains(where: \.isEmpty) }
        if paths.contains(where: isFaulty) { problems.append(QueryProblem(parameter.name, .emptyName)) }
        guard case .only(let known) = include else { return }
        for path in paths where !isFaulty(path) && !known.contains(where: { Query.path($0, beginsWith: path) }) {
            let nearest = problems.count < Self.hints ? Self.nearest(to: path, in: known) : nil
            problems.append(QueryProblem(parameter.name, .unknownPath, name: path, nearest: nearest))
            if problems.count >= Self.maximum { return }
        }
    }

    private func addSortFields(_ parameter: QueryParameter, to problems: inout [QueryProblem]) {
        let fields = parameter.value.commaSeparated.map { SortField($0).field }
        if fields.contains(where: \.isEmpty) { problems.append(QueryProblem(parameter.name, .emptyName)) }
        guard case .only(let known) = sort else { return }
        for field in fields where !field.isEmpty && !sort.allows(field) {
            let nearest = problems.count < Self.hints ? Self.nearest(to: field, in: known) : nil
            problems.append(QueryProblem(parameter.name, .unknownSortField, name: field, nearest: nearest))
            if problems.count >= Self.maximum { return }
        }
    }

    private func nearestName(to parameter: QueryParameter, _ kind: QueryProblem.Kind) -> String? {
        switch kind {
        case .reservedName: return Self.nearest(to: parameter.name, in: ["include", "sort", "fields", "page", "filter"])
        case .unsupportedParameter:
            guard case .only(let names) = allowed(like: parameter.role) else { return nil }
            return Self.nearest(to: parameter.name, in: names)
        default: return nil
        }
    }

    private func allowed(like role: QueryParameter.Role) -> Allowed {
        switch role {
        case .page: page.wholeNames(of: "page")
        case .filter: filter.wholeNames(of: "filter")
        case .other: custom
        default: .any
        }
    }

    private static func nearest(to name: String, in names: [String]) -> String? {
        name.utf8.count < 60 ? NearestName.find(name, in: names) : nil
    }
}

extension QueryRules.Allowed {
    /// The same with the names of members of a family as whole names: `size` becomes `page[size]`.
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

import JSONAPICodec
import JSONText

/// The rules of a server under the profile Cursor Pagination.
///
/// ```swift
/// let rules = CursorRules(defaultSize: 20, maximumSize: 100)
/// let page = try rules.page(of: query)        // throws ErrorDocument for a response with status 400
/// let size = rules.size(for: page)            // 20 unless the client says otherwise
/// ```
///
/// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-pagesize>
public struct CursorRules: Sendable {
    /// The number of items on a page when the client does not request a size.
    public var defaultSize: Int
    /// The maximum number of items on a page; nil sets no limit.
    public var maximumSize: Int?
    /// Whether a client may request the items between two cursors.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    public var supportsRanges: Bool
    /// Whether the server can paginate results in the given order: any order by default.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#concepts-sorting>
    public var supportsSort: @Sendable ([SortField]) -> Bool
    /// Whether a text is a cursor of this server: any text that is not empty by default.
    public var isCursor: @Sendable (String) -> Bool

    /// Creates the rules of a server.
    public init(
        defaultSize: Int, maximumSize: Int? = nil, supportsRanges: Bool = true,
        supportsSort: @escaping @Sendable ([SortField]) -> Bool = { _ in true },
        isCursor: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
    ) {
        self.defaultSize = defaultSize
        self.maximumSize = maximumSize
        self.supportsRanges = supportsRanges
        self.supportsSort = supportsSort
        self.isCursor = isCursor
    }
}

extension CursorRules {
    /// Returns the page that a query requests. Throws `ErrorDocument` with all errors that the profile defines for the query.
    public func page(of query: Query) throws -> CursorPage {
        let problems = problems(of: query)
        guard problems.isEmpty else { throw ErrorDocument(errors: problems.map(\.error)) }
        return query.cursorPage
    }

    /// Returns the maximum number of items on the page: the requested size, or the default size. It is at least 1 and at most the maximum
    /// size. For a range without a size it is the maximum size, or nil when there is no limit.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    public func size(for page: CursorPage) -> Int? {
        if page.isRange, page.size == nil { return maximumSize }
        let size = page.size ?? defaultSize
        return max(1, min(size, maximumSize ?? size))
    }

    /// Returns the errors that the profile defines for a query; empty when the query is valid.
    public func problems(of query: Query) -> [CursorProblem] {
        var problems: [CursorProblem] = []
        if let sort = query.sort, !sort.isEmpty, !supportsSort(sort) { problems.append(.unsupportedSort) }
        let page = query.page
        if let problem = sizeProblem(page.values("size")) { problems.append(problem) }
        for name in ["after", "before"] {
            let values = page.values(name)
            if values.count > 1 || !values.allSatisfy(isCursor) { problems.append(.invalidValue(parameter: "page[\(name)]")) }
        }
        if page["after"] != nil, page["before"] != nil, !supportsRanges { problems.append(.rangeNotSupported) }
        return problems
    }

    private func sizeProblem(_ values: [String]) -> CursorProblem? {
        guard let text = values.first else { return nil }
        let invalid = CursorProblem.invalidValue(parameter: "page[size]")
        guard values.count == 1 else { return invalid }
        switch CursorSize(text) {
        case .invalid: return invalid
        case .tooLarge: return maximumSize.map { .maximumSizeExceeded(maximum: $0) } ?? invalid
        case .number(let size):
            guard let maximumSize, size > maximumSize else { return nil }
            return .maximumSizeExceeded(maximum: maximumSize)
        }
    }
}

// MARK: - Problems

/// An error of the profile Cursor Pagination. Every such response has status 400.
///
/// ```swift
/// CursorProblem.maximumSizeExceeded(maximum: 100).error.json
/// // {"links": {"type": ".../max-size-exceeded"}, "status": "400", …, "source": {"parameter": "page[size]"}, "meta": {"page": {"maxSize": 100}}}
/// ```
public enum CursorProblem: Error, Sendable, Hashable {
    /// The server cannot paginate results in the requested order.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-unsupported-sort>
    case unsupportedSort
    /// The requested page is larger than the server's maximum.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-max-page-size-exceeded>
    case maximumSizeExceeded(maximum: Int)
    /// A size is not a positive integer, a text is not a cursor, or a parameter occurs more than once.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-invalid-query-parameter>
    case invalidValue(parameter: String)
    /// The server does not support requests for the items between two cursors.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-range-pagination-not-supported>
    case rangeNotSupported

    /// Creates the problem from an error object that a client has received; nil for any other error. The link `type` identifies the
    /// problem; an invalid value has no such link.
    public init?(_ error: ErrorObject) {
        // In the profile's own example the link is an array, as in drafts of version 1.1.
        guard let type = error.links?.type?.href ?? error.links?.members["type"]?.array?.first?.string else { return nil }
        switch type {
        case Self.type("unsupported-sort"): self = .unsupportedSort
        case Self.type("range-pagination-not-supported"): self = .rangeNotSupported
        case Self.type("max-size-exceeded"):
            guard let maximum = error.meta.flatMap(CursorMeta.init(meta:))?.maxSize else { return nil }
            self = .maximumSizeExceeded(maximum: maximum)
        default: return nil
        }
    }

    /// The URI in the link `type` of the error; nil when the profile defines none.
    public var type: String? {
        switch self {
        case .unsupportedSort: Self.type("unsupported-sort")
        case .maximumSizeExceeded: Self.type("max-size-exceeded")
        case .rangeNotSupported: Self.type("range-pagination-not-supported")
        case .invalidValue: nil
        }
    }

    private static func type(_ name: String) -> String { CursorPagination.profile + "/" + name }

    /// The query parameter that causes the problem; nil for a range, which has two.
    public var parameter: String? {
        switch self {
        case .unsupportedSort: "sort"
        case .maximumSizeExceeded: "page[size]"
        case .invalidValue(let parameter): parameter
        case .rangeNotSupported: nil
        }
    }

    /// The problem as an error object with status 400.
    public var error: ErrorObject {
        var meta: JSONObject?
        if case .maximumSizeExceeded(let maximum) = self { meta = CursorMeta(maxSize: maximum).added(to: JSONObject()) }
        let (title, detail) = texts
        return ErrorObject(
            links: type.map { ["type": .text($0)] }, status: "400", title: title, detail: detail,
            source: parameter.map { ErrorSource(parameter: $0) }, meta: meta)
    }

    private var texts: (title: String, detail: String) {
        switch self {
        case .unsupportedSort: ("Unsupported Sort", "Results in this order cannot be paginated with cursors.")
        case .maximumSizeExceeded(let maximum): ("Page Size Too Large", "A page has at most \(maximum) items.")
        case .invalidValue("page[size]"):
            ("Invalid Query Parameter Value", "The page size must be a positive integer, written once, with digits only.")
        case .invalidValue: ("Invalid Query Parameter Value", "The value must be a cursor of this server, written once.")
        case .rangeNotSupported:
            ("Range Pagination Not Supported", "`page[after]` and `page[before]` cannot be combined here. Send only one of them.")
        }
    }
}

extension CursorProblem: ErrorDocumentRepresentable {
    /// A document with this error.
    public var errorDocument: ErrorDocument { ErrorDocument(errors: [error]) }
}

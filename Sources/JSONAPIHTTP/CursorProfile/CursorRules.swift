import JSONAPICodec
import JSONText

/// What a server takes under the profile Cursor Pagination.
///
/// ```swift
/// let rules = CursorRules(defaultSize: 20, maximumSize: 100)
/// let page = try rules.page(of: query)        // throws ErrorDocument: the answer, with status 400
/// let size = rules.size(for: page)            // 20 unless the client says otherwise
/// ```
///
/// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-pagesize>
public struct CursorRules: Sendable {
    /// How many items a page has when the client does not say.
    public var defaultSize: Int
    /// The most items of a page; nil sets no limit.
    public var maximumSize: Int?
    /// Whether a client may ask for what lies between two cursors.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    public var supportsRanges: Bool
    /// Whether the server can page through results in that order; any by default.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#concepts-sorting>
    public var supportsSort: @Sendable ([SortField]) -> Bool
    /// Whether a text is a cursor of this server's; any that is not empty by default.
    public var isCursor: @Sendable (String) -> Bool

    /// Those rules.
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
    /// The page that a query asks for. Throws `ErrorDocument` with all of the profile's errors that the query calls for.
    public func page(of query: Query) throws -> CursorPage {
        let problems = problems(of: query)
        guard problems.isEmpty else { throw ErrorDocument(errors: problems.map(\.error)) }
        return query.cursorPage
    }

    /// How many items the page has at most: what the client says, else the default size; no less than 1 and no more than the
    /// maximum. For a range without a size it is the maximum, and nil, no limit, where there is none.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    public func size(for page: CursorPage) -> Int? {
        if page.isRange, page.size == nil { return maximumSize }
        let size = page.size ?? defaultSize
        return max(1, min(size, maximumSize ?? size))
    }

    /// The profile's errors that a query calls for; empty when it can be answered.
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

/// An error of the profile Cursor Pagination. All are answered with 400.
///
/// ```swift
/// CursorProblem.maximumSizeExceeded(maximum: 100).error.json
/// // {"links": {"type": ".../max-size-exceeded"}, "status": "400", …, "source": {"parameter": "page[size]"}, "meta": {"page": {"maxSize": 100}}}
/// ```
public enum CursorProblem: Error, Sendable, Hashable {
    /// The server cannot page through results in the order asked for.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-unsupported-sort>
    case unsupportedSort
    /// The page asked for is larger than the server's maximum.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-max-page-size-exceeded>
    case maximumSizeExceeded(maximum: Int)
    /// A size that is no positive integer, a text that is no cursor, or one of them more than once.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-invalid-query-parameter>
    case invalidValue(parameter: String)
    /// The server does not page through what lies between two cursors.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-range-pagination-not-supported>
    case rangeNotSupported

    /// The problem that an error object stands for, as a client gets it; nil for any other error. Told from the link `type`,
    /// which an invalid value does not have.
    public init?(_ error: ErrorObject) {
        guard let type = error.links?.type?.href ?? Self.typeInArray(error) else { return nil }
        switch type {
        case Self.type("unsupported-sort"): self = .unsupportedSort
        case Self.type("range-pagination-not-supported"): self = .rangeNotSupported
        case Self.type("max-size-exceeded"):
            guard let maximum = error.meta.flatMap(CursorMeta.init(meta:))?.maxSize else { return nil }
            self = .maximumSizeExceeded(maximum: maximum)
        default: return nil
        }
    }

    /// The profile's own example has an array there, as it was before 1.1 was finished.
    private static func typeInArray(_ error: ErrorObject) -> String? { error.links?.members["type"]?.array?.first?.string }

    /// The URI that the link `type` of the error leads to; nil where the profile has none.
    public var type: String? {
        switch self {
        case .unsupportedSort: Self.type("unsupported-sort")
        case .maximumSizeExceeded: Self.type("max-size-exceeded")
        case .rangeNotSupported: Self.type("range-pagination-not-supported")
        case .invalidValue: nil
        }
    }

    private static func type(_ name: String) -> String { CursorPagination.profile + "/" + name }

    /// The query parameter that causes it; nil for a range, which takes two.
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
        return ErrorObject(
            links: type.map { ["type": .text($0)] }, status: "400", title: title, detail: detail,
            source: parameter.map { ErrorSource(parameter: $0) }, meta: meta)
    }

    private var title: String {
        switch self {
        case .unsupportedSort: "Unsupported Sort"
        case .maximumSizeExceeded: "Page Size Too Large"
        case .invalidValue: "Invalid Query Parameter Value"
        case .rangeNotSupported: "Range Pagination Not Supported"
        }
    }

    private var detail: String {
        switch self {
        case .unsupportedSort: "Results in this order cannot be paginated with cursors."
        case .maximumSizeExceeded(let maximum): "A page has \(maximum) items at most."
        case .invalidValue("page[size]"): "The page size is a positive integer, written once, with digits only."
        case .invalidValue: "The value is no cursor of this server."
        case .rangeNotSupported: "`page[after]` and `page[before]` cannot be combined here; send one of them."
        }
    }
}

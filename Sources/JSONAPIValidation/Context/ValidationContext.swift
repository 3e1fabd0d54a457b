import JSONAPIRules
import JSONText

/// The kind of a document and the request to which it belongs.
///
/// ```swift
/// var context = ValidationContext(.response)
/// context.target = .collection
/// context.query = "include=author&fields[people]=name"
/// Validator(context).validate(text)
/// ```
///
/// Rules that need unknown information are not checked: without `target`, a response can contain one or many resources. There is one
/// exception. Without `query`, the validator assumes that the request had no query. An included resource without linkage to it is then
/// an error, because only a sparse fieldset allows it.
public struct ValidationContext: Sendable, Hashable {
    /// The kind of a document.
    public enum Kind: String, Sendable, CaseIterable {
        /// A response to any request.
        case response
        /// A response to a request that failed.
        case error
        /// A request that creates a resource. <https://jsonapi.org/format/1.1/#crud-creating>
        case create
        /// A request that updates a resource. <https://jsonapi.org/format/1.1/#crud-updating>
        case update
        /// A request that changes a relationship. <https://jsonapi.org/format/1.1/#crud-updating-relationships>
        case relationship
        /// A request with atomic operations. <https://jsonapi.org/ext/atomic/>
        case atomicRequest = "atomic-request"
        /// A response to a request with atomic operations.
        case atomicResponse = "atomic-response"
    }

    /// The target of a request.
    public enum Target: String, Sendable, CaseIterable {
        /// A single resource, or none.
        case single
        /// A collection.
        case collection
        /// A to-one relationship, whose linkage is the primary data.
        case toOneRelationship = "relationship-to-one"
        /// A to-many relationship, whose linkage is the primary data.
        case toManyRelationship = "relationship-to-many"
    }

    /// The number of resources in a relationship.
    public enum Cardinality: String, Sendable, CaseIterable {
        /// At most one.
        case toOne = "to-one"
        /// Any number.
        case toMany = "to-many"
    }

    /// An applied extension, whose URI the `Content-Type` header contains. <https://jsonapi.org/format/1.1/#extensions>
    public struct Extension: Sendable, Hashable {
        /// The URI of the extension.
        public var uri: String
        /// The prefix of the extension's members, without the colon.
        public var namespace: String

        /// Creates an extension with a namespace and a URI.
        public init(namespace: String, uri: String) {
            self.namespace = namespace
            self.uri = uri
        }

        /// Atomic Operations. The validator applies it automatically to the kinds `atomicRequest` and `atomicResponse`.
        public static let atomic = Extension(namespace: "atomic", uri: "https://jsonapi.org/ext/atomic")

        /// Whether this is Atomic Operations. Another extension may use the same namespace, because only its URI identifies an extension.
        var isAtomic: Bool { UTF8Bytes.areEqual(uri, Self.atomic.uri) }
    }

    /// An error of the cursor pagination profile.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#error-cases>
    public enum CursorError: String, Sendable, CaseIterable {
        /// The server does not support pagination in the requested sort order.
        case unsupportedSort = "unsupported-sort"
        /// The requested page size exceeds the server's maximum.
        case maximumSize = "max-size"
        /// A page size or a cursor is invalid.
        case invalidParameter = "invalid-parameter"
        /// The server does not support pagination between two cursors.
        case rangeNotSupported = "range-not-supported"
    }

    /// The kind of the document. The default is `response`.
    public var kind: Kind
    /// For a response: the target of its request. The default is nil, which means unknown.
    public var target: Target?
    /// For a relationship request: the cardinality of the relationship. The default is nil, which means unknown. A POST or DELETE implies a
    /// to-many relationship.
    public var cardinality: Cardinality?
    /// For a relationship request: the HTTP method in uppercase letters.
    public var method: String?
    /// For a response: the percent-encoded query of its request. The default is nil, which means that there was none.
    public var query: String?
    /// The applied extensions. The default is none.
    public var extensions: [Extension] = []
    /// The URIs of the applied profiles. The default is none. Unknown profiles are ignored.
    public var profiles: [String] = []
    /// For a response to atomic operations: the number of operations in the request.
    public var operationCount: Int?
    /// For a response: the HTTP status code.
    public var status: Int?
    /// For a response: the `Location` header.
    public var location: String?
    /// Whether contested interpretations of the standard are errors. The default is false: they are warnings, or are not reported.
    ///
    /// The contested problems are:
    ///
    /// - names of direct members of `meta` that are not legal member names
    /// - attributes and relationships with a name such as `audit:by`, if `jsonapi.ext` names an extension that is not in the context
    /// - pagination links for a single resource
    /// - `links` of a relationship with `data` but without `self` and `related`
    /// - a repeated resource in a collection without `included`
    /// - both `lid` and `id` in a response
    /// - an update in atomic operations that identifies its resource by `lid`
    /// - a repeated member name
    public var isStrict = false

    /// For a response with the cursor pagination profile: whether its data is a page. If it is nil, which is the default, array data is a
    /// page if the query has a `page` parameter.
    public var isPaginated: Bool?
    /// For a response with the cursor pagination profile: whether this is the last page.
    public var isLastPage = false
    /// For a response with the cursor pagination profile: whether the requested range was truncated.
    public var isRangeTruncated = false
    /// For an error of the cursor pagination profile: the kind of the error.
    public var cursorError: CursorError?
    /// For an error of the cursor pagination profile: the invalid query parameter.
    public var parameter: String?

    /// Creates a context for a kind of document about which nothing else is known.
    public init(_ kind: Kind = .response) { self.kind = kind }
}

// MARK: - Derived values

extension ValidationContext {
    /// The applied extensions, including Atomic Operations for its kinds of documents.
    var appliedExtensions: [Extension] {
        let isAtomic = kind == .atomicRequest || kind == .atomicResponse
        guard isAtomic, !extensions.contains(.atomic) else { return extensions }
        return extensions + [.atomic]
    }

    var isRequest: Bool {
        switch kind {
        case .create, .update, .relationship, .atomicRequest: true
        case .response, .error, .atomicResponse: false
        }
    }

    /// Whether the primary data is the linkage of a relationship.
    var targetsRelationship: Bool { target == .toOneRelationship || target == .toManyRelationship }

    static let cursorPaginationProfile = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"

    /// Whether the cursor pagination profile is applied. A slash at the end of its URI is ignored.
    var appliesCursorPagination: Bool {
        profiles.contains { URIText.areSameProfile($0, Self.cursorPaginationProfile) }
    }

    /// The cardinality of a relationship request. A POST or DELETE implies to-many.
    var requestCardinality: Cardinality? {
        cardinality ?? (method == "POST" || method == "DELETE" ? .toMany : nil)
    }
}

/// What a document is and what it answers: everything that the rules need to know besides the document.
///
/// ```swift
/// var context = ValidationContext(.response)
/// context.target = .collection
/// context.query = "include=author&fields[people]=name"
/// Validator(context).validate(text)
/// ```
///
/// What is not said is not judged: without `target` a response may hold one resource or many. One rule is different. Without
/// a `query` the request is taken to have had none, so that an included resource that nothing links to is an error: only a
/// sparse fieldset excuses it, and that has to be told.
public struct ValidationContext: Sendable, Hashable {
    /// What kind of document it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// The answer to any request.
        case response
        /// An answer whose request failed.
        case error
        /// A request that creates a resource. <https://jsonapi.org/format/1.1/#crud-creating>
        case create
        /// A request that updates a resource. <https://jsonapi.org/format/1.1/#crud-updating>
        case update
        /// A request that changes a relationship. <https://jsonapi.org/format/1.1/#crud-updating-relationships>
        case relationship
        /// A request with operations. <https://jsonapi.org/ext/atomic/>
        case atomicRequest = "atomic-request"
        /// The answer to one.
        case atomicResponse = "atomic-response"
    }

    /// What the request asked for.
    public enum Target: String, Sendable, CaseIterable {
        /// One resource, or none.
        case single
        /// A collection.
        case collection
        /// The URL of a to-one relationship: its linkage is the primary data.
        case toOneRelationship = "relationship-to-one"
        /// The URL of a to-many relationship: its linkage is the primary data.
        case toManyRelationship = "relationship-to-many"
    }

    /// How many resources a relationship may lead to.
    public enum Cardinality: String, Sendable, CaseIterable {
        /// One, or none.
        case toOne = "to-one"
        /// Any number.
        case toMany = "to-many"
    }

    /// An extension that is applied: the `Content-Type` names its URI. <https://jsonapi.org/format/1.1/#extensions>
    public struct Extension: Sendable, Hashable {
        /// The URI that names the extension.
        public var uri: String
        /// What its members are prefixed with, without the colon.
        public var namespace: String

        /// The extension of that URI, whose members have that prefix.
        public init(namespace: String, uri: String) {
            self.namespace = namespace
            self.uri = uri
        }

        /// Atomic Operations. Applied by itself to requests and responses of the kind.
        public static let atomic = Extension(namespace: "atomic", uri: "https://jsonapi.org/ext/atomic")
    }

    /// The error that a document of the cursor-pagination profile reports.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#error-cases>
    public enum CursorError: String, Sendable, CaseIterable {
        /// The server cannot page through results in the order asked for.
        case unsupportedSort = "unsupported-sort"
        /// The page asked for is larger than the server's maximum.
        case maximumSize = "max-size"
        /// A size or a cursor that is none.
        case invalidParameter = "invalid-parameter"
        /// The server does not page through what lies between two cursors.
        case rangeNotSupported = "range-not-supported"
    }

    /// A response by default.
    public var kind: Kind
    /// Of a response: what was asked for. Nil by default: not known.
    public var target: Target?
    /// Of a relationship request. Nil by default; a POST or DELETE is of a to-many relationship.
    public var cardinality: Cardinality?
    /// The method of a relationship request, in capitals.
    public var method: String?
    /// Of a response: the query of its request, without decoding. Nil by default: there was none.
    public var query: String?
    /// The extensions that are applied. None by default.
    public var extensions: [Extension] = []
    /// The URIs of the profiles that are applied. None by default; unknown ones are ignored.
    public var profiles: [String] = []
    /// Of a response to operations: how many were sent.
    public var operationCount: Int?
    /// The HTTP status of a response.
    public var status: Int?
    /// The header `Location` of a response.
    public var location: String?
    /// Whether the contested readings of the standard are held against the document. False by default.
    ///
    /// They are: names of direct members of `meta`; pagination links beside a single resource; `links` of a relationship without
    /// `self` and `related` beside data; a resource twice in a collection without `included`; `lid` beside `id` in a response; an
    /// update inside atomic operations that is identified by `lid`; a repeated member name.
    public var isStrict = false

    /// Of a response with the cursor-pagination profile: whether its data are a page. By default they are when the query asks for
    /// a page and the primary data are an array.
    public var isPaginated: Bool?
    /// Of the same: whether nothing follows the page.
    public var isLastPage = false
    /// Of the same: whether the range that was asked for did not fit the page.
    public var isRangeTruncated = false
    /// Of an error of that profile: which.
    public var cursorError: CursorError?
    /// Of an error of that profile: the query parameter that was wrong.
    public var parameter: String?

    /// A document of that kind, of which nothing else is known.
    public init(_ kind: Kind = .response) { self.kind = kind }
}

// MARK: - What follows

extension ValidationContext {
    /// The extensions, with Atomic Operations for the kinds that are made of it.
    var appliedExtensions: [Extension] {
        let isAtomic = kind == .atomicRequest || kind == .atomicResponse
        guard isAtomic, !extensions.contains(where: { $0.namespace == Extension.atomic.namespace }) else { return extensions }
        return extensions + [.atomic]
    }

    var isRequest: Bool {
        switch kind {
        case .create, .update, .relationship, .atomicRequest: true
        case .response, .error, .atomicResponse: false
        }
    }

    /// Whether primary data is the linkage of a relationship.
    var targetsRelationship: Bool { target == .toOneRelationship || target == .toManyRelationship }

    static let cursorPaginationProfile = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"

    /// Whether that profile is applied; a slash at the end of its URI changes nothing.
    var appliesCursorPagination: Bool {
        profiles.contains { $0 == Self.cursorPaginationProfile || $0 == Self.cursorPaginationProfile + "/" }
    }

    /// The cardinality of a relationship request, which a POST or DELETE tells.
    var requestCardinality: Cardinality? {
        cardinality ?? (method == "POST" || method == "DELETE" ? .toMany : nil)
    }
}

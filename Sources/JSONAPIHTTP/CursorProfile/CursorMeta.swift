import JSONAPICodec
import JSONText

/// The object `page` in a meta object, defined by the profile Cursor Pagination.
///
/// ```
/// "meta": {"page": {"cursor": "abcde"}}                                             of an item
/// "meta": {"page": {"total": 200, "rangeTruncated": true}}                          of a collection
/// "meta": {"page": {"estimatedTotal": {"bestGuess": 200}}}                          of a collection
/// "meta": {"page": {"maxSize": 100}}                                                of an error
/// ```
///
/// ```swift
/// let page = document.meta.flatMap(CursorMeta.init(meta:))
/// page?.total                                                  // 200
/// document.meta = CursorMeta(total: 200).added(to: document.meta ?? [:])
/// ```
///
/// Members of another kind than the profile's are read as nil, and kept.
///
/// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#document-page-meta>
public struct CursorMeta: MemberLens {
    /// All members of `page` in order, exactly as they were written.
    public var members: JSONObject

    /// Creates a view of the given members of `page`, without checking them.
    public init(members: JSONObject) { self.members = members }

    /// Creates a `page` object. Arguments that are nil leave their members out.
    public init(
        cursor: String? = nil, total: Int? = nil, bestGuess: Int? = nil, rangeTruncated: Bool? = nil, maxSize: Int? = nil
    ) {
        members = JSONObject()
        self.cursor = cursor
        self.total = total
        self.bestGuess = bestGuess
        self.rangeTruncated = rangeTruncated
        self.maxSize = maxSize
    }

    /// Creates a view of the `page` of a meta object; nil when there is none, and when it is not an object, which the profile ignores.
    public init?(meta: JSONObject) {
        guard let page = meta["page"]?.object else { return nil }
        self.init(members: page)
    }

    /// Returns the meta object with this value as its `page`.
    public func added(to meta: JSONObject) -> JSONObject {
        var meta = meta
        meta["page"] = json
        return meta
    }
}

// MARK: - Members

extension CursorMeta {
    /// A cursor at the position of the item.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#document-item-cursors>
    public var cursor: String? {
        get { members["cursor"]?.string }
        set { members["cursor"] = newValue.map(JSON.string) }
    }

    /// The number of items on all pages together.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-collection-sizes>
    public var total: Int? {
        get { members["total"]?.int }
        set { members["total"] = newValue.map { .number(JSONNumber($0)) } }
    }

    /// The member `bestGuess` of `estimatedTotal`: the estimated number of items on all pages. `members` also has an `estimatedTotal`
    /// without a guess. Setting a number keeps its other members, and setting nil removes `estimatedTotal`.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-collection-sizes>
    public var bestGuess: Int? {
        get { members["estimatedTotal"]?.object?["bestGuess"]?.int }
        set {
            var total = members["estimatedTotal"]?.object ?? JSONObject()
            total["bestGuess"] = newValue.map { .number(JSONNumber($0)) }
            members["estimatedTotal"] = newValue.map { _ in .object(total) }
        }
    }

    /// Whether the range between two cursors contains more items than the page.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    public var rangeTruncated: Bool? {
        get { members["rangeTruncated"]?.bool }
        set { members["rangeTruncated"] = newValue.map(JSON.bool) }
    }

    /// The maximum number of items on a page, in an error.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-max-page-size-exceeded>
    public var maxSize: Int? {
        get { members["maxSize"]?.int }
        set { members["maxSize"] = newValue.map { .number(JSONNumber($0)) } }
    }
}

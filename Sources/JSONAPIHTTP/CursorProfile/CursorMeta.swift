import JSONAPICodec
import JSONText

/// `page` in a meta object, under the profile Cursor Pagination.
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
/// Members of other kinds than the profile's read as nil, and stay.
///
/// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#document-page-meta>
public struct CursorMeta: MemberLens {
    /// All members of `page`, in order, as they are written.
    public var members: JSONObject

    /// The view of those members of `page`, unchecked.
    public init(members: JSONObject) { self.members = members }

    /// `page` with those members; nil leaves one out.
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

    /// `page` of a meta object; nil when it has none, or one that is no object, which the profile does not recognize.
    public init?(meta: JSONObject) {
        guard let page = meta["page"]?.object else { return nil }
        self.init(members: page)
    }

    /// The meta object with this in place of its `page`.
    public func added(to meta: JSONObject) -> JSONObject {
        var meta = meta
        meta["page"] = json
        return meta
    }
}

// MARK: - Members

extension CursorMeta {
    /// A cursor that falls on the item.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#document-item-cursors>
    public var cursor: String? {
        get { members["cursor"]?.string }
        set { members["cursor"] = newValue.map(JSON.string) }
    }

    /// How many items all pages have together.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-collection-sizes>
    public var total: Int? {
        get { members["total"]?.int }
        set { members["total"] = newValue.map { .number(JSONNumber($0)) } }
    }

    /// `bestGuess` in `estimatedTotal`: how many items all pages may have together. An `estimatedTotal` without a guess is in
    /// `members`. Setting nil removes `estimatedTotal`.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-collection-sizes>
    public var bestGuess: Int? {
        get { members["estimatedTotal"]?.object?["bestGuess"]?.int }
        set { members["estimatedTotal"] = newValue.map { .object(["bestGuess": .number(JSONNumber($0))]) } }
    }

    /// Whether the range between two cursors has more items than the page.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    public var rangeTruncated: Bool? {
        get { members["rangeTruncated"]?.bool }
        set { members["rangeTruncated"] = newValue.map(JSON.bool) }
    }

    /// The most items that a page may have; of an error.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#errors-max-page-size-exceeded>
    public var maxSize: Int? {
        get { members["maxSize"]?.int }
        set { members["maxSize"] = newValue.map { .number(JSONNumber($0)) } }
    }
}

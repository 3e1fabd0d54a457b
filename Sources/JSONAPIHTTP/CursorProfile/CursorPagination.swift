import JSONAPICodec
import JSONText

/// The profile Cursor Pagination: names that its parts share.
///
/// - `CursorPage` is what a client asks for: size, after, before.
/// - `CursorRules` is what a server takes; it reads a `CursorPage` from a query, or finds the profile's errors.
/// - `CursorMeta` is `page` in a meta object: of an item, a collection, or an error.
/// - `CursorPagination.links(prev:next:)` makes the two links that go with every page.
///
/// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/>
public enum CursorPagination {
    /// The URI of the profile, for `MediaType(profile:)` and `ContentNegotiation(profiles:)`.
    public static let profile = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"

    /// The links of a page: both are there, null where there is no such page.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-links>
    public static func links(prev: String?, next: String?) -> PageLinks {
        PageLinks(prev: prev.map(DocumentLink.text) ?? .null, next: next.map(DocumentLink.text) ?? .null)
    }

    /// The links that the profile demands beside paginated data and that are not there: of `prev` and `next`.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-links>
    public static func missingLinks(in links: PageLinks) -> [String] {
        (links.prev == nil ? ["prev"] : []) + (links.next == nil ? ["next"] : [])
    }
}

// MARK: - Pages

/// The page that a client asks for under the profile Cursor Pagination.
///
/// ```swift
/// query.cursorPage = CursorPage(size: 20, after: "abcde")      // page[size]=20&page[after]=abcde
/// query.cursorPage = CursorPage(size: 20, before: "abcde")     // the page before
/// ```
///
/// With `after` and `before` it asks for what lies between, which a server need not support.
///
/// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-pagesize>
public struct CursorPage: Sendable, Hashable {
    /// How many items; nil leaves it to the server. It is to be positive.
    public var size: Int?
    /// The cursor right before the first item. Cursors are opaque.
    public var after: String?
    /// The cursor right behind the last item.
    public var before: String?

    /// A page of that size behind or before a cursor.
    public init(size: Int? = nil, after: String? = nil, before: String? = nil) {
        self.size = size
        self.after = after
        self.before = before
    }

    /// Whether it asks for what lies between two cursors.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    public var isRange: Bool { after != nil && before != nil }
}

extension Query {
    /// The page asked for under the profile Cursor Pagination: what of `page[size]`, `page[after]` and `page[before]` can be
    /// read. A size that is no positive integer reads as nil; servers use `CursorRules`, which finds that.
    ///
    /// Setting leaves other members of the family `page` alone.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-pagesize>
    public var cursorPage: CursorPage {
        get {
            let page = page
            return CursorPage(
                size: page["size"].flatMap { CursorSize($0).number }, after: page["after"], before: page["before"])
        }
        set {
            var page = page
            page["size"] = newValue.size.map(String.init)
            page["after"] = newValue.after
            page["before"] = newValue.before
            self.page = page
        }
    }
}

/// The text of `page[size]`.
///
/// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-notes>
enum CursorSize {
    case number(Int)
    /// Digits, but too many for an `Int`.
    case tooLarge
    /// Something else than digits, or zero.
    case invalid

    init(_ text: String) {
        let digits = text.utf8
        guard !digits.isEmpty, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
            self = .invalid
            return
        }
        if let number = Int(text) {
            self = number > 0 ? .number(number) : .invalid
        } else {
            self = .tooLarge
        }
    }

    var number: Int? {
        if case .number(let number) = self { number } else { nil }
    }
}

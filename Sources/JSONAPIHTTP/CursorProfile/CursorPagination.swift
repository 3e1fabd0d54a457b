import JSONAPICodec
import JSONAPIRules
import JSONText

/// The profile Cursor Pagination, and the names that its parts share.
///
/// - `CursorPage` is the page that a client requests: size, after, before.
/// - `CursorRules` is what a server accepts. It reads a `CursorPage` from a query, or finds the profile's errors.
/// - `CursorMeta` is the `page` in a meta object: of an item, a collection, or an error.
/// - `CursorPagination.links(prev:next:)` creates the two links that every page has.
///
/// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/>
public enum CursorPagination {
    /// The URI of the profile, for `MediaType(profile:)` and `ContentNegotiation(profiles:)`.
    public static let profile = "https://jsonapi.org/profiles/ethanresnick/cursor-pagination"

    /// Returns the links of a page. Both exist, and are null when there is no such page.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-links>
    public static func links(prev: String?, next: String?) -> PageLinks {
        PageLinks(prev: prev.map(DocumentLink.text) ?? .null, next: next.map(DocumentLink.text) ?? .null)
    }

    /// Returns the names of the missing links, `prev` and `next`, which the profile requires for paginated data.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-links>
    public static func missingLinks(in links: PageLinks) -> [String] {
        (links.prev == nil ? ["prev"] : []) + (links.next == nil ? ["next"] : [])
    }
}

// MARK: - Pages

/// The page that a client requests under the profile Cursor Pagination.
///
/// ```swift
/// query.cursorPage = CursorPage(size: 20, after: "abcde")      // page[size]=20&page[after]=abcde
/// query.cursorPage = CursorPage(size: 20, before: "abcde")     // the page before
/// ```
///
/// With both `after` and `before` it requests the items between two cursors, which a server need not support.
///
/// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-pagesize>
public struct CursorPage: Sendable, Hashable {
    /// The number of items, which must be positive; nil leaves it to the server.
    public var size: Int?
    /// The cursor directly before the first item. Cursors are opaque.
    public var after: String?
    /// The cursor directly after the last item.
    public var before: String?

    /// Creates a page with the given size, after or before a cursor.
    public init(size: Int? = nil, after: String? = nil, before: String? = nil) {
        self.size = size
        self.after = after
        self.before = before
    }

    /// Whether it requests the items between two cursors.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    public var isRange: Bool { after != nil && before != nil }
}

extension Query {
    /// The requested page under the profile Cursor Pagination, as far as `page[size]`, `page[after]` and `page[before]` can be read. A size
    /// that is not a positive integer is read as nil. On a server, use `CursorRules`, which reports it.
    ///
    /// Setting it keeps the other members of the family `page`.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#auto-id-pagesize>
    public var cursorPage: CursorPage {
        get {
            let page = page
            return CursorPage(size: page["size"].flatMap { CursorSize($0).number }, after: page["after"], before: page["before"])
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
    /// Only digits, but too large for an `Int`.
    case tooLarge
    /// A text other than digits, or zero.
    case invalid

    init(_ text: String) {
        if text.isEmpty || !text.utf8.allSatisfy(\.isASCIIDigit) || Int(text) == 0 {
            self = .invalid
        } else {
            self = Int(text).map { CursorSize.number($0) } ?? .tooLarge
        }
    }

    var number: Int? {
        if case .number(let number) = self { number } else { nil }
    }
}

import JSONAPICodec
import JSONText

/// The pagination links of a collection.
///
/// ```swift
/// document.links.pages.next?.href     // nil: absent, or null
/// document.links.pages.next == .null  // true: the server says that this is the last page
/// links.pages = PageLinks(prev: .null, next: "/articles?page[after]=5")
/// ```
///
/// Absent and null differ: nil says nothing, `DocumentLink.null` says that there is no such page.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-pagination>
public struct PageLinks: Sendable, Hashable {
    /// The first page.
    public var first: DocumentLink?
    /// The last page.
    public var last: DocumentLink?
    /// The page before this one.
    public var prev: DocumentLink?
    /// The page behind this one.
    public var next: DocumentLink?

    /// Those links; nil leaves one out.
    public init(first: DocumentLink? = nil, last: DocumentLink? = nil, prev: DocumentLink? = nil, next: DocumentLink? = nil) {
        self.first = first
        self.last = last
        self.prev = prev
        self.next = next
    }

    /// Whether there is none of them, not even null: the collection is not paginated, as far as it says.
    public var isEmpty: Bool { first == nil && last == nil && prev == nil && next == nil }

    /// Whether a page follows.
    public var hasNext: Bool { next?.href != nil }

    /// Whether a page precedes.
    public var hasPrev: Bool { prev?.href != nil }
}

extension Links {
    /// The pagination links among these. Setting leaves the others alone.
    ///
    /// Specification: <https://jsonapi.org/format/1.1/#fetching-pagination>
    public var pages: PageLinks {
        get { PageLinks(first: first, last: last, prev: prev, next: next) }
        set {
            first = newValue.first
            last = newValue.last
            prev = newValue.prev
            next = newValue.next
        }
    }
}

import JSONAPICodec

/// The pagination links of a collection.
///
/// ```swift
/// document.links.pages.next?.href     // nil: absent, or null
/// document.links.pages.next == .null  // true: the server says that this is the last page
/// links.pages = PageLinks(prev: .null, next: "/articles?page[after]=5")
/// ```
///
/// Absent and null are different: nil says nothing, and `DocumentLink.null` says that there is no such page.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-pagination>
public struct PageLinks: Sendable, Hashable {
    /// The first page.
    public var first: DocumentLink?
    /// The last page.
    public var last: DocumentLink?
    /// The previous page.
    public var prev: DocumentLink?
    /// The next page.
    public var next: DocumentLink?

    /// Creates pagination links; nil leaves a link out.
    public init(first: DocumentLink? = nil, last: DocumentLink? = nil, prev: DocumentLink? = nil, next: DocumentLink? = nil) {
        self.first = first
        self.last = last
        self.prev = prev
        self.next = next
    }

    /// Whether all of them are absent, so that the links do not show a pagination.
    public var isEmpty: Bool { first == nil && last == nil && prev == nil && next == nil }

    /// Whether there is a link to a next page. An empty link counts as absent.
    public var hasNext: Bool { next?.hasTarget == true }

    /// Whether there is a link to a previous page. An empty link counts as absent.
    public var hasPrev: Bool { prev?.hasTarget == true }
}

extension Links {
    /// The pagination links. Setting them keeps the other links.
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

import Foundation
import JSONAPICodec

/// A way from one page to the next, for `Pages`.
///
/// ```swift
/// Pages(request, send: send)                                      // follows the `next` links
/// Pages(request, by: .previousLinks, send: send)                  // follows the `prev` links
/// Pages(request, by: .numbers(), send: send)                      // page[number]=1, 2, 3, …
/// Pages(request, by: .offsets("offset"), send: send)              // offset=0, 20, 40, …
/// Pages(request, by: .cursors(), send: send)                      // page[after]= the cursor of the last resource
/// Pages(request, by: .custom { visit in … }, send: send)
/// ```
///
/// Prefer links, because the server knows where its pages are. The other ways are for servers without links. They change one parameter of
/// the address. They end when the server says so: at a `next` link that is null, at the page that `last` names, or at a page without
/// resources. An empty link counts as absent. A page with fewer resources than requested does not end the walk, because servers limit the
/// size of pages. Backward by numbers, pages without resources do not end it either, because it may begin after the last page. With cursors
/// of your own, the walk goes on as long as there is one.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-pagination>
public struct PageWalk<Item: PrimaryElement>: Sendable {
    /// Returns the address of the next page; nil after the last one.
    let next: @Sendable (PageVisit<Item>) throws -> URL?
    /// Whether the walk creates addresses itself. A server that ignores the parameter would then send the same page again and again.
    var counts = false
    var isBackward = false

    var linkName: String { isBackward ? "prev" : "next" }
}

/// A page, and its position in the walk.
public struct PageVisit<Item: PrimaryElement>: Sendable {
    /// The page.
    public let page: Document<[Item]>
    /// The address of the page.
    public let url: URL
    /// The number of pages that were fetched before it.
    public let index: Int
    /// The number of resources on all pages so far, including this one and those that the decoder dropped.
    public let itemCount: Int
}

extension Document {
    /// The number of resources that the server sent.
    func itemCount<Item>() -> Int where Primary == [Item] { sentCount ?? data.count }
}

// MARK: - Links

extension PageWalk {
    /// Follows the `next` links. A page without one, or with null, is the last.
    public static var links: PageWalk { PageWalk { try $0.target(of: $0.page.links.next, "next") } }

    /// Follows the `prev` links. A page without one, or with null, is the last. The resources of each page keep their order.
    public static var previousLinks: PageWalk {
        PageWalk(next: { try $0.target(of: $0.page.links.prev, "prev") }, isBackward: true)
    }

    /// Goes to the address that the closure returns; nil ends the walk. The address must have the scheme, host and port of the first page,
    /// unless `Pages.links` allows others.
    public static func custom(_ next: @escaping @Sendable (PageVisit<Item>) throws -> URL?) -> PageWalk {
        PageWalk(next: { try next($0)?.absoluteURL })
    }
}

extension PageVisit {
    /// The address of the last page; nil unless the server names it.
    var last: URL? {
        guard let link = page.links.last, link.hasTarget else { return nil }
        return link.url(relativeTo: url)
    }

    fileprivate func target(of link: DocumentLink?, _ name: String) throws -> URL? {
        guard let link, link.hasTarget else { return nil }
        guard let target = link.url(relativeTo: url) else { throw PagesError(.unreadableLink, url, link: name) }
        return target
    }
}

// MARK: - Numbers, offsets, cursors

extension PageWalk {
    /// Counts page numbers, in the parameter with the given full name. `first` is the number of the first page, and of an address without
    /// the parameter.
    public static func numbers(_ parameter: String = "page[number]", first: Int = 1, backward: Bool = false) -> PageWalk {
        counting(backward) { visit in
            let number = try PageAddress.number(parameter, of: visit.url) ?? first
            if backward {
                guard number > first, visit.page.links.prev?.isNull != true else { return nil }
                return PageAddress.url(visit.url, [(parameter, String(number - 1))])
            }
            guard number < .max, !visit.isLast(number, parameter) else { return nil }
            return PageAddress.url(visit.url, [(parameter, String(number + 1))])
        }
    }

    /// Counts the resources before the page, in the parameter with the given full name; an address without it begins at 0.
    ///
    /// Forward, each page begins after the resources of the previous one, however many these are. The walk does not read or set `limit`.
    ///
    /// Backward, each page begins `limit` resources earlier. `limit` is the value of that parameter, or the size of the first page without
    /// it, and all further pages are requested with it. A further page with another number of resources ends the walk with a `PagesError`,
    /// because the pages would overlap, or leave out resources.
    public static func offsets(
        _ parameter: String = "page[offset]", limit: String = "page[limit]", backward: Bool = false
    ) -> PageWalk {
        counting(backward) { visit in
            let offset = try PageAddress.number(parameter, of: visit.url) ?? 0
            if backward { return try visit.url(before: offset, parameter, limit) }
            let (next, isTooLarge) = offset.addingReportingOverflow(visit.page.itemCount())
            guard !isTooLarge, !visit.isLast(offset, parameter) else { return nil }
            return PageAddress.url(visit.url, [(parameter, String(next))])
        }
    }

    /// Uses a cursor from each page, in the parameter with the given full name. A cursor that is nil or empty ends the walk.
    ///
    /// ```swift
    /// .cursors("cursor") { $0.meta?["next_cursor"]?.string }
    /// ```
    public static func cursors(
        _ parameter: String, backward: Bool = false, _ cursor: @escaping @Sendable (Document<[Item]>) throws -> String?
    ) -> PageWalk {
        counting(backward, withCursors: parameter) { try cursor($0.page) }
    }

    /// Uses the cursors of the profile Cursor Pagination: `page[after]` the last resource of a page, or `page[before]` the first one. A
    /// page without resources is the last. Throws `PagesError` when a resource has no cursor.
    ///
    /// If the first address has only the cursor of the other direction, the further addresses do not have it: the walk begins at that page,
    /// and goes on past the cursor, as the links of the page do. If it has both cursors, it requests the items between two cursors, and the
    /// walk ends at the other one.
    ///
    /// Specification: <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#document-item-cursors>
    public static func cursors(backward: Bool = false) -> PageWalk {
        counting(backward, withCursors: backward ? "page[before]" : "page[after]") { visit in
            let resources = visit.page.object.data.resources
            guard let edge = backward ? resources.first : resources.last else { return nil }
            guard let cursor = edge.meta.flatMap(CursorMeta.init(meta:))?.cursor else { throw PagesError(.missingCursor, visit.url) }
            return cursor
        }
    }

    /// Returns a walk that uses a cursor from each page, unless the link in its direction is null.
    private static func counting(
        _ backward: Bool, withCursors parameter: String, _ cursor: @escaping @Sendable (PageVisit<Item>) throws -> String?
    ) -> PageWalk {
        counting(backward) { visit in
            let link = backward ? visit.page.links.prev : visit.page.links.next
            guard link?.isNull != true, let cursor = try cursor(visit), !cursor.isEmpty else { return nil }
            return PageAddress.url(visit.url, parameter, cursor)
        }
    }

    /// Returns a walk that creates addresses itself.
    private static func counting(_ backward: Bool, _ next: @escaping @Sendable (PageVisit<Item>) throws -> URL?) -> PageWalk {
        PageWalk(next: next, counts: true, isBackward: backward)
    }
}

extension PageVisit {
    /// Whether the server says that no page follows the one with the given number.
    fileprivate func isLast(_ number: Int, _ parameter: String) -> Bool {
        if page.itemCount() == 0 || page.links.next?.isNull == true { return true }
        guard let last, let text = Query(of: last)[parameter] else { return false }
        return Int(text).map { number >= $0 } ?? false
    }

    /// Returns the address of the page before the one that begins at `offset`. The two pages do not overlap. Throws if this page does not
    /// end where the page after it begins.
    fileprivate func url(before offset: Int, _ parameter: String, _ limit: String) throws -> URL? {
        let size = try PageAddress.number(limit, of: url) ?? page.itemCount()
        if index > 0, page.itemCount() != size { throw PagesError(.unexpectedCount, url) }
        guard offset > 0, page.links.prev?.isNull != true else { return nil }
        guard size > 0 else { throw PagesError(.unreadableNumber, url) }
        let count = min(size, offset)
        return PageAddress.url(url, [(parameter, String(offset - count)), (limit, String(count))])
    }
}

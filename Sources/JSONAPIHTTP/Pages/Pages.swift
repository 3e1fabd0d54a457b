import Foundation
import JSONAPICodec
import JSONText

/// The pages of a collection, fetched one after another.
///
/// ```swift
/// let pages = Pages(try articles.list(query)) { request in
///     let (data, response) = try await URLSession.shared.data(for: URLRequest(request))
///     return JSONAPIResponse(data, response)
/// }
/// for try await page in pages { show(page.data, of: page.links) }
/// for try await article in pages.elements { … }
/// ```
///
/// The sequence follows the `next` links, or goes another way that `PageWalk` describes: backward, by page numbers, offsets or cursors, or
/// with a closure. For the pages of a relationship, use `articles.identifiers("tags", of: id)`.
///
/// It does no networking; the closure does. A page is fetched only when it is needed, one at a time. Each `for` loop begins at the first
/// page. After an error the sequence ends.
///
/// Links come from the server and are not trusted. A link must have the scheme, host and port of the first page, and no credentials other
/// than those of its address, unless `links` allows others. A link to a page that was fetched before ends the walk with an error, and so
/// does the page limit. The closure decides about redirects. A canceled task throws `CancellationError` before the next fetch.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-pagination>
public struct Pages<Item: PrimaryElement>: AsyncSequence, Sendable {
    /// Fetches the document at a URL.
    public typealias Fetch = @Sendable (URL) async throws -> Data

    /// Sends a request for a page and returns the server's response.
    public typealias Send = @Sendable (JSONAPIRequest<Document<[Item]>>) async throws -> JSONAPIResponse

    /// The address of the first page.
    public let start: URL

    /// The maximum number of pages to fetch: 10,000 by default. When there are more, the sequence throws. To stop earlier without an error,
    /// end the loop, or use `prefix`.
    public var maximumPages = 10_000

    /// Which links are followed.
    public var links = LinkPolicy()

    /// Whether to follow a link whose scheme, host or port differ from the first page's, or that has other credentials: never by default.
    /// This is the same as `links.allows`.
    public var allows: @Sendable (URL) -> Bool {
        get { links.allows }
        set { links.allows = newValue }
    }

    /// Called at the end of a walk when a `last` link or a total differs from the pages or resources that were found; nil by default.
    public var onDiagnostic: (@Sendable (PagesDiagnostic) -> Void)?

    /// Returns the total number of resources from a document's meta: the usual members by default, `PageTotal.usual`.
    public var total: @Sendable (JSONObject) -> Int? = PageTotal.usual

    private let walk: PageWalk<Item>
    private let load: @Sendable (URL) async throws -> (page: Document<[Item]>, text: Data?)

    /// Creates the pages that begin at `start`. The closure checks the status and the media type of the response itself.
    public init(
        of item: Item.Type = Item.self, from start: URL, by walk: PageWalk<Item> = .links, decoder: JSONAPIDecoder = JSONAPIDecoder(),
        fetch: @escaping Fetch
    ) {
        self.start = start.absoluteURL
        self.walk = walk
        load = { url in
            let text = try await fetch(url)
            return (try decoder.decode(Document<[Item]>.self, from: text), text)
        }
    }

    /// Creates the pages that begin with a request. All pages are requested with its headers.
    public init(_ request: JSONAPIRequest<Document<[Item]>>, by walk: PageWalk<Item> = .links, send: @escaping Send) {
        start = request.url.absoluteURL
        self.walk = walk
        load = { url in
            var request = request
            request.url = url
            let response = try await send(request)
            return (try request.answer(response), response.body)
        }
    }

    /// Returns an iterator that fetches the pages in order.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Iterates over the pages. An error in a link is thrown after the page that contains the link.
    public struct Iterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var upcoming: Result<URL, any Error>?
        private var visited: Set<String> = []
        private var text: Data?
        private var record = PageRecord()

        fileprivate init(_ pages: Pages) {
            self.pages = pages
            upcoming = .success(pages.start)
        }

        /// Returns the next page; nil after the last one.
        ///
        /// Throws `PagesError` when a link is not followed, `CancellationError` in a canceled task, and the errors of the closure. Also
        /// throws what reading the response throws: `DecodingError`, `UnexpectedAnswer`, or `ErrorDocument` for a document of errors.
        public mutating func next() async throws -> Document<[Item]>? {
            let step = upcoming
            upcoming = nil
            guard let url = try step?.get() else { return nil }
            try Task.checkCancellation()
            try enter(url)
            let (page, text) = try await pages.load(url)
            // Backward, a walk can begin after the last page, where all pages have the same text.
            let mayRepeat = pages.walk.isBackward && page.itemCount() == 0
            if pages.walk.counts, !mayRepeat, let text, text == self.text { throw PagesError(.repeatedPage, url) }
            self.text = pages.walk.counts ? text : nil
            let visit = PageVisit(page: page, url: url, index: visited.count - 1, itemCount: record.itemCount + page.itemCount())
            record.add(visit, total: page.meta.flatMap(pages.total))
            upcoming = pages.target(behind: visit)
            if upcoming == nil, let report = pages.onDiagnostic { record.diagnostics(isBackward: pages.walk.isBackward).forEach(report) }
            return page
        }

        private mutating func enter(_ url: URL) throws {
            guard visited.count < pages.maximumPages else { throw PagesError(.tooManyPages, url) }
            guard visited.insert(PageAddress.text(of: url)).inserted else { throw PagesError(.loop, url, link: pages.walk.linkName) }
        }
    }

    /// Returns the address of the next page, or the error why it is not fetched; nil after the last page.
    private func target(behind visit: PageVisit<Item>) -> Result<URL, any Error>? {
        do {
            guard let target = try walk.next(visit) else { return nil }
            if let followed = links.target(target, from: start) { return .success(followed) }
            return .failure(PagesError(.foreignLink, target, link: walk.linkName, isOwnHost: Origin.isMovable(target, to: start)))
        } catch {
            return .failure(error)
        }
    }
}

// MARK: - Elements

extension Pages {
    /// The resources of all pages, in order. A page is fetched after the last resource of the previous one.
    public var elements: Elements { Elements(pages: self) }

    /// The resources of all pages.
    public struct Elements: AsyncSequence, Sendable {
        fileprivate let pages: Pages

        /// Returns an iterator over the resources of all pages.
        public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

        /// Iterates over the resources of all pages.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var pages: Pages.Iterator
            private var page: [Item] = []
            private var position = 0

            fileprivate init(pages: Pages.Iterator) { self.pages = pages }

            /// Returns the next resource; nil after the last one. Throws what fetching a page throws.
            public mutating func next() async throws -> Item? {
                while position == page.count {
                    guard let next = try await pages.next() else { return nil }
                    page = next.data
                    position = 0
                }
                defer { position += 1 }
                return page[position]
            }
        }
    }
}

/// Functions for the address of a page.
enum PageAddress {
    /// Returns the URL without its fragment, which is not sent.
    static func text(of url: URL) -> String {
        let text = url.absoluteString.utf8
        return String(decoding: text[..<(text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex)], as: UTF8.self)
    }

    /// Returns a parameter of the URL as an integer; nil without the parameter. Throws when its value is not an integer.
    static func number(_ parameter: String, of url: URL) throws -> Int? {
        guard let text = Query(of: url)[parameter] else { return nil }
        guard let number = Int(text) else { throw PagesError(.unreadableNumber, url) }
        return number
    }

    /// Returns the URL with new values for the given parameters. All other parameters stay exactly as they are.
    static func url(_ url: URL, _ parameters: [(name: String, value: String)]) -> URL {
        Query.changing(url) { query in
            parameters.reduce(query ?? "") { FormEncoding.replacing($1.name, with: $1.value, in: $0) }
        } ?? url
    }

    /// Returns the URL with a new cursor. A cursor of the profile for the other direction is removed if it is alone, because both together
    /// request the items between them.
    ///
    /// <https://jsonapi.org/profiles/ethanresnick/cursor-pagination/#query-range-pagination>
    static func url(_ url: URL, _ parameter: String, _ cursor: String) -> URL {
        let opposites = ["page[after]": "page[before]", "page[before]": "page[after]"]
        guard Query(of: url)[parameter] == nil, let opposite = opposites[parameter] else { return self.url(url, [(parameter, cursor)]) }
        return Query.changing(url) { FormEncoding.replacing(parameter, with: cursor, in: removing(opposite, from: $0 ?? "")) } ?? url
    }

    private static func removing(_ name: String, from query: String) -> String {
        query.parts(separatedBy: UInt8(ascii: "&")).filter { piece in
            FormEncoding.pairs(of: piece).first.map { !UTF8Bytes.areEqual($0.name, name) } ?? true
        }.joined(separator: "&")
    }
}

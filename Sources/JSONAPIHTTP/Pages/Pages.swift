import Foundation
import JSONAPICodec

/// The pages of a collection, fetched one after the other.
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
/// It follows the `next` links, or goes another way that `PageWalk` names: backwards, by page numbers, offsets or cursors, or by a closure.
/// The pages of a relationship are those of `articles.identifiers("tags", of: id)`.
///
/// It has no network code: the closure does. Nothing is fetched before it is asked for, and one page at a time; each `for` loop begins at
/// the first page. After an error the sequence is at its end.
///
/// A link is what a server wrote, so it is not trusted: it must lead to the scheme, host and port of the first page and hold no
/// credentials of its own, unless `links` says otherwise; a page that was fetched before ends the walk with an error, and so
/// does the page limit. Redirects are the closure's to judge. A cancelled task throws `CancellationError` before the next fetch.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-pagination>
public struct Pages<Item: PrimaryElement>: AsyncSequence, Sendable {
    /// Fetches the document at a URL.
    public typealias Fetch = @Sendable (URL) async throws -> Data

    /// Sends a request for a page and returns what the server answers.
    public typealias Send = @Sendable (JSONAPIRequest<Document<[Item]>>) async throws -> JSONAPIResponse

    /// The address of the first page.
    public let start: URL

    /// The most pages that are fetched: 10,000 by default. More end in an error. To stop early without one, stop asking, or use
    /// `prefix`.
    public var maximumPages = 10_000

    /// Which links are followed.
    public var links = LinkPolicy()

    /// Whether a link may be followed that leads to another scheme, host or port than the first page's, or holds credentials:
    /// never by default. The same as `links.allows`.
    public var allows: @Sendable (URL) -> Bool {
        get { links.allows }
        set { links.allows = newValue }
    }

    /// Told at the end of a walk when a `last` link or a total says that there are more pages or resources, or fewer; nil by default.
    public var onDiagnostic: (@Sendable (PagesDiagnostic) -> Void)?

    /// How many resources the server says there are, of a document's meta: what is usual by default, `PageTotal.usual`.
    public var total: @Sendable (JSONObject) -> Int? = PageTotal.usual

    private let walk: PageWalk<Item>
    private let load: @Sendable (URL) async throws -> (page: Document<[Item]>, text: Data?)

    /// The pages from `start` on. The closure checks status and media type of the response itself.
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

    /// The pages from that of a request on. All of them are requested with its headers.
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

    /// Fetches page after page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Goes from page to page. What is wrong with a link is thrown behind the page that has it.
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

        /// The next page; nil behind the last one.
        ///
        /// Throws `PagesError` for a step that is not taken, `CancellationError` in a cancelled task, what the closure throws,
        /// and what reading the answer throws: `DecodingError`, `UnexpectedAnswer`, or `ErrorDocument` for a document of errors.
        public mutating func next() async throws -> Document<[Item]>? {
            let step = upcoming
            upcoming = nil
            guard let url = try step?.get() else { return nil }
            try Task.checkCancellation()
            try enter(url)
            let (page, text) = try await pages.load(url)
            if pages.walk.counts, let text, text == self.text { throw PagesError(.repeatedPage, url) }
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

    /// Where the next page is, or why it is not fetched; nil behind the last one.
    private func target(behind visit: PageVisit<Item>) -> Result<URL, any Error>? {
        do {
            guard let target = try walk.next(visit) else { return nil }
            if let followed = links.target(target, from: start) { return .success(followed) }
            return .failure(PagesError(.foreignLink, target, link: walk.linkName))
        } catch {
            return .failure(error)
        }
    }
}

// MARK: - Elements

extension Pages {
    /// The resources of all pages, one by one; a page is fetched when the one before it is used up.
    public var elements: Elements { Elements(pages: self) }

    /// The resources of all pages.
    public struct Elements: AsyncSequence, Sendable {
        fileprivate let pages: Pages

        /// Goes through page after page.
        public func makeAsyncIterator() -> Iterator { Iterator(pages: pages.makeAsyncIterator()) }

        /// Goes through the resources of page after page.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var pages: Pages.Iterator
            private var page: [Item] = []
            private var position = 0

            fileprivate init(pages: Pages.Iterator) { self.pages = pages }

            /// The next resource; nil behind the last one. Throws as fetching a page does.
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

/// What matters of the URL of a page.
enum PageAddress {
    /// The URL without its fragment, which is not sent.
    static func text(of url: URL) -> String {
        let text = url.absoluteString.utf8
        return String(decoding: text[..<(text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex)], as: UTF8.self)
    }

    /// A parameter of the URL as a whole number; nil without it. Throws when it is something else.
    static func number(_ parameter: String, of url: URL) throws -> Int? {
        guard let text = Query(of: url)[parameter] else { return nil }
        guard let number = Int(text) else { throw PagesError(.unreadableNumber, url) }
        return number
    }

    /// The URL with another value of a parameter.
    static func url(_ url: URL, _ parameters: [(name: String, value: String)]) -> URL {
        var query = Query(of: url)
        for parameter in parameters { query[parameter.name] = parameter.value }
        return query.replacingQuery(of: url)
    }
}

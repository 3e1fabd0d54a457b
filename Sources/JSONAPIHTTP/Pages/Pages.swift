import Foundation
import JSONAPICodec

/// The pages of a collection, fetched one after the other along their `next` links.
///
/// ```swift
/// let pages = Pages(of: Article.self, from: url) { url in
///     try await URLSession.shared.data(for: request(url)).0
/// }
/// for try await page in pages { show(page.data, of: page.links) }
/// for try await article in pages.elements { … }
/// ```
///
/// It has no network code: the closure does, with its own headers and checks of the response. Nothing is fetched before it is
/// asked for, and one page at a time; each `for` loop begins at the first page. After an error the sequence is at its end.
///
/// A link is what a server wrote, so it is not trusted: it must lead to the scheme, host and port of the first page and hold no
/// credentials of its own, unless `allows` says otherwise; a page that was fetched before ends the walk with an error, and so
/// does the page limit. Redirects are the closure's to judge. A cancelled task throws `CancellationError` before the next fetch.
///
/// Specification: <https://jsonapi.org/format/1.1/#fetching-pagination>
public struct Pages<Item: PrimaryElement>: AsyncSequence, Sendable {
    /// Fetches the document at a URL.
    public typealias Fetch = @Sendable (URL) async throws -> Data

    /// The address of the first page.
    public let start: URL

    /// The most pages that are fetched: 10,000 by default. More end in an error. To stop early without one, stop asking, or use
    /// `prefix`.
    public var maximumPages = 10_000

    /// Whether a link may be followed that leads to another scheme, host or port than the first page's, or holds credentials:
    /// never by default.
    public var allows: @Sendable (URL) -> Bool = { _ in false }

    private let decoder: JSONAPIDecoder
    private let fetch: Fetch

    /// The pages from `start` on.
    public init(
        of item: Item.Type = Item.self, from start: URL, decoder: JSONAPIDecoder = JSONAPIDecoder(), fetch: @escaping Fetch
    ) {
        self.start = start.absoluteURL
        self.decoder = decoder
        self.fetch = fetch
    }

    /// Fetches page after page.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Walks along the `next` links. What is wrong with one is thrown behind the page that has it.
    public struct Iterator: AsyncIteratorProtocol {
        private let pages: Pages
        private var upcoming: Result<URL, PagesError>?
        private var visited: Set<String> = []

        fileprivate init(_ pages: Pages) {
            self.pages = pages
            upcoming = .success(pages.start)
        }

        /// The next page; nil behind the last one.
        ///
        /// Throws `PagesError` for a link that is not followed, `CancellationError` in a cancelled task, what the closure throws,
        /// and what decoding throws: `DecodingError`, or `ErrorDocument` for a document of errors.
        public mutating func next() async throws -> Document<[Item]>? {
            let step = upcoming
            upcoming = nil
            guard let url = try step?.get() else { return nil }
            try Task.checkCancellation()
            try enter(url)
            let page = try pages.decoder.decode(Document<[Item]>.self, from: try await pages.fetch(url))
            upcoming = pages.target(of: page.links.next, on: url)
            return page
        }

        private mutating func enter(_ url: URL) throws {
            guard visited.count < pages.maximumPages else { throw PagesError(.tooManyPages, url) }
            guard visited.insert(PageAddress.text(of: url)).inserted else { throw PagesError(.loop, url) }
        }
    }

    /// Where the link leads from the page at `url`, or why it is not followed; nil when it leads nowhere.
    private func target(of link: DocumentLink?, on url: URL) -> Result<URL, PagesError>? {
        guard let link, link.href != nil else { return nil }
        guard let target = link.url(relativeTo: url) else { return .failure(PagesError(.unreadableLink, url)) }
        guard PageAddress.haveSameOrigin(start, target) || allows(target) else { return .failure(PagesError(.foreignLink, target)) }
        return .success(target)
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

// MARK: - Addresses

/// What matters of the URL of a page.
private enum PageAddress {
    /// The URL without its fragment, which is not sent.
    static func text(of url: URL) -> String {
        let text = url.absoluteString.utf8
        return String(decoding: text[..<(text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex)], as: UTF8.self)
    }

    /// Whether `link` leads to the scheme, host and port of `start`, with the same credentials or none.
    static func haveSameOrigin(_ start: URL, _ link: URL) -> Bool {
        guard start.scheme?.lowercased() == link.scheme?.lowercased(), start.host?.lowercased() == link.host?.lowercased(),
            port(of: start) == port(of: link)
        else { return false }
        return (link.user == nil && link.password == nil) || (link.user == start.user && link.password == start.password)
    }

    private static func port(of url: URL) -> Int? {
        if let port = url.port { return port }
        return switch url.scheme?.lowercased() {
        case "http": 80
        case "https": 443
        default: nil
        }
    }
}

// MARK: - Errors

/// Why the walk through pages stopped at a link.
public struct PagesError: Error, Sendable, Hashable {
    /// What is wrong. The set may grow: always handle the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The kind's name, as `foreignLink`.
        public let description: String
        private init(_ name: String) { description = name }

        /// `next` leads to a page that was fetched before.
        public static let loop = Kind("loop")
        /// There are more pages than `maximumPages`.
        public static let tooManyPages = Kind("tooManyPages")
        /// `next` leads to another scheme, host or port than the first page's, or holds credentials.
        public static let foreignLink = Kind("foreignLink")
        /// `next` is no URI reference.
        public static let unreadableLink = Kind("unreadableLink")
    }

    /// What is wrong.
    public let kind: Kind

    /// Where the link leads; of a link that cannot be read, the page that has it.
    public let url: URL

    init(_ kind: Kind, _ url: URL) {
        self.kind = kind
        self.url = url
    }
}

extension PagesError: CustomStringConvertible {
    /// The problem in words, with the cure. Of the URL it shows scheme, host and port at most.
    public var description: String {
        switch kind {
        case .loop: "The link `next` leads to a page that was fetched before. An empty link leads to its own page; the last page has null."
        case .tooManyPages: "There are more pages than `maximumPages` allows."
        case .foreignLink: "The link `next` leads to \(origin), away from the first page; set `allows` to follow it."
        default: "The link `next` is no URI reference."
        }
    }

    private var origin: String {
        let host = (url.host ?? "no host") + (url.port.map { ":\($0)" } ?? "")
        return (url.user == nil ? "" : "credentials at ") + (url.scheme.map { "\($0)://" } ?? "") + host
    }
}

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

@Suite("Pages")
struct PagesTests {
    /// A server of pages, by the text of their URL.
    struct Server: Sendable {
        var pages: [String: String]

        static func page(_ ids: [String], next: String?) -> String {
            let data = ids.map { #"{"type":"people","id":"\#($0)","attributes":{"name":"N\#($0)"}}"# }.joined(separator: ",")
            return #"{"data":[\#(data)],"links":{"next":\#(next ?? "null")}}"#
        }

        struct NotFound: Error {}

        @Sendable func fetch(_ url: URL) async throws -> Data {
            guard let text = pages[url.absoluteString] else { throw NotFound() }
            return Data(text.utf8)
        }
    }

    static let start = "https://example.com/people?page%5Bsize%5D=2"

    func pages(_ pages: [String: String], from start: String = start) throws -> Pages<Blog.Person> {
        Pages(from: try #require(URL(string: start)), fetch: Server(pages: pages).fetch)
    }

    /// All ids, and the kind of the error at the end.
    func walk(_ pages: Pages<Blog.Person>) async throws -> ([String], PagesError.Kind?) {
        var ids: [String] = []
        do {
            for try await page in pages { ids += page.data.map(\.id) }
        } catch let error as PagesError {
            return (ids, error.kind)
        }
        return (ids, nil)
    }

    @Test("Links of every form are resolved against the page's address")
    func following() async throws {
        let pages = try pages([
            Self.start: Server.page(["1", "2"], next: #""/people?page[after]=2""#),
            "https://example.com/people?page%5Bafter%5D=2": Server.page(["3"], next: #"{"href":"more/last"}"#),
            "https://example.com/more/last": Server.page([], next: #""HTTPS://Example.com:443/end""#),
            "HTTPS://Example.com:443/end": Server.page(["4"], next: nil),
        ])
        let (ids, problem) = try await walk(pages)
        #expect(ids == ["1", "2", "3", "4"])
        #expect(problem == nil)

        var names: [String] = []
        for try await person in pages.elements { names.append(person.name) }
        #expect(names == ["N1", "N2", "N3", "N4"])
    }

    @Test("A document without links is the only page")
    func onePage() async throws {
        let pages = try pages([Self.start: #"{"data":[{"type":"people","id":"1","attributes":{"name":"A"}}]}"#])
        #expect(try await walk(pages).0 == ["1"])
    }

    @Test("An empty link is that of a last page")
    func emptyLink() async throws {
        let (ids, problem) = try await walk(try pages([Self.start: Server.page(["1"], next: #""""#)]))
        #expect(ids == ["1"] && problem == nil)
    }

    @Test("A page that was fetched before ends the walk", arguments: [##""#x""##, #""?page%5Bsize%5D=2""#])
    func loops(next: String) async throws {
        let (ids, problem) = try await walk(try pages([Self.start: Server.page(["1"], next: next)]))
        #expect(ids == ["1"])
        #expect(problem == .loop)
    }

    @Test(
        "Links to another origin are not followed",
        arguments: [
            "http://example.com/people", "https://example.org/", "//evil.example/x", "https://example.com:8443/x", "file:///etc/passwd",
            "https://user:secret@example.com/x", "https://example.com@evil.example/", "data:,x", "https://example.com.evil.example/",
            "https://example.com:99999999999999999999/x",
        ])
    func elsewhere(link: String) async throws {
        let (ids, problem) = try await walk(try pages([Self.start: Server.page(["1"], next: "\"\(link)\"")]))
        #expect(ids == ["1"])
        #expect(problem == .foreignLink)
    }

    @Test("Links to another origin are followed if allowed")
    func allowed() async throws {
        var pages = try pages([
            Self.start: Server.page(["1"], next: #""https://cdn.example.com/2""#),
            "https://cdn.example.com/2": Server.page(["2"], next: nil),
        ])
        pages.allows = { $0.host == "cdn.example.com" }
        #expect(try await walk(pages).0 == ["1", "2"])
    }

    @Test("The number of pages is limited")
    func limit() async throws {
        var pages = try pages([
            Self.start: Server.page(["1"], next: #""/2""#), "https://example.com/2": Server.page(["2"], next: #""/3""#),
            "https://example.com/3": Server.page(["3"], next: nil),
        ])
        pages.maximumPages = 2
        let (ids, problem) = try await walk(pages)
        #expect(ids == ["1", "2"])
        #expect(problem == .tooManyPages)
        do {
            for try await _ in pages {}
        } catch let error as PagesError {
            #expect(error.description.contains("raise it"))
        }
        pages.maximumPages = 3
        #expect(try await walk(pages).1 == nil)
        var first: [String] = []
        for try await page in pages.prefix(1) { first += page.data.map(\.id) }
        #expect(first == ["1"])
    }

    @Test("The sequence ends after an error")
    func afterErrors() async throws {
        let pages = try pages([Self.start: #"{"errors":[{"status":"500"}]}"#])
        var iterator = pages.makeAsyncIterator()
        await #expect(throws: ErrorDocument.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)

        var missing = try self.pages([:]).makeAsyncIterator()
        await #expect(throws: Server.NotFound.self) { _ = try await missing.next() }
    }

    @Test("A canceled task fetches nothing")
    func cancellation() async throws {
        let pages = try pages([Self.start: Server.page(["1"], next: nil)])
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            for try await _ in pages { Issue.record("fetched") }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Errors contain only the origin of a link")
    func descriptions() async throws {
        let pages = try pages([Self.start: Server.page([], next: #""https://user:secret@evil.example:1/token""#)])
        do {
            _ = try await walk(pages)
            for try await _ in pages {}
            Issue.record("no error")
        } catch let error as PagesError {
            #expect(
                "\(error)"
                    == "The link `next` leads to credentials at https://evil.example:1, not to the server of the first page; set `allows` to follow it."
            )
        }
    }

    @Test("For an http link to the same server, the error names the option that keeps https")
    func ownHost() async throws {
        let pages = try pages([Self.start: Server.page([], next: #""http://example.com:8080/people?page=2""#)])
        do {
            for try await _ in pages {}
            Issue.record("no error")
        } catch let error as PagesError {
            #expect(
                "\(error)"
                    == "The link `next` leads to http://example.com:8080 instead of https; set `usesOwnOrigin` of `links` to follow it by https."
            )
        }
    }
}

@Suite("Pagination links")
struct PageLinksTests {
    @Test("Absent and null links differ, and other links are kept")
    func links() {
        var links: Links = ["self": "/", "prev": .null, "next": "/2"]
        #expect(links.pages == PageLinks(prev: .null, next: "/2"))
        #expect(links.pages.hasNext && !links.pages.hasPrev && !links.pages.isEmpty)
        links.pages = CursorPagination.links(prev: "/1", next: nil)
        #expect(links.description == #"{"self":"/","prev":"/1","next":null}"#)
        #expect(CursorPagination.missingLinks(in: links.pages) == [])
        links.pages = PageLinks(next: .null)
        #expect(CursorPagination.missingLinks(in: links.pages) == ["prev"])
        links.pages = PageLinks()
        #expect(links.pages.isEmpty)
        #expect(links.names == ["self"])
    }

    @Test("An empty link leads to no further page", arguments: ["", .object(LinkObject(members: ["href": ""]))] as [DocumentLink])
    func emptyLinks(link: DocumentLink) {
        let links: Links = ["prev": link, "next": link]
        #expect(!links.pages.hasNext && !links.pages.hasPrev && !links.pages.isEmpty)
    }
}

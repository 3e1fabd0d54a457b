import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIHTTP

@Suite("Page walks")
struct PageWalkTests {
    /// People with the ids 1 to `count`, in pages that `slice` selects.
    struct Server: Sendable {
        var count = 7
        /// The ids of the requested page.
        var slice: @Sendable (Query, Int) -> Range<Int>
        var links: @Sendable (Query, Int) -> Links? = { _, _ in nil }
        var meta: JSONObject?

        @Sendable func fetch(_ url: URL) async throws -> Data {
            let query = Query(of: url)
            let people = slice(query, count).clamped(to: 1..<count + 1).map { id in
                ResourceObject(
                    type: "people", id: String(id), attributes: ["name": "N"],
                    meta: CursorMeta(cursor: "c\(id)").added(to: JSONObject()))
            }
            return try JSONAPIEncoder().encode(people, links: links(query, count), meta: meta)
        }

        static let numbers = Server { query, _ in
            let (size, number) = (Int(query.page["size"] ?? "") ?? 3, Int(query.page["number"] ?? "") ?? 1)
            return (number - 1) * min(size, 3) + 1..<max(number, 0) * min(size, 3) + 1
        }

        static let offsets = Server { query, _ in
            let (limit, offset) = (Int(query.page["limit"] ?? "") ?? 3, Int(query.page["offset"] ?? "") ?? 0)
            return offset + 1..<offset + min(limit, 3) + 1
        }

        static let cursors = Server { query, count in
            func number(_ text: String?) -> Int? { text.flatMap { Int($0.dropFirst()) } }
            if let before = number(query.page["before"]) { return max(before - 3, 1)..<max(before, 1) }
            let after = number(query.page["after"]) ?? 0
            return after + 1..<min(after + 4, count + 1)
        }
    }

    final class Log: @unchecked Sendable {
        // The lock protects the entries.
        private let lock = NSLock()
        private var entries: [String] = []
        func add(_ text: String) { lock.withLock { entries.append(text) } }
        var all: [String] { lock.withLock { entries } }
    }

    private func walk(
        _ server: Server, _ start: String = "https://example.com/people", by way: PageWalk<Blog.Person>,
        _ change: (inout Pages<Blog.Person>) -> Void = { _ in }
    ) async throws -> (ids: [String], problem: PagesError.Kind?, diagnostics: [String]) {
        let log = Log()
        var pages = Pages<Blog.Person>(from: try #require(URL(string: start)), by: way, fetch: server.fetch)
        pages.onDiagnostic = { log.add("\($0.kind) \($0.expected) \($0.found)") }
        change(&pages)
        var ids: [String] = []
        do {
            for try await page in pages { ids.append(page.data.map(\.id).joined()) }
        } catch let error as PagesError {
            return (ids, error.kind, log.all)
        }
        return (ids, nil, log.all)
    }

    @Test("By number, even if pages are smaller than requested")
    func numbers() async throws {
        let people = "https://example.com/people"
        #expect(try await walk(.numbers, by: .numbers()).ids == ["123", "456", "7", ""])
        #expect(try await walk(.numbers, "\(people)?page%5Bsize%5D=100&page%5Bnumber%5D=2", by: .numbers()).ids == ["456", "7", ""])
        #expect(try await walk(.numbers, "\(people)?page[number]=3", by: .numbers(backward: true)).ids == ["7", "456", "123"])
        var server = Server.numbers
        server.links = { query, _ in Int(query.page["number"] ?? "1") == 3 ? ["next": .null] : nil }
        #expect(try await walk(server, by: .numbers()).ids == ["123", "456", "7"])
        server.links = { _, _ in ["last": "/people?page[number]=2"] }
        #expect(try await walk(server, by: .numbers()).ids == ["123", "456"])
        #expect(try await walk(server, "\(people)?page[number]=x", by: .numbers()).problem == .unreadableNumber)
        var zero = Server.numbers
        zero.slice = { query, _ in (Int(query["p"] ?? "0") ?? 0) * 3 + 1..<(Int(query["p"] ?? "0") ?? 0) * 3 + 4 }
        #expect(try await walk(zero, by: .numbers("p", first: 0)).ids == ["123", "456", "7", ""])
        #expect(try await walk(zero, "\(people)?p=2", by: .numbers("p", first: 0, backward: true)).ids == ["7", "456", "123"])
    }

    @Test(
        "An empty link `last` does not end a walk at its own page",
        arguments: ["", .object(LinkObject(members: ["href": ""]))] as [DocumentLink])
    func emptyLastLink(last: DocumentLink) async throws {
        let all = ["123", "456", "7", ""]
        var server = Server.numbers
        server.links = { _, _ in ["last": last] }
        for start in ["https://example.com/people", "https://example.com/people?page[number]=1"] {
            #expect(try await walk(server, start, by: .numbers()) == (all, nil, []))
        }
        server = Server.offsets
        server.links = { _, _ in ["last": last] }
        #expect(try await walk(server, "https://example.com/people?page[offset]=0", by: .offsets()) == (all, nil, []))
    }

    @Test("By offset, in both directions")
    func offsets() async throws {
        let people = "https://example.com/people"
        #expect(try await walk(.offsets, by: .offsets()).ids == ["123", "456", "7", ""])
        #expect(try await walk(.offsets, "\(people)?page[limit]=2", by: .offsets()).ids == ["12", "34", "56", "7", ""])
        #expect(
            try await walk(.offsets, "\(people)?page[limit]=2&page[offset]=5", by: .offsets(backward: true)).ids == ["67", "45", "23", "1"])
        #expect(try await walk(.offsets, "\(people)?page[offset]=9", by: .offsets(backward: true)).problem == .unreadableNumber)
    }

    @Test("By offset backwards, no resource is on two pages, and none is lost silently")
    func offsetsBackwards() async throws {
        func back(_ query: String, _ server: Server = .offsets) async throws -> (ids: [String], problem: PagesError.Kind?) {
            let found = try await walk(server, "https://example.com/people?\(query)", by: .offsets(backward: true))
            return (found.ids, found.problem)
        }
        // Without a limit, the size of the first page is the limit.
        #expect(try await back("page[offset]=6").ids == ["7", "6", "5", "4", "3", "2", "1"])
        #expect(try await back("page[offset]=5").ids == ["67", "45", "23", "1"])
        // The server sends at most three resources.
        #expect(try await back("page[limit]=5&page[offset]=6") == (["7", "234"], .unexpectedCount))
        #expect(try await back("page[limit]=5&page[offset]=5") == (["67", "123"], .unexpectedCount))
        #expect(try await back("page[limit]=3&page[offset]=6") == (["7", "456", "123"], nil))
        // The server ignores the limit.
        var fixed = Server.offsets
        fixed.slice = { query, _ in
            let offset = Int(query.page["offset"] ?? "") ?? 0
            return offset + 1..<offset + 4
        }
        #expect(try await back("page[offset]=4", fixed) == (["567", "234", "123"], .unexpectedCount))
    }

    @Test("By cursor, of the profile or of the server")
    func cursors() async throws {
        let people = "https://example.com/people"
        #expect(try await walk(.cursors, by: .cursors()).ids == ["123", "456", "7", ""])
        #expect(try await walk(.cursors, "\(people)?page[before]=c7", by: .cursors(backward: true)).ids == ["456", "123", ""])
        let own = PageWalk<Blog.Person>.cursors("page[after]") { page in page.data.last.map { "c\($0.id)" } }
        #expect(try await walk(.cursors, by: own).ids == ["123", "456", "7", ""])
        let bare = Pages<Blog.Person>(from: try #require(URL(string: people)), by: .cursors()) { _ in
            Data(#"{"data":[{"type":"people","id":"1","attributes":{"name":"N"}}]}"#.utf8)
        }
        await #expect(throws: PagesError.self) { for try await _ in bare {} }
    }

    @Test("By cursor, a page without resources and an empty cursor are the end")
    func lastCursors() async throws {
        let further = PageWalk<Blog.Person>.cursors("page[after]") { page in page.data.last.map { "c\($0.id)" } ?? "" }
        #expect(try await walk(.cursors, by: further) == (["123", "456", "7", ""], nil, []))
        #expect(try await walk(.cursors, by: .cursors("page[after]") { _ in "" }) == (["123"], nil, []))
    }

    @Test("By number backwards, empty pages after the last one do not end the walk")
    func emptyPagesBackwards() async throws {
        let start = "https://example.com/people?page[number]=6"
        #expect(try await walk(.numbers, start, by: .numbers(backward: true)) == (["", "", "", "7", "456", "123"], nil, []))
        var empty = Server.numbers
        empty.count = 0
        let (ids, problem, _) = try await walk(empty, start, by: .numbers(backward: true)) { $0.maximumPages = 4 }
        #expect(ids == ["", "", "", ""] && problem == .tooManyPages)
    }

    @Test("By cursor, against the direction of the first address")
    func turningCursors() async throws {
        let people = "https://example.com/people"
        #expect(try await walk(.cursors, "\(people)?page[before]=c7", by: .cursors()).ids == ["456", "7", ""])
        #expect(try await walk(.cursors, "\(people)?page[after]=c3", by: .cursors(backward: true)).ids == ["456", "123", ""])
        func next(_ query: String, _ parameter: String) -> String? {
            guard let url = URL(string: "https://h.example/people\(query)") else { return nil }
            return PageAddress.url(url, parameter, "x").query(percentEncoded: true)
        }
        #expect(next("?a=%E9&page%5Bbefore%5D=c&flag", "page[after]") == "a=%E9&flag&page%5Bafter%5D=x")
        #expect(next("?page%5Bafter%5D=c", "page[before]") == "page%5Bbefore%5D=x")
        // Both cursors request a range.
        #expect(next("?page%5Bafter%5D=a&page%5Bbefore%5D=c", "page[after]") == "page%5Bafter%5D=x&page%5Bbefore%5D=c")
        #expect(next("?page%5Bbefore%5D=c", "cursor") == "page%5Bbefore%5D=c&cursor=x")
    }

    @Test("A server that ignores the parameter ends the walk with an error", arguments: [0, 1, 2])
    func repeated(way: Int) async throws {
        let server = Server { _, _ in 1..<4 }
        let ways: [PageWalk<Blog.Person>] = [.numbers(), .offsets(), .cursors("c") { $0.links.next?.href ?? UUID().uuidString }]
        let (ids, problem, _) = try await walk(server, by: ways[way])
        #expect(ids == ["123"] && problem == .repeatedPage)
    }

    @Test("A server that repeats its last page ends the walk with an error that says so")
    func repeatedLast() async throws {
        let server = Server { query, _ in
            let number = min(Int(query.page["number"] ?? "") ?? 1, 3)
            return number * 3 - 2..<number * 3 + 1
        }
        let (ids, problem, _) = try await walk(server, by: .numbers())
        #expect(ids == ["123", "456", "7"] && problem == .repeatedPage)
        let error = PagesError(.repeatedPage, try #require(URL(string: "https://example.com/people")))
        #expect(error.description.contains("repeats its last page"))
    }

    @Test("By a closure, which must not leave the origin or repeat a page")
    func closures() async throws {
        let third = PageWalk<Blog.Person>.custom { visit in
            visit.index < 2 ? URL(string: "?page%5Bnumber%5D=\(visit.index + 2)", relativeTo: visit.url) : nil
        }
        #expect(try await walk(.numbers, by: third).ids == ["123", "456", "7"])
        #expect(try await walk(.numbers, by: .custom { _ in URL(string: "https://evil.example/") }).problem == .foreignLink)
        let circle = PageWalk<Blog.Person>.custom {
            URL(string: $0.index % 2 == 0 ? "https://example.com/b" : "https://example.com/people")
        }
        #expect(try await walk(.numbers, by: circle).problem == .loop)
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await walk(.numbers, by: .custom { _ in throw Broken() }) }
    }

    @Test("Backwards along links")
    func backwards() async throws {
        var server = Server.numbers
        server.links = { query, _ in
            let number = Int(query.page["number"] ?? "1") ?? 1
            return ["prev": number > 1 ? "/people?page[number]=\(number - 1)" : .null, "next": "/people?page[number]=\(number + 1)"]
        }
        #expect(try await walk(server, "https://example.com/people?page[number]=3", by: .previousLinks).ids == ["7", "456", "123"])
        server.links = { _, _ in ["prev": "#x"] }
        #expect(try await walk(server, by: .previousLinks).problem == .loop)
    }

    @Test("An http link is followed at the first page's https origin, on request")
    func ownOrigin() async throws {
        var server = Server.numbers
        server.links = { query, _ in query.page["number"] == nil ? ["next": "http://example.com:8080/people?page[number]=2"] : nil }
        let start = "https://example.com:8443/people"
        #expect(try await walk(server, start, by: .links).problem == .foreignLink)
        let log = Log()
        let counted = server
        var pages = Pages<Blog.Person>(from: try #require(URL(string: start))) { url in
            log.add(url.absoluteString)
            return try await counted.fetch(url)
        }
        pages.links.usesOwnOrigin = true
        for try await _ in pages {}
        #expect(log.all.last == "https://example.com:8443/people?page%5Bnumber%5D=2")
    }

    @Test("An end that disagrees with the server's total is reported")
    func diagnostics() async throws {
        var server = Server.numbers
        server.meta = ["total": 7]
        #expect(try await walk(server, by: .numbers()).diagnostics == [])
        server.meta = ["page": ["total": 12]]
        #expect(try await walk(server, by: .numbers()).diagnostics == ["total 12 7"])
        #expect(try await walk(server, "https://example.com/people?page[number]=2", by: .numbers()).diagnostics == [])
        #expect(try await walk(server, by: .numbers()) { $0.total = { _ in 3 } }.diagnostics == ["total 3 7"])

        server = Server.numbers
        server.links = { query, _ in
            ["last": "/people?page[number]=3&sort=id", "next": query.page["number"] == nil ? "/people?page[number]=2" : .null]
        }
        #expect(try await walk(server, by: .links).diagnostics == ["last 3 2"])
        #expect(try await walk(server, by: .links) { $0.onDiagnostic = nil }.ids == ["123", "456"])
        server.links = { _, _ in ["last": "?page[number]=1"] }
        #expect(try await walk(server, by: .links).diagnostics == [])
        server.links = { _, _ in ["last": "?page[before]=c9"] }
        #expect(try await walk(server, by: .links).diagnostics == [])
    }

    @Test("A walk that may have begun elsewhere, or whose pages begin elsewhere than the server's, is not reported")
    func diagnosticsOfOtherBeginnings() async throws {
        let people = "https://example.com/people"
        var server = Server { query, _ in
            let from = (Int(query["p"] ?? query.page["from"] ?? "0") ?? 0) * 3 + 1
            return from..<from + 3
        }
        server.meta = ["total": 7]
        #expect(try await walk(server, people + "?p=1", by: .numbers("p", first: 0)).diagnostics == [])
        #expect(try await walk(server, people + "?page[from]=2", by: .links).diagnostics == [])
        #expect(try await walk(server, people + "?sort=name&filter[a]=b&page[size]=3", by: .links).diagnostics == ["total 7 3"])

        server = Server.numbers
        (server.meta, server.links) = (["total": 7], { _, _ in ["first": "/people?page[number]=0"] })
        #expect(try await walk(server, people + "?page[number]=1", by: .links).diagnostics == [])
        (server.meta, server.links) = (nil, { _, _ in ["last": "/people?page[size]=1&page[number]=7"] })
        #expect(try await walk(server, people + "?page[size]=3", by: .links).diagnostics == [])

        server = Server.offsets
        server.links = { _, _ in ["last": "/people?page[offset]=3"] }
        #expect(try await walk(server, people + "?page[offset]=1", by: .offsets()).diagnostics == [])
        server.links = { _, _ in ["last": "/people?page[offset]=9"] }
        #expect(try await walk(server, people, by: .offsets()).diagnostics == ["last 9 6"])
    }

    @Test("An empty link says nothing about the first or the last page")
    func diagnosticsOfEmptyLinks() async throws {
        var server = Server.numbers
        server.meta = ["total": 12]
        server.links = { _, _ in ["prev": ""] }
        #expect(try await walk(server, by: .numbers()).diagnostics == ["total 12 7"])
        server.meta = nil
        server.links = { query, _ in
            query.page["number"] == nil ? ["last": "/people?page[number]=3", "next": "/people?page[number]=2"] : ["last": "", "next": ""]
        }
        #expect(try await walk(server, by: .links).diagnostics == ["last 3 2"])
    }

    @Test("A server can count its pages from 0")
    func diagnosticsFromZero() async throws {
        var server = Server.numbers
        server.count = 2
        server.meta = ["total": 9]
        let people = "https://example.com/people"
        for last in [0, 1] {
            server.links = { _, _ in ["last": .text("/people?page=\(last)")] }
            #expect(try await walk(server, people, by: .links).diagnostics == ["total 9 2"])
        }
        server.links = { _, _ in ["last": "/people?page=2"] }
        #expect(try await walk(server, people, by: .links).diagnostics == ["last 2 1", "total 9 2"])
        #expect(try await walk(server, people + "?page=0", by: .links).diagnostics == ["last 2 0", "total 9 2"])
    }

    @Test("A page with only dropped resources is not the last")
    func droppedResources() async throws {
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let pages = Pages<Blog.Person>(from: try #require(URL(string: "https://example.com/people")), by: .offsets(), decoder: decoder) {
            url in
            switch Query(of: url).page["offset"] {
            case nil: Data(#"{"data":[{"type":"people","id":"1"},{"type":"people","id":"2"}]}"#.utf8)
            case "2": Data(#"{"data":[{"type":"people","id":"3","attributes":{"name":"N"}}]}"#.utf8)
            default: Data(#"{"data":[]}"#.utf8)
            }
        }
        var ids: [String] = []
        for try await person in pages.elements { ids.append(person.id) }
        #expect(ids == ["3"])
    }

    @Test("Pages keep the headers and decoder of their request")
    func requests() async throws {
        var people = Endpoint<Blog.Person>("https://example.com/people")
        people.headers = ["Authorization": "Bearer x"]
        let log = Log()
        let server = Server.numbers
        let pages = Pages(try people.list(Query(sort: ["id"])), by: .numbers()) { request in
            log.add("\(request.method) \(request.url.query ?? "") \(request.headers["Authorization"] ?? "")")
            return JSONAPIResponse(status: 200, body: try await server.fetch(request.url))
        }
        var count = 0
        for try await person in pages.elements {
            count += person.id.count
            if count == 4 { break }
        }
        #expect(log.all == ["GET sort=id Bearer x", "GET sort=id&page%5Bnumber%5D=2 Bearer x"])
        let failing = Pages(try people.list()) { _ in JSONAPIResponse(status: 502, body: Data("<html>".utf8)) }
        await #expect(throws: UnexpectedAnswer.self) { for try await _ in failing {} }
    }

    @Test("Pages of a relationship are pages of identifiers")
    func relationships() async throws {
        let people = Endpoint<Blog.Person>("https://example.com/people")
        let pages = Pages(try people.identifiers("friends", of: "1")) { request in
            let isFirst = request.url.query == nil
            let next = isFirst ? #""/people/1/relationships/friends?page=2""# : "null"
            return JSONAPIResponse(
                status: 200, body: Data(#"{"data":[{"type":"people","id":"\#(isFirst ? 2 : 3)"}],"links":{"next":\#(next)}}"#.utf8))
        }
        var ids: [String?] = []
        for try await friend in pages.elements { ids.append(friend.id) }
        #expect(ids == ["2", "3"])
    }

    @Test("A walk by numbers keeps all other parameters byte by byte")
    func otherParameters() {
        func next(_ query: String) -> String? {
            guard let url = URL(string: "https://h.example/people\(query)") else { return nil }
            return PageAddress.url(url, [("page[number]", "2")]).query(percentEncoded: true)
        }
        #expect(next("?filter%5Bq%5D=%E9&flag&a=1&a=2") == "filter%5Bq%5D=%E9&flag&a=1&a=2&page%5Bnumber%5D=2")
        #expect(next("?page[number]=1&x=+") == "page%5Bnumber%5D=2&x=+")
        #expect(next("?x=1&page%5bnumber%5d=1&y=2&page%5Bnumber%5D=7") == "x=1&page%5Bnumber%5D=2&y=2")
        #expect(next("") == "page%5Bnumber%5D=2")
    }
}

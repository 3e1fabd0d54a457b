// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

@Suite("The article Queries, media types, and pages")
struct QueriesTests {
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
    }

    private let articles: URL

    init() throws { articles = try #require(URL(string: "https://blog.example/articles")) }

    @Test("Queries are built, parsed and checked")
    func queries() throws {
        var query = Query(
            include: ["author", "comments.author"], fields: ["articles": ["title", "author"]], sort: ["-publishedAt", "title"])
        query.page["size"] = "10"
        query.filter["tags"] = "swift"
        let address = query.appending(to: articles)
        #expect(try DocumentationPage.named("Queries").text.contains("\n\(address.absoluteString)\n"))

        let same = Query()
            .including("author", "comments.author").fields(of: Article.self, ["title", "author"])
            .sorted(by: .descending("publishedAt"), "title").page("size", 10).filter("tags", "swift")
        #expect(same == query)

        let titles = try Query().fields(Article.self, \.title)                // fields[articles]=title
        #expect(titles == Query(fields: ["articles": ["title"]]))

        let asked = Query(parsing: "include=author,coments&sort=-publishedAt&page%5Bsize%5D=10")
        let rules = QueryRules(include: .only(["author", "comments"]), sort: .only(["publishedAt", "title"]))
        let problems = rules.problems(of: asked)
        let nearest = problems.first?.nearest                                // "comments"
        let direction = asked.sort?.first?.direction                         // .descending
        let size = asked.page["size"]                                        // "10"
        #expect(problems.count == 1 && nearest == "comments" && direction == .descending && size == "10")
    }

    @Test("A server responds to a query, and to errors")
    func answering() throws {
        struct Person: Resource {
            static let type = "people"
            var id: String
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var author: Person
        }
        let articles = [Article(id: "1", author: Person(id: "9"))]
        func respond(to text: String) throws -> JSONAPIResponse {
            let rules = QueryRules(include: .only(["author", "reviewers"]))
            do {
                let query = Query(parsing: text)
                try rules.check(query)                                       // throws if the endpoint does not support the query
                return try .ok(articles, for: query)                         // status 200
            } catch {
                return try .errors(ErrorDocument(error))                     // status 400, 409, 422, …, or 500 without details
            }
        }
        let good = try respond(to: "include=author")
        #expect(good.status == 200 && good.headers["Content-Type"] == "application/vnd.api+json")
        #expect(try JSON(parsing: #require(good.body))["included"]?.array?.count == 1)
        let bad = try respond(to: "include=publisher")
        #expect(bad.status == 400)
        #expect(try JSON(parsing: #require(bad.body))["errors"]?[0]?["source"] == ["parameter": "include"])
    }

    @Test("Media types and negotiation")
    func mediaTypes() throws {
        let atomic = MediaType(ext: [AtomicOperations.uri])
        let request = atomic.requestHeaders(hasDocument: true)               // Accept and Content-Type

        let negotiation = ContentNegotiation(extensions: [AtomicOperations.uri])
        let understood = try negotiation.verdict(onContentType: atomic.description)
        let refused = try negotiation.verdict(onContentType: "application/vnd.api+json;charset=utf-8").status     // 415
        #expect(request["Accept"] == atomic.description && request["Content-Type"] == atomic.description)
        #expect(understood == .accepted(atomic) && refused == 415)

        let sent = "application/vnd.api+json;ext=https://jsonapi.org/ext/atomic"
        let corrected = try MediaType(lenient: sent).description             // with quotation marks
        let accepted = try negotiation.verdict(onContentType: corrected)
        #expect(accepted == .accepted(atomic) && corrected == atomic.description)
        #expect(throws: MediaTypeError.self) { try negotiation.verdict(onContentType: sent) }
    }

    @Test("Pages are fetched with a closure")
    func pages() async throws {
        let address = articles
        let fetch: @Sendable (URL) async throws -> Data = { url in
            let next = url.query == nil ? #""/articles?page[number]=2""# : "null"
            return Data(#"{"data":[{"type":"articles","id":"1","attributes":{"title":"T"}}],"links":{"next":\#(next)}}"#.utf8)
        }
        var totals: [Int] = []
        var titles: [String] = []
        let pages = Pages(of: Article.self, from: address, fetch: fetch)
        for try await page in pages {
            totals.append(page.data.count)
        }
        for try await article in pages.elements {
            titles.append(article.title)
        }
        #expect(totals == [1, 1] && titles == ["T", "T"])

        var cursor = Query()
        cursor.cursorPage = CursorPage(size: 20, after: "abcde")
        let taken = try CursorRules(defaultSize: 10, maximumSize: 100).page(of: cursor)
        let links = CursorPagination.links(prev: nil, next: "/articles?page[after]=fghij")
        #expect(taken == CursorPage(size: 20, after: "abcde") && cursor.description == "page[size]=20&page[after]=abcde")
        #expect(links.prev == .null && links.hasNext)
    }
}

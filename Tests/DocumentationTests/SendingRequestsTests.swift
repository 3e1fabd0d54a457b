// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The article Sending requests")
struct SendingRequestsTests {
    struct Comment: Resource {
        static let type = "comments"
        var id: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var comments: ToMany<Comment> = .notLoaded
    }

    struct NewArticle: ResourceFields {
        static let type = "articles"
        var title: String
    }

    struct ArticleForm: Resource {
        static let type = "articles"
        var id: String?
        var title: String
    }

    /// A server with one article.
    struct Session: Sendable {
        static let article = #"{"type":"articles","id":"1","attributes":{"title":"Clocks"}}"#

        func data(for request: URLRequest) async throws -> (Data, URLResponse) {
            let url = try #require(request.url)
            let text = Query(of: url).page["number"] == "2" ? #"{"data":[]}"# : #"{"data":[\#(Self.article)]}"#
            let response = try #require(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: nil))
            return (Data(text.utf8), response)
        }
    }

    private let article = Article(id: "1", title: "Clocks")
    private let body = Data(#"{"data":\#(Session.article),"links":{"self":"/api/articles"}}"#.utf8)

    @Test("Addresses of any form")
    func addresses() throws {
        let token = "secret"
        var server = JSONAPIServer("https://example.com/v1")
        server.headers["Authorization"] = "Bearer \(token)"
        var query = Query(include: ["author"])
        query.append("filter[state]", ["open", "new"])
        let found: JSONAPIRequest<Document<[Article]>> = try server.get("/authors/{author}/articles", ["author": "9"], query: query)
        #expect(found.url.path == "/v1/authors/9/articles" && found.headers["Authorization"] == "Bearer secret")
        #expect(Query(of: found.url) == query && query.filter["state"] == "open,new")
        #expect(try found.answer(status: 200, body: Data(#"{"data":[\#(Session.article)]}"#.utf8)).data.count == 1)
    }

    @Test("Every method")
    func verbs() throws {
        let articles = Endpoint<Article>("https://example.com/api/articles")
        let list = try articles.list(Query(include: ["author"], sort: ["-id"]))
        let one = try articles.get("1")
        let made = try articles.create(NewArticle(title: "Clocks"))            // NewArticle conforms to ResourceFields
        let changed = try articles.update(article.patch { $0.title = "Stairs" })
        let gone = try articles.delete("1")
        #expect(list.url.absoluteString == "https://example.com/api/articles?include=author&sort=-id")
        #expect([made.method, changed.method, gone.method] == [.post, .patch, .delete])
        let other = try articles.create(Create(ArticleForm(title: "Bells")))
        #expect(try JSON(parsing: other.body ?? Data()) == ["data": ["type": "articles", "attributes": ["title": "Bells"]]])

        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        let errors = Data(#"{"errors":[{"title":"No"}]}"#.utf8)
        for (status, body) in [(200, body), (200, errors), (502, Data("<html>".utf8))] {
            do {
                let document = try one.answer(status: status, headers: headers, body: body)
                show(document.data.title)
            } catch let document as ErrorDocument {
                show(document.errors.first?.title ?? "The server refused")              // document.httpStatus is the status
            } catch let answer as UnexpectedAnswer {
                show("\(answer.status) \(answer.mediaType ?? "")")                      // HTML, an empty 500, {"detail": …}
            }
        }
        #expect(shown == ["Clocks", "No", "502 text/html"])

        let patch = article.patch { $0.title = "Stairs" }
        let answer = try made.answer(status: 201, headers: ["Location": "/articles/1"], body: body)
        let stored = answer.data?.id                                                // "1"
        let tag = EntityTag(headers: ["ETag": "\"v1\""])
        let careful = try articles.update(patch, ifMatch: tag)                      // status 412 if the article has changed
        #expect(stored == "1" && careful.headers["If-Match"] == "\"v1\"")
    }

    private let headers = ["content-type": "text/html"]

    @Test("URLSession compiles")
    func urlSession() async throws {
        func load(_ request: JSONAPIRequest<Document<[Article]>>) async throws -> [Article] {
            let (data, response) = try await URLSession.shared.data(for: URLRequest(request))
            return try request.answer(data, response).data
        }
        _ = load
    }

    @Test("Links and pages")
    func pages() async throws {
        let articles = Endpoint<Article>("https://example.com/api/articles")
        let document = try JSONAPIDecoder().decode(Document<Article>.self, from: body)
        var article = article
        article.comments.links = ["related": "/api/articles/1/comments"]
        let comments = try articles.related(article.comments)                       // JSONAPIRequest<Document<[Comment]>>
        let own = try articles.follow(document.links.`self`, as: [Article].self)
        #expect(comments.url.path == "/api/articles/1/comments" && own.url.absoluteString == "https://example.com/api/articles")

        let session = Session()
        var titles: [String] = []
        let pages = Pages(try articles.list()) { request in
            let (data, response) = try await session.data(for: URLRequest(request))
            return JSONAPIResponse(data, response)
        }
        for try await article in pages.elements {
            titles.append(article.title)
        }
        let send: Pages<Article>.Send = { request in
            let (data, response) = try await session.data(for: URLRequest(request))
            return JSONAPIResponse(data, response)
        }
        let last = Query(page: ["number": "3"])
        let numbered = Pages(try articles.list(), by: .numbers(), send: send)       // for servers without links
        let backwards = Pages(try articles.list(last), by: .previousLinks, send: send)
        for try await article in numbered.elements { titles.append(article.title) }
        for try await article in backwards.elements { titles.append(article.title) }
        #expect(titles == ["Clocks", "Clocks", "Clocks"])
    }
}

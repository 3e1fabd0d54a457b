import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIHTTP

@Suite("Requests of an endpoint")
struct EndpointTests {
    struct Comment: Resource {
        static let type = "comments"
        var id: String
        var body: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var subtitle: String?
        var author: ToOne<Blog.Person> = .notLoaded
        var comments: ToMany<Comment> = .notLoaded
    }
    struct NewArticle: ResourceFields {
        static let type = "articles"
        var title: String
    }

    let articles = Endpoint<Article>("https://example.com/api/articles")

    private func line<Answer>(_ request: JSONAPIRequest<Answer>) -> String { "\(request.method) \(request.url.absoluteString)" }
    private func body<Answer>(_ request: JSONAPIRequest<Answer>) -> String? { request.body.map { String(decoding: $0, as: UTF8.self) } }

    @Test("A header replaces one whose name differs only in case")
    func namesOfHeaders() throws {
        var endpoint = articles
        endpoint.headers["if-match"] = "\"old\""
        var request = try endpoint.delete("1", ifMatch: EntityTag("new"))
        #expect(request.headers["If-Match"] == "\"new\"" && request.headers["if-match"] == nil)
        request.headers["accept"] = "text/plain"
        #expect(request.headers.filter { $0.key.lowercased() == "accept" } == ["accept": "text/plain"])
        request.headers["Other"] = "1"
        request.headers["Other"] = "2"
        #expect(request.headers["Other"] == "2" && request.headers["accept"] == "text/plain")
    }

    @Test("Every request has its method, address, and body")
    func verbs() throws {
        let article = Article(id: "1", title: "T")
        let person = ResourceIdentifier(type: "people", id: "9")
        let query = Query(include: ["author"])
        #expect(try line(articles.list(query)) == "GET https://example.com/api/articles?include=author")
        #expect(try line(articles.get("1", query)) == "GET https://example.com/api/articles/1?include=author")
        let created = try articles.create(article)
        #expect(line(created) == "POST https://example.com/api/articles")
        #expect(body(created) == #"{"data":{"type":"articles","attributes":{"title":"T"}}}"#)
        #expect(try body(articles.create(article, clientID: true)) == #"{"data":{"type":"articles","id":"1","attributes":{"title":"T"}}}"#)
        #expect(try body(articles.create(NewArticle(title: "N"))) == #"{"data":{"type":"articles","attributes":{"title":"N"}}}"#)
        let updated = try articles.update(article.patch { $0.title = "New" }, query)
        #expect(line(updated) == "PATCH https://example.com/api/articles/1?include=author")
        #expect(body(updated) == #"{"data":{"type":"articles","id":"1","attributes":{"title":"New"}}}"#)
        #expect(try line(articles.delete("1")) == "DELETE https://example.com/api/articles/1")
        #expect(try articles.delete("1").body == nil)

        #expect(try line(articles.related("comments", of: "1", as: [Comment].self)) == "GET https://example.com/api/articles/1/comments")
        let tags = "https://example.com/api/articles/1/relationships/tags"
        #expect(try line(articles.identifiers("tags", of: "1")) == "GET \(tags)")
        #expect(try line(articles.add([person], to: "tags", of: "1")) == "POST \(tags)")
        #expect(try line(articles.remove([person], from: "tags", of: "1")) == "DELETE \(tags)")
        let replaced = try articles.replace("tags", of: "1", with: [person])
        #expect(line(replaced) == "PATCH \(tags)")
        #expect(body(replaced) == #"{"data":[{"type":"people","id":"9"}]}"#)
        #expect(try body(articles.replace("author", of: "1", with: person)) == #"{"data":{"type":"people","id":"9"}}"#)
        #expect(try body(articles.replace("author", of: "1", with: nil)) == #"{"data":null}"#)
        #expect(try "\(articles.list(Query(filter: ["token": "secret"])))" == "GET https://example.com/api/articles")
        #expect(try "\(Endpoint<Article>("https://ann:secret@example.com:8080/a%2Fb#x").list())" == "GET https://example.com:8080/a%2Fb")
    }

    @Test("Headers name extensions and profiles, and headers of the endpoint take precedence")
    func headers() throws {
        var articles = articles
        #expect(try articles.list().headers == ["Accept": "application/vnd.api+json"])
        articles.mediaType = MediaType(ext: ["https://example.com/ext"])
        articles.accepts = MediaType(profile: ["https://example.com/profile"])
        articles.headers = ["authorization": "Bearer x"]
        let request = try articles.create(Article(id: "1", title: "T"))
        #expect(request.headers["Content-Type"] == #"application/vnd.api+json;ext="https://example.com/ext""#)
        #expect(request.headers["Accept"] == #"application/vnd.api+json;profile="https://example.com/profile""#)
        #expect(request.headers["authorization"] == "Bearer x")
        articles.headers["accept"] = "application/json"
        #expect(try articles.list().headers == ["accept": "application/json", "authorization": "Bearer x"])
        let changed = try articles.update(Patch<Article>(id: "1").set("title", "T"), ifMatch: EntityTag("v1"))
        #expect(changed.headers["If-Match"] == #""v1""#)
    }

    @Test(
        "Ids are percent-encoded",
        arguments: [
            ("../people", "..%2Fpeople"), ("a/b", "a%2Fb"), ("%2F", "%252F"), ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("a b", "a%20b"),
            ("?x#y", "%3Fx%23y"), ("{id}", "%7Bid%7D"), ("a+b&c=d", "a%2Bb%26c%3Dd"), ("\u{0}\n", "%00%0A"), ("...", "..."),
            ("~-_.", "~-_."),
        ])
    func hostileIDs(id: String, encoded: String) throws {
        #expect(try articles.get(id).url.absoluteString == "https://example.com/api/articles/\(encoded)")
        #expect(try articles.get(id, Query(sort: ["a"])).url.absoluteString == "https://example.com/api/articles/\(encoded)?sort=a")
        #expect(
            try articles.identifiers("tags", of: id).url.absoluteString
                == "https://example.com/api/articles/\(encoded)/relationships/tags")
    }

    @Test("A relationship with a name that is not legal has an address if names are not checked")
    func uncheckedRelationship() throws {
        var unchecked = articles
        unchecked.encoder.checksNames = false
        let url = try unchecked.add([ResourceIdentifier(type: "people", id: "1")], to: "_tags", of: "1").url
        #expect(url.absoluteString == "https://example.com/api/articles/1/relationships/_tags")
        for name in ["", ".", ".."] {
            let failure = #expect(throws: RequestFailure.self) { try unchecked.identifiers(name, of: "1") }
            #expect(failure?.localizedDescription == failure?.description)
        }
    }

    @Test("Ids and names that no address can represent are errors")
    func refused() {
        func kind(_ body: () throws -> Void) -> RequestFailure.Kind? {
            do { try body() } catch let failure as RequestFailure { return failure.kind } catch {}
            return nil
        }
        #expect(kind { _ = try articles.get("") } == .missingID)
        #expect(kind { _ = try articles.delete(".") } == .dotSegment)
        #expect(kind { _ = try articles.related("comments", of: "..", as: [Comment].self) } == .dotSegment)
        #expect(kind { _ = try articles.identifiers("", of: "1") } == .illegalName)
        #expect(kind { _ = try articles.identifiers("a/b", of: "1") } == .illegalName)
        #expect(kind { _ = try Endpoint<Article>("https://exa mple.com:x/").list() } == .invalidAddress)
        #expect(kind { _ = try Endpoint<Article>("https://example.com/{tenant}").list() } == .missingValue)
        #expect(kind { _ = try Endpoint<Article>("https://example.com/{id").list() } == .invalidAddress)
        let failure = #expect(throws: RequestFailure.self) {
            try Endpoint<Article>("https://user:secret@exa mple.com/@a?key=abc{").list()
        }
        #expect(failure?.subject == "https://exa mple.com/@a")
        struct Draft: Resource {
            static let type = "drafts"
            var id: String?
        }
        #expect(kind { _ = try Endpoint<Draft>("/drafts").get(nil) } == .missingID)
    }

    @Test("Trailing slashes, queries, and prefixes of the address are kept")
    func addresses() throws {
        let slashed = Endpoint<Article>("https://example.com/v1/articles/?key=1#top")
        #expect(try slashed.get("1").url.absoluteString == "https://example.com/v1/articles/1/?key=1")
        #expect(
            try slashed.list(Query(sort: ["a"])).url.absoluteString == "https://example.com/v1/articles/?key=1&sort=a")
        #expect(
            try slashed.identifiers("tags", of: "1").url.absoluteString == "https://example.com/v1/articles/1/relationships/tags/?key=1")
        let server = Endpoint<Article>(AddressTemplates(server: "https://example.com/api"))
        #expect(try server.get("1").url.absoluteString == "https://example.com/api/articles/1")
        let own = AddressTemplates(
            collection: "/{type}", resource: "/{type}/view?id={id}", related: "/{type}/{id}/{relationship}",
            relationship: "/{type}/{id}/links/{relationship}")
        #expect(try Endpoint<Article>(own).get("a&b", Query(sort: ["x"])).url.absoluteString == "/articles/view?id=a%26b&sort=x")
        #expect(try Endpoint<Article>(own).identifiers("tags", of: "1").url.absoluteString == "/articles/1/links/tags")
    }

    @Test("Links of a document are followed to the same origin only")
    func links() throws {
        func address(_ link: DocumentLink?) throws -> String { try articles.follow(link, as: [Article].self).url.absoluteString }
        #expect(try address("/api/articles?page[number]=2") == "https://example.com/api/articles?page%5Bnumber%5D=2")
        #expect(try address("https://EXAMPLE.com:443/x") == "https://EXAMPLE.com:443/x")
        for link: DocumentLink in ["//evil.example/x", "http://example.com/x", "https://a:b@example.com/", "file:///etc/passwd"] {
            #expect(throws: RequestFailure.self) { _ = try address(link) }
        }
        #expect(throws: RequestFailure(.missingLink, "")) { _ = try address(nil) }
        for link: DocumentLink in [.null, "", .object(LinkObject(members: ["href": ""]))] {
            #expect(throws: RequestFailure(.missingLink, "")) { _ = try address(link) }
        }
        let proxy = #expect(throws: RequestFailure.self) { _ = try address("http://example.com:8080/x?a=1") }
        #expect(
            proxy?.description
                == "The link leads to http://example.com:8080 instead of https; set `usesOwnOrigin` of its link policy to follow it by https."
        )
        let other = #expect(throws: RequestFailure.self) { _ = try address("http://evil.example/x") }
        #expect(other?.description.hasSuffix("not to the endpoint's server; set `allows` of its link policy to follow it.") == true)
        let large = #expect(throws: RequestFailure.self) { _ = try address("https://example.com:99999999999999999999/x") }
        #expect(large?.description.contains("leads to https://example.com:99999999999999999999,") == true)
        var proxied = articles
        proxied.links.usesOwnOrigin = true
        #expect(
            try proxied.follow("http://example.com:8080/x?a=1", as: [Article].self).url.absoluteString == "https://example.com/x?a=1")
        #expect(throws: RequestFailure.self) { _ = try proxied.follow("http://evil.example/x", as: [Article].self) }
    }

    @Test("Requests from the links of a relationship have its type")
    func relationships() throws {
        let text = #"""
            {"data":{"type":"articles","id":"1","attributes":{"title":"T"},"relationships":{
              "author":{"links":{"related":"/api/articles/1/author"}},
              "comments":{"links":{"self":"/api/articles/1/relationships/comments","related":{"href":"/api/articles/1/comments"}}}}}}
            """#
        let article = try articles.get("1").answer(status: 200, body: Data(text.utf8)).data
        let author = try articles.related(article.author)
        #expect(author.url.absoluteString == "https://example.com/api/articles/1/author")
        #expect(try author.answer(status: 200, body: Data(#"{"data":null}"#.utf8)).data == nil)
        let comments = try articles.related(article.comments, Query(sort: ["-id"]))
        #expect(comments.url.absoluteString == "https://example.com/api/articles/1/comments?sort=-id")
        let found = #"{"data":[{"type":"comments","id":"5","attributes":{"body":"b"}}]}"#
        #expect(try comments.answer(status: 200, body: Data(found.utf8)).data.map(\.body) == ["b"])
        #expect(
            try articles.identifiers(article.comments).url.absoluteString == "https://example.com/api/articles/1/relationships/comments")
        #expect(throws: RequestFailure.self) { _ = try articles.related(ToMany<Comment>.notLoaded) }
    }

    @Test("Operations have their own address")
    func operations() throws {
        var operations = AtomicOperations()
        operations.add(Article(id: "", title: "T"))
        operations.remove(ResourceIdentifier(type: "tags", id: "3"))
        let request = try JSONAPIRequest.atomic(operations, at: "https://example.com/operations", headers: ["X": "1"])
        #expect(line(request) == "POST https://example.com/operations")
        let media = #"application/vnd.api+json;ext="https://jsonapi.org/ext/atomic""#
        #expect(request.headers == ["Accept": media, "Content-Type": media, "X": "1"])
        let results = #"{"atomic:results":[{"data":{"type":"articles","id":"1","attributes":{"title":"T"}}},{}]}"#
        let answer = try request.answer(status: 200, body: Data(results.utf8))
        #expect(try answer.results?.resource(Article.self, at: 0)?.id == "1")
        #expect(try request.answer(status: 204, body: nil).results == nil)
        #expect(try request.answer(status: 202, body: nil).isAccepted)
        #expect(throws: DecodingError.self) { _ = try request.answer(status: 200, body: Data(#"{"atomic:results":[{}]}"#.utf8)) }
        let errors = #"{"errors":[{"source":{"pointer":"/atomic:operations/1"}}]}"#
        let thrown = #expect(throws: ErrorDocument.self) { _ = try request.answer(status: 200, body: Data(errors.utf8)) }
        #expect(thrown?.errors(ofOperation: 1).count == 1 && thrown?.httpStatus == 200)
    }

    @Test("An endpoint with only a decoder writes the names and dates that this decoder reads")
    func encoderOfTheDecoder() throws {
        struct Event: Resource {
            static let type = "events"
            var id: String
            var startsAt: Date
        }
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        decoder.dateDecodingStrategy = .secondsSince1970
        let events = Endpoint<Event>("https://example.com/events", decoder: decoder)
        let update = try events.update(Event(id: "1", startsAt: Date(timeIntervalSince1970: 0)).patch { $0.startsAt += 10 })
        #expect(body(update) == #"{"data":{"type":"events","id":"1","attributes":{"starts_at":10}}}"#)
        #expect(
            try JSONAPIEncoder(matching: decoder).resourceObject(Event(id: "1", startsAt: Date(timeIntervalSince1970: 7)))
                .attributes == ["starts_at": 7])
    }

    @Test("The encoder matches a decoder that is changed later, but an encoder that was given or changed stays as it is")
    func encoderOfAChangedDecoder() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var subTitle: String
        }
        func written(by endpoint: Endpoint<Post>) throws -> String? {
            body(try endpoint.update(Patch<Post>(id: "1").set(\.subTitle, "y")))
        }
        let camel = #"{"data":{"type":"posts","id":"1","attributes":{"subTitle":"y"}}}"#
        let address = "https://example.com/posts"
        var posts = Endpoint<Post>(address)
        posts.decoder.keyStrategy = .snakeCase
        #expect(try written(by: posts) == #"{"data":{"type":"posts","id":"1","attributes":{"sub_title":"y"}}}"#)

        var given = Endpoint<Post>(address, encoder: JSONAPIEncoder())
        given.decoder.keyStrategy = .snakeCase
        #expect(try written(by: given) == camel)

        var changed = Endpoint<Post>(address)
        changed.encoder.sortsNames = true
        changed.decoder.keyStrategy = .snakeCase
        #expect(try written(by: changed)?.contains(#""attributes":{"subTitle":"y"}"#) == true)
    }
}

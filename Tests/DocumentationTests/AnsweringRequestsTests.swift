// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

struct Person: Resource {
    static let type = "people"
    var id: String
    var name: String
}

struct Article: Resource, RestrictedFields {
    static let type = "articles"
    static let readOnlyFields = ["revision"]
    var id: String
    var title: String
    var subtitle: String?
    var revision: Int
    var author: ToOne<Person> = .notLoaded
}

struct Server {
    var articles: [String: Article] = [:]
    let negotiation = ContentNegotiation()
    let rules = QueryRules(include: .only(["author"]), sort: .only(["title"]), page: .none, filter: .none)

    /// Responds to a request. Pass header names in lowercase, and the path and the query as they are in the address.
    mutating func respond(
        to method: String, _ path: String, query: String = "", headers: [String: String] = [:], body: Data = Data()
    ) -> JSONAPIResponse {
        do {
            if case .refused(let refusal) = try negotiation.verdict(onAccept: headers["accept"]) { throw refusal }
            if !body.isEmpty, case .refused(let refusal) = try negotiation.verdict(onContentType: headers["content-type"] ?? "") {
                throw refusal
            }
            let asked = Query(parsing: query)
            try rules.check(asked)                               // throws an error with status 400
            let names = path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
            return try route(method, names, asked, headers, body)
        } catch {
            return JSONAPIResponse(error)
        }
    }

    private mutating func route(
        _ method: String, _ path: [String], _ query: Query, _ headers: [String: String], _ body: Data
    ) throws -> JSONAPIResponse {
        switch (method, path.first, path.count) {
        case ("GET", "articles", 1): return try list(query)
        case ("POST", "articles", 1): return try create(body, query)
        case ("GET", "articles", 2): return try .ok(article(path[1]), for: query)
        case ("PATCH", "articles", 2): return try update(path[1], body, query, headers)
        case ("DELETE", "articles", 2):
            articles[try article(path[1]).id] = nil
            return .noContent
        default: throw ErrorDocument(errors: [ErrorObject(status: "404", title: "Not found")])
        }
    }

    private func article(_ id: String) throws -> Article {
        guard let article = articles[id] else { throw ErrorDocument(errors: [ErrorObject(status: "404", title: "Not found")]) }
        return article
    }
}

extension Server {
    func list(_ query: Query) throws -> JSONAPIResponse {
        let isDescending = query.sort?.first?.direction == .descending
        let sorted = articles.values.sorted { isDescending ? $1.title < $0.title : $0.title < $1.title }
        return try .ok(sorted, for: query)
    }
}

struct NewArticle: Resource, RestrictedFields {
    static let type = "articles"
    static let readOnlyFields = ["revision"]
    var id: String?
    var title: String
    var author: ToOne<Person> = .notLoaded
}

extension Server {
    mutating func create(_ body: Data, _ query: Query) throws -> JSONAPIResponse {
        let new = try JSONAPIDecoder(mode: .strict).decodeNew(NewArticle.self, from: body)
        guard new.id == nil else { throw ErrorDocument(errors: [ErrorObject(status: "403", title: "The server creates the id")]) }
        let article = Article(id: UUID().uuidString, title: new.title, revision: 1, author: new.author)
        articles[article.id] = article
        return try .created(article, at: "/articles/\(article.id)", for: query)
    }
}

extension Server {
    mutating func update(_ id: String, _ body: Data, _ query: Query, _ headers: [String: String]) throws -> JSONAPIResponse {
        let article = try article(id)
        try IfMatch(headers: headers)?.check(EntityTag("\(article.revision)"))
        let changes = try Changes<Article>(body, for: id)
        var changed = try changes.applied(to: article)
        changed.revision += 1
        articles[id] = changed
        return try .ok(changed, for: query).tagged(EntityTag("\(changed.revision)"))
    }
}

@Suite("The article Writing a server")
struct AnsweringRequestsTests {
    @Test("A server without a framework")
    func server() throws {
        var server = Server()
        let type = ["content-type": "application/vnd.api+json"]
        let made = try server.respond(
            to: "POST", "/articles", headers: type, body: JSONAPIEncoder().encode(Create(NewArticle(title: "Clocks"))))
        let article = try JSONAPIDecoder().decode(Article.self, from: made.body ?? Data())
        #expect(made.status == 201 && made.headers["Location"] == "/articles/\(article.id)")
        #expect(server.respond(to: "GET", "/articles").status == 200)
        #expect(server.respond(to: "GET", "/articles/\(article.id)").status == 200)
        #expect(server.respond(to: "GET", "/articles/\(article.id)", query: "include=author").status == 200)
        for query in ["include=autor", "include=author.articles", "sort=revision", "page[number]=2", "filter[title]=x"] {
            #expect(server.respond(to: "GET", "/articles", query: query).status == 400)
            #expect(server.respond(to: "GET", "/articles/\(article.id)", query: query).status == 400)
        }
        #expect(server.respond(to: "POST", "/articles", query: "include=autor", headers: type).status == 400)
        let own = Data(#"{"data":{"type":"articles","id":"mine","attributes":{"title":"T"}}}"#.utf8)
        #expect(server.respond(to: "POST", "/articles", headers: type, body: own).status == 403)
        #expect(server.respond(to: "GET", "/articles", headers: ["accept": "application/vnd.api+json;charset=utf-8"]).status == 406)
        let charset = ["content-type": "application/vnd.api+json; charset=utf-8"]
        #expect(server.respond(to: "POST", "/articles", headers: charset, body: Data("{}".utf8)).status == 415)
        #expect(server.respond(to: "POST", "/articles", headers: type, body: Data("{".utf8)).status == 400)
        for attributes in [#"{"titel":"T"}"#, #"{"title":"T","subtitel":"S"}"#, #"{"title":7}"#, "{}"] {
            let body = Data(#"{"data":{"type":"articles","attributes":\#(attributes)}}"#.utf8)
            #expect(server.respond(to: "POST", "/articles", headers: type, body: body).status == 422)
        }
        #expect(server.respond(to: "GET", "/articles/none").status == 404)
        let revised = Data(#"{"data":{"type":"articles","attributes":{"title":"T","revision":9}}}"#.utf8)
        #expect(server.respond(to: "POST", "/articles", headers: type, body: revised).status == 403)
        #expect(server.respond(to: "DELETE", "/articles/\(article.id)") == .noContent)
        #expect(server.articles.isEmpty)
    }

    @Test("Ids are percent-encoded in addresses", arguments: ["café", "a/b", "../people"])
    func encodedIDs(_ id: String) throws {
        let article = Article(id: id, title: "Clocks", revision: 1)
        var server = Server(articles: [id: article])
        let path = try Endpoint<Article>("https://example.com/articles").get(id).url.path(percentEncoded: true)
        #expect(server.respond(to: "GET", path).status == 200)
        let body = try JSONAPIEncoder().encode(article.patch { $0.title = "Stairs" })
        #expect(server.respond(to: "PATCH", path, headers: ["content-type": "application/vnd.api+json"], body: body).status == 200)
        #expect(server.articles[id]?.title == "Stairs")
    }

    @Test("A list is in the order of the query")
    func order() throws {
        let server = Server(articles: [
            "1": Article(id: "1", title: "Clocks", revision: 1), "2": Article(id: "2", title: "Stairs", revision: 1),
        ])
        func ids(_ query: Query) throws -> [String] {
            try JSONAPIDecoder().decode([Article].self, from: server.list(query).body ?? Data()).map(\.id)
        }
        #expect(try ids(Query()) == ["1", "2"])
        #expect(try ids(Query(sort: ["title"])) == ["1", "2"])
        #expect(try ids(Query(sort: ["-title"])) == ["2", "1"])
    }

    @Test("A PATCH is applied to a model")
    func changes() throws {
        let article = Article(id: "1", title: "Clocks", revision: 1)
        var server = Server(articles: ["1": article])
        let headers = ["content-type": "application/vnd.api+json", "if-match": "\"1\""]
        let body = try JSONAPIEncoder().encode(article.patch { $0.title = "Stairs" })
        let response = server.respond(to: "PATCH", "/articles/1", headers: headers, body: body)
        #expect(response.headers["ETag"] == "\"2\"")
        #expect(try JSONAPIDecoder().decode(Article.self, from: response.body ?? Data()).title == "Stairs")
        #expect(server.respond(to: "PATCH", "/articles/1", headers: headers, body: body).status == 412)
        let refused = Data(#"{"data":{"type":"articles","id":"1","attributes":{"revision":9}}}"#.utf8)
        #expect(server.respond(to: "PATCH", "/articles/1", headers: ["content-type": "application/vnd.api+json"], body: refused).status == 403)
    }

    @Test("Operations run in order")
    func operations() throws {
        struct NewPerson: Resource {
            static let type = "people"
            var id: String?
            var name: String
        }

        func insert(_ person: NewPerson) -> Person { Person(id: "9", name: person.name) }
        func insert(_ article: NewArticle) -> NewArticle { NewArticle(id: "1", title: article.title, author: article.author) }
        func operate(_ body: Data) throws -> JSONAPIResponse {
            let results = try ReceivedOperations(body).run { operation in
                switch (operation.code, operation.type, operation.relationship) {
                case (.add, "people", nil): try AtomicResult(insert(operation.resource(NewPerson.self)))
                case (.add, "articles", nil): try AtomicResult(insert(operation.resource(NewArticle.self)))
                default: throw ErrorDocument(errors: [ErrorObject(status: "403", title: "Not supported")])
                }
            }
            return try .results(results)
        }
        var operations = AtomicOperations()
        let ann = operations.add(NewPerson(name: "Ann"))
        operations.add(NewArticle(title: "Clocks"), linking: ["author": ann])
        let body = try operate(JSONAPIEncoder().encode(operations)).body ?? Data()
        let results = try JSONAPIDecoder().decode(AtomicResults.self, from: body, for: operations)
        #expect(try results.resource(NewArticle.self, at: 1)?.author.identifier?.id == "9")
    }

    @Test("Address templates create links")
    func links() throws {
        let article = Article(id: "1", title: "Stairs", revision: 2)
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = AddressTemplates(server: "/api").linkMaker
        let response = try JSONAPIResponse.ok(article, encoder: encoder)
        let page = try DocumentationPage.named("AnsweringRequests")
        #expect(try JSON(parsing: response.body ?? Data()) == JSON(parsing: page.documents[0]))
    }
}

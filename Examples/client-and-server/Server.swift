import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText

/// A blog in memory. It handles one request at a time, and does not know about sockets.
final class Server {
    private var people: [String: Person] = [:]
    private var articles: [String: Article] = [:]
    private let tags = ["swift": Tag(id: "swift", label: "Swift"), "json": Tag(id: "json", label: "JSON")]
    private var lastIDs: [String: Int] = [:]
    private let negotiation = ContentNegotiation(extensions: [AtomicOperations.uri])

    /// Handles requests until the process ends.
    func serve(_ socket: Socket) throws {
        while true {
            let connection = try socket.accepted()
            defer { connection.close() }
            guard let request = try? connection.receive() else { continue }
            let response = answer(request)
            var headers = response.headers
            headers["Connection"] = "close"
            try? connection.send(Data(head: "HTTP/1.1 \(response.status) -", headers: headers, body: response.body ?? Data()))
        }
    }

    /// Converts every error to a response. Errors of the library know their status, and other errors are a 500.
    private func answer(_ request: HTTPMessage) -> JSONAPIResponse {
        do {
            return try handle(request)
        } catch {
            return JSONAPIResponse(error)
        }
    }

    private func handle(_ request: HTTPMessage) throws -> JSONAPIResponse {
        let line = request.firstLine.split(separator: " ").map(String.init)
        let target = line[1].split(separator: "?", maxSplits: 1).map(String.init)
        let path = target[0].split(separator: "/").map { $0.removingPercentEncoding ?? "" }
        let query = Query(parsing: target.count > 1 ? target[1] : "")

        if case .refused(let refusal) = try negotiation.verdict(onAccept: request.headers["accept"]) { throw refusal }
        if !request.body.isEmpty, let type = request.headers["content-type"] {
            if case .refused(let refusal) = try negotiation.verdict(onContentType: type) { throw refusal }
        }
        switch (line[0], path.first ?? "", path.count) {
        case ("POST", "people", 1): return try createPerson(request.body)
        case ("GET", "articles", 1): return try list(query)
        case ("POST", "articles", 1): return try createArticle(request.body)
        case ("GET", "articles", 2): return try show(path[1], query)
        case ("PATCH", "articles", 2): return try update(path[1], request)
        case ("DELETE", "articles", 2): return try delete(path[1])
        case ("GET", "articles", 3): return try related(path[1], path[2], query)
        case (let method, "articles", 4): return try relationship(method, path[1], path[3], request.body)
        case ("POST", "operations", 1): return try .results(run(ReceivedOperations(request.body)))
        case (_, "status", _):
            return JSONAPIResponse(status: 503, headers: ["Content-Type": "text/html"], body: Data("<h1>Sorry</h1>".utf8))
        default: throw Self.error("404", "Not Found")
        }
    }

    // MARK: - Resources

    private func list(_ query: Query) throws -> JSONAPIResponse {
        try QueryRules(include: .only(["author", "tags"]), sort: .only(["title"]), page: .only(["size", "number"])).check(query)
        let sorted = articles.values.sorted { query.sort == nil ? ($0.id ?? "") < ($1.id ?? "") : $0.title < $1.title }
        let size = query.page["size"].flatMap { Int($0) } ?? 10
        let number = query.page["number"].flatMap { Int($0) } ?? 1
        guard size > 0, number > 0, number < 1000 else { throw Self.error("400", "No such page") }
        let rest = sorted.dropFirst((number - 1) * min(size, 100))
        var next = query
        next.page["number"] = String(number + 1)
        let link: DocumentLink = rest.count > size ? .text("/articles?\(next.percentEncoded)") : .null
        return try .ok(
            rest.prefix(size).map(resolved), for: query, links: ["next": link], meta: ["total": .number(JSONNumber(sorted.count))])
    }

    private func show(_ id: String, _ query: Query) throws -> JSONAPIResponse {
        try QueryRules(include: .only(["author", "tags"])).check(query)
        let article = try article(id)
        return try .ok(resolved(article), for: query).tagged(tag(of: article))
    }

    private func createPerson(_ body: Data) throws -> JSONAPIResponse {
        let person = try insert(decoder.decodeNew(Person.self, from: body))
        return try .created(person, at: "/people/\(person.id ?? "")")
    }

    private func createArticle(_ body: Data) throws -> JSONAPIResponse {
        let article = try insert(decoder.decodeNew(Article.self, from: body))
        return try .created(article, at: "/articles/\(article.id ?? "")").tagged(tag(of: article))
    }

    private func update(_ id: String, _ request: HTTPMessage) throws -> JSONAPIResponse {
        let old = try article(id)
        try IfMatch(headers: request.headers)?.check(tag(of: old))
        let article = save(try Changes<Article>(request.body, for: id).applied(to: old))
        return try .ok(article).tagged(tag(of: article))
    }

    private func delete(_ id: String) throws -> JSONAPIResponse {
        articles[try article(id).id ?? ""] = nil
        return .noContent
    }

    // MARK: - Relationships

    private func related(_ id: String, _ name: String, _ query: Query) throws -> JSONAPIResponse {
        let article = resolved(try article(id))
        switch name {
        case "author": return try .ok(article.author.value, for: query)
        case "tags": return try .ok(article.tags.values, for: query)
        default: throw Self.error("404", "No such relationship")
        }
    }

    private func relationship(_ method: String, _ id: String, _ name: String, _ body: Data) throws -> JSONAPIResponse {
        var article = try article(id)
        switch (method, name) {
        case ("GET", "author"): return try .ok(article.author.identifier)
        case ("GET", "tags"): return try .ok(article.tags.identifiers ?? [])
        case ("PATCH", "author"):
            let sent = try decoder.decode(ResourceIdentifier?.self, from: body)
            if sent.map({ $0.type != Person.type }) ?? false { throw Self.otherType(at: JSONPointer("data", "type")) }
            article.author = sent.map { ToOne($0) } ?? nil
        case (_, "tags"):
            let sent = try decoder.decode([ResourceIdentifier].self, from: body)
            if let index = sent.firstIndex(where: { $0.type != Tag.type }) {
                throw Self.otherType(at: JSONPointer("data", String(index), "type"))
            }
            var linked = method == "PATCH" ? [] : article.tags.identifiers ?? []
            linked.removeAll { old in sent.contains { $0.isSameResource(as: old) } }
            article.tags = ToMany(identifiers: method == "DELETE" ? linked : linked + sent)
        default: throw Self.error("404", "No such relationship")
        }
        _ = save(article)
        return .noContent
    }

    private static func otherType(at pointer: JSONPointer) -> ErrorDocument {
        error("409", "Another type", ErrorSource(pointer: pointer))
    }

    // MARK: - Operations

    /// Runs all operations, or none: if one fails, restores the state before.
    private func run(_ operations: ReceivedOperations) throws -> AtomicResults {
        let before = (people, articles, lastIDs)
        do {
            return try operations.run { operation in
                switch (operation.code, operation.type, operation.relationship) {
                case (.add, "people", nil): return try AtomicResult(insert(operation.resource(Person.self)))
                case (.add, "articles", nil): return try AtomicResult(insert(operation.resource(Article.self)))
                case (.update, "articles", nil):
                    let changes = try operation.changes(Article.self)
                    _ = save(try changes.applied(to: article(changes.identifier.id ?? "")))
                    return .empty
                default: throw Self.error("403", "Not supported")
                }
            }
        } catch {
            (people, articles, lastIDs) = before
            throw error
        }
    }

    // MARK: - The store

    private var decoder: JSONAPIDecoder {
        var decoder = JSONAPIDecoder(mode: .strict)
        decoder.source = .request
        return decoder
    }

    private func article(_ id: String) throws -> Article {
        guard let article = articles[id] else { throw Self.error("404", "No such article") }
        return article
    }

    private func insert(_ person: Person) throws -> Person {
        try refuse(person.id)
        var person = person
        person.id = newID(Person.type)
        people[person.id ?? ""] = person
        return person
    }

    private func insert(_ article: Article) throws -> Article {
        try refuse(article.id)
        var article = article
        article.id = newID(Article.type)
        article.revision = 0
        return save(article)
    }

    private func save(_ article: Article) -> Article {
        var article = article
        article.revision = (article.revision ?? 0) + 1
        articles[article.id ?? ""] = article
        return article
    }

    /// Throws if the client made an id. Replacing it by another would be an error.
    private func refuse(_ id: String?) throws {
        guard id != nil else { return }
        throw Self.error("403", "The server creates the id", ErrorSource(pointer: JSONPointer("data", "id")))
    }

    private func newID(_ type: String) -> String {
        lastIDs[type, default: 0] += 1
        return String(lastIDs[type, default: 0])
    }

    private func tag(of article: Article) -> EntityTag { EntityTag("\(article.revision ?? 0)") }

    /// The article with the resources that it links to, so that the response can include them.
    private func resolved(_ article: Article) -> Article {
        var article = article
        if let person = article.author.identifier?.id.flatMap({ people[$0] }) { article.author = ToOne(person) }
        if let ids = article.tags.ids { article.tags = ToMany(ids.compactMap { tags[$0] }) }
        return article
    }

    private static func error(_ status: String, _ title: String, _ source: ErrorSource? = nil) -> ErrorDocument {
        ErrorDocument(errors: [ErrorObject(status: status, title: title, source: source)])
    }
}

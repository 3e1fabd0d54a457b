import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText

/// Sends requests over a socket, and prints the responses.
struct Client: Sendable {
    let port: UInt16

    /// The network code. Other programs use `URLSession`.
    @Sendable func send<Answer>(_ request: JSONAPIRequest<Answer>) throws -> JSONAPIResponse {
        let socket = try Socket.connected(to: port)
        defer { socket.close() }
        let target = request.url.path(percentEncoded: true) + (request.url.query(percentEncoded: true).map { "?\($0)" } ?? "")
        var headers = request.headers
        headers["Host"] = "127.0.0.1:\(port)"
        try socket.send(Data(head: "\(request.method) \(target) HTTP/1.1", headers: headers, body: request.body))
        let answer = try socket.receive()
        let status = answer.firstLine.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return JSONAPIResponse(status: status, headers: answer.headers, body: answer.body)
    }

    /// Prints a request, the status of its response, and the result of `show`.
    @discardableResult
    func run<Answer>(_ request: JSONAPIRequest<Answer>, _ show: (Answer) -> String = { _ in "" }) -> Answer? {
        do {
            let response = try send(request)
            print(request.method, request.url.path(percentEncoded: true), response.status, terminator: " ")
            let answer = try request.answer(response)
            print(show(answer))
            return answer
        } catch let document as ErrorDocument {
            let error = document.errors.first
            let source = error?.source.flatMap { $0.pointerText ?? $0.header ?? $0.parameter }
            print("error:", error?.title ?? "?", source.map { "(\($0))" } ?? "")
        } catch {
            print("error:", error)
        }
        return nil
    }

    func talk() async throws {
        let origin = "http://127.0.0.1:\(port)"
        let people = Endpoint<Person>("\(origin)/people")
        let articles = Endpoint<Article>("\(origin)/articles")

        // Creating
        let ann = run(try people.create(Person(name: "Ann"))) { "\($0.data?.id ?? "?") at \($0.location ?? "?")" }?.data
        var draft = Article(title: "Clocks")
        if let ann { draft.author = ToOne(ann) }
        let made = run(try articles.create(draft)) { "\($0.data?.title ?? "?"), revision \($0.data?.revision ?? 0)" }
        run(try articles.create(Create(ResourceObject(type: "articles", attributes: ["title": "T", "revision": 9]))))
        run(try articles.create(Create(ResourceObject(type: "articles", attributes: ["title": 7]))))
        run(try articles.create(Create(ResourceObject(type: "articles", attributes: ["title": "T", "subtitel": "S"]))))
        run(try articles.create(Create(ResourceObject(type: "articles", id: "mine", attributes: ["title": "T"]))))

        // Reading
        run(try articles.get("1", Query(include: ["author"]))) { "\($0.data.title) by \($0.data.author.value?.name ?? "?")" }
        run(try articles.get("../people"))
        run(try articles.list(Query(include: ["autor"])))

        // Changing, once with the current entity tag and once with an old one
        guard let article = made?.data, let tag = made.flatMap({ EntityTag(headers: $0.headers) }) else { return }
        let patch = article.patch {
            $0.title = "Stairs"
            $0.subtitle = "Up and down"
        }
        run(try articles.update(patch, ifMatch: tag)) { "\($0.data?.title ?? "?"), revision \($0.data?.revision ?? 0)" }
        run(try articles.update(patch, ifMatch: tag))

        // Relationships
        let swift = ResourceIdentifier(type: "tags", id: "swift")
        let json = ResourceIdentifier(type: "tags", id: "json")
        run(try articles.add([swift, json], to: "tags", of: "1")) { $0.isAccepted ? "later" : "done" }
        run(try articles.remove([swift], from: "tags", of: "1")) { _ in "done" }
        run(try articles.identifiers("tags", of: "1")) { "\($0.data.compactMap(\.id))" }
        run(try articles.related("tags", of: "1", as: [Tag].self)) { "\($0.data.map(\.label))" }
        run(try articles.replace("author", of: "1", with: nil)) { _ in "done" }
        run(try articles.identifier("author", of: "1")) { $0.data == nil ? "none" : "one" }

        // Several changes at once: the article links to a person who has no id yet
        var operations = AtomicOperations()
        let bea = operations.add(Person(name: "Bea"))
        operations.add(Article(title: "Doors"), linking: ["author": bea])
        operations.update(Patch<Article>(id: "1").setNull("subtitle"))
        run(try JSONAPIRequest.atomic(operations, at: "\(origin)/operations")) { answer in
            let doors = try? answer.results?.resource(Article.self, at: 1)
            return "\(doors?.title ?? "?") by \(doors?.author.identifier?.id ?? "?")"
        }

        // Pages
        for title in ["Keys", "Lamps", "Maps"] { _ = try send(articles.create(Article(title: title))) }
        var page = Query(sort: ["title"])
        page.page["size"] = "2"
        for try await page in Pages(try articles.list(page), send: send) { print("page:", page.data.map(\.title)) }

        // Deleting, and responses that are not JSON:API documents
        run(try articles.delete("1")) { _ in "gone" }
        run(try articles.get("1"))
        var other = articles
        other.mediaType = MediaType(ext: ["https://example.com/unknown"])
        run(try other.list())
        run(try Endpoint<Article>("\(origin)/status").list())
    }
}

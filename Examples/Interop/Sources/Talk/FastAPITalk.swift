import Foundation
import JSONAPICodec
import JSONAPIHTTP

/// The steps for FastAPI-JSONAPI, which supports atomic operations.
///
/// It only sends relationships that are included, and sends whole resources in place of identifiers. Its media type is `application/json`.
/// It sends null for missing meta, and repeats primary data in `included`.
enum FastAPITalk {
    static let steps = reading + changing + errors + FastAPIOperations.steps

    static func articles(_ talk: Talk) -> Endpoint<Article> { endpoint(talk, "/articles/", of: Article.self) }

    static func people(_ talk: Talk) -> Endpoint<Person> { endpoint(talk, "/people/", of: Person.self) }

    private static func endpoint<Model>(_ talk: Talk, _ path: String, of model: Model.Type) -> Endpoint<Model> {
        var endpoint = talk.endpoint(path, of: model)
        endpoint.decoder.leniencies = [.nullContainers, .duplicateIncluded]
        return endpoint
    }

    // MARK: - Reading

    private static let reading = [
        Step("list") { talk in
            let query = Query(include: ["author"], fields: ["articles": ["title"]], sort: ["-title"], page: ["size": "2"])
            let document = try await talk.ask(articles(talk).list(query))
            try expect(document.data.map(\.title), ["Maps", "Lamps"])
            try expect(document.data.map { $0.author.value?.name }, ["Ann", nil])
            try expect(document.data.map(\.author.isEmpty), [false, true])
            return "\(document.data.map(\.title))"
        },
        Step("filter") { talk in
            let document = try await talk.ask(articles(talk).list(Query(filter: ["title": "Keys"])))
            try expect(document.data.map(\.id), ["3"])
            return "\(document.data.map(\.title))"
        },
        Step("get") { talk in
            let articles = articles(talk)
            let bare = try await talk.ask(articles.get("1")).data
            try expect(bare.title, "Clocks")
            try expect(bare.author.isLoaded, false)
            let full = try await talk.ask(articles.get("1", Query(include: ["author.articles"]))).data
            try expect(full.author.value?.articles.values.map(\.title), ["Clocks", "Keys", "Maps"])
            return "\(full.title) by \(full.author.value?.name ?? "?")"
        },
        Step("related") { talk in
            // Related resources are at the addresses of relationships.
            var articles = articles(talk)
            articles.addresses.related = articles.addresses.relationship
            let author = try await talk.ask(articles.related(\.author, of: "1")).data
            try expect(author?.name, "Ann")
            let identifier = try await talk.ask(articles.identifier(\.author, of: "1")).data
            try expect(identifier, .person("1"))
            let identifiers = try await talk.ask(people(talk).identifiers(\.articles, of: "1")).data
            try expect(identifiers.map(\.id), ["1", "3", "5"])
            return "\(author?.name ?? "?"), \(identifiers.count) articles"
        },
        Step("pages-by-numbers") { talk in
            let pages = Pages(try articles(talk).list(Query(sort: ["title"], page: ["size": "2"])), by: .numbers()) {
                try await talk.send($0)
            }
            var titles: [[String]] = []
            for try await page in pages { titles.append(page.data.map(\.title)) }
            try expect(titles.filter { !$0.isEmpty }, [["Clocks", "Doors"], ["Keys", "Lamps"], ["Maps"]])
            return "\(titles)"
        },
    ]

    // MARK: - Changing

    private static let changing = [
        Step("create") { talk in
            var article = Article(title: "Nails", subtitle: "Small")
            article.author = ToOne(id: "2")
            let answer = try await talk.ask(articles(talk).create(article, Query(include: ["author"])))
            try expect(answer.status, 201)
            try expect(answer.data?.id, "6")
            try expect(answer.data?.author.value?.name, "Bea")
            return "\(answer.status) \(answer.data?.title ?? "?")"
        },
        Step("update") { talk in
            let articles = articles(talk)
            let article = try await talk.ask(articles.get("6")).data
            let patch = article.patch {
                $0.title = "Pins"
                $0.subtitle = nil
                $0.author = ToOne(id: "1")
            }
            let answer = try await talk.ask(articles.update(patch, Query(include: ["author"])))
            try expect(answer.data?.title, "Pins")
            try expect(answer.data?.subtitle, nil)
            try expect(answer.data?.author.value?.name, "Ann")
            return "\(answer.status) \(answer.data?.title ?? "?")"
        },
        Step("delete") { talk in
            let articles = articles(talk)
            let answer = try await talk.ask(articles.delete("6"))
            try expect(answer.status, 204)
            let refusal = try await talk.refusal(of: articles.get("6"))
            try expect(refusal.httpStatus, 404)
            // The server sends `status_code`. The status of the response says the same.
            try expect(refusal.errors.map(\.status), [nil])
            return "\(answer.status), then \(refusal.httpStatus ?? 0)"
        },
    ]

    // MARK: - Errors

    private static let errors = [
        Step("invalid-attributes") { talk in
            let new = Create(ResourceObject(type: "articles", attributes: ["subtitle": 7]))
            let answer = try await talk.unexpectedAnswer(to: articles(talk).create(new))
            try expect(answer.status, 422)
            try expect(answer.mediaType, "application/json")
            try expect(answer.beginning()?.contains("Field required"), true)
            return "\(answer)"
        },
        Step("invalid-include") { talk in
            let document = try await talk.refusal(of: articles(talk).list(Query(include: ["autor"])))
            try expect(document.httpStatus, 400)
            try expect(document.errors.map(\.source?.parameter), ["include"])
            return "\(document)"
        },
        Step("another-id") { talk in
            var articles = articles(talk)
            articles.addresses.resource = talk.origin + "/articles/2/"
            let document = try await talk.refusal(of: articles.update(Patch<Article>(id: "1").set(\.title, "Two")))
            try expect(document.httpStatus, 400)
            try expect(document.errors(at: "id").count, 1)
            return "\(document)"
        },
        Step("no-slash") { talk in
            let answer = try await talk.unexpectedAnswer(to: talk.endpoint("/articles", of: Article.self).list())
            try expect(answer.status, 307)
            return "\(answer)"
        },
        Step("broken-server") { talk in
            let answer = try await talk.unexpectedAnswer(to: articles(talk).list(Query(sort: ["autor"])))
            try expect(answer.status, 500)
            try expect(answer.beginning(), "Internal Server Error")
            return "\(answer)"
        },
    ]
}

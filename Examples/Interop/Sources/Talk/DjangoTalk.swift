import Foundation
import JSONAPICodec
import JSONAPIHTTP

/// The steps for Django REST framework JSON:API. Its addresses end with a slash, and its names are in camel case.
enum DjangoTalk {
    static let steps = reading + changing + relationships + DjangoPages.steps + DjangoErrors.steps

    static func articles(_ talk: Talk) -> Endpoint<Article> { talk.endpoint("/articles/", of: Article.self) }

    // MARK: - Reading

    private static let reading = [
        Step("list") { talk in
            let query = Query(
                include: ["author", "tags"], fields: ["articles": ["title", "author", "tags"]], sort: ["-title"], page: ["size": "2"])
            let document = try await talk.ask(articles(talk).list(query))
            try expect(document.data.map(\.title), ["Maps", "Lamps"])
            try expect(document.data.map { $0.author.value?.name }, ["Ann", nil])
            try expect(document.data.map(\.author.isEmpty), [false, true])
            try expect(document.data.map { $0.tags.values.map(\.label) }, [["swift", "json"], ["swift"]])
            try expect(document.data[0].tags.meta?["count"], 2)
            try expect(document.data[0].author.value?.articles.ids, ["1", "3", "5"])
            try expect(document.meta?["pagination"]?["count"], 5)
            try expect(document.links.next?.href?.contains("page%5Bnumber%5D=2"), true)
            try expect(document.links.prev?.isNull, true)
            return "\(document.data.map(\.title)) of 5"
        },
        Step("filter") { talk in
            let document = try await talk.ask(articles(talk).list(Query(filter: ["title": "Keys"])))
            try expect(document.data.map(\.wordCount), [300])
            return "\(document.data.map(\.title))"
        },
        Step("get") { talk in
            let document = try await talk.ask(articles(talk).get("1", Query(include: ["author.articles"])))
            let article = document.data
            try expect(article.title, "Clocks")
            try expect(article.publishedAt, nil)
            // The server does not include an article that is primary data. The reference resolves to the primary data.
            try expect(article.author.value?.articles.values.map(\.title), ["Clocks", "Keys", "Maps"])
            try expect(article.tags.isLoaded, true)
            try expect(article.tags.values.count, 0)
            return "\(article.title) by \(article.author.value?.name ?? "?")"
        },
        Step("related") { talk in
            let articles = articles(talk)
            let author = try await talk.ask(articles.related(\.author, of: "1")).data
            try expect(author?.name, "Ann")
            let nobody = try await talk.ask(articles.related(\.author, of: "2")).data
            try expect(nobody?.name, nil)
            let tags = try await talk.ask(articles.related(\.tags, of: "2")).data
            try expect(tags.map(\.label), ["swift", "json"])
            return "\(author?.name ?? "?"), nobody, \(tags.map(\.label))"
        },
        Step("follow") { talk in
            let articles = articles(talk)
            let article = try await talk.ask(articles.get("5")).data
            let tags = try await talk.ask(articles.related(article.tags)).data
            try expect(tags.map(\.label), ["swift", "json"])
            let author = try await talk.ask(articles.related(article.author)).data
            try expect(author?.name, "Ann")
            let identifiers = try await talk.ask(articles.identifiers(article.tags)).data
            try expect(identifiers, [.tag("1"), .tag("2")])
            return "\(tags.map(\.label)) by \(author?.name ?? "?")"
        },
    ]

    // MARK: - Changing

    private static let changing = [
        Step("create") { talk in
            var article = Article(title: "Nails", subtitle: "Small", wordCount: 7)
            article.publishedAt = Date(timeIntervalSince1970: 1_700_000_000)
            article.author = ToOne(id: "2")
            article.tags = ToMany(ids: ["3", "1"])
            let answer = try await talk.ask(articles(talk).create(article))
            try expect(answer.status, 201)
            try expect(answer.data?.id, "6")
            try expect(answer.data?.subtitle, "Small")
            try expect(answer.data?.publishedAt, article.publishedAt)
            try expect(answer.data?.author.identifier, .person("2"))
            try expect(answer.data?.tags.ids, ["1", "3"])
            return "\(answer.status) \(answer.data?.title ?? "?")"
        },
        Step("create-of-fields") { talk in
            let answer = try await talk.ask(articles(talk).create(NewArticle(title: "Ovens", subtitle: nil)))
            try expect(answer.data?.id, "7")
            try expect(answer.data?.author.isEmpty, true)
            return "\(answer.status) \(answer.data?.title ?? "?")"
        },
        Step("update") { talk in
            let articles = articles(talk)
            let article = try await talk.ask(articles.get("6")).data
            let patch = article.patch {
                $0.title = "Pins"
                $0.subtitle = nil
                $0.author = nil
                $0.tags = ToMany(ids: ["2"])
            }
            let answer = try await talk.ask(articles.update(patch))
            try expect(answer.status, 200)
            try expect(answer.data?.title, "Pins")
            try expect(answer.data?.subtitle, nil)
            try expect(answer.data?.wordCount, 7)
            try expect(answer.data?.author.isEmpty, true)
            try expect(answer.data?.tags.ids, ["2"])
            return "\(answer.status) \(answer.data?.title ?? "?")"
        },
        Step("update-a-part") { talk in
            let patch = Patch<Article>(id: "6").set(\.wordCount, 8).link("author", to: .person("1"))
            let answer = try await talk.ask(articles(talk).update(patch, Query(include: ["author"])))
            try expect(answer.data?.wordCount, 8)
            try expect(answer.data?.title, "Pins")
            try expect(answer.data?.author.value?.name, "Ann")
            return "\(answer.status) \(answer.data?.wordCount ?? 0) words"
        },
        Step("delete") { talk in
            let articles = articles(talk)
            let answer = try await talk.ask(articles.delete("7"))
            try expect(answer.status, 204)
            let refusal = try await talk.refusal(of: articles.get("7"))
            try expect(refusal.httpStatus, 404)
            return "\(answer.status), then \(refusal.httpStatus ?? 0)"
        },
    ]

    // MARK: - Relationships

    private static let relationships = [
        Step("relationship-to-many") { talk in
            let articles = articles(talk)
            let all = try await talk.ask(articles.add([.tag("3"), .tag("1")], to: \.tags, of: "1"))
            try expect(all.data, [.tag("1"), .tag("3")])
            let same = try await talk.ask(articles.add([.tag("3")], to: \.tags, of: "1"))
            try expect(same.status, 204)
            try expect(same.data, nil)
            let fewer = try await talk.ask(articles.remove([.tag("1")], from: \.tags, of: "1"))
            try expect(fewer.data, [.tag("3")])
            let others = try await talk.ask(articles.replace(\.tags, of: "1", with: [.tag("2")]))
            try expect(others.data, [.tag("2")])
            let none = try await talk.ask(articles.replace(\.tags, of: "1", with: []))
            try expect(none.data, [])
            let read = try await talk.ask(articles.identifiers(\.tags, of: "1"))
            try expect(read.data, [])
            return "added, removed, replaced"
        },
        Step("relationship-to-one") { talk in
            let articles = articles(talk)
            let before = try await talk.ask(articles.identifier(\.author, of: "1"))
            try expect(before.data, .person("1"))
            let changed = try await talk.ask(articles.replace(\.author, of: "1", with: .person("2")))
            try expect(changed.data, .person("2"))
            return "people 1, then people \(changed.data??.id ?? "?")"
        },
    ]
}

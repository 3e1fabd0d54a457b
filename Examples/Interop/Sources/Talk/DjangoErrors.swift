import Foundation
import JSONAPICodec
import JSONAPIHTTP

/// Requests that Django REST framework JSON:API rejects, and its errors.
enum DjangoErrors {
    static let steps = [
        Step("not-found") { talk in
            let document = try await talk.refusal(of: DjangoTalk.articles(talk).get("99"))
            try expect(document.httpStatus, 404)
            try expect(document.errors.map(\.code), ["not_found"])
            return "\(document)"
        },
        Step("invalid-attributes") { talk in
            let new = ResourceObject(type: "articles", attributes: ["title": "A title of more than twenty letters", "wordCount": "many"])
            let document = try await talk.refusal(of: DjangoTalk.articles(talk).create(Create(new)))
            try expect(document.httpStatus, 400)
            try expect(document.errors(at: \Article.title).map(\.code), ["max_length"])
            try expect(document.errors(at: \Article.wordCount).map(\.code), ["invalid"])
            return document.errors.compactMap(\.source?.pointerText).joined(separator: ", ")
        },
        Step("invalid-relationship") { talk in
            let patch = Patch<Article>(id: "1").link("author", to: .person("99"))
            let document = try await talk.refusal(of: DjangoTalk.articles(talk).update(patch))
            try expect(document.httpStatus, 400)
            try expect(document.errors(at: \Article.author).map(\.code), ["does_not_exist"])
            return document.errors.compactMap(\.source?.pointerText).joined(separator: ", ")
        },
        Step("taken-label") { talk in
            let tags = talk.endpoint("/tags/", of: Tag.self)
            let document = try await talk.refusal(of: tags.create(Tag(label: "swift")))
            try expect(document.errors(at: \Tag.label).map(\.code), ["unique"])
            return document.errors.compactMap(\.detail).joined(separator: ", ")
        },
        Step("conflict") { talk in
            let other = Create(ResourceObject(type: "people", attributes: ["name": "Cid"]))
            let document = try await talk.refusal(of: DjangoTalk.articles(talk).create(other))
            try expect(document.httpStatus, 409)
            return "409 \(document.errors.first?.source?.pointerText ?? "")"
        },
        Step("not-allowed") { talk in
            let document = try await talk.refusal(of: DjangoTalk.articles(talk).add([.person("1")], to: "author", of: "1"))
            try expect(document.httpStatus, 405)
            return "405 \(document.errors.first?.code ?? "")"
        },
        Step("media-types") { talk in
            var articles = DjangoTalk.articles(talk)
            articles.headers["Content-Type"] = "text/plain"
            let unread = try await talk.refusal(of: articles.create(NewArticle(title: "Roofs")))
            try expect(unread.httpStatus, 415)
            articles.headers = ["Accept": "text/html"]
            let unwritten = try await talk.refusal(of: articles.list())
            try expect(unwritten.httpStatus, 406)
            return "415, 406"
        },
        Step("queries") { talk in
            let articles = DjangoTalk.articles(talk)
            let queries = [
                Query(include: ["autor"]), Query(sort: ["autor"]), Query(parameters: ["autor": "1"]), Query(page: ["number": "9"]),
            ]
            var statuses: [Int] = []
            for query in queries { statuses.append(try await talk.refusal(of: articles.list(query)).httpStatus ?? 0) }
            try expect(statuses, [400, 400, 400, 404])
            return "\(statuses)"
        },
        Step("no-such-address") { talk in
            let answer = try await talk.unexpectedAnswer(to: talk.endpoint("/papers/", of: Article.self).list())
            try expect(answer.kind, .status)
            try expect(answer.status, 404)
            try expect(answer.mediaType, "text/html")
            return "\(answer)"
        },
    ]
}

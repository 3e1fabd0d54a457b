import Foundation
import JSONAPICodec
import JSONAPIHTTP

/// The atomic operations of FastAPI-JSONAPI.
enum FastAPIOperations {
    static let steps = [
        Step("atomic-add") { talk in
            var operations = AtomicOperations()
            let cid = operations.add(Person(name: "Cid"))
            operations.add(NewArticle(title: "Nails"), linking: ["author": cid])
            // The server requires a title here, although only the subtitle changes.
            operations.update(Patch<Article>(id: "2").set(\.title, "Doors").set(\.subtitle, "In two parts"))
            let answer = try await talk.ask(request(operations, talk))
            try expect(answer.status, 200)
            let results = answer.results
            try expect(results?.count, 3)
            let person = try results?.resource(Person.self, at: 0)
            let article = try results?.resource(Article.self, at: 1)
            let changed = try results?.resource(Article.self, at: 2)
            try expect(person?.name, "Cid")
            try expect(article?.title, "Nails")
            try expect(changed?.subtitle, "In two parts")
            let read = try await talk.ask(FastAPITalk.articles(talk).get(article?.id, Query(include: ["author"]))).data
            try expect(read.author.value?.id, person?.id)
            return "\(article?.title ?? "?") by \(read.author.value?.name ?? "?")"
        },
        Step("atomic-remove") { talk in
            var operations = AtomicOperations()
            operations.remove(ResourceIdentifier(type: "articles", id: "5"))
            let answer = try await talk.ask(request(operations, talk))
            try expect(answer.status, 204)
            try expect(answer.results == nil, true)
            return "\(answer.status)"
        },
        Step("atomic-failure") { talk in
            var operations = AtomicOperations()
            operations.add(Person(name: "Dan"))
            operations.add(ResourceObject(type: "people", attributes: ["nickname": "Ed"]))
            let answer = try await talk.unexpectedAnswer(to: request(operations, talk))
            try expect(answer.status, 422)
            let people = try await talk.ask(FastAPITalk.people(talk).list())
            try expect(people.data.map(\.name), ["Ann", "Bea", "Cid"])
            return "422, and nothing has changed"
        },
    ]

    private static func request(_ operations: AtomicOperations, _ talk: Talk) throws -> JSONAPIRequest<AtomicAnswer> {
        try .atomic(operations, at: talk.origin + "/operations")
    }
}

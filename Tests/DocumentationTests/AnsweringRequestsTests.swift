// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

@Suite("The article Answering requests")
struct AnsweringRequestsTests {
    struct Person: Resource {
        static let type = "people"
        var id: String?
        var name: String
    }
    struct NewArticle: Resource {
        static let type = "articles"
        var id: String?
        var title: String
        var author: ToOne<Person> = .notLoaded
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

    @Test("What is thrown becomes an answer")
    func answers() {
        func respond(_ handle: () throws -> JSONAPIResponse) -> JSONAPIResponse {
            do {
                return try handle()
            } catch {
                return (try? .errors(ErrorDocument(error))) ?? JSONAPIResponse(status: 500)
            }
        }
        #expect(respond { throw PreconditionFailure.failed }.status == 412)
        #expect(respond { .noContent } == .noContent)
    }

    @Test("A PATCH is applied to a model")
    func changes() throws {
        func update(_ article: Article, _ body: Data, _ headers: [String: String]) throws -> JSONAPIResponse {
            try IfMatch(headers: headers)?.check(EntityTag("\(article.revision)"))
            let changes = try Changes<Article>(body, for: article.id)
            var changed = try changes.applied(to: article)
            changed.revision += 1
            return try .ok(changed).tagged(EntityTag("\(changed.revision)"))
        }
        let article = Article(id: "1", title: "Clocks", revision: 1)
        let patch = article.patch { $0.title = "Stairs" }
        let body = try JSONAPIEncoder().encode(patch)
        let response = try update(article, body, ["If-Match": "\"1\""])
        #expect(response.headers["ETag"] == "\"2\"")
        #expect(try JSONAPIDecoder().decode(Article.self, from: response.body ?? Data()).title == "Stairs")
        #expect(throws: PreconditionFailure.failed) { try update(article, body, ["If-Match": "\"0\""]) }
        let refused = Data(#"{"data":{"type":"articles","id":"1","attributes":{"revision":9}}}"#.utf8)
        #expect((#expect(throws: ErrorDocument.self) { try update(article, refused, [:]) })?.commonStatus == 403)
    }

    @Test("Operations are carried out")
    func operations() throws {
        func insert(_ person: Person) -> Person { Person(id: "9", name: person.name) }
        func insert(_ article: NewArticle) -> NewArticle { NewArticle(id: "1", title: article.title, author: article.author) }
        func operate(_ body: Data) throws -> JSONAPIResponse {
            let results = try ReceivedOperations(body).run { operation in
                switch (operation.code, operation.type, operation.relationship) {
                case (.add, "people", nil): try AtomicResult(insert(operation.resource(Person.self)))
                case (.add, "articles", nil): try AtomicResult(insert(operation.resource(NewArticle.self)))
                default: throw ErrorDocument(errors: [ErrorObject(status: "403", title: "Not supported")])
                }
            }
            return try .results(results)
        }
        var operations = AtomicOperations()
        let ann = operations.add(Person(name: "Ann"))
        operations.add(NewArticle(title: "Clocks"), linking: ["author": ann])
        let body = try operate(JSONAPIEncoder().encode(operations)).body ?? Data()
        let results = try JSONAPIDecoder().decode(AtomicResults.self, from: body, for: operations)
        #expect(try results.resource(NewArticle.self, at: 1)?.author.identifier?.id == "9")
    }

    @Test("Templates make links")
    func links() throws {
        let article = Article(id: "1", title: "Stairs", revision: 2)
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = AddressTemplates(server: "/api").linkMaker
        let response = try JSONAPIResponse.ok(article, encoder: encoder)
        let page = try DocumentationPage.named("AnsweringRequests")
        #expect(try JSON(parsing: response.body ?? Data()) == JSON(parsing: page.documents[0]))
    }
}

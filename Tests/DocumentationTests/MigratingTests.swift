// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPILegacy
import JSONText
import Testing

@Suite("The article Moving from another library")
struct MigratingTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var author: Person
    }

    private let data: Data

    init() throws { data = try #require(DocumentationPage.named("MigratingFromOtherLibraries").documents.first) }

    @Test("From structs in the shape of the document")
    func byHand() throws {
        struct Person: Resource {
            static let type = "people"
            var id: String
            var name: String
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
            var author: Person
        }

        let articles = try JSONAPIDecoder().decode([Article].self, from: data)
        let author = articles[0].author
        #expect(author.name == "Marit")
    }

    @Test("From types with parameters for each part")
    func parameters() throws {
        struct PageMeta: Decodable { var total: Int }

        let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
        let author = document.data[0].author                          // resolved
        let total = try document.meta(PageMeta.self)?.total           // 11
        let people = try document.included(Person.self)
        #expect(author.name == "Marit" && total == 11 && people.map(\.id) == ["9"])
    }

    @Test("From macros")
    func macros() throws {
        let articles = try JSONAPIDecoder().decode([Article].self, from: data)
        let body = try JSONAPIEncoder().encode(articles[0].patch { $0.title = "Stairs" })
        let same = try JSONAPIEncoder().encode(Patch<Article>(id: "1").set(\.title, "Stairs"))
        #expect(try JSON(parsing: body) == JSON(parsing: same))
        #expect(try JSON(parsing: body)["data"]?["attributes"] == ["title": "Stairs"])
    }

    @Test("From flattened dictionaries")
    func flattening() throws {
        let articles = try JSONAPIDecoder().decode([Article].self, from: data)
        let flat = try JSONAPIDecoder().decode(DocumentObject.self, from: data).expanded()
        #expect(articles[0].author.name == "Marit")
        #expect(flat["data"]?[0]?["author"]?["name"] == "Marit")
    }

    @Test("From a client that sends the requests")
    func requests() async throws {
        let text = #"{"data": {"type": "articles", "id": "1", "attributes": {"title": "Clocks"}, "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}, "included": [{"type": "people", "id": "9", "attributes": {"name": "Marit"}}]}"#
        func load<Answer>(_ request: JSONAPIRequest<Answer>) async throws -> Answer {
            try request.answer(status: 200, headers: [:], body: Data(text.utf8))
        }
        let endpoint = Endpoint<Article>("https://example.com/articles")
        let article = try await load(endpoint.get("1")).data
        let changed = try await load(endpoint.update(article.patch { $0.title = "Stairs" })).data
        #expect(article.author.name == "Marit" && changed?.id == "1")
    }

    @Test("From objects over JSON")
    func objects() throws {
        struct Note: Resource {
            static let type = "articles"
            var id: String
            var title: String?
            var author: ToOne<Person>
        }

        let notes = try JSONAPIDecoder().decode([Note].self, from: data)
        let body = try JSONAPIEncoder().encode(notes[0].patch { $0.title = nil })
        #expect(try JSON(parsing: body)["data"]?["attributes"] == ["title": nil])
    }
}

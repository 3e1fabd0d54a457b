import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Embedded relationships that keep their reference")
struct EmbeddedTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String?
        @Embedded<ToMany<Article>> var articles: [Article]? = nil
    }
    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String?
        @Embedded<ToOne<Person>> var author: Person? = nil
        @Embedded<ToMany<Person>> var readers: [Person]? = nil
    }
    private struct Direct: DirectResource {
        static let type = "articles"
        var id: String
        @Embedded<ToOne<Person>> var author: Person? = nil

        init(id: String) { self.id = id }
        init(resource: ResourceView) throws {
            id = try resource.id()
            _author = try resource.relationship("author")
        }
        func write(to resource: ResourceWriter) throws { try resource.relationship("author", _author) }
    }

    private static let document = """
        {"data": [
          {"type": "articles", "id": "1", "attributes": {"title": "One"}, "relationships": {
            "author": {"data": {"type": "people", "id": "9", "meta": {"since": 2026}}, "links": {"related": "/articles/1/author"}, "meta": {"n": 1}},
            "readers": {"data": [{"type": "people", "id": "9"}, {"type": "people", "id": "7"}], "links": {"self": "/r"}}}},
          {"type": "articles", "id": "2", "relationships": {"author": {"data": {"type": "people", "id": "7"}}, "readers": {"data": []}}},
          {"type": "articles", "id": "3", "relationships": {"author": {"data": null, "meta": {}}, "readers": {"links": {"self": "/r"}}}},
          {"type": "articles", "id": "4"}],
         "included": [{"type": "people", "id": "9", "attributes": {"name": "Ann"}, "relationships": {"articles": {"data": [{"type": "articles", "id": "1"}]}}}]}
        """

    private static func articles() throws -> Document<[Article]> {
        try JSONAPIDecoder().decode(Document<[Article]>.self, from: Data(document.utf8))
    }

    @Test("What is included is a value, and everything else is known from the reference, also in cycles")
    func reading() throws {
        let articles = try Self.articles().data
        #expect(articles[0].author?.name == "Ann")
        #expect(articles[0].author?.articles?[0].author?.name == "Ann")
        #expect(articles[0].readers == nil && articles[0].$readers.count == 2 && articles[0].$readers.values.count == 1)
        #expect(articles[0].$author.links?["related"]?.href == "/articles/1/author")
        #expect(articles[1].author == nil && articles[1].$author.identifier?.id == "7")
        #expect(articles[1].readers?.isEmpty == true)
        #expect(articles[2].author == nil && articles[2].$author.isEmpty)
        #expect(articles[2].readers == nil && !articles[2].$readers.isLoaded)
        #expect(articles[3].author == nil && !articles[3].$author.isLoaded)
    }

    @Test("Decoding and encoding loses nothing, with Codable and with direct initializers")
    func roundTrip() throws {
        let written = try JSONAPIEncoder().encode(Self.articles())
        #expect(try JSON(parsing: written) == JSON(parsing: Self.document))
        let text = """
            {"data": {"type": "articles", "id": "1", "relationships": {"author": {"data": {"type": "people", "id": "7"}, "links": {"self": "/a"}}}}}
            """
        let direct = try JSONAPIDecoder().decode(Document<Direct>.self, from: Data(text.utf8))
        #expect(direct.data.author == nil && direct.data.$author.id == "7")
        #expect(try JSON(parsing: JSONAPIEncoder().encode(direct)) == JSON(parsing: text))
        #expect(!Direct(id: "1").$author.isLoaded)
    }

    @Test("An optional chain through a resource that is not available changes nothing", arguments: 0..<4)
    func chains(number: Int) throws {
        let article = try Self.articles().data[number]
        // The readers of the second article are available.
        for isOfAuthor in number == 1 ? [true] : [true, false] where !(number == 0 && isOfAuthor) {
            let patch = article.patch { article in
                if isOfAuthor {
                    article.author?.name = "X"
                } else {
                    article.readers?.append(Person(id: "3"))
                }
            }
            #expect(patch.isEmpty)
            var copy = article
            copy.author?.articles?.removeAll()
            if !isOfAuthor { copy.readers?[0].name = "X" }
            #expect(copy.$author.data == article.$author.data && copy.$readers.data == article.$readers.data)
            #expect(copy.$readers.identifiers == article.$readers.identifiers)
        }
    }

    @Test("Setting a resource links to it, and keeps the links and meta of the relationship")
    func setting() throws {
        var article = try Self.articles().data[0]
        article.author = Person(id: "5", name: "Bo")
        article.readers = []
        let body = try JSONAPIEncoder().encode(Document(article), include: ["author"])
        let json = try JSON(parsing: body)
        let expected: JSON = [
            "author": [
                "data": ["type": "people", "id": "5"], "links": ["related": "/articles/1/author"], "meta": ["n": 1],
            ], "readers": ["data": [], "links": ["self": "/r"]],
        ]
        #expect(json["data"]?["relationships"] == expected)
        #expect(json["included"]?[0]?["attributes"]?["name"]?.string == "Bo")
        article.author?.name = "Cy"
        #expect(article.author?.name == "Cy" && article.$author.id == "5")
        article.author = nil
        #expect(article.$author.links?["related"]?.href == "/articles/1/author" && article.$author.meta == ["n": 1])
        let patch = try JSON(parsing: JSONAPIEncoder().encode(try Self.articles().data[0].patch { $0.author = nil }))
        #expect(patch["data"]?["relationships"] == ["author": ["data": nil]])
        let created = try JSON(parsing: JSONAPIEncoder().encode(Create(Article(id: "", title: "x", author: Person(id: "5")))))
        #expect(created["data"]?["relationships"] == ["author": ["data": ["type": "people", "id": "5"]]])
    }
}

import Foundation
import JSONAPICodec
import JSONText
import Testing

@testable import JSONAPIHTTP

@Suite("Links of a server's resources")
struct LinkMakerTests {
    struct Comment: Resource, Equatable {
        static let type = "comments"
        var id: String
        var body: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var author: ToOne<Blog.Person> = .notLoaded
        var editor: Blog.Person?
        var comments: ToMany<Comment> = .notLoaded
        var replies: [Comment] = []
        var links = ResourceLinks()
    }

    private func tree(_ article: Article, _ maker: AddressTemplates?, include: IncludePaths = .all) throws -> JSON {
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = maker?.linkMaker
        return try JSON(parsing: encoder.encode(article, include: include))
    }

    @Test("Links and meta of a relationship can be set, and are encoded only in responses")
    func setters() throws {
        var article = Article(id: "1", title: "T", author: ToOne(id: "9"))
        article.author.links = ["related": "/articles/1/author"]
        article.author.meta = ["n": 1]
        article.comments.links = ["related": "/articles/1/comments"]
        article.comments.meta = ["count": 3]
        let relationships = try tree(article, nil)["data"]?["relationships"]
        #expect(
            relationships?["author"]
                == ["data": ["type": "people", "id": "9"], "links": ["related": "/articles/1/author"], "meta": ["n": 1]])
        #expect(relationships?["comments"] == ["links": ["related": "/articles/1/comments"], "meta": ["count": 3]])
        #expect(article.comments.meta?["count"] == 3 && article.author.links?.related?.href == "/articles/1/author")
        let body = try JSON(parsing: JSONAPIEncoder().encode(Create(article)))
        #expect(body["data"]?["relationships"] == ["author": ["data": ["type": "people", "id": "9"]], "replies": ["data": []]])
        article.author.links = nil
        article.author.meta = nil
        #expect(article.author == ToOne(id: "9"))
    }

    @Test("Templates create links of resources and relationships, loaded or not")
    func templates() throws {
        let person = Blog.Person(id: "9", name: "Ann")
        var article = Article(
            id: "a/b", title: "T", author: ToOne(person), editor: person, replies: [Comment(id: "5", body: "B")],
            links: ResourceLinks(["self": "/own"]))
        article.author.links = ["related": "/own/author"]
        let document = try tree(article, AddressTemplates(server: "/api"))
        let data = document["data"]
        #expect(data?["links"] == ["self": "/own"])
        let base = "/api/articles/a%2Fb"
        func links(_ name: String) -> JSON {
            ["self": .string("\(base)/relationships/\(name)"), "related": .string("\(base)/\(name)")]
        }
        #expect(data?["relationships"]?["author"]?["links"] == ["related": "/own/author", "self": .string("\(base)/relationships/author")])
        #expect(data?["relationships"]?["editor"] == ["data": ["type": "people", "id": "9"], "links": links("editor")])
        #expect(data?["relationships"]?["comments"] == ["links": links("comments")])
        #expect(data?["relationships"]?["replies"] == ["data": [["type": "comments", "id": "5"]], "links": links("replies")])
        #expect(document["included"]?[0]?["links"] == ["self": "/api/people/9"])
        #expect(document["included"]?[1]?["links"] == ["self": "/api/comments/5"])
        _ = try JSONAPIDecoder(mode: .strict).decode(
            Document<Article>.self, from: JSONWriter().write(document).withUnsafeBytes { Data($0) })
    }

    @Test("Types without templates, ids without an address and requests get none")
    func none() throws {
        let article = Article(id: "1", title: "T", author: ToOne(id: "9"))
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = AddressTemplates.linkMaker(["people": AddressTemplates(collection: "/people")])
        #expect(try JSON(parsing: encoder.encode(article)) == tree(article, nil))
        encoder.linkMaker = AddressTemplates(server: "").linkMaker
        #expect(try JSON(parsing: encoder.encode(Blog.Person(id: "..", name: "N")))["data"]?["links"] == nil)
        for create in [Create(article), Create(article, clientID: true)] {
            #expect(try encoder.encode(create) == JSONAPIEncoder().encode(create))
        }
        let patch = article.patch { $0.author = ToOne(id: "3") }
        #expect(try encoder.encode(patch) == JSONAPIEncoder().encode(patch))
        let created = try JSONAPIResponse.created(article, encoder: encoder)
        #expect(created.headers["Location"] == "/articles/1")
    }

    @Test("A relationship that a fieldset omits has no links")
    func fieldsets() throws {
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = AddressTemplates(server: "").linkMaker
        let article = Article(id: "1", title: "T", author: ToOne(id: "9"))
        let data = try JSON(parsing: encoder.encode(article, fields: ["articles": ["title"]]))["data"]
        #expect(data == ["type": "articles", "id": "1", "attributes": ["title": "T"], "links": ["self": "/articles/1"]])
    }
}

import Foundation
import JSONAPIArchive
import JSONAPICodec
import JSONAPIStore
import JSONMapping
import JSONText
import Testing

/// Archives and stores have the fields that schemas do not represent. Documents do not.
@Suite struct HiddenFieldsTests {
    private struct Login: Mapped, Equatable {
        static let schema = MappingSchema<Login>(creating: Login()) {
            MappingField(\.name, "name", .omit)
            MappingField(\.hash, "hash", .omit)
        }.representing("name")
        var name: String?
        var hash: String?
    }

    private enum LoginForm: ConversionSource { static var conversion: Conversion<JSON, Login> { Login.conversion } }

    private struct Person: Resource {
        static let type = "people"
        var id = "1"
        @ConvertedIfPresent<LoginForm> var login: Login?
    }

    private struct Article: Resource {
        static let type = "articles"
        var id = "1"
        @ConvertedAsRead<LoginForm> var login: Login? = nil
        var author: ToOne<Person> = .empty
        var readers: ToMany<Person> = .empty
    }

    private let article = Article(
        login: Login(name: "n", hash: "SECRET"), author: ToOne(Person(login: Login(name: "n", hash: "SECRET"))),
        readers: [Person(id: "2", login: Login(name: "n", hash: "SECRET"))])

    private func check(_ read: Article) throws {
        #expect(read.login?.hash == "SECRET" && read.author.value?.login?.hash == "SECRET")
        #expect(read.readers.values.map(\.login?.hash) == ["SECRET"])
        let text = String(decoding: try JSONAPIEncoder().encode(Document(read)), as: UTF8.self)
        #expect(text == String(decoding: try JSONAPIEncoder().encode(Document(article)), as: UTF8.self))
        #expect(!text.contains("SECRET") && text.contains(#""login":{"name":"n"}"#))
    }

    @Test("A document of a model from an archive has no hidden field, also of linked resources")
    func archived() throws {
        var writer = Archive.Writer()
        try writer.encode(article, forKey: "a")
        let archive = try Archive(data: writer.data())
        let read = try archive.decode(Article.self, forKey: "a")
        try check(read)
        // Another archive has them again.
        var second = Archive.Writer()
        try second.encode(read, forKey: "a")
        try check(Archive(data: second.data()).decode(Article.self, forKey: "a"))
    }

    @Test("Of the versions of one resource in two stores, a document has the first")
    func versions() throws {
        func stored(_ id: String, _ name: String) throws -> Article {
            let store = ResourceStore()
            try store.ingest(Article(id: id, author: ToOne(Person(login: Login(name: name, hash: "SECRET")))))
            return try #require(try store.resource(Article.self, id: id))
        }
        let articles = [try stored("1", "x"), try stored("2", "y")]
        let text = String(decoding: try JSONAPIEncoder().encode(articles), as: UTF8.self)
        #expect(text.contains(#""name":"x""#) && !text.contains(#""name":"y""#) && !text.contains("SECRET"))
    }

    @Test("Two models of one stored resource do not hide what the other one links to")
    func smallerModel() throws {
        struct Name: Resource {
            static let type = "articles"
            var id = "1"
        }
        struct Shelf: Resource {
            static let type = "shelves"
            var id = "1"
            var name: ToOne<Name> = .empty
            var articles: ToMany<Article> = .empty
        }
        let store = ResourceStore()
        try store.ingest(article)
        let link = ResourceIdentifier(type: "articles", id: "1")
        try store.ingest(Shelf(name: ToOne(link), articles: ToMany([link])))
        let shelf = try #require(try store.resource(Shelf.self, id: "1"))
        let document = try JSONAPIDecoder().decode(
            DocumentObject.self, from: JSONAPIEncoder().encode(shelf, include: ["name", "articles.author"]))
        #expect(document.included?.map(\.type).sorted() == ["articles", "people"])
    }

    @Test("A document of a model from a store has no hidden field, also of linked resources")
    func stored() throws {
        let store = ResourceStore()
        try store.ingest(article)
        try check(#require(try store.resource(Article.self, id: "1")))
    }
}

import JSONAPICodec
import JSONMapping
import Testing

@testable import JSONAPIHTTP

@Suite("Requests by key path")
struct EndpointKeyPathTests {
    struct Comment: Resource {
        static let type = "comments"
        var id: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var author: ToOne<Blog.Person>
        var editor: Blog.Person?
        var owner: Blog.Person
        var comments: ToMany<Comment>
        var replies: [Comment]
        var notes: [Comment]?
    }

    @Test("A key path selects the relationship and the type of the response")
    func properties() throws {
        let articles = Endpoint<Article>("/articles")
        let comments: JSONAPIRequest<Document<[Comment]>> = try articles.related(\.comments, of: "1")
        let author: JSONAPIRequest<Document<Blog.Person?>> = try articles.related(\.author, of: "1")
        let editor: JSONAPIRequest<Document<Blog.Person?>> = try articles.related(\.editor, of: "1")
        let owner: JSONAPIRequest<Document<Blog.Person?>> = try articles.related(\.owner, of: "1")
        let replies: JSONAPIRequest<Document<[Comment]>> = try articles.related(\.replies, of: "1")
        let notes: JSONAPIRequest<Document<[Comment]>> = try articles.related(\.notes, of: "1")
        let paths = ["/articles/1/comments", "/articles/1/replies", "/articles/1/notes"]
        #expect([comments.url, replies.url, notes.url].map(\.path) == paths)
        #expect([author.url, editor.url, owner.url].map(\.path) == ["/articles/1/author", "/articles/1/editor", "/articles/1/owner"])
        let five = ResourceIdentifier(type: "comments", id: "5")
        let own = "/articles/1/relationships/"
        #expect(try articles.identifiers(\.comments, of: "1").url.path == own + "comments")
        #expect(try articles.identifier(\.author, of: "1").url.path == own + "author")
        #expect(try articles.add([five], to: \.comments, of: "1").url.path == own + "comments")
        #expect(try articles.remove([five], from: \.replies, of: "1").method == .delete)
        #expect(try articles.replace(\.comments, of: "1", with: [five]).url.path == own + "comments")
        #expect(try articles.replace(\.author, of: "1", with: nil).url.path == own + "author")
    }

    struct Placed: Resource {
        static let type = "articles"
        var id: String
        var author: Blog.Person?
        enum CodingKeys: String, CodingKey { case id, author = "attributes.author" }
    }

    @Test("A key path to a property that is not a relationship is an error")
    func attributes() throws {
        let articles = Endpoint<Article>("/articles")
        let five = ResourceIdentifier(type: "comments", id: "5")
        #expect(throws: EncodingError.self) { try articles.identifiers(\.title, of: "1") }
        #expect(throws: EncodingError.self) { try articles.add([five], to: \.title, of: "1") }
        #expect(throws: EncodingError.self) { try articles.remove([five], from: \.title, of: "1") }
        #expect(throws: EncodingError.self) { try articles.replace(\.title, of: "1", with: [five]) }
        #expect(throws: EncodingError.self) { try articles.replace(\.id, of: "1", with: five) }
        #expect(throws: EncodingError.self) { try Endpoint<Placed>("/articles").related(\.author, of: "1") }
    }

    struct Profile: SchemaResource {
        static let type = "profiles"
        static let relationshipNames: Set<String> = ["bestFriends", "best_friends"]
        static let schema = MappingSchema<Profile>(creating: Profile()) {
            MappingField(\.id, "id")
            MappingField(\.bestFriends, "bestFriends")
        }
        var id = ""
        var bestFriends: JSON?
    }

    @Test("A key path selects the relationship by the schema of the endpoint's decoder")
    func schemas() throws {
        var schemas = SchemaSet()
        schemas[Profile.self] = Profile.schema.keys(.snakeCase)
        var decoder = JSONAPIDecoder()
        decoder.schemas = schemas
        let profiles = Endpoint<Profile>("/profiles", decoder: decoder)
        #expect(try profiles.identifiers(\.bestFriends, of: "1").url.path == "/profiles/1/relationships/best_friends")
    }
}

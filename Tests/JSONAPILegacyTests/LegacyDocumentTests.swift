import Foundation
import JSONAPICodec
import JSONAPILegacy
import JSONText
import Testing

@Suite("Converting legacy documents")
struct LegacyDocumentTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }
    struct Comment: Resource {
        static let type = "comments"
        var id: String
        var body: String
    }
    struct Post: Resource {
        static let type = "posts"
        var id: String
        var title: String
        var author: Person?
        var comments: [Comment]
        var log: ToOne<Person>?
    }

    static let blog = #"""
        {"links": {"posts.author": {"href": "http://example.com/people/{posts.author}", "type": "people"},
                   "posts.comments": {"href": "/comments/{posts.comments}", "type": "comments"},
                   "posts.log": "/posts/{posts.id}/log", "self": "/posts"},
         "posts": [{"id": 1, "title": "A", "href": "/posts/1", "links": {"author": "9", "comments": [5, 6], "editor": "/people/3"}},
                   {"id": 2, "title": "B", "links": {"author": null, "comments": [], "tags": ["x"]}}],
         "linked": {"people": [{"id": "9", "name": "Dan"}], "comments": [{"id": "5", "body": "a"}, {"id": 6, "body": "b"}]},
         "meta": {"total": 2}}
        """#

    @Test("Models decode the converted document")
    func decoding() throws {
        let document = try LegacyDocument(parsing: Data(Self.blog.utf8))
        let posts = try document.decode([Post].self)
        #expect(posts.map(\.id) == ["1", "2"])
        #expect(posts.map { $0.author?.name } == ["Dan", nil])
        #expect(posts.map { $0.comments.map(\.body) } == [["a", "b"], []])
        #expect(posts.first?.log?.links?.related?.href == "/posts/1/log")
        let whole = try document.decode(Document<[Post]>.self)
        #expect(whole.links["self"]?.href == "/posts")
        #expect(whole.data.count == 2)
        #expect(try JSONAPIDecoder().decode([Post].self, from: Data(document.document.description.utf8)).count == 2)
    }

    @Test("A collection can have another name than its resource type")
    func collectionNames() throws {
        struct Author: Resource {
            static let type = "author"
            var id: String
            var name: String
        }
        struct Entry: Resource {
            static let type = "posts"
            var id: String
            var author: Author
        }
        let json = try JSON(
            parsing: #"""
                {"links": {"posts.author": {"href": "http://example.com/people/{posts.author}", "type": "author"}},
                 "posts": [{"id": "1", "links": {"author": "9"}}], "author": [{"id": "9", "name": "@d2h"}]}
                """#)
        #expect(try LegacyDocument(json).decode([Entry].self).map(\.author.name) == ["@d2h"])
    }

    @Test("Every member is converted")
    func translation() throws {
        let document = try LegacyDocument(parsing: Data(Self.blog.utf8)).document
        let expected = try JSON(
            parsing: #"""
                {"data": [
                   {"type": "posts", "id": "1", "attributes": {"title": "A"}, "links": {"self": "/posts/1"},
                    "relationships": {
                        "editor": {"links": {"related": "/people/3"}},
                        "author": {"links": {"related": "http://example.com/people/9"}, "data": {"type": "people", "id": "9"}},
                        "comments": {"links": {"related": "/comments/5,6"},
                                     "data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "6"}]},
                        "log": {"links": {"related": "/posts/1/log"}}}},
                   {"type": "posts", "id": "2", "attributes": {"title": "B"}, "meta": {"links": {"tags": ["x"]}},
                    "relationships": {"author": {"data": null}, "comments": {"data": []}, "log": {"links": {"related": "/posts/2/log"}}}}],
                 "included": [{"type": "people", "id": "9", "attributes": {"name": "Dan"}},
                              {"type": "comments", "id": "5", "attributes": {"body": "a"}},
                              {"type": "comments", "id": "6", "attributes": {"body": "b"}}],
                 "links": {"self": "/posts"}, "meta": {"total": 2}}
                """#)
        #expect(document.json == expected, "\(document)")
    }

    @Test("Only a type with the bytes of the collection's name is left out", arguments: [true, false])
    func typeMember(isSame: Bool) throws {
        let type = isSame ? "e\u{301}" : "\u{e9}"
        let json: JSON = ["links": ["e\u{301}.a": "/a"], "e\u{301}": [["id": "1", "type": .string(type)]]]
        let resource = try #require(try LegacyDocument(json).document.data.resources.first)
        let attributes: JSONObject? = isSame ? nil : ["type": .string(type)]
        #expect(resource.attributes == attributes)
    }

    @Test("A single resource stays single, null stays null")
    func single() throws {
        let one = try LegacyDocument(JSON(parsing: #"{"people": {"id": 9, "name": "Dan"}}"#))
        #expect(try one.decode(Person.self).name == "Dan")
        let none = try LegacyDocument(JSON(parsing: #"{"links": {"people.posts": "/{people.id}"}, "people": null}"#))
        #expect(try none.decode(Person?.self) == nil)
        #expect(none.document.description == #"{"data":null}"#)
    }

    @Test("The primary collection can be chosen, and a missing one is an error")
    func primary() throws {
        let json = try JSON(parsing: #"{"people": [{"id": "9", "name": "Dan"}], "comments": [{"id": "5", "body": "a"}]}"#)
        #expect(Legacy.problems { () throws(ExpansionError) in try LegacyDocument(json) } == ["ambiguousPrimary "])
        #expect(try LegacyDocument(json, primary: ["people"]).decode([Person].self).map(\.name) == ["Dan"])
        #expect(try LegacyDocument(json, primary: ["comments", "people"]).document.data.resources.map(\.type) == ["comments", "people"])
        #expect(try LegacyDocument(json, primary: ["comments"]).document.included?.map(\.type) == ["people"])
        do throws(ExpansionError) {
            _ = try LegacyDocument(json, primary: ["peopel"])
            Issue.record("read")
        } catch {
            #expect(error.problems.first?.kind == .unknownCollection)
            #expect(error.description.contains("did you mean `people`?"))
        }
    }

    @Test("Templates identify the primary collection")
    func primaryByTemplates() throws {
        let json = try JSON(
            parsing: #"""
                {"links": {"posts.author": {"type": "people"}}, "posts": [{"id": "1", "links": {"author": "9"}}], "people": [{"id": "9"}],
                 "tags": [{"id": "x"}]}
                """#)
        let document = try LegacyDocument(json).document
        #expect(document.data.resources.map(\.type) == ["posts"])
        #expect(document.included?.map(\.type) == ["people", "tags"])
    }

    @Test("Errors are thrown, and a current document is unchanged")
    func otherDocuments() throws {
        let errors = try LegacyDocument(JSON(parsing: #"{"errors": [{"status": "404"}]}"#))
        #expect(throws: ErrorDocument.self) { try errors.decode([Post].self) }
        let today = try LegacyDocument(
            JSON(parsing: #"{"data": {"type": "people", "id": "9", "attributes": {"name": "Dan"}}, "links": {"self": "/"}}"#))
        #expect(try today.decode(Person.self).name == "Dan")
    }

    @Test("A current document whose links have names with dots is unchanged")
    func currentLinksWithDots() throws {
        let json = try JSON(
            parsing: #"""
                {"data": [{"type": "posts", "id": "1", "attributes": {"title": "T"}}], "included": [],
                 "links": {"self": "/posts", "example.search": "/search"}}
                """#)
        let document = try LegacyDocument(json)
        #expect(document.document.json == json && document.diagnostics.isEmpty)
    }

    @Test("A document of errors or meta can carry the server's templates")
    func templatesBesideErrors() throws {
        let links = #""links": {"posts.author": {"href": "/p/{posts.author}", "type": "people"}}"#
        let errors = try LegacyDocument(JSON(parsing: "{\(links), \"errors\": [{\"title\": \"Not found\"}]}"))
        #expect(throws: ErrorDocument.self) { try errors.decode([Post].self) }
        #expect(try LegacyDocument(JSON(parsing: "{\(links), \"meta\": {\"count\": 0}}")).document.meta == ["count": 0])
    }

    @Test("Links that are not part of a template's address are kept")
    func unusedLinks() throws {
        func post(_ template: String, _ link: String) throws -> JSON? {
            let json = try JSON(
                parsing: #"{"links": {"posts.p": "\#(template)"}, "posts": [{"id": "1", "links": {"p": \#(link)}}]}"#)
            return try LegacyDocument(json).document.json["data"]?[0]
        }
        let ids = try post("/posts/{posts.id}/p", #"["5", "6"]"#)
        #expect(ids?["meta"]?["links"] == ["p": ["5", "6"]])
        #expect(ids?["relationships"]?["p"]?["links"]?["related"] == "/posts/1/p")
        let own = try post("/x{?posts.p}", #"{"href": "/own", "meta": {"m": 1}}"#)
        #expect(own?["meta"]?["links"]?["p"]?["meta"] == ["m": 1])
        #expect(try post("/p/{posts.p}", #"["5", "6"]"#)?["meta"] == nil)
    }

    @Test("All problems are reported with places in the old document")
    func problems() throws {
        let json = try JSON(
            parsing: #"""
                {"links": {"posts.author": {"href": "/{", "type": "people"}, "posts.log": "/log", "people.x": 1},
                 "posts": [{"id": true, "links": {"author": {}}}, 7, {"id": "1", "log": 1}], "people": "x"}
                """#)
        #expect(
            Set(Legacy.problems { () throws(ExpansionError) in try LegacyDocument(json) }) == [
                "invalidTemplate /links/posts.author/href", "typeMismatch /links/people.x", "typeMismatch /posts/0/id",
                "typeMismatch /posts/0/links/author", "typeMismatch /posts/1", "typeMismatch /people", "nameConflict /posts/2/log",
            ])
        #expect(Legacy.problems { () throws(ExpansionError) in try LegacyDocument([]) } == ["notAnObject "])
        #expect(throws: JSONSyntaxError.self) { try LegacyDocument(parsing: Data("{".utf8)) }
    }

    @Test("An old document is recognized by its templates")
    func detection() throws {
        #expect(try LegacyDocument.hasTemplates(JSON(parsing: Self.blog)))
        for text in [
            #"{"links": {"self": "/a.b"}}"#, #"{"data": [], "links": {"a.b": "/"}}"#, "[]", "{}", #"{"links": {"http://a.b/c": "/"}}"#,
        ] {
            #expect(try !LegacyDocument.hasTemplates(JSON(parsing: text)))
        }
    }
}

// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPILegacy
import JSONAPIStore
import JSONMapping
import JSONText
import Testing

/// The samples of the articles for users of older systems. Every sample of these articles is in this file, word for word.
@Suite("Coming from older systems")
struct ComingFromTests {
    // MARK: - RHRedict

    @Test("A dictionary is rewritten")
    func rewriting() throws {
        let json: JSON = ["test_name": "Cafe", "location": ["lat": 40.7, "long": -74.0]]

        let rewriter = Rewriter {
            Rule("testName", from: "test_name")
            Rule("latitude", from: "location.lat")
            Rule("longitude", from: "location.long")
        }
        let place = try rewriter.rewrite(json)

        #expect(place == ["testName": "Cafe", "latitude": 40.7, "longitude": -74.0])

        let inverse = Rewriter {
            Rule("location", from: ["latitude", "longitude"]) { rule, input in
                ["lat": try input.read("latitude"), "long": try input.read("longitude")]
            }
        }

        #expect(try inverse.rewrite(.object(place)) == ["location": ["lat": 40.7, "long": -74.0]])
    }

    @Test("Required rules, defaults, missing values, and a completion")
    func phases() throws {
        let json: JSON = ["test_name": "Cafe", "info": ["pages": "12"], "tags": [], "secret": 1]

        let rewriter = Rewriter(unreferenced: .value { rule, input in rule.key == "secret" ? nil : input[rule.key] }) {
            Rule("name", from: "test_name")
            Rule("pages", from: "info") { _, input in
                .number(JSONNumber(input.intValue(at: "info.pages", as: .lenientInt, default: 1)))
            }
            Rule("note", from: "comment").optional
            Rule("rating", from: "stars").ifMissing { rule, input in 0 }
            Rule("owner", from: "owner_name")
        }
        let whole = try rewriter.rewrite(json) { result, missing in
            var result = result
            for key in missing ?? [] { result[key] = "unknown" }
            return result
        }
        let report = try rewriter.report(json)          // report.result, report.missing == ["owner"]

        #expect(whole == ["name": "Cafe", "pages": 12, "tags": [], "rating": 0, "owner": "unknown"])
        #expect(report.missing == ["owner"] && report.result["owner"] == nil)
        #expect(throws: ValidationError.self) { try rewriter.rewrite(json) }
    }

    // MARK: - HIJSONModel

    @Test("An object with a schema and its snapshot")
    func schemes() throws {
        let json: JSON = [
            "id": "a1", "title": "T", "publishedAt": "2016-05-16T23:47:02.000Z", "thumbnails": [["url": "http://x/1.png", "width": "120"]],
        ]

        struct Thumbnail: Mapped {
            var url = ""
            var width: Int?
            var height: Int?

            static let schema = MappingSchema(creating: Thumbnail()) {
                MappingField(\.url, "url")
                MappingField(\.width, "width", .omit, .lenientInt)
                MappingField(\.height, "height", .omit, .lenientInt)
            }
        }
        struct Test: Mapped {
            var id = ""
            var title: String?
            var publishedAt: Date?
            var thumbnails: [Thumbnail]?

            static let schema = MappingSchema(creating: Test()) {
                MappingField(\.id, "id")
                MappingField(\.title, "title", .omit)
                MappingField(\.publishedAt, "publishedAt", .omit)
                MappingField(\.thumbnails, "thumbnails", .omit)
            }
        }

        let test = try Test.schema.decode(json)
        let snapshot = try Test.schema.encode(test)

        #expect(test.thumbnails?[0].width == 120 && test.publishedAt == Date(timeIntervalSince1970: 1_463_442_422))
        #expect(snapshot["publishedAt"] == "2016-05-16T23:47:02Z" && snapshot["thumbnails"]?[0] == ["url": "http://x/1.png", "width": 120])

        var schemas = SchemaSet()
        schemas[Thumbnail.self] = MappingSchema(creating: Thumbnail()) { MappingField(\.url, from: "source") }
        let mirrored = try schemas.decode(Test.self, from: ["id": "a2", "thumbnails": [["source": "http://x/2.png"]]])
        let shouting = try schemas.decode(from: ["ID": "A3"], schema: Test.schema.keys(.custom { $0.uppercased() }))

        #expect(mirrored.thumbnails?[0].url == "http://x/2.png" && shouting.id == "A3")
    }

    @Test("An object without a Swift type")
    func dynamicObjects() throws {
        let json: JSON = ["id": "a1", "publishedAt": "2016-05-16T23:47:02.000Z", "thumbnails": [["url": "http://x/1.png", "width": "120"]]]

        var schemas = SchemaSet()
        schemas["Thumbnail"] = MappingSchema("Thumbnail") {
            MappingField("url", .required, .string)
            MappingField("width", .omit, .lenientInt)
        }
        schemas["Test"] = MappingSchema("Test") {
            MappingField("id", .required, .string)
            MappingField("publishedAt", .omit, .date(.iso8601))
            MappingField("thumbnails", .omit, .list(.object(named: "Thumbnail")))
        }
        let test = try schemas.schema(named: "Test").decode(json)
        let thumbnails = test["thumbnails", as: [DynamicObject].self] ?? []

        #expect(thumbnails.first?["width", as: Int.self] == 120)
    }

    // MARK: - EFDataMappingKit

    @Test("A user with messages")
    func mappings() throws {
        let json: JSON = [
            "user_id": 42, "username": "john.doe", "website": "http://www.example.com",
            "messages": [["message_id": 1, "published_at": "2014-02-13", "read": true, "text": "FYI"]],
        ]

        struct Message: Mapped {
            var messageID = 0
            var publicationDate: Date?
            var isRead: Bool?
            var text: String?

            static let schema = MappingSchema(creating: Message()) {
                MappingField(\.messageID, from: "message_id")
                MappingField(\.publicationDate, from: "published_at", .date("yyyy-MM-dd"))
                MappingField(\.isRead, from: "read")
                MappingField(\.text, "text")
            }
        }
        struct User: Mapped {
            var userID = 0
            var username = ""
            var messages: [Message]?
            var website: URL?

            static let schema = MappingSchema(creating: User()) {
                MappingField(\.userID, from: "user_id")
                MappingField(\.username, "username")
                MappingField(\.messages, "messages")
                MappingField(\.website, "website")
            }
        }

        var user = try User.schema.decode(json)                                       // throws every problem at once
        try User.schema.apply(["username": "jane"], to: &user, isPartial: true)       // all or nothing
        let representation = try User.schema.encode(user, only: ["user_id", "messages"])

        #expect(user.username == "jane" && user.messages?[0].isRead == true && representation["messages"] == json["messages"])
        #expect(try User.schema.encode(User.schema.decode(json)) == json.object)

        let problems = User.schema.validate(["user_id": "42", "messages": [["message_id": 1], ["text": 3]]])

        #expect(
            problems.map { "\($0.kind) \($0.pointer)" } == [
                "type-mismatch /user_id", "required /username", "required /messages/1/message_id", "type-mismatch /messages/1/text",
            ])
    }

    @Test("Requirements, an initializer, and a custom mapper")
    func requirements() throws {
        struct Person: Mapped {
            var name: String
            var age: Int?
            var level: Int?
            var isFromServer = false

            static let schema: MappingSchema<Person> = MappingSchema {
                MappingField(\.age, "age").checked(.all(.atLeast(0), .not(.greater(than: 150))))
                MappingField(\.level, "level", .table(["low": 1, "high": 2]))
            } make: { values in
                Person(name: try values.json.read("user_name"))
            }
        }

        struct ServerPeople: SchemaCodec {
            let schema = Person.schema

            func transform(_ json: JSON, ofField name: String) throws -> JSON {
                name == "level" ? .string(json.string?.lowercased() ?? "") : json
            }
            func decode(_ json: JSON, by mapping: Mapping<Person>) throws -> Person {
                var person = try mapping.decode(json)
                person.isFromServer = true
                return person
            }
        }

        var schemas = SchemaSet()
        schemas.register(ServerPeople())
        let person = try schemas.decode(Person.self, from: ["user_name": "Ann", "age": 3, "level": "HIGH"])

        #expect(person.name == "Ann" && person.age == 3 && person.level == 2 && person.isFromServer)
        #expect(Person.schema.validate(["user_name": "Ann", "age": 200]).map(\.kind) == [.constraintFailed])
    }

    // MARK: - JTE

    @Test("A document with URL templates is expanded")
    func expanding() throws {
        let text = #"""
            {"links": {"posts.author": {"href": "http://example.com/people/{posts.author}", "type": "author"},
                       "posts.comments": "http://example.com/posts/{posts.id}/comments"},
             "posts": [{"id": "1", "title": "Rails is Omakase", "links": {"author": "9"}}], "author": [{"id": "9", "name": "@d2h"}]}
            """#
        let json = try JSON(parsing: text)

        let tree = try Expander().expand(legacy: json)

        #expect(
            tree["posts"]?[0] == [
                "id": "1", "title": "Rails is Omakase", "comments": ["href": "http://example.com/posts/1/comments"],
                "author": ["id": "9", "name": "@d2h", "href": "http://example.com/people/9"],
            ])

        struct Author: Resource {
            static let type = "author"
            var id: String
            var name: String
        }
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var title: String
            var author: ToOne<Author>
        }
        let posts = try LegacyDocument(json).decode([Post].self)
        let author = posts[0].author.value              // one author for all of their posts

        #expect(author?.name == "@d2h")
    }

    // MARK: - Treasure

    @Test("Resources and a store")
    func treasure() throws {
        let data = Data(
            #"""
            {"data": {"type": "projects", "id": "1", "attributes": {"title": "Test Project"},
                      "relationships": {"users": {"data": {"type": "users", "id": "4"}}}},
             "included": [{"type": "users", "id": "4", "attributes": {"name": "New User"}}]}
            """#.utf8)

        struct User: Resource {
            static let type = "users"
            var id: String
            var name: String
            @Lossy var age: Int?
        }
        struct Project: Resource {
            static let type = "projects"
            var id: String
            var title: String
            var users: ToOne<User>
        }

        let store = ResourceStore()
        let project = try store.decode(Project.self, from: data)                       // the store keeps what the document includes
        let user = try store.resolve(project.users)                                    // from this document or an earlier one
        let create = try JSONAPIEncoder().encode(Create(project))
        let update = try JSONAPIEncoder().encode(project.patch { $0.title = "New" })

        #expect(user.name == "New User")
        #expect(
            try JSON(parsing: create) == [
                "data": [
                    "type": "projects", "attributes": ["title": "Test Project"],
                    "relationships": ["users": ["data": ["type": "users", "id": "4"]]],
                ]
            ])
        #expect(try JSON(parsing: update)["data"]?["attributes"] == ["title": "New"])

        let body = Create(
            type: "projects", attributes: ["title": "Test Project"],
            relationships: [.toOne("users", ResourceIdentifier(type: "users", id: "4"))])

        #expect(try JSONAPIEncoder().encode(body) == create)
    }

    // MARK: - The articles

    @Test(
        "Every sample of the articles is in this file",
        arguments: [
            "JSONMapping/JSONMapping.docc/ComingFromRHRedict", "JSONMapping/JSONMapping.docc/ComingFromHIJSONModel",
            "JSONMapping/JSONMapping.docc/ComingFromEFDataMappingKit", "JSONAPILegacy/JSONAPILegacy.docc/ComingFromJTE",
            "JSONAPICodec/JSONAPICodec.docc/ComingFromTreasure",
        ])
    func samplesAreRun(_ article: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("Sources/\(article).md"), encoding: .utf8)
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        // Samples are at the first level inside a test.
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false).map { $0.dropFirst($0.hasPrefix("        ") ? 8 : 0) }
        let here = lines.joined(separator: "\n")
        let samples = text.components(separatedBy: "```swift\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
        #expect(!samples.isEmpty)
        for sample in samples { #expect(here.contains(sample), "not run:\n\(sample)") }
    }
}

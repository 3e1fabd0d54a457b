// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPIValidation
import JSONText
import Testing

@Suite("The article Building requests")
struct BuildingRequestsTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var subtitle: String?
        var author: ToOne<Person>
        var tags: ToMany<Tag>
    }
    struct Tag: Resource {
        static let type = "tags"
        var id: String
    }
    struct NewArticle: ResourceFields {
        static let type = "articles"
        var title: String
        var author: ToOne<Person>
    }

    private func data(_ body: Data) throws -> JSON? { try JSON(parsing: body)["data"] }

    @Test("Bodies from models and from names")
    func bodies() throws {
        let encoder = JSONAPIEncoder()
        let marit = Person(id: "9", name: "Marit")
        let article = Article(id: "1", title: "Old", subtitle: "Older", author: ToOne(marit), tags: .notLoaded)
        let texts = try DocumentationPage.named("BuildingRequests").documents
        let linkage: JSON = ["data": ["type": "people", "id": "9"]]

        let body = try encoder.encode(Create(article))
        #expect(try JSON(parsing: body).isIdentical(to: JSON(parsing: texts[0])))

        let draft = try encoder.encode(Create(NewArticle(title: "New", author: ToOne(id: "9"))))
        let own = try encoder.encode(Create(article, clientID: true))           // with the id that the client chose
        let named = try encoder.encode(Create(article, lid: "draft-1"))         // with a local id for this document
        let several = try encoder.encode([Create(article), Create(article)])    // for servers that accept an array
        #expect(
            try data(draft) == ["type": "articles", "attributes": ["title": "New"], "relationships": ["author": linkage]])
        #expect(try data(own)?["id"] == "1")
        #expect(try data(named)?["lid"] == "draft-1" && data(named)?["id"] == nil)
        #expect(try data(several)?.array?.count == 2)

        let patch = article.patch {
            $0.title = "New"
            $0.subtitle = nil
            $0.author = nil
        }
        let update = patch.isEmpty ? nil : try encoder.encode(patch)
        #expect(try JSON(parsing: #require(update)).isIdentical(to: JSON(parsing: texts[1])))

        let compared = Patch(from: article, to: Article(id: "1", title: "New", author: ToOne(marit), tags: .notLoaded))
        let byName = Patch<Article>(id: "1").set("title", "New").setNull("subtitle").link("author", to: marit).omitting("tags")
        let byKeyPath = Patch<Article>(id: "1").set(\.title, "New").setNull(\.subtitle).set(\.author, ToOne(marit))
        #expect(try compared.object().attributes == ["title": "New", "subtitle": nil])
        #expect(try compared.object().relationships == nil)
        #expect(try byName.object().attributes == ["title": "New", "subtitle": nil])
        #expect(try byName.object()[relationship: "author"]?.json == linkage)
        #expect(try byKeyPath.object() == byName.object())
    }

    struct Venue: Resource {
        static let type = "venues"
        var id: String
        var city: String
        var place: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, city = "attributes.place.city", place = "attributes.place" }
    }

    @Test("A patch of one part sends the whole attribute")
    func parts() throws {
        let encoder = JSONAPIEncoder()
        let response = try DocumentationPage.named("BuildingRequests").documents[2]
        let venue = try JSONAPIDecoder().decode(Venue.self, from: response)
        let moved = try encoder.encode(venue.patch { $0.city = "Bergen" })      // also sends `zip`
        #expect(try data(moved)?["attributes"] == ["place": ["city": "Bergen", "zip": "0150"]])
    }

    @Test("A field is absent, null, or a value")
    func fields() throws {
        let encoder = JSONAPIEncoder()
        struct ArticleChanges: ResourceFields {
            static let type = "articles"
            var title: Field<String> = .absent
            var subtitle: Field<String> = .absent
        }

        let edited = try encoder.encode(Patch(id: "1", ArticleChanges(title: "New", subtitle: .null)))
        #expect(try data(edited) == ["type": "articles", "id": "1", "attributes": ["title": "New", "subtitle": nil]])
    }

    @Test("Linkage, and bodies without models")
    func linkage() throws {
        let encoder = JSONAPIEncoder()
        let swift = ResourceIdentifier(type: "tags", id: "swift")
        let replaced = try encoder.encode(Linkage(replacing: [swift]))      // PATCH  /articles/1/relationships/tags
        let added = try encoder.encode(Linkage(adding: [swift]))            // POST   /articles/1/relationships/tags
        let removed = try encoder.encode(Linkage(removing: [swift]))        // DELETE /articles/1/relationships/tags
        let unlinked = try encoder.encode(Linkage(replacing: nil))          // PATCH  /articles/1/relationships/author
        for body in [replaced, added, removed] { #expect(try data(body) == [["type": "tags", "id": "swift"]]) }
        #expect(try data(unlinked) == .some(.null))

        let project = Create(
            type: "projects", attributes: ["title": "Test"],
            relationships: [.toOne("owner", ResourceIdentifier(type: "users", id: "4")), .toMany("points", [])])
        #expect(
            try data(encoder.encode(project)) == [
                "type": "projects", "attributes": ["title": "Test"],
                "relationships": ["owner": ["data": ["type": "users", "id": "4"]], "points": ["data": []]],
            ])
    }

    @Test("Atomic operations, and a check of every body")
    func operations() throws {
        let encoder = JSONAPIEncoder()
        let marit = Person(id: "9", name: "Marit")
        let article = Article(id: "1", title: "Old", author: ToOne(marit), tags: .notLoaded)
        let swift = ResourceIdentifier(type: "tags", id: "swift")
        var operations = AtomicOperations()
        let author = operations.add(marit)                                      // {"type":"people","lid":"lid-1"}
        operations.add(NewArticle(title: "New", author: .notLoaded), linking: ["author": author])
        operations.update(Patch<Article>(id: "1").set("title", "New"))
        operations.remove(swift)
        let request = try encoder.encode(operations)
        let headers = MediaType(ext: [AtomicOperations.uri]).requestHeaders(hasDocument: true)
        #expect(author == ResourceIdentifier(type: "people", lid: "lid-1"))
        #expect(Validator(.atomicRequest).validate(request).isValid)
        let second = try JSON(parsing: request)["atomic:operations"]?[1]
        #expect(second?["data"]?["relationships"]?["author"]?["data"] == author.json)
        #expect(headers["Content-Type"] == #"application/vnd.api+json;ext="https://jsonapi.org/ext/atomic""#)

        let response = Data(
            #"{"atomic:results":[{"data":{"type":"people","id":"9","attributes":{"name":"Marit"}}},{},{},{}]}"#.utf8)
        let results = try JSONAPIDecoder().decode(AtomicResults.self, from: response, for: operations)
        let person = try results.resource(Person.self, at: 0)
        #expect(person?.name == "Marit")

        var strict = JSONAPIEncoder()
        strict.check = Validator.encoderCheck
        let checked = try strict.encode(Create(article))
        #expect(Validator(.create).validate(checked).isValid)
    }
}

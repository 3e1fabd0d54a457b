// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONText
import Observation
import Testing

@Suite("The article Decoding documents")
struct DecodingTests {
    private let data: Data

    init() throws { data = try #require(DocumentationPage.named("Decoding").documents.first) }

    @Test("The type of a property says where its value is")
    func models() throws {
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
        struct Revision: Codable {
            var revision: Int
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
            var publishedAt: Date
            var city: String
            var kind: String
            var author: Person                      // embedded: the person itself
            var comments: ToMany<Comment>           // references: identifiers, and the resources if they are included
            var links: ResourceLinks
            var revision: ResourceMeta<Revision>?

            enum CodingKeys: String, CodingKey {
                case id, title, author, comments, links, revision
                case publishedAt = "published-at"
                case city = "attributes.place.city"
                case kind = "attributes.type"
            }
        }

        let article = try JSONAPIDecoder().decode(Article.self, from: data)
        #expect(article.author.name == "Marit")
        #expect(article.city == "Lüderitz" && article.kind == "essay")
        #expect(article.comments.ids == ["5", "12"] && article.comments.values.map(\.id) == ["5"])
        #expect(article.links.`self`?.href == "/articles/1" && article.revision?.value.revision == 3)
        #expect(article.publishedAt.timeIntervalSince1970 == 1_936_078_200)

        struct Page: Decodable {
            var total: Int
        }

        let document = try JSONAPIDecoder().decode(Document<Article>.self, from: data)
        let address = document.links.`self`?.href                                // "/articles/1?include=author,comments"
        let total = try document.meta(Page.self)?.total                          // 11
        let people = try document.included(Person.self)                          // every included person
        let first = document[document.data.comments].first                       // the resource behind a reference
        let ninth = try document.resource(Person.self, ResourceIdentifier(type: "people", id: "9"))
        let notes = document.diagnostics                                         // what was tolerated, cut, or left out
        #expect(address == "/articles/1?include=author,comments")
        #expect(total == 11)
        #expect(people.map(\.name) == ["Marit"])
        #expect(first?.body == "Mine stopped at noon.")
        #expect(ninth?.name == "Marit")
        // The specification forbids an attribute named `type`.
        #expect(notes.map(\.kind) == [.reservedFieldName])
    }

    @Test("A key strategy converts names")
    func names() throws {
        struct Essay: Resource {
            static let type = "articles"
            var id: String
            var publishedAt: Date
        }

        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .kebabCase               // publishedAt reads published-at
        let essay = try decoder.decode(Essay.self, from: data)
        let encoder = JSONAPIEncoder(matching: decoder)    // publishedAt writes published-at
        #expect(essay.publishedAt.timeIntervalSince1970 == 1_936_078_200)
        #expect(try encoder.resourceObject(essay).attributes?.contains(name: "published-at") == true)
    }

    private struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }

    @Test("A hand-written initializer, and a union")
    func handWritten() throws {
        struct Headline: Resource {
            static let type = "articles"
            var id: Identifier<Headline>
            var title: String
            var city: String?
            var author: Person?

            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(Identifier<Headline>.self, forKey: .id)
                title = try map.decode(String.self, forKey: .attributes("title"))
                city = try map.decodeIfPresent(String.self, forKey: .attributes("place", "city"))
                author = try map.decodeIfPresent(Person.self, forKey: .relationships("author"))
            }

            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encode(title, forKey: .attributes("title"))
                try map.encodeIfPresent(city, forKey: .attributes("place", "city"))
                try map.encodeIfPresent(author, forKey: .relationships("author"))
            }
        }

        let headline = try JSONAPIDecoder().decode(Headline.self, from: data)
        try JSONAPIEncoder().checkCoding(of: headline)          // throws if init(from:) does not read what encode(to:) writes
        #expect(headline.id == "1" && headline.city == "Lüderitz" && headline.author?.name == "Marit")

        enum Entry: ResourceUnion {
            case article(Headline)
            case person(Person)
            case unknown(ResourceObject)

            static let members: [UnionMember<Entry>] = [.init(Entry.article), .init(Entry.person)]

            var resource: any ResourceRepresentable {
                switch self {
                case .article(let article): article
                case .person(let person): person
                case .unknown(let object): object
                }
            }
        }

        let entry = try JSONAPIDecoder().decode(Entry.self, from: data)
        guard case .article(let article) = entry else {
            Issue.record("the union chose another case")
            return
        }
        #expect(article.title == "Mending a clock")
    }

    @Test("A document is read without models")
    func withoutModels() throws {
        let object = try JSONAPIDecoder().decode(DocumentObject.self, from: data)
        let title = object.data.resources.first?[attribute: "title"]?.string
        let names = object.data.resources.first?.fieldNames
        #expect(title == "Mending a clock")
        #expect(names == ["title", "published-at", "place", "type", "author", "comments"])
    }

    @Test("A subclass passes the decoder and the encoder to its superclass")
    func classes() throws {
        class Animal: Resource, @unchecked Sendable {
            class var type: String { "animals" }
            let id: String
            var name: String

            init(id: String, name: String) { (self.id, self.name) = (id, name) }
        }
        final class Dog: Animal, @unchecked Sendable {
            override class var type: String { "dogs" }
            var breed: String
            enum CodingKeys: CodingKey { case breed }

            required init(from decoder: any Decoder) throws {
                breed = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .breed)
                try super.init(from: decoder)
            }

            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(breed, forKey: .breed)
            }
        }
        let data = Data(#"{"data":{"type":"dogs","id":"1","attributes":{"name":"A","breed":"B"}}}"#.utf8)
        let dog = try JSONAPIDecoder().decode(Dog.self, from: data)
        #expect(dog.name == "A" && dog.breed == "B")
        #expect(try JSONAPIEncoder().encode(dog) == data)
        let body = try JSON(parsing: JSONAPIEncoder().encode(dog.patch { $0.name = "C" }))
        #expect(body["data"]?["attributes"] == ["name": "C"] && dog.name == "C")
        #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Animal.self, from: data) }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Observable final class Draft: Resource, @unchecked Sendable {
        static let type = "articles"
        var id: String
        var title: String

        init(id: String, title: String) {
            self.id = id
            self.title = title
        }

        enum CodingKeys: String, CodingKey { case _id = "id", _title = "title" }
    }

    @Test("The coding keys of an @Observable class have the names of the document")
    func observable() throws {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *) else { return }
        let draft = try JSONAPIDecoder().decode(Draft.self, from: data)
        #expect(draft.id == "1" && draft.title == "Mending a clock")
        let body = try JSON(parsing: JSONAPIEncoder().encode(draft.patch { $0.title = "New" }))
        #expect(body["data"]?["attributes"] == ["title": "New"])
    }
}

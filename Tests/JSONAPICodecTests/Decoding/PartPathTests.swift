import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Coding keys that are paths into a part of the resource object.
@Suite struct PartPathTests {
    private struct Product: Resource, Equatable {
        static let type = "articles"
        var id: String
        var kind: String?
        var count: Int?
        enum CodingKeys: String, CodingKey { case id, kind = "attributes.type", count = "meta.count" }
    }

    @Test("A path never leads to an attribute that has the name of the part")
    func attributesOfThatName() throws {
        let attributes = #"{"name":"Shirt","attributes":{"type":"cotton"},"meta":{"count":5}}"#
        let absent = try Blog.decode(Product.self, attributes: attributes)
        #expect(absent == Product(id: "1", kind: nil, count: nil))
        let text = #"{"data":{"type":"articles","id":"1","attributes":\#(attributes),"meta":{"etag":"x"}}}"#
        #expect(try JSONAPIDecoder().decode(Product.self, from: Data(text.utf8)) == absent)
    }

    @Test("The error for a missing value names the part, and not an attribute of that name")
    func errorNamesThePart() throws {
        struct Counted: Resource {
            static let type = "articles"
            var id: String
            var count: Int
            enum CodingKeys: String, CodingKey { case id, count = "meta.count" }
        }
        let failure = try Blog.failure { try Blog.decode(Counted.self, attributes: #"{"meta":{"count":5}}"#) }
        #expect(failure.kind == .missingMember && "\(failure.pointer)" == "/data" && failure.expected.contains("`meta`"))
    }

    private struct Author: Resource {
        static let type = "people"
        var id: String
        var essays: [Essay]?
        enum CodingKeys: String, CodingKey { case id, essays = "relationships.essays" }
    }
    private struct Essay: Resource {
        static let type = "essays"
        var id: String
        var author: Author?
        enum CodingKeys: String, CodingKey { case id, author = "relationships.author" }
    }

    @Test("A document keeps a relationship under a path in which a cycle was cut")
    func cutAtPath() throws {
        let text = Data(
            #"""
            {"data":{"type":"essays","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}},
             "included":[{"type":"people","id":"9","relationships":{"essays":{"links":{"related":"/e"},
               "data":[{"type":"essays","id":"1"},{"type":"essays","id":"2"}]}}},{"type":"essays","id":"2"}]}
            """#.utf8)
        let document = try JSONAPIDecoder().decode(Document<Essay>.self, from: text)
        #expect(document.data.author?.essays == nil)
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == JSON(parsing: text))
    }

    private struct Post: Resource {
        static let type = "articles"
        var id: String
        var comments: [Blog.Comment]
        enum CodingKeys: String, CodingKey { case id, comments = "relationships.comments" }
    }

    @Test("An array under a path that is not loaded is reported at its relationship, as under its name")
    func notLoadedAtPath() throws {
        let relationships = #"{"comments":{"links":{"related":"/c"}}}"#
        let failure = try Blog.failure { try Blog.decode(Post.self, relationships: relationships) }
        #expect("\(failure.pointer)" == "/data/relationships/comments" && failure.found == "a relationship that is not loaded")
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .omit
        let text = Blog.document(Blog.article(relationships: relationships))
        let document = try decoder.decode(Document<Post>.self, from: text)
        #expect(document.data.comments.isEmpty && document.diagnostics.map { "\($0.pointer)" } == ["/data/relationships/comments"])
    }

    @Test("With a key strategy, a key of a relationship is one name for all methods, also with a dot")
    func convertedKey() throws {
        struct Site: Resource {
            static let type = "articles"
            var id: String
            var isThere = false
            var person: ToOne<Blog.Person>?
            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(String.self, forKey: .id)
                isThere = map.contains(.relationships("web.siteUrl"))
                person = try map.decodeIfPresent(ToOne<Blog.Person>.self, forKey: .relationships("web.siteUrl"))
            }
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encodeIfPresent(person, forKey: .relationships("web.siteUrl"))
            }
        }
        var (decoder, encoder) = (JSONAPIDecoder(), JSONAPIEncoder())
        (decoder.keyStrategy, encoder.keyStrategy) = (.snakeCase, .snakeCase)
        encoder.checksNames = false
        let relationships = #"{"web.site_url":{"data":{"type":"people","id":"1"}}}"#
        let site = try Blog.decode(Site.self, relationships: relationships, with: decoder)
        #expect(site.isThere && site.person?.identifier?.id == "1")
        #expect(try JSON(parsing: encoder.encode(site))["data"]?["relationships"] == JSON(parsing: relationships))
    }
}

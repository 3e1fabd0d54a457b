import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Links that a model writes at a path, beside those of the encoder's closure.
@Suite struct LinksAtPathsTests {
    struct Post: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Writer>
        var authorLinks: Links?
        var own: String?
        enum CodingKeys: String, CodingKey { case id, author, authorLinks = "relationships.author.links", own = "links.self" }
    }
    struct Reversed: Resource {
        static let type = "articles"
        var id: String
        var authorLink: String
        var author: ToOne<Writer>
        enum CodingKeys: String, CodingKey { case id, authorLink = "relationships.author.links.related", author }
    }

    private var encoder: JSONAPIEncoder {
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = { _, relationship in
            let made: Links =
                relationship == nil ? ["self": "/made", "related": "/made/other"] : ["self": "/made/self", "related": "/made/author"]
            return made
        }
        return encoder
    }

    @Test("Links of a model win over those of the closure, link by link")
    func ownLinks() throws {
        let post = Post(id: "1", author: ToOne(id: "9"), authorLinks: ["related": "/own"], own: "/own/self")
        let data = try JSON(parsing: encoder.encode(post))["data"]
        let author = data?["relationships"]?["author"]
        #expect(author?["data"]?["id"] == "9")
        #expect(author?["links"]?["related"] == "/own" && author?["links"]?["self"] == "/made/self")
        #expect(data?["links"]?["self"] == "/own/self" && data?["links"]?["related"] == "/made/other")
    }

    @Test("A single link of a model wins over that of the closure, whichever is written first")
    func oneLink() throws {
        let post = Reversed(id: "1", authorLink: "/own", author: ToOne(id: "9"))
        let author = try JSON(parsing: encoder.encode(post))["data"]?["relationships"]?["author"]
        #expect(author?["links"]?["related"] == "/own" && author?["links"]?["self"] == "/made/self")
    }

    @Test("Without links of its own, a model with a path for them has those of the closure")
    func madeLinks() throws {
        let post = Post(id: "1", author: ToOne(id: "9"))
        let author = try JSON(parsing: encoder.encode(post))["data"]?["relationships"]?["author"]
        #expect(author?["links"]?["related"] == "/made/author" && author?["links"]?["self"] == "/made/self")
    }
}

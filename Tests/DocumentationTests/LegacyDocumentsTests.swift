// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPILegacy
import JSONText
import Testing

@Suite("The article Documents from before 1.0")
struct LegacyDocumentsTests {
    @Test("Old documents are decoded, expanded, and flattened")
    func reading() throws {
        let data = try #require(DocumentationPage.named("LegacyDocuments").documents.first)
        struct Person: Resource {
            static let type = "people"
            var id: String
            var name: String
        }
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var title: String
            var author: ToOne<Person>
        }

        let posts = try LegacyDocument(parsing: data).decode([Post].self)
        let author = posts[0].author.value?.name                      // "Marit"
        let address = posts[0].author.links?.related?.href            // "/people/9"
        #expect(author == "Marit" && address == "/people/9")

        let old: JSON = ["links": ["posts.author": ["type": "people"]], "posts": [["id": "1"]], "people": [["id": "9"]]]
        let notes = try LegacyDocument(old).diagnostics.map { "\($0.kind) \($0.pointer)" }    // ["unlinked /people/0"]
        #expect(notes == ["unlinked /people/0"])

        let tree = try Expander().expand(legacy: JSON(parsing: data))
        let name = tree["posts"]?[0]?["author"]?["name"]              // "Marit"

        let today = try LegacyDocument(parsing: data).document
        let flat = try today.expanded()
        let title = flat["data"]?[0]?["title"]                        // "Clocks"
        #expect(name == "Marit" && title == "Clocks")

        let template = try URITemplate(parsing: "/posts/{posts.id}/comments")
        let comments = template.expand(["posts.id": "7/8"])           // "/posts/7%2F8/comments"
        #expect(comments == "/posts/7%2F8/comments")
    }

    @Test("The documents of Coming from JSON Templates Expander")
    func documentsOfTheOlderSystem() throws {
        let documents = try DocumentationPage.named("ComingFromJTE").documents
        let tree = try Expander().expand(legacy: JSON(parsing: #require(documents.first)))
        #expect(try tree == JSON(parsing: #require(documents.last)))
    }
}

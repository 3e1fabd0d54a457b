// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPIStore
import JSONText
import TestSupport
import Testing

@Suite("The article From a sample to a working app")
struct GettingStartedTests {
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var publishedAt: Date
        var note: String?
        var author: ToOne<Person>

        enum CodingKeys: String, CodingKey {
            case id, title, note, author
            case publishedAt = "published-at"
        }
    }
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }

    @Test("A sample is decoded, changed, and archived")
    func steps() throws {
        let data = try #require(DocumentationPage.named("GettingStarted").documents.first)
        let url = TestFolder.url.appendingPathComponent("documentation-\(UUID().uuidString).archive")
        defer { try? FileManager.default.removeItem(at: url) }

        let document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: data)
        let article = document.data[0]
        let author = article.author.value?.name                       // "Marit"
        let next = document.links.next?.href                          // "/articles?page[number]=2"
        #expect(author == "Marit" && next == "/articles?page[number]=2")

        var body: Data?
        let patch = article.patch { $0.title = "Mending a clock that runs backwards" }
        if !patch.isEmpty {
            body = try JSONAPIEncoder().encode(patch)                 // for PATCH /articles/1
        }
        let headers = MediaType.jsonapi.requestHeaders(hasDocument: true)
        let attributes = try JSON(parsing: #require(body))["data"]?["attributes"]
        #expect(attributes == ["title": "Mending a clock that runs backwards"])
        #expect(headers["Content-Type"] == "application/vnd.api+json")

        var writer = Archive.Writer()
        try writer.encode(document.data, forKey: "home")
        try writer.write(to: url)

        let kept = try Archive(contentsOf: url).decode([Article].self, forKey: "home")
        let stillThere = kept[0].author.value?.name                   // "Marit"
        #expect(stillThere == "Marit")
    }
}

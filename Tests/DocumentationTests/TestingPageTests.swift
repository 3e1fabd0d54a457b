// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPITesting
import Testing

@Suite("The landing page of JSONAPITesting")
struct TestingPageTests {
    @Test("The sample of the landing page")
    func landingPage() throws {
        struct Person: Resource {
            static let type = "people"
            var id: String
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
            var author: ToOne<Person>
        }
        let read = { (title: String) throws in
            try JSONAPIDecoder().decode(
                DocumentObject.self, from: Data(#"{"data": {"type": "articles", "id": "1", "attributes": {"title": "\#(title)"}}}"#.utf8))
        }
        let (before, after) = (try read("Clocks"), try read("Watches"))
        let article = Article(id: "1", title: "Clocks", author: ToOne(id: "9"))
        let articles = Endpoint<Article>("https://example.com/articles")
        let server = RecordedServer([RecordedExchange(.get, "/articles/1", status: 200, received: before.json)])

        let diff = DocumentDiff(before, after)
        let line = diff.description                                   // articles 1 /attributes/title: "Clocks" → "Watches"
        try expectValid(JSONAPIEncoder().encode(Create(article)), as: .create)
        let fields = try ModelVariation.all(of: article).map(\.field) // ["title", "author"]
        let answer = try server.answer(articles.get("1"))             // Document<Article>, without a network

        #expect(line == #"articles 1 /attributes/title: "Clocks" → "Watches""#)
        #expect(fields == ["title", "author"])
        #expect(answer.data.title == "Clocks")
    }
}

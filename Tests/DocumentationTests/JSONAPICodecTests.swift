import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("The landing page of JSONAPICodec")
struct JSONAPICodecTests {
    @Test("A model is decoded and changed")
    func reading() throws {
        let data = Data(
            #"""
            {"data":{"type":"articles","id":"1","attributes":{"title":"T"},"relationships":{"author":{"data":{"type":"people","id":"9"}}}},
             "included":[{"type":"people","id":"9","attributes":{"name":"Marit"}}]}
            """#.utf8)
        struct Person: Resource {
            static let type = "people"
            var id: String
            var name: String
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var title: String
            var author: Person
        }

        let article = try JSONAPIDecoder().decode(Article.self, from: data)
        let patch = try JSONAPIEncoder().encode(article.patch { $0.title = "New" })
        #expect(article.author.name == "Marit")
        #expect(try JSON(parsing: patch) == ["data": ["type": "articles", "id": "1", "attributes": ["title": "New"]]])
    }
}

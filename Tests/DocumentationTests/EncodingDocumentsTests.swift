// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("The article Encoding documents")
struct EncodingDocumentsTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
        var city: String?
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var author: Person
        var reviewers: ToMany<Person>
    }

    @Test("A compound document is encoded, decoded, and encoded again")
    func compound() throws {
        let marit = Person(id: "9", name: "Marit", city: "Lüderitz")
        let articles = [Article(id: "1", title: "Clocks", author: marit, reviewers: ToMany([marit]))]
        let page = try JSONAPIEncoder().encode(
            articles, include: ["author"], fields: ["people": ["name"]], links: ["next": "/articles?page[number]=2"], meta: ["total": 11])
        let text = try #require(DocumentationPage.named("EncodingDocuments").documents.first)
        #expect(try JSON(parsing: page).isIdentical(to: JSON(parsing: text)))

        var document = try JSONAPIDecoder().decode(Document<[Article]>.self, from: page)
        document.data[0].title = "Clocks that run backwards"
        document.meta = nil
        let again = try JSONAPIEncoder().encode(document)
        let tree = try JSON(parsing: again)
        #expect(tree["data"]?[0]?["attributes"]?["title"] == "Clocks that run backwards" && tree["meta"] == nil)
        #expect(try tree["included"] == JSON(parsing: page)["included"] && tree["links"] == JSON(parsing: page)["links"])
    }

    @Test("Two different values with one identity are an error")
    func conflicts() throws {
        let marit = Person(id: "9", name: "Marit", city: "Lüderitz")
        var renamed = marit
        renamed.name = "Marit Osei"
        let both = [
            Article(id: "1", title: "Clocks", author: marit, reviewers: .empty),
            Article(id: "2", title: "Stairs", author: renamed, reviewers: .empty),
        ]
        var encoder = JSONAPIEncoder()
        #expect(throws: EncodingError.self) { try encoder.encode(both) }

        encoder.conflictingResources = .keepFirst
        let first = try encoder.encode(both)
        #expect(try JSON(parsing: first)["included"]?[0]?["attributes"]?["name"] == "Marit")
    }
}

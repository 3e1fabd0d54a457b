import Foundation
import JSONAPICodec
import JSONAPIStreams
import Testing

/// Whole resources in place of identifiers, which lenient mode reads, in files.
@Suite struct StreamedResourceInPlaceTests {
    typealias Support = StreamingSupport

    struct Company: Resource {
        static let type = "companies"
        var id: String
        var name: String
    }
    struct Person: Resource {
        static let type = "people"
        var id: String?
        var name: String
        var company: Company?
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person>
        var reviewers: ToMany<Person>
    }

    private let decoder = JSONAPIDecoder(mode: .lenient)

    private func names(_ article: Article) -> [String] {
        let author = article.author.value
        return [author?.name, author?.company?.name].compactMap { $0 } + article.reviewers.values.map(\.name)
    }

    @Test("References in a file have the values of resources that are written in their place")
    func file() throws {
        let text = #"""
            {"data":[{"type":"articles","id":"1","relationships":{
              "author":{"data":{"type":"people","id":"9","attributes":{"name":"Ann"},
                "relationships":{"company":{"data":{"type":"companies","id":"4"}}}}},
              "reviewers":{"data":[{"type":"people","attributes":{"name":"Bo"}},{"type":"people","id":"7"}]}}}],
            "included":[{"type":"companies","id":"4","attributes":{"name":"Acme"}},{"type":"people","id":"7","attributes":{"name":"Cy"}}]}
            """#
        let expected = ["Ann", "Acme", "Bo", "Cy"]
        let whole = try decoder.decode([Article].self, from: Data(text.utf8))
        #expect(whole.map(names) == [expected])
        try Support.withFile(Array(text.utf8)) { url in
            let reader = try DocumentReader(url, decoder: decoder)
            let walked = try #require(try reader.resources(Article.self).next())
            #expect(names(walked) == expected)
            let found = try #require(try reader.resource(Article.self, id: "1"))
            #expect(names(found) == expected)
        }
    }

    @Test("A fault in a resource in place of an identifier is an error of the element around it only")
    func fault() throws {
        func article(_ id: Int, _ name: String) -> String {
            let author = #"{"type":"people","id":"\#(id)","attributes":{"name":\#(name)}}"#
            return #"{"type":"articles","id":"\#(id)","relationships":{"author":{"data":\#(author)}}}"#
        }
        let articles = article(1, "5") + "," + article(2, "\"Bo\"")
        let text = #"{"data":[\#(articles)]}"#
        try Support.withFile(Array(text.utf8)) { url in
            let cursor = try DocumentReader(url, decoder: decoder).resources(Article.self)
            let error = #expect(throws: DecodingError.self) { try cursor.next() }
            #expect(error?.failure?.pointer.description == "/data/0/relationships/author/data/attributes/name")
            #expect(try cursor.next()?.author.value?.name == "Bo")
        }
    }
}

// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPITesting
import JSONText
import TestSupport
import Testing

@Suite("The article Testing your code")
struct TestingYourCodeTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
    }
    struct Article: Resource, Equatable {
        static let type = "articles"
        var id: String
        var title: String
        var author: ToOne<Person>
    }

    let article = Article(id: "1", title: "Clocks", author: ToOne(id: "9"))
    let articles = Endpoint<Article>("https://example.com/articles")
    private let response = Data(#"{"data": [{"type": "articles", "id": "1", "attributes": {"title": "Clocks"}}]}"#.utf8)

    @Test func renamingSendsOnlyTheTitle() throws {
        let body = try JSONAPIEncoder().encode(article.patch { $0.title = "Stairs" })
        try expectValid(body, as: .update)
        #expect(try JSON(parsing: body)["data"]?["attributes"] == ["title": "Stairs"])
    }

    @Test func codingUsesTheSameNames() throws {
        try JSONAPIEncoder().checkCoding(of: article)
    }

    @Test func everyFieldCounts() throws {
        for variation in try ModelVariation.all(of: article) {
            #expect(variation.value != article, "\(variation.field)")
        }
    }

    @Test func responsesFollowTheStandard() throws {
        _ = try JSONAPIDecoder(mode: .strict).decode(Document<[Article]>.self, from: response)
        try expectValid(response)
    }

    @Test("Documents are compared")
    func comparing() throws {
        let expected = response
        let received = Data(#"{"data": [{"id": "1", "attributes": {"title": "Clocks"}, "type": "articles"}]}"#.utf8)
        let diff = try DocumentDiff(expected, received)
        #expect(diff.isEmpty, "\(diff)")
    }

    @Test("Responses are recorded and replayed")
    func recording() throws {
        let url = TestFolder.url.appendingPathComponent("exchanges-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: url) }
        let request = try articles.get("1")
        let data = Data(#"{"data": {"type": "articles", "id": "1", "attributes": {"title": "Clocks"}}}"#.utf8)
        let exchange = try RecordedExchange(request, JSONAPIResponse(status: 200, body: data))
        let recording = try JSON(encoding: [exchange])
        try Data(JSONWriter(style: .indented(spaces: 2)).write(recording)).write(to: url)

        let server = try RecordedServer(Data(contentsOf: url))
        let document = try server.answer(articles.get("1"))
        #expect(document.data.title == "Clocks")
        #expect(throws: UnrecordedRequest.self) { try server.answer(articles.get("2")) }
    }

    @Test("Pages are replayed")
    func pages() async throws {
        let server = RecordedServer([RecordedExchange(.get, "/articles", status: 200, received: try JSON(parsing: response))])
        let pages = Pages(try articles.list()) { request in try server.response(to: request) }
        var titles: [String] = []
        for try await article in pages.elements { titles.append(article.title) }
        #expect(titles == ["Clocks"])
    }
}

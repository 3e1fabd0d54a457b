// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPIReceiving
import Testing

/// Without JSONAPIHTTP, to show that bodies need no requests.
@Suite("The articles of JSONAPIReceiving")
struct JSONAPIReceivingTests {
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
    }

    @Test("The landing page", arguments: [(#""New""#, nil), ("7", "422")])
    func landing(title: String, status: String?) throws {
        let body = Data(#"{"data": {"type": "articles", "id": "1", "attributes": {"title": \#(title)}}}"#.utf8)
        var article = Article(id: "1", title: "Old")
        var answer: ErrorDocument?

        let changes = try Changes<Article>(body, for: article.id)
        do {
            try changes.apply(to: &article)
        } catch {
            answer = ErrorDocument(error)         // for example 422, /data/attributes/title
        }

        #expect(answer?.errors.first?.status == status)
        #expect(answer?.errors.first?.source?.pointer == (status == nil ? nil : JSONPointer("data", "attributes", "title")))
        #expect(article.title == (status == nil ? "New" : "Old"))
    }
}

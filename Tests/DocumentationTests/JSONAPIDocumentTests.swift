// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import JSONAPIDocument
import Testing

/// Without JSONAPICodec, to show that documents need no models.
@Suite("The articles of JSONAPIDocument")
struct JSONAPIDocumentTests {
    @Test("The landing page")
    func landing() throws {
        let data = Array(
            """
            {"data": [{"type": "articles", "id": "1", "attributes": {"title": "Clocks"}}, {"type": "articles", "id": "2"}],
             "included": [{"type": "people", "id": "9"}]}
            """.utf8)
        guard var document = DocumentObject(json: try JSON(parsing: data)) else { return }
        let titles = document.data.resources.map { $0[attribute: "title"]?.string }
        let author = document.included?.first { $0.type == "people" }?.identifier
        document.links = ["self": "https://example.com/articles"]
        let text = try JSONWriter().write(document.json)

        #expect(titles == ["Clocks", nil] && author == ResourceIdentifier(type: "people", id: "9"))
        #expect(String(decoding: text, as: UTF8.self).hasSuffix(#","links":{"self":"https://example.com/articles"}}"#))
    }
}

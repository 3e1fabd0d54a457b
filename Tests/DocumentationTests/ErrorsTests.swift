// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import Testing

@Suite("The article Errors and diagnostics")
struct ErrorsTests {
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
    }

    struct NewArticle: ResourceFields, Decodable {
        static let type = "articles"
        var title: String
    }

    private let page: DocumentationPage

    init() throws { page = try DocumentationPage.named("Errors") }

    private func read(_ data: Data) throws -> String? {
        var article: Article?
        var message: String?
        do {
            article = try JSONAPIDecoder().decode(Article.self, from: data)
        } catch let document as ErrorDocument {
            message = document.errors(at: "title").first?.detail      // for the form field "title"
        } catch let error as DecodingError {
            message = error.failure?.description                      // where, what was expected, what was found, and how to fix it
        }
        return message ?? article?.title
    }

    @Test("Errors say what was wrong")
    func failures() throws {
        let refused = Data(#"{"errors":[{"detail":"Too short.","source":{"pointer":"/data/attributes/title"}}]}"#.utf8)
        #expect(try read(refused) == "Too short.")
        let message = try #require(try read(page.documents[0]))
        #expect(page.text.contains("\n\(message)\n"), "\(message)")

        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Article.self, from: page.documents[0]) }
        let failure = try #require(error?.failure)
        let kind = failure.kind                                       // .missingMember
        let category = failure.kind.category                          // .shape; the others are .text, .value, and .limit
        let pointer = failure.pointer                                 // /data: the object without the member
        let resource = failure.resource                               // articles 1
        let line = failure.position?.line                             // 1
        let advice = failure.advice                                   // how to fix it
        #expect(kind == .missingMember && category == .shape && "\(pointer)" == "/data")
        #expect(resource == ResourceIdentifier(type: "articles", id: "1") && line == 1 && advice != nil)
    }

    @Test("Errors of a form")
    func forms() throws {
        let document = ErrorDocument(errors: [ErrorObject(detail: "Too short.", source: ErrorSource(attribute: "title"))])
        let wrong = try document.errors(at: \NewArticle.title).first?.detail
        #expect(wrong == "Too short.")
    }

    @Test("All problems at once")
    func allProblems() throws {
        let faulty = page.documents[1]
        var pointers: [String] = []
        var thorough = JSONAPIDecoder()
        thorough.problems = .all
        do {
            _ = try thorough.decode([Article].self, from: faulty)
        } catch let error as DecodingError {
            pointers = error.failures.map(\.pointer.description)        // /data/0, /data/1/attributes/title
        }
        #expect(pointers == ["/data/0", "/data/1/attributes/title"])
    }

    @Test("Limits are options")
    func limits() throws {
        var careful = JSONAPIDecoder()
        careful.reading.maximumBytes = 1 << 20
        careful.reading.maximumDepth = 32
        careful.maximumResources = 1000
        #expect(try careful.decode(ResourceIdentifier?.self, from: Data(#"{"data": null}"#.utf8)) == nil)
        careful.reading.maximumBytes = 4
        let error = #expect(throws: DecodingError.self) {
            try careful.decode(ResourceIdentifier?.self, from: Data(#"{"data": null}"#.utf8))
        }
        #expect(error?.failure != nil)
    }
}

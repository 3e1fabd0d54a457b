import Foundation
import JSONText
import Testing

@testable import JSONAPICodec

/// Error objects as real servers write them. The message is always kept.
@Suite struct ServerErrorTests {
    struct Article: Resource {
        static let type = "articles"
        var id: String
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        /// Status, title, and detail of each error, or `-` for nil.
        let errors: [String]
        var testDescription: String { text }

        init(_ text: String, _ errors: String...) {
            self.text = text
            self.errors = errors
        }
    }

    static let samples = [
        Sample(#"{"errors": [{"status": 429, "title": "Too many requests"}]}"#, "429|Too many requests|-"),
        Sample(
            #"{"errors": [{"status": "429", "title": null, "detail": "Wait.", "code": null, "source": null, "links": null}]}"#,
            "429|-|Wait."),
        Sample(#"{"errors": [{"status": null, "id": null, "meta": null, "detail": "x"}]}"#, "-|-|x"),
        Sample(#"{"errors": null}"#),
        Sample(#"{"errors": []}"#),
        Sample(#"{"errors": "Unauthorized"}"#, "-|-|Unauthorized"),
        Sample(#"{"errors": 404}"#, "-|-|404"),
        Sample(#"{"errors": {"title": "Gone", "status": 410}}"#, "410|Gone|-"),
        Sample(#"{"errors": {"name": ["is too short", "is taken"], "age": "?"}}"#, "-|name|is too short", "-|name|is taken", "-|age|?"),
        Sample(#"{"errors": {"title": ["can't be blank"]}}"#, "-|title|can't be blank"),
        Sample(
            #"{"errors": ["no", {"detail": "x"}, null, 7, ["a", "b"], true]}"#, "-|-|no", "-|-|x", "-|-|-", "-|-|7", "-|-|a", "-|-|b",
            "-|-|true"),
        Sample(#"{"errors": [{}]}"#, "-|-|-"),
        Sample(#"{"errors": [{"title": 5, "detail": ["one", "two"], "code": 12}]}"#, "-|5|one\ntwo"),
        Sample(#"{"errors": [{"detail": {"a": 1}, "title": "t"}]}"#, "-|t|-"),
        Sample(
            #"{"errors": [{"detail": "x", "source": "/data"}, {"detail": "y", "source": 7}, {"detail": "z", "source": []}]}"#, "-|-|x",
            "-|-|y", "-|-|z"),
        Sample(#"{"errors": [{"detail": "x", "source": {"pointer": 1, "parameter": null}}]}"#, "-|-|x"),
        Sample(#"{"errors": [{"detail": "x", "meta": "m", "links": "l"}], "meta": 1, "links": "x", "jsonapi": 2}"#, "-|-|x"),
        Sample(#"{"errors": [{"detail": "x", "links": {"about": 1, "type": {"href": null}}}]}"#, "-|-|x"),
        Sample(#"{"errors": [{"detail": "x"}], "data": null}"#, "-|-|x"),
        Sample(#"{"errors": [{"detail": "x"}], "data": {}, "included": null}"#, "-|-|x"),
        Sample(#"{"errors": [{"detail": "x"}], "data": "none", "included": 7}"#, "-|-|x"),
        Sample(#"{"errors": [{"detail": "x"}], "data": [{"id": 1}]}"#, "-|-|x"),
        Sample(#"{"message": "m", "errors": [{"detail": "x", "trace": []}], "status": 500}"#, "-|-|x"),
    ]

    @Test(arguments: samples) func theMessageIsKept(_ sample: Sample) throws {
        for decoder in [JSONAPIDecoder(), JSONAPIDecoder(mode: .lenient)] {
            let thrown = #expect(throws: ErrorDocument.self) { try decoder.decode(Article.self, from: Data(sample.text.utf8)) }
            let document = try #require(thrown)
            let found = document.errors.map { "\($0.status ?? "-")|\($0.title ?? "-")|\($0.detail ?? "-")" }
            #expect(found == sample.errors)
            // Nothing of the document is lost, and every fault is reported.
            #expect(try document.object?.json == JSON(parsing: sample.text))
            #expect(!document.diagnostics.isEmpty)
            let json = try JSON(parsing: sample.text)
            for diagnostic in document.diagnostics { #expect(json[pointer: diagnostic.pointer] != nil, "\(diagnostic)") }
            #expect(document.localizedDescription.isEmpty == false)
        }
        #expect(throws: (any Error).self) { try JSONAPIDecoder(mode: .strict).decode(Article.self, from: Data(sample.text.utf8)) }
    }

    @Test(arguments: samples) func theMessageIsKeptWithoutModels(_ sample: Sample) throws {
        guard try JSON(parsing: sample.text)["data"] == nil else { return }
        let (document, diagnostics) = try JSONAPIDecoder().decodeWithDiagnostics(DocumentObject.self, from: Data(sample.text.utf8))
        #expect(try document.json == JSON(parsing: sample.text))
        #expect(!diagnostics.isEmpty)
    }

    @Test func validErrorsHaveNoDiagnostics() throws {
        let text = Data(#"{"errors": [{"status": "422", "title": "x", "source": {"pointer": "/data/attributes/title"}}]}"#.utf8)
        for mode in [JSONAPIDecoder.Mode.strict, .standard, .lenient] {
            let thrown = #expect(throws: ErrorDocument.self) { try JSONAPIDecoder(mode: mode).decode(Article.self, from: text) }
            #expect(thrown?.diagnostics.isEmpty == true)
            #expect(thrown?.errors(at: "title").count == 1)
        }
    }

    @Test func errorsOfAPropertyAreFoundAmongInvalidOnes() throws {
        let text = Data(
            #"{"errors": ["no", {"detail": "a", "source": {"pointer": "/data/attributes/title"}}, null, {"detail": "b", "source": "/data/relationships/title"}]}"#
                .utf8)
        let thrown = #expect(throws: ErrorDocument.self) { try JSONAPIDecoder().decode(Article.self, from: text) }
        #expect(thrown?.errors(at: "title").map(\.detail) == ["a", "b"])
    }

    struct NewArticle: ResourceFields, Decodable {
        enum CodingKeys: String, CodingKey {
            case title
            case wordCount
            case author = "writer"
            case subtitle = "attributes.subtitle"
        }

        static let type = "articles"
        var title: String
        var wordCount: Int?
        var author: ToOne<Article>
        var subtitle: String?
        var summary: String { title + (subtitle ?? "") }
    }

    @Test func errorsOfAFormAreFoundByKeyPath() throws {
        let pointers = ["attributes/title", "attributes/word-count", "relationships/writer", "attributes/subtitle"]
        let document = ErrorDocument(
            errors: try pointers.map { ErrorObject(detail: $0, source: ErrorSource(pointer: try JSONPointer(parsing: "/data/\($0)"))) })
        #expect(try document.errors(at: \NewArticle.title).map(\.detail) == ["attributes/title"])
        #expect(try document.errors(at: \NewArticle.wordCount).isEmpty)
        #expect(try document.errors(at: \NewArticle.wordCount, keyStrategy: .kebabCase).map(\.detail) == ["attributes/word-count"])
        #expect(try document.errors(at: \NewArticle.author, keyStrategy: .kebabCase).map(\.detail) == ["relationships/writer"])
        #expect(try document.errors(at: \NewArticle.subtitle).map(\.detail) == ["attributes/subtitle"])
        #expect(throws: EncodingError.self) { try document.errors(at: \NewArticle.summary) }
    }

    // MARK: - Errors beside data

    private static let resource = #""data": {"type": "articles", "id": "1"}"#

    @Test(arguments: ["null", "[]", "{}"]) func emptyErrorsAreIgnoredByALeniency(_ errors: String) throws {
        let text = Data(#"{\#(Self.resource), "errors": \#(errors)}"#.utf8)
        let lenient = JSONAPIDecoder(mode: .lenient)
        #expect(try lenient.decode(Article.self, from: text).id == "1")
        let document = try lenient.decode(Document<Article>.self, from: text)
        #expect(document.diagnostics.map(\.kind) == [.leniency(.dataWithErrors)])
        let thrown = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Article.self, from: text) }
        #expect(thrown?.failure?.advice?.contains("dataWithErrors") == true)
    }

    @Test func invalidDataDoesNotHideErrors() throws {
        let text = Data(#"{"data": null, "errors": [{"detail": "x"}]}"#.utf8)
        let thrown = #expect(throws: ErrorDocument.self) { try JSONAPIDecoder(mode: .lenient).decode(Document<Article>.self, from: text) }
        #expect(thrown?.errors.first?.detail == "x")
    }

    @Test func dataAndErrorsAreBothAcceptedByALeniency() throws {
        let text = Data(#"{\#(Self.resource), "errors": ["no", null, {"title": "x"}]}"#.utf8)
        let document = try JSONAPIDecoder(mode: .lenient).decode(Document<Article>.self, from: text)
        #expect(document.data.id == "1")
        #expect(document.errors.map(\.detail) == ["no", nil, nil])
        #expect(throws: ErrorDocument.self) { try JSONAPIDecoder().decode(Document<Article>.self, from: text) }
    }

    // MARK: - Texts for an alert

    @Test func descriptionsAreSuitableForAnAlert() {
        func document(_ errors: ErrorObject...) -> ErrorDocument { ErrorDocument(errors: errors) }
        let one = document(ErrorObject(status: "422", code: "E17", title: "Invalid name", detail: "The name is too short."))
        #expect(one.errorDescription == "Invalid name: The name is too short.")
        #expect(one.localizedDescription == one.errorDescription)
        #expect(one.failureReason == "The name is too short.")
        #expect(document(ErrorObject(title: "Gone")).errorDescription == "Gone")
        #expect(document(ErrorObject(title: "Gone")).failureReason == nil)
        #expect(document(ErrorObject(title: "Gone", detail: "Gone")).errorDescription == "Gone")
        #expect(document(ErrorObject(detail: "a\n\u{9B}31mb")).errorDescription == "a 31mb")
        #expect(document(ErrorObject(status: "500"), ErrorObject(detail: "b"), ErrorObject()).errorDescription == "b (and 2 more)")
        #expect(document().errorDescription == "The server reported an error.")
        #expect(document(ErrorObject(status: "500", code: "x")).errorDescription == "The server reported an error.")
        let long = document(ErrorObject(title: String(repeating: "é", count: 50_000), detail: String(repeating: "x", count: 50_000)))
        #expect((long.errorDescription ?? "").utf8.count < 1100)
    }
}

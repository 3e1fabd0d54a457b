import Foundation
import JSONAPICodec
import Testing

/// A related resource of a type that the model does not accept, and that is not in the document.
@Suite struct UnincludedTypeTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: Person?
    }
    struct Book: Resource {
        static let type = "articles"
        var id: String
        var author: [Person]?
    }
    struct Paper: Resource {
        static let type = "articles"
        var id: String
        var author: Person
    }

    private func document(_ linkage: String) -> Data {
        Data(#"{"data":{"type":"articles","id":"1","relationships":{"author":{"data":\#(linkage)}}}}"#.utf8)
    }

    @Test("Strict mode refuses the type although the resource is not in the document")
    func strict() throws {
        let decoder = JSONAPIDecoder(mode: .strict)
        for _ in 0..<2 {
            let one = #expect(throws: DecodingError.self) {
                try decoder.decode(Article.self, from: document(#"{"type":"robots","id":"9"}"#))
            }
            #expect(one?.failure?.kind == .unexpectedType)
            let many = #expect(throws: DecodingError.self) {
                try decoder.decode(Book.self, from: document(#"[{"type":"robots","id":"9"}]"#))
            }
            #expect(many?.failure?.kind == .unexpectedType)
        }
    }

    @Test("Standard mode leaves it out, and an embedded resource that is required names the types")
    func standard() throws {
        let linkage = #"{"type":"robots","id":"9"}"#
        #expect(try JSONAPIDecoder().decode(Article.self, from: document(linkage)).author == nil)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Paper.self, from: document(linkage)) }
        #expect(error?.failure?.kind == .unexpectedType)
        #expect(error?.failure?.expected.contains("people") == true && error?.failure?.found.contains("robots") == true)
    }

    @Test("A missing resource of the right type is still not included")
    func missing() throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONAPIDecoder().decode(Paper.self, from: document(#"{"type":"people","id":"9"}"#))
        }
        #expect(error?.failure?.kind == .notIncluded)
    }
}

import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Names that the program gives as text, with a key strategy.
@Suite struct NamesOfStrategiesTests {
    struct Page: Resource {
        static let type = "pages"
        var id: String
        var urlID: String?
        var publishedAt: String?
        var mainURL: Writer?
    }

    private let empty = Page(id: "1")

    private func encoder(_ strategy: JSONAPIEncoder.KeyStrategy) -> JSONAPIEncoder {
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = strategy
        return encoder
    }

    @Test("The name of a key with capitals in a row is correct, even if the property is nil in all resources")
    func acronyms() throws {
        let kebab = encoder(.kebabCase)
        #expect(try kebab.text(empty, fields: ["pages": ["url-id"]]) == #"{"data":{"type":"pages","id":"1"}}"#)
        #expect(try kebab.text(empty, include: ["main-url"]) == #"{"data":{"type":"pages","id":"1"},"included":[]}"#)
        #expect(try kebab.text(Create(empty).omitting("url-id")) == #"{"data":{"type":"pages"}}"#)
        #expect(try encoder(.snakeCase).text(empty, fields: ["pages": ["url_id"]]) == #"{"data":{"type":"pages","id":"1"}}"#)
        #expect(try kebab.text(Patch<Page>(id: "1").set("url-id", "a")).contains(#""url-id":"a""#))
    }

    @Test("A coding key is not the name of a member if the key strategy changes it")
    func keysAreNotNames() {
        let kebab = encoder(.kebabCase)
        let failures = [
            encodingFailure { _ = try kebab.encode(empty, fields: ["pages": ["publishedAt"]]) },
            encodingFailure { _ = try kebab.encode(empty, include: ["mainURL"]) },
            encodingFailure { _ = try kebab.encode(Create(empty).omitting("urlID")) },
            encodingFailure { _ = try kebab.encode(Patch<Page>(id: "1").set("publishedAt", "a")) },
        ]
        #expect(failures.map { $0?.kind } == [.unknownName, .unknownName, .unknownName, .unknownName])
        let failure = encodingFailure { _ = try kebab.encode(empty, fields: ["pages": ["published-att"]]) }
        #expect(failure?.kind == .unknownName)
        #expect(failure?.advice == "the nearest coding key is `publishedAt`, for the name `published-at`")
    }
}

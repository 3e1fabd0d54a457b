import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Decoding documents")
struct DocumentDecodingTests {
    private let decoder = JSONAPIDecoder()
    private let text = #"""
        {"jsonapi":{"version":"1.1"},"links":{"self":"/a","next":"/a?p=2"},"meta":{"total":3},"x:y":{"z":1},"@context":"c",
         "data":[{"type":"articles","id":"1","attributes":{"title":"T","@note":1},
           "relationships":{"author":{"data":{"type":"people","id":"1"}},"comments":{"data":[{"type":"comments","id":"5"}]}}}],
         "included":[{"type":"people","id":"1","attributes":{"name":"Ann"}},
           {"type":"comments","id":"5","attributes":{"body":"b\u00e9"},"relationships":{"author":{"data":{"type":"people","id":"1"}}}}]}
        """#

    struct Page: Codable, Equatable { var total: Int }

    @Test("A document has links, meta, jsonapi, included resources, references, and unknown members")
    func whole() throws {
        let document = try decoder.decode(Document<[Blog.Article]>.self, from: Data(text.utf8))
        #expect(document.links.next?.href == "/a?p=2" && document.jsonapi?.version == "1.1")
        #expect(try document.meta(Page.self) == Page(total: 3))
        #expect(document.included.map(\.type) == ["people", "comments"])
        #expect(try document.included(Blog.Person.self).map(\.name) == ["Ann"])
        let article = try #require(document.data.first)
        #expect(document[article.author]?.name == "Ann" && document[article.comments].map(\.author?.name) == ["Ann"])
        #expect(document.object.members["x:y"] == ["z": 1] && document.object.members["@context"] == "c")
        #expect(document.object.members["data"]?.array?.first?.object?["attributes"]?.object?["@note"] == 1)
        let failure = try Blog.failure { try document.meta([Int].self) }
        #expect("\(failure.pointer)" == "/meta")
    }

    @Test("References outlive the data and the document")
    func outlive() throws {
        func read() throws -> Blog.Article? { try decoder.decode([Blog.Article].self, from: Data(text.utf8)).first }
        let article = try read()
        #expect(article?.comments.values.first?.body == "bé" && article?.author.value?.name == "Ann")
    }

    @Test("Primary data may be absent, null, mixed, or of the wrong cardinality")
    func primaryData() throws {
        let meta = try decoder.decode(Document<NoData>.self, from: Data(#"{"meta":{"total":1}}"#.utf8))
        #expect(try meta.meta(Page.self)?.total == 1)
        #expect(try decoder.decode(Blog.Person?.self, from: Data(#"{"data":null}"#.utf8)) == nil)
        let mixed = try decoder.decode([Blog.Contributor].self, from: Data(#"{"data":[\#(Blog.ann),{"type":"robots","id":"1"}]}"#.utf8))
        #expect(mixed.map(\.identifier?.type) == ["people", "robots"])
        #expect(try Blog.failure { try decoder.decode(Blog.Person.self, from: Data(#"{"data":null}"#.utf8)) }.kind == .unexpectedNull)
        #expect(try Blog.failure { try decoder.decode(Blog.Person.self, from: Data(#"{"data":[]}"#.utf8)) }.kind == .cardinality)
        #expect(try Blog.failure { try decoder.decode([Blog.Person].self, from: Blog.document(Blog.ann)) }.kind == .cardinality)
        #expect(try Blog.failure { try decoder.decode([Blog.Person].self, from: Data(#"{"meta":{}}"#.utf8)) }.kind == .missingMember)
        #expect(try decoder.decode([ResourceIdentifier].self, from: Data(#"{"data":[{"type":"people","id":"1"}]}"#.utf8)).count == 1)
        #expect(try decoder.decode(ResourceObject.self, from: Blog.document(Blog.ann))[attribute: "name"] == "Ann")
    }

    @Test("Data that a document without data has is reported")
    func ignoredData() throws {
        let document = try decoder.decode(Document<NoData>.self, from: Data(#"{"data":{"type":"people","id":"1"},"meta":{}}"#.utf8))
        #expect(document.diagnostics.map(\.kind) == [.ignoredData] && document.diagnostics.map { "\($0.pointer)" } == ["/data"])
        #expect(try decoder.decode(Document<NoData>.self, from: Data(#"{"meta":{}}"#.utf8)).diagnostics.isEmpty)
    }

    @Test("Strict mode rejects repeated names and unknown types")
    func strict() throws {
        let strict = JSONAPIDecoder(mode: .strict)
        let twice = Data(#"{"data":{"type":"people","id":"1","attributes":{"name":"A","name":"B"}}}"#.utf8)
        #expect(try Blog.failure { try strict.decode(Blog.Person.self, from: twice) }.kind == .duplicateName)
        #expect(try decoder.decode(Blog.Person.self, from: twice).name == "B")
        let robot = Data(#"{"data":{"type":"robots","id":"1"}}"#.utf8)
        #expect(try Blog.failure { try strict.decode(Blog.Contributor.self, from: robot) }.kind == .unexpectedType)
    }

    @Test("An error document is thrown, and its errors are found by property")
    func errors() throws {
        let data = Data(
            #"{"errors":[{"title":"short","source":{"pointer":"/data/attributes/title"}},{"title":"none","source":{"pointer":"/data/relationships/author"}},{"title":"deep","source":{"pointer":"/data/attributes/title/0"}}],"meta":{"a":1}}"#
                .utf8)
        let thrown = try #require(#expect(throws: ErrorDocument.self) { try decoder.decode(Blog.Article.self, from: data) })
        #expect(thrown.errors(at: "title").map(\.title) == ["short", "deep"] && thrown.errors(at: "author").count == 1)
        #expect(thrown.errors(at: "other").isEmpty && thrown.meta?["a"] == 1)
        #expect(throws: ErrorDocument.self) { try decoder.decode(Document<[Blog.Article]>.self, from: data) }
    }

    // MARK: - Broken texts

    /// Whether decoding gives a value or a decoding error.
    private func survives(_ data: Data) -> Bool {
        func isOurs(_ body: () throws -> Void) -> Bool {
            do { try body() } catch let error as DecodingError { return error.failure != nil } catch { return error is ErrorDocument }
            return true
        }
        return isOurs { _ = try JSONAPIDecoder().decode([Blog.Article].self, from: data) }
            && isOurs { _ = try JSONAPIDecoder(mode: .lenient).decode(Document<[Blog.Article]>.self, from: data) }
            && isOurs { _ = try JSONAPIDecoder(mode: .strict).decode(Document<[RelationshipDecodingTests.Embedding]>.self, from: data) }
            && isOurs { _ = try JSONAPIDecoder().decode(DocumentObject.self, from: data) }
    }

    @Test("Empty data is a syntax error")
    func empty() throws {
        #expect(try Blog.failure { try decoder.decode([Blog.Article].self, from: Data()) }.kind == .syntax)
    }

    @Test("A truncated text is a decoding error")
    func truncation() {
        let bytes = Array(text.utf8)
        for count in bytes.indices where !survives(Data(bytes[..<count])) { Issue.record("cut at \(count)") }
    }

    @Test("A mutated text gives a value or a decoding error")
    func mutations() {
        let bytes = Array(text.utf8)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(bound))
        }
        let pieces = ["null", "[]", "{}", "7", "\"\"", "true", "1e9", "\"id\"", "\"type\"", "\\u0000", ",", ":", "\"", "}", "]", "\u{FF}"]
        for round in 0..<2000 {
            var copy = bytes
            for _ in 0...random(3) {
                let place = random(copy.count)
                switch random(4) {
                case 0: copy[place] = UInt8(random(256))
                case 1: copy.removeSubrange(place..<min(copy.count, place + 1 + random(12)))
                case 2: copy.insert(contentsOf: Array(pieces[random(pieces.count)].utf8), at: place)
                default:
                    let from = random(copy.count)
                    copy.insert(contentsOf: Array(copy[from..<min(copy.count, from + random(30))]), at: place)
                }
            }
            if !survives(Data(copy)) { Issue.record("round \(round): \(String(decoding: copy, as: UTF8.self))") }
        }
    }

    @Test("A replaced value gives a value or a decoding error")
    func replacedValues() throws {
        let kinds: [JSON] = [nil, true, 7, 1.5, "x", "", [], [nil], [[:]], [:], ["type": "people", "id": "1"], ["data": nil]]
        /// All variants of `json` with one value replaced.
        func variants(_ json: JSON) -> [JSON] {
            var result = kinds
            if let object = json.object {
                for member in object {
                    result += variants(member.value).map { value in
                        var copy = object
                        copy[member.name] = value
                        return .object(copy)
                    }
                }
            }
            if let array = json.array {
                for (i, element) in array.enumerated() {
                    result += variants(element).map { value in
                        .array(JSONArray(array.enumerated().map { $0.offset == i ? value : $0.element }))
                    }
                }
            }
            return result
        }
        for variant in variants(try JSON(parsing: text)) where !survives(Data(variant.description.utf8)) { Issue.record("\(variant)") }
    }

    @Test("A million brackets are a syntax error")
    func brackets() throws {
        for prefix in ["", #"{"data":"#] {
            let data = Data((prefix + String(repeating: "[", count: 1_000_000)).utf8)
            let failure = try Blog.failure { try decoder.decode([Blog.Article].self, from: data) }
            #expect(failure.kind == .syntax && failure.syntaxError?.kind == .depthLimit)
        }
    }
}

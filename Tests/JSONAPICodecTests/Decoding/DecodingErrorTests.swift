import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Decoding errors")
struct DecodingErrorTests {
    private let decoder = JSONAPIDecoder()

    @Test("An error has a place, resource, nearest name, line, and column")
    func errorText() throws {
        let data = Data("{\"data\":[\n  {\"type\":\"people\",\"id\":\"1\",\"attributes\":{\"nmae\":\"A\"}}]}".utf8)
        let failure = try Blog.failure { try decoder.decode([Blog.Person].self, from: data) }
        #expect(failure.kind == .missingMember && "\(failure.pointer)" == "/data/0")
        #expect(failure.resource == ResourceIdentifier(type: "people", id: "1"))
        #expect(failure.advice?.contains("`nmae`") == true)
        #expect(failure.position?.line == 2 && failure.position?.column == 3)
        #expect(failure.description.hasPrefix("line 2, column 3, /data/0 (people 1): expected the attribute `name`"))
        var silent = decoder
        silent.reportsPositions = false
        #expect(try Blog.failure { try silent.decode([Blog.Person].self, from: data) }.position == nil)
    }

    @Test("Only an error about a text that is not JSON says so, and not one about a limit or a repeated name")
    func textOfSyntaxErrors() throws {
        func words(_ decoder: JSONAPIDecoder, _ text: String) throws -> String {
            try Blog.failure { try decoder.decode(DocumentObject.self, from: Data(text.utf8)) }.description
        }
        let repeated = try words(JSONAPIDecoder(mode: .strict), #"{"meta":{"a":1,"a":2}}"#)
        #expect(repeated == #"line 1, column 16, /meta: the name "a" occurs twice in one object"#)
        var limited = decoder
        limited.reading.maximumDepth = 2
        #expect(try words(limited, #"{"meta":{"a":{}}}"#).hasSuffix("the text exceeds a limit: nesting goes deeper than 2 levels"))
        #expect(try words(decoder, #"{"meta":{"a":}}"#).contains("the text is not JSON: "))
    }

    @Test("An error about an attribute of a resource that came without attributes has a cure")
    func resourceWithoutAttributes() throws {
        let failure = try Blog.failure { try decoder.decode(Blog.Person.self, from: Data(#"{"data":{"type":"people","id":"1"}}"#.utf8)) }
        #expect(failure.found == "a resource without attributes" && failure.advice?.contains("ask the server for its attributes") == true)
    }

    @Test("An error suggests only names that are similar to the missing one")
    func farNames() throws {
        for (attributes, isAdvised) in [
            (#"{"titel":1,"body":2}"#, true), (#"{"Title":1}"#, true), (#"{"body":1}"#, false), (#"{"tag":1,"at":2,"x":3}"#, false),
        ] {
            let failure = try Blog.failure { try Blog.decode(Blog.Article.self, attributes: attributes) }
            #expect(failure.kind == .missingMember && failure.expected == "the attribute `title`")
            #expect(failure.advice?.contains("nearest") == isAdvised, "\(attributes): \(failure.advice ?? "no advice")")
        }
    }

    struct PlainAuthor: Resource {
        static let type = "articles"
        var id: String
        var author: String
    }

    @Test("A plain property with a relationship's name is explained, and the reverse")
    func wrongNamespace() throws {
        let plain = try Blog.failure { try Blog.decode(PlainAuthor.self, relationships: #"{"author":{"data":null}}"#) }
        #expect(plain.advice?.contains("`author` is a relationship") == true)
        let reference = try Blog.failure {
            try Blog.decode(HandwrittenDecodingTests.Derived.self, attributes: #"{"title":"T","author":"Ann"}"#)
        }
        #expect(reference.found == "an attribute of that name")
    }

    @Test("Foundation's decoder fails on references and names the right decoder")
    func wrongDecoder() throws {
        let error = try #require(
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(
                    HandwrittenDecodingTests.Derived.self, from: Data(#"{"id":"1","title":"T","author":{"data":null}}"#.utf8))
            })
        #expect("\(error)".contains("JSONAPIDecoder"))
    }

    struct Keeper: Resource {
        static let type = "articles"
        var id: String
        var kept: Kept
        struct Kept: Codable, @unchecked Sendable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
            func encode(to encoder: any Encoder) throws {}
        }
    }

    @Test("A decoder that a model keeps still works after the call")
    func keptDecoder() throws {
        func keep() throws -> Keeper {
            let text = String(repeating: "x", count: 100_000)
            return try Blog.decode(Keeper.self, attributes: #"{"kept":"\#(text)"}"#)
        }
        let keeper = try keep()
        let filler = Data(repeating: 0x20, count: 100_300)
        #expect(try keeper.kept.decoder.singleValueContainer().decode(String.self) == String(repeating: "x", count: 100_000))
        #expect(filler.count == 100_300)
    }

    @Test("One decoder serves many tasks at once")
    func concurrency() async throws {
        let data = Blog.document(
            Blog.article(relationships: #"{"author":{"data":{"type":"people","id":"1"}},"comments":{"data":[]}}"#), included: [Blog.ann])
        let decoder = decoder
        let shared = try decoder.decode(Blog.Article.self, from: data)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    _ = shared.author.value
                    return try decoder.decode(Blog.Article.self, from: data).author.value?.name
                }
            }
            for try await name in group { #expect(name == "Ann") }
        }
    }
}

import JSONAPICodec
import JSONAPIHTTP
import JSONText
import TestSupport
import Testing

@Suite("Media types")
struct MediaTypeTests {
    static let atomic = "https://jsonapi.org/ext/atomic"

    @Test("Extensions and profiles are written as quoted lists")
    func writing() {
        #expect(MediaType.jsonapi.description == "application/vnd.api+json")
        #expect(
            MediaType(ext: [Self.atomic], profile: ["https://a.example/1", "https://a.example/2"]).description
                == #"application/vnd.api+json;ext="https://jsonapi.org/ext/atomic";profile="https://a.example/1 https://a.example/2""#)
        var mediaType = MediaType(ext: [Self.atomic])
        mediaType.ext = []
        #expect(mediaType == .jsonapi)
    }

    @Test(
        "Invalid URIs cannot break out of the header", arguments: ["a\r\nSet-Cookie: x", "a b", #"a"; charset="x"#, #"a\"#, "é", "\u{0}"])
    func injection(uri: String) throws {
        let mediaType = MediaType(ext: [uri])
        #expect(mediaType.description.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        #expect(try MediaType(parsing: mediaType.description) == mediaType)
        #expect(mediaType.ext.count == 1)
    }

    @Test(
        "White space, case, and extra semicolons are ignored",
        arguments: [
            #"application/vnd.api+json;ext="https://jsonapi.org/ext/atomic""#,
            #"  Application/VND.API+JSON ; EXT="https://jsonapi.org/ext/atomic"  "#,
            "application/vnd.api+json;;\text=\"https://jsonapi.org/ext/atomic\" ;",
            #"application/vnd.api+json;ext="https:\//jsonapi.org/ext/atomic""#,
        ])
    func reading(text: String) throws {
        #expect(try MediaType(parsing: text) == MediaType(ext: [Self.atomic]))
    }

    @Test(
        "A syntax error has its byte offset",
        arguments: [
            ("", 0), ("application", 11), ("application/", 12), ("/json", 0), ("a/b, c/d", 3), ("a/b;ext", 7), ("a/b;ext =1", 7),
            ("a/b;ext= 1", 8),
            ("a/b;ext=https://a", 13), (#"a/b;ext="https://a"#, 18), ("a/b;x=\"a\nb\"", 8), ("a/b c", 4), (#"a/b;x="a"b"#, 9), ("é/b", 0),
        ])
    func refusing(text: String, offset: Int) {
        let error = #expect(throws: MediaTypeError.self) { try MediaType(parsing: text) }
        #expect(error?.offset == offset, "\(String(describing: error))")
    }

    @Test("Missing quotation marks are accepted on request")
    func lenient() throws {
        let mediaType = try MediaType(lenient: "application/vnd.api+json;ext=https://jsonapi.org/ext/atomic; profile=p")
        #expect(mediaType == MediaType(ext: [Self.atomic], profile: ["p"]))
        #expect(mediaType.description.contains("ext=\"https://jsonapi.org/ext/atomic\""))
        #expect(throws: MediaTypeError.self) { try MediaType(lenient: "a/b;ext=") }
    }

    @Test("Other parameters in a response are ignored")
    func responses() throws {
        let mediaType = try MediaType(parsing: #"application/vnd.api+json;charset="utf-8";profile="https://a.example/1""#)
        #expect(mediaType.isJSONAPI)
        #expect(mediaType.profile == ["https://a.example/1"])
        #expect(mediaType.otherParameters.map(\.name) == ["charset"])
        #expect(mediaType.description == #"application/vnd.api+json;charset=utf-8;profile="https://a.example/1""#)
        #expect(try !MediaType(parsing: "application/vnd.api+json5").isJSONAPI)
    }

    @Test("Lists can have empty elements and weights")
    func lists() throws {
        let list = try MediaType.list(parsing: ", text/html;q=0.8,,*/*;Q=2 , a/b;q=x;c=\"a,b\"")
        #expect(list.map(\.essence) == ["text/html", "*/*", "a/b"])
        #expect(list.map(\.quality) == [0.8, 1, 1])
        let unusual = try MediaType.list(parsing: "a/b;q=0x1, a/b;q=nan, a/b;q=1e-3, a/b;q=-1, a/b;q=0.001, a/b;q=inf, a/b;q=0")
        #expect(unusual.map(\.quality) == [1, 1, 1, 1, 0.001, 1, 0])
        #expect(try MediaType.list(parsing: "") == [])
        #expect(throws: MediaTypeError.self) { try MediaType.list(parsing: "a/b c/d") }
    }

    @Test("The parser accepts any bytes without trapping")
    func anyText() {
        var random = SeededRandom(seed: 5)
        let pieces = [
            "a", "/", ";", "=", "\"", "\\", ",", " ", "\t", "ext", "q=0.1", "é", "\u{0}", "\r\n", "*/*", "application/vnd.api+json",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            for mediaType in (try? MediaType.list(parsing: text)) ?? [] {
                #expect(throws: Never.self) {
                    let again = try MediaType(parsing: mediaType.description)
                    #expect(again == mediaType)
                }
            }
            _ = try? MediaType(lenient: text)
        }
    }

    @Test("A client sends Content-Type and Accept")
    func requestHeaders() {
        let atomic = MediaType(ext: [Self.atomic])
        #expect(MediaType.jsonapi.requestHeaders() == ["Accept": "application/vnd.api+json"])
        #expect(atomic.requestHeaders(hasDocument: true) == ["Accept": atomic.description, "Content-Type": atomic.description])
        #expect(
            MediaType.jsonapi.requestHeaders(hasDocument: true, accepting: atomic)
                == ["Accept": atomic.description, "Content-Type": "application/vnd.api+json"])
    }
}

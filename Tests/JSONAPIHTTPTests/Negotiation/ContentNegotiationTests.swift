import JSONAPICodec
import JSONAPIHTTP
import JSONText
import Testing

@Suite("Content negotiation")
struct ContentNegotiationTests {
    static let server = ContentNegotiation(extensions: ["e:1", "e:2"], profiles: ["p:1"])

    /// A header in which `J` means the media type of JSON:API.
    static func header(_ short: String) -> String {
        short.split(separator: "J", omittingEmptySubsequences: false).joined(separator: "application/vnd.api+json")
    }

    static let chosenCases: [(String, MediaType)] = [
        ("", MediaType()),
        ("*/*", MediaType()),
        ("application/*;q=0.1, text/html", MediaType()),
        ("J", MediaType()),
        (#"J;ext="e:1""#, MediaType(ext: ["e:1"])),
        (#"J;q=0.1, J;ext="e:2";q=0.2"#, MediaType(ext: ["e:2"])),
        (#"J;ext="e:9", J"#, MediaType()),
        (#"J;charset=utf-8, J;ext="e:1 e:2""#, MediaType(ext: ["e:1", "e:2"])),
        (#"J;profile="p:1 p:9""#, MediaType(profile: ["p:1"])),
        (#"J;ext="""#, MediaType()),
        (#"J;ext="e:1", J;profile="p:1""#, MediaType(ext: ["e:1"])),
    ]

    @Test("The first media type with the largest weight is chosen", arguments: chosenCases)
    func chosen(short: String, mediaType: MediaType) throws {
        #expect(try Self.server.verdict(onAccept: Self.header(short)) == .accepted(mediaType))
    }

    @Test("A slash at the end of a profile's URI makes no difference")
    func slashOfAProfile() throws {
        let server = ContentNegotiation(extensions: ["e:1"], profiles: [CursorPagination.profile])
        let slashed = CursorPagination.profile + "/"
        #expect(
            try server.verdict(onAccept: Self.header(#"J;profile="\#(slashed) \#(slashed)/""#))
                == .accepted(MediaType(profile: [CursorPagination.profile])))
        #expect(try server.verdict(onAccept: Self.header(#"J;ext="e:1/""#)).status == 406)
    }

    @Test("Without an Accept header, every media type is acceptable")
    func noAccept() throws {
        #expect(try Self.server.verdict(onAccept: nil) == .accepted(.jsonapi))
    }

    static let refusedCases: [(String, NegotiationRefusal.Reason)] = [
        (#"J;ext="e:9", */*"#, .unsupportedExtension("e:9")),
        (#"J;charset=utf-8, J;ext="e:1 e:9""#, .parameter("charset")),
        (#"J;ext="E:1""#, .unsupportedExtension("E:1")),
        (#"J;ext="e:1";ext="e:9""#, .unsupportedExtension("e:9")),
    ]

    @Test("406 if no JSON:API media type can be served", arguments: refusedCases)
    func notAcceptable(short: String, reason: NegotiationRefusal.Reason) throws {
        let verdict = try Self.server.verdict(onAccept: Self.header(short))
        let refusal = try #require(Self.refusal(in: verdict))
        #expect(refusal.status == 406)
        #expect(refusal.reason == reason)
        #expect(refusal.errorDocument.errors.first?.source?.header == "Accept")
    }

    static func refusal(in verdict: ContentNegotiation.Verdict) -> NegotiationRefusal? {
        if case .refused(let refusal) = verdict { refusal } else { nil }
    }

    @Test(
        "Other media types are not checked",
        arguments: ["text/html", "application/json", "*/*;q=0", "application/*;q=0, */*", "J;q=0, */*"])
    func notJSONAPI(short: String) throws {
        #expect(try Self.server.verdict(onAccept: Self.header(short)) == .notJSONAPI)
    }

    @Test("A request can use supported extensions and any profile")
    func contentType() throws {
        func verdict(_ short: String) throws -> ContentNegotiation.Verdict {
            try Self.server.verdict(onContentType: Self.header(short))
        }
        let both = MediaType(ext: ["e:1"], profile: ["p:9"])
        #expect(try verdict(#"J;ext="e:1";profile="p:9""#) == .accepted(both))
        #expect(try verdict("application/json") == .notJSONAPI)
        for short in [#"J;ext="e:9""#, "J;charset=utf-8", "J;q=1", #"J;ext="e:1";x=y"#] {
            #expect(try verdict(short).status == 415)
        }
        #expect(throws: MediaTypeError.self) { try verdict("J;ext=e:1") }
    }

    @Test("A rejection converts to an error object")
    func refusal() throws {
        let verdict = try Self.server.verdict(onContentType: Self.header("J;charset=utf-8"))
        let refusal = try #require(Self.refusal(in: verdict))
        let expected: JSON = [
            "status": "415", "title": "Unsupported Media Type",
            "detail": "The media type of JSON:API has the parameter `charset`; only `ext` and `profile` are allowed.",
            "source": ["header": "Content-Type"],
        ]
        #expect(refusal.error.json == expected)
    }

    @Test("A response varies with Accept")
    func headers() {
        let headers = Self.server.headers(for: MediaType(ext: ["e:1"]))
        #expect(headers == ["Content-Type": #"application/vnd.api+json;ext="e:1""#, "Vary": "Accept"])
    }
}

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONMapping
import JSONText
import TestSupport
import Testing

@testable import JSONAPIReceiving

@Suite struct JSONAPIResponseTests {
    private struct Writer: Resource {
        static let type = "people"
        var id: String
        var firstName: String
        var twitter: String?
    }
    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var title: String
        var author: Writer?
        var address = ResourceLinks()
    }

    private let post = Post(id: "1", title: "T", author: Writer(id: "9", firstName: "Ann", twitter: "a"))

    private func tree(_ response: JSONAPIResponse) throws -> JSON { try JSON(parsing: try #require(response.body)) }

    @Test func aResponseFollowsTheQuery() throws {
        let query = Query(parsing: "include=author&fields[people]=firstName")
        let response = try JSONAPIResponse.ok([post], for: query)
        #expect(response.status == 200)
        #expect(response.headers["Content-Type"] == "application/vnd.api+json")
        #expect(response.headers["Vary"] == "Accept")
        #expect(
            try tree(response)["included"] == [["type": "people", "id": "9", "attributes": ["firstName": "Ann"]]])
        #expect(try tree(.ok([post]))["included"] == nil)
        #expect(try tree(.ok([post], for: Query(parsing: "include=")))["included"] == [])
    }

    @Test func aCreatedResourceHasItsLocation() throws {
        let response = try JSONAPIResponse.created(post, at: "/posts/1")
        #expect(response.status == 201 && response.headers["Location"] == "/posts/1")
        var linked = post
        linked.address = ResourceLinks(["self": "/posts/1"])
        #expect(try JSONAPIResponse.created(linked).headers["Location"] == "/posts/1")
        let error = #expect(throws: EncodingError.self) { try JSONAPIResponse.created(linked, at: "/posts/2") }
        #expect(error?.failure?.kind == .documentStructure && error?.failure?.advice?.contains("`location`") == true)
    }

    @Test("A created resource without an id is an error, also if it has the lid of the request")
    func aCreatedResourceWithoutID() throws {
        struct Draft: Resource {
            static let type = "drafts"
            var id: String?
            var lid: LocalID?
        }
        for draft in [Draft(lid: "a"), Draft()] {
            let error = #expect(throws: EncodingError.self) { try JSONAPIResponse.created(draft) }
            #expect(error?.failure?.kind == .missingIdentity && error?.failure?.pointer == JSONPointer("data"))
        }
        #expect(try JSONAPIResponse.created(Draft(id: "1", lid: "a")).status == 201)
    }

    @Test("The location of a created resource can be written in another way than its self link")
    func aLocationAndARelativeSelfLink() throws {
        var linked = post
        for (own, location) in [
            ("/posts/1", "https://e.com/posts/1"), ("https://e.com/posts/1", "/posts/1"), ("//e.com/posts/1", "https://e.com/posts/1"),
            ("posts/1", "https://e.com/posts/1"), ("https://E.com:443/posts/%31", "https://e.com/posts/1"),
        ] {
            linked.address = ResourceLinks(["self": .text(own)])
            #expect(try JSONAPIResponse.created(linked, at: location).headers["Location"] == location)
        }
        for (own, location) in [
            ("/posts/2", "https://e.com/posts/1"), ("//f.com/posts/1", "https://e.com/posts/1"),
            ("http://e.com/posts/1", "https://e.com/posts/1"),
        ] {
            linked.address = ResourceLinks(["self": .text(own)])
            #expect(throws: EncodingError.self) { try JSONAPIResponse.created(linked, at: location) }
        }
    }

    @Test(arguments: [
        (#"{"data":{"type":"posts","id":"1","attributes":{"title":7}}}"#, 422, "/data/attributes/title"),
        (#"{"data":{"type":"posts","id":"1","attributes":{}}}"#, 422, "/data"),
        (#"{"data":{"type":"people","id":"1","attributes":{"title":"T"}}}"#, 409, "/data/type"),
        (#"{"data":"#, 400, nil),
    ])
    func anInvalidRequestGetsAnErrorResponse(text: String, status: Int, pointer: String?) throws {
        do {
            _ = try JSONAPIDecoder().decode(Post.self, from: Data(text.utf8))
            Issue.record("nothing was thrown")
        } catch {
            let document = ErrorDocument(error)
            let response = try JSONAPIResponse.errors(document)
            #expect(response.status == status)
            #expect(document.errors.first?.source?.pointer?.description == pointer)
            #expect(try tree(response)["errors"]?[0]?["status"] == .string(String(status)))
            #expect(JSONAPIResponse(error) == response)
        }
    }

    @Test func everyErrorHasAResponse() {
        struct Unknown: Error {}
        #expect(JSONAPIResponse(Unknown()).status == 500)
        #expect(JSONAPIResponse(ErrorDocument(errors: [])).status == 500)
        #expect(JSONAPIResponse(ErrorDocument(errors: [ErrorObject()])) == JSONAPIResponse(status: 500, headers: ["Vary": "Accept"]))
        let refused = ErrorDocument(errors: [ErrorObject(status: "403", source: ErrorSource(attribute: "title"))])
        #expect(JSONAPIResponse(refused).body == Data(#"{"errors":[{"status":"403","source":{"pointer":"/data/attributes/title"}}]}"#.utf8))
    }

    @Test("A response without a document depends on the header Accept like any other")
    func responsesWithoutDocuments() throws {
        let unwritable = ErrorDocument(errors: [ErrorObject()])
        let responses: [JSONAPIResponse] = try [.noContent, .results(AtomicResults([.empty])), JSONAPIResponse(unwritable)]
        for response in responses {
            #expect(response.headers == ["Vary": "Accept"] && response.body == nil)
        }
        #expect(responses.map(\.status) == [204, 204, 500])
    }

    @Test func faultsInAQueryOrHeaderAreClientErrors() throws {
        let problem = try #require(Query(parsing: "includes=author").problems.first)
        #expect(ErrorDocument(problem).errors == [problem.error] && ErrorDocument(problem).commonStatus == 400)
        let cursor = CursorProblem.rangeNotSupported
        #expect(ErrorDocument(cursor).errors == [cursor.error] && ErrorDocument(cursor).commonStatus == 400)
        do {
            _ = try ContentNegotiation().verdict(onContentType: "application")
            Issue.record("that is no media type")
        } catch {
            #expect(ErrorDocument(error).commonStatus == 400)
        }
    }

    struct Node: Resource {
        static let type = "nodes"
        var id: String
        var next: ToOne<Node>
    }

    @Test func includePathsThatLeadThroughTheSameResourcesTooOftenAreAClientError() throws {
        let nodes = ["1", "2"].map { id in
            #"{"type":"nodes","id":"\#(id)","relationships":{"next":{"data":{"type":"nodes","id":"\#(id == "1" ? 2 : 1)"}}}}"#
        }
        let ring = try JSONAPIDecoder().decode([Node].self, from: Data(#"{"data":[\#(nodes.joined(separator: ","))]}"#.utf8))
        let path = Array(repeating: "next", count: 20_000).joined(separator: ".")
        var error: (any Error)?
        do { _ = try JSONAPIEncoder().encode(ring[0], include: [path]) } catch let failure { error = failure }
        let answer = ErrorDocument(try #require(error))
        #expect(answer.errors.map(\.status) == ["400"])
        #expect(answer.errors.first?.source?.parameter == "include")
    }

    @Test func aTextThatIsTooLargeIsStatus413() throws {
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumBytes = 10
        let error = #expect(throws: DecodingError.self) { try decoder.decode(Post.self, from: Data(#"{"data":{"type":"posts"}}"#.utf8)) }
        let document = ErrorDocument(try #require(error))
        #expect(document.commonStatus == 413 && document.errors.first?.title == "The document is too large")
        decoder = JSONAPIDecoder()
        decoder.reading.maximumDepth = 1
        let deep = #expect(throws: DecodingError.self) { try decoder.decode(Post.self, from: Data(#"{"data":{"type":"posts"}}"#.utf8)) }
        #expect(ErrorDocument(try #require(deep)).commonStatus == 413)
    }

    @Test func theErrorNamesAnInvalidHeader() {
        func source(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return ErrorDocument(error).errors.first?.source?.header }
            return nil
        }
        #expect(source { _ = try ContentNegotiation().verdict(onContentType: "application") } == "Content-Type")
        #expect(source { _ = try ContentNegotiation().verdict(onAccept: "a/b, /") } == "Accept")
        #expect(source { _ = try MediaType(parsing: "application") } == nil)
    }

    @Test func customErrorsChooseTheirResponse() {
        struct NotYours: ErrorDocumentRepresentable {
            var errorDocument: ErrorDocument { ErrorDocument(errors: [ErrorObject(status: "403", title: "Not yours")]) }
        }
        #expect(ErrorDocument(NotYours()).commonStatus == 403)
    }

    @Test func aResponseThatFailsTheCheckIsAServerError() throws {
        var encoder = JSONAPIEncoder()
        encoder.check = { _, _ in throw ErrorDocument(errors: [ErrorObject(status: "422", title: "secret")]) }
        do {
            _ = try JSONAPIResponse.ok(post, encoder: encoder)
            Issue.record("nothing was thrown")
        } catch {
            #expect(ErrorDocument(error).errors == [ErrorObject(status: "500", title: "Internal server error")])
            #expect((error as? UnwritableResponse)?.error is ErrorDocument)
        }
    }

    @Test func errorsThatFailTheCheckAreAServerError() throws {
        var encoder = JSONAPIEncoder()
        encoder.check = { _, _ in throw ErrorDocument(errors: [ErrorObject(status: "422", title: "secret")]) }
        let errors = ErrorDocument(errors: [ErrorObject(status: "404")])
        #expect(throws: UnwritableResponse.self) { try JSONAPIResponse.errors(errors, encoder: encoder) }
    }

    @Test func anAcceptedJobHasItsAddress() throws {
        let response = try JSONAPIResponse.accepted(ResourceObject(type: "jobs", id: "5"), at: "/jobs/5")
        #expect(response.status == 202 && response.headers["Content-Location"] == "/jobs/5")
        #expect(try tree(response)["data"]?["id"] == "5")
    }

    @Test("An address in a header has only characters that a URI can contain")
    func addressesInHeaders() throws {
        let address = "/posts/\u{E9} 1\r\nSet-Cookie: a?page[size]=2%20"
        let encoded = "/posts/%C3%A9%201%0D%0ASet-Cookie:%20a?page[size]=2%20"
        #expect(try JSONAPIResponse.created(post, at: address).headers["Location"] == encoded)
        let job = ResourceObject(type: "jobs", id: "5")
        #expect(try JSONAPIResponse.accepted(job, at: address).headers["Content-Location"] == encoded)
        var linked = post
        linked.address = ResourceLinks(["self": "/posts/\u{E9}"])
        #expect(try JSONAPIResponse.created(linked).headers["Location"] == "/posts/%C3%A9")
    }

    @Test func aValidationErrorWithoutIssuesIsStillAnError() {
        #expect(ErrorDocument(ValidationError([])).errors.map(\.status) == ["422"])
    }

    @Test func otherErrorsHaveNoDetails() throws {
        struct Secret: Error {}
        #expect(ErrorDocument(Secret()).errors == [ErrorObject(status: "500", title: "Internal server error")])
    }

    @Test func severalStatusesGiveTheirCommonClass() {
        func status(_ codes: String...) -> Int { ErrorDocument(errors: codes.map { ErrorObject(status: $0) }).commonStatus }
        #expect(status("422", "422") == 422)
        #expect(status("422", "409") == 400)
        #expect(status("422", "503") == 500)
        #expect(ErrorDocument(errors: [ErrorObject(title: "?")]).commonStatus == 500)
    }

    @Test func aCheckReceivesEachTextAndItsKindAndCanThrow() throws {
        struct Refused: Error {}
        var encoder = JSONAPIEncoder()
        encoder.check = { _, kind in if kind == .create { throw Refused() } }
        #expect(throws: Refused.self) { try encoder.encode(Create(post)) }
        _ = try encoder.encode(post)
    }

    @Test func errorsOfManyProblemsHaveAMaximumSize() {
        let tokens = [String(repeating: "n", count: 50_000)]
        let problems = (0..<1000).map { ErrorObject(title: "t", source: ErrorSource(pointer: JSONPointer(tokens: tokens + ["\($0)"]))) }
        let errors = ErrorDocument.errors(of: problems) { $0 }
        #expect(errors.count < 25)
        #expect(errors.last?.detail == "\(1001 - errors.count) more problems are left out.")
        #expect(ErrorDocument.errors(of: problems.prefix(3)) { $0 }.count == 3)
    }

    @Test("A query with many fields and include paths selects as one with few does", arguments: [1, 14, 15, 16, 17, 40])
    func longQuery(_ count: Int) throws {
        let more = (0..<count).map { "unknown\($0)" }
        let names = (more + ["author"]).joined(separator: ",")
        for list in [names, "author," + names, names + ",other"] {
            let query = Query(parsing: "include=\(list)&fields[posts]=\(list)&fields[people]=\(list),firstName")
            let document = try tree(.ok([post], for: query))
            #expect(document["data"]?[0]?["attributes"] == nil)
            #expect(document["data"]?[0]?["relationships"]?["author"]?["data"]?["id"] == "9")
            #expect(document["included"] == [["type": "people", "id": "9", "attributes": ["firstName": "Ann"]]])
        }
    }

    @Test("The cost of a long query does not multiply with the number of resources")
    func costOfLongQuery() throws {
        let posts = (0..<400).map { Post(id: "\($0)", title: "T") }
        func seconds(_ count: Int) throws -> Double {
            let names = (0..<count).map { "field\($0)" }.joined(separator: ",")
            let query = Query(parsing: "include=\(names)&fields[posts]=\(names)")
            return try leastSeconds { try processorSeconds { _ = try JSONAPIResponse.ok(posts, for: query) } }
        }
        // Comparing each name of each resource with each of 4,000 took more than 100 times as long.
        #expect(try seconds(4_000) < seconds(1) * 20 + 0.05)
    }
}

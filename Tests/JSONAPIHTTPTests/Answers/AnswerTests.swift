import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@testable import JSONAPIHTTP

@Suite("Responses to requests")
struct AnswerTests {
    let people = Endpoint<Blog.Person>("https://example.com/people")
    static let person = #"{"data":{"type":"people","id":"9","attributes":{"name":"Ann"}}}"#

    private func get(_ status: Int, _ body: String?, _ headers: [String: String] = [:]) throws -> Blog.Person {
        try people.get("9").answer(status: status, headers: headers, body: body.map { Data($0.utf8) }).data
    }

    private func unexpected(_ body: () throws -> Void) -> UnexpectedAnswer? { #expect(throws: UnexpectedAnswer.self) { try body() } }

    @Test(
        "A document is decoded with any content type",
        arguments: [
            "application/vnd.api+json", "application/json; charset=utf-8", "text/html", "application/vnd.api+json;charset=iso-8859-1",
            "nonsense",
            "application/vnd.api+json;ext=https://example.com/ext",
        ])
    func mediaTypes(type: String) throws {
        #expect(try get(200, Self.person, ["content-type": type]).name == "Ann")
        #expect(try get(200, "\u{FEFF}\r\n " + Self.person, ["CONTENT-TYPE": type]).name == "Ann")
    }

    @Test("An error document is thrown with any status", arguments: [200, 201, 404, 422, 500, 304])
    func errors(status: Int) throws {
        let text = #"{"errors":[{"status":"422","title":"No"}]}"#
        let error = #expect(throws: ErrorDocument.self) { try get(status, text) }
        #expect(error?.errors.first?.title == "No" && error?.httpStatus == status)
        let both = #expect(throws: ErrorDocument.self) { try get(status, #"{"errors":["no"],"data":null}"#) }
        #expect(both?.errors.first?.detail == "no")
        let changed = #expect(throws: ErrorDocument.self) {
            try people.delete("9").answer(status: status, body: Data(text.utf8))
        }
        #expect(changed?.httpStatus == status)
    }

    @Test("A strict decoder keeps the errors of a server")
    func strictErrors() throws {
        let strict = Endpoint<Blog.Person>("https://example.com/people", decoder: JSONAPIDecoder(mode: .strict))
        let error = #expect(throws: ErrorDocument.self) {
            try strict.get("9").answer(status: 500, body: Data(#"{"errors":[{"status":500,"oops":1}]}"#.utf8))
        }
        #expect(error?.errors.first?.status == "500")
        let lenient = Endpoint<Blog.Person>("https://example.com/people", decoder: JSONAPIDecoder(mode: .lenient))
        #expect(throws: ErrorDocument.self) {
            try lenient.get("9").answer(
                status: 500, body: Data(#"{"errors":[{"title":"x"}],"data":{"type":"people","id":"9","attributes":{"name":"A"}}}"#.utf8))
        }
    }

    @Test("A response that is not a document is an error with status, media type, and text")
    func unexpectedAnswers() throws {
        let html = "<html>\u{7}<h1>Bad Gateway</h1></html>"
        let page = unexpected { _ = try get(502, html, ["content-TYPE": "Text/HTML; charset=utf-8"]) }
        #expect(page?.kind == .status && page?.status == 502 && page?.mediaType == "text/html")
        #expect(page?.beginning(10) == "<html>\u{FFFD}<h1" && page?.description.contains("Gateway") == false)
        #expect(unexpected { _ = try get(200, html) }?.kind == .notJSONAPI)
        #expect(unexpected { _ = try get(404, #"{"detail":"Not found."}"#) }?.beginning() == #"{"detail":"Not found."}"#)
        #expect(unexpected { _ = try get(200, #"{"detail":"x"}"#) }?.kind == .notJSONAPI)
        let empty = unexpected { _ = try get(500, "") }
        #expect(empty?.kind == .status && empty?.beginning() == nil)
        #expect(empty?.description == "The server responded with status 500 and no document.")
        #expect(unexpected { _ = try get(304, nil) }?.status == 304)
        #expect(unexpected { _ = try get(404, Self.person) }?.kind == .status)
        #expect(unexpected { _ = try get(200, nil) }?.kind == .noDocument)
        #expect(unexpected { _ = try get(200, " \n") }?.kind == .noDocument)
        #expect(unexpected { _ = try get(200, "[]") }?.kind == .notJSONAPI)
        #expect(unexpected { _ = try get(500, #"{"errors""#) }?.kind == .status)
        #expect(unexpected { _ = try get(200, String(decoding: [0xFF, 0xFE, 0x7B, 0x00] as [UInt8], as: UTF8.self)) }?.kind == .notJSONAPI)
    }

    @Test("A document that does not fit the model is a decoding error")
    func decodingErrors() {
        #expect(throws: DecodingError.self) { try get(200, #"{"data":{"type":"people","id":"9"}}"#) }
        #expect(throws: DecodingError.self) { try get(200, #"{"meta":{}}"#) }
        #expect(throws: DecodingError.self) { try get(200, #"{"data":"#) }
        #expect(throws: DecodingError.self) { try get(200, #"{"data":null}"#) }
    }

    @Test("The response to a creation is a resource, empty, or accepted")
    func creation() throws {
        let request = try people.create(Blog.Person(id: "", name: "Ann"))
        let made = try request.answer(status: 201, headers: ["LOCATION": "/people/9", "etag": #"W/"1""#], body: Data(Self.person.utf8))
        #expect(made.data?.id == "9" && made.location == "/people/9" && !made.isAccepted)
        #expect(EntityTag(headers: made.headers) == EntityTag("1", isWeak: true))
        let asSent = try request.answer(status: 204, body: nil)
        #expect(asSent.data == nil && asSent.document == nil && !asSent.isAccepted)
        let meta = try request.answer(status: 201, body: Data(#"{"meta":{"n":1}}"#.utf8))
        #expect(meta.data == nil && meta.meta?["n"] == 1)
        let job = #"{"data":{"type":"jobs","id":"5","attributes":{"name":"q"}},"meta":{"n":2}}"#
        let accepted = try request.answer(status: 202, headers: ["content-location": "/jobs/5"], body: Data(job.utf8))
        #expect(accepted.isAccepted && accepted.data == nil && accepted.contentLocation == "/jobs/5" && accepted.meta?["n"] == 2)
        #expect(try accepted.document(as: ResourceObject.self)?.data.type == "jobs")
        #expect(try request.answer(status: 202, body: nil).isAccepted)
        #expect(unexpected { _ = try request.answer(status: 200, body: Data("OK".utf8)) }?.kind == .notJSONAPI)
        #expect(throws: DecodingError.self) { _ = try request.answer(status: 201, body: Data(job.utf8)) }
    }

    @Test("The response to a change is rewritten, and has all problems, like any other document")
    func optionsOfChanges() throws {
        struct Shop: Resource {
            static let type = "shops"
            var id: String
            var name: String?
            var stars: Int
        }
        func answer(_ data: String, _ decoder: JSONAPIDecoder) throws -> Shop? {
            let shops = Endpoint<Shop>("https://example.com/shops", decoder: decoder)
            let answer = try shops.update(Patch<Shop>(id: "1").set("name", "A"))
                .answer(status: 200, body: Data(#"{"data":\#(data)}"#.utf8))
            return answer.data
        }
        var rewriting = JSONAPIDecoder()
        rewriting.leniencies = [.missingTypes]
        rewriting.rewriters["shops"] = Rewriter(unreferenced: .keep) {
            Rule("name", from: "title").optional
            Rule("stars", from: "stars").ifMissing { _, _ in 3 }
        }
        let unnamed = try answer(#"{"id":"1","attributes":{"title":"A"}}"#, rewriting)
        #expect(unnamed?.name == "A" && unnamed?.stars == 3)
        #expect(try answer(#"{"type":"shops","id":"1"}"#, rewriting)?.stars == 3)
        var collecting = JSONAPIDecoder()
        collecting.problems = .all
        let error = #expect(throws: DecodingError.self) {
            try answer(#"{"type":"shops","id":"1","attributes":{"name":1,"stars":"x"}}"#, collecting)
        }
        #expect(error?.failures.count == 2)
    }

    @Test("Responses to updates, deletions, and relationships can be empty")
    func changes() throws {
        let update = try people.update(Patch<Blog.Person>(id: "9").set("name", "Bea"))
        #expect(try update.answer(status: 200, body: Data(Self.person.utf8)).data?.name == "Ann")
        #expect(try update.answer(status: 200, body: Data(#"{"meta":{}}"#.utf8)).data == nil)
        #expect(try update.answer(status: 204, body: Data()).data == nil)
        let delete = try people.delete("9")
        #expect(try delete.answer(status: 200, body: Data(#"{"meta":{"left":3}}"#.utf8)).document?.meta?["left"] == 3)
        #expect(try delete.answer(status: 204, body: nil).document == nil)
        #expect(try delete.answer(status: 202, body: nil).isAccepted)
        #expect(try delete.answer(status: 200, body: nil).meta == nil)

        let friend = ResourceIdentifier(type: "people", id: "3")
        let add = try people.add([friend], to: "friends", of: "9")
        let linkage = #"{"data":[{"type":"people","id":"3","meta":{"since":2020}}],"links":{"self":"/x"}}"#
        let added = try add.answer(status: 200, body: Data(linkage.utf8))
        #expect(added.data?.first?.meta?["since"] == 2020 && added.document?.links.`self`?.href == "/x")
        #expect(try add.answer(status: 204, body: nil).data == nil)
        let one = try people.replace("boss", of: "9", with: nil).answer(status: 200, body: Data(#"{"data":null}"#.utf8))
        #expect(one.document != nil && one.data == .some(nil))
    }

    @Test(
        "A success whose text names no resource is complete",
        arguments: [
            (200, "\n"), (200, "null"), (200, " {} "), (200, #"{"data":null}"#), (200, #"{"links":{"self":"/x"},"jsonapi":{}}"#),
            (200, #"{"data":null,"@trace":1}"#), (200, #"{"@trace":{"id":"x"}}"#), (204, "<p>"), (205, AnswerTests.person), (202, "{}"),
        ])
    func successWithoutResource(status: Int, text: String) throws {
        let body = Data(text.utf8)
        let update = try people.update(Patch<Blog.Person>(id: "9").set("name", "Bea")).answer(status: status, body: body)
        #expect(update.data == nil && update.document == nil && update.isAccepted == (status == 202))
        #expect(try people.create(Blog.Person(id: "", name: "Ann")).answer(status: status, body: body).data == nil)
        #expect(try people.delete("9").answer(status: status, body: body).status == status)
        let friend = ResourceIdentifier(type: "people", id: "3")
        #expect(try people.add([friend], to: "friends", of: "9").answer(status: status, body: body).data == nil)
        var operations = AtomicOperations()
        operations.remove(friend)
        let answer = try JSONAPIServer("https://example.com").send(operations, to: "/operations").answer(status: status, body: body)
        #expect(answer.results == nil && answer.isAccepted == (status == 202))
        // What was asked for must be there.
        #expect(throws: (any Error).self) { try get(status, text) }
    }

    @Test("Null is no empty list in the response to a change, in any mode", arguments: [JSONAPIDecoder.Mode.standard, .lenient])
    func nullForACollection(mode: JSONAPIDecoder.Mode) throws {
        let people = Endpoint<Blog.Person>("https://example.com/people", decoder: JSONAPIDecoder(mode: mode))
        let request = try people.add([ResourceIdentifier(type: "tags", id: "3")], to: "tags", of: "1")
        let answer = try request.answer(status: 200, body: Data(#"{"data":null,"meta":{"a":1}}"#.utf8))
        #expect(answer.document == nil && answer.meta?["a"] == 1)
        #expect(try request.answer(status: 200, body: Data(#"{"data":[]}"#.utf8)).data?.isEmpty == true)
        let cleared = try people.replace("boss", of: "1", with: nil).answer(status: 200, body: Data(#"{"data":null}"#.utf8))
        #expect(cleared.document != nil)
    }

    @Test("Members beside null data are ignored as the mode ignores them, but not errors or results")
    func nullBesideOtherMembers() throws {
        let person = #"{"type":"people","id":"3","attributes":{"name":"Bea"}}"#
        func isDone(_ body: String, _ mode: JSONAPIDecoder.Mode = .standard) throws -> Bool {
            let (decoder, body) = (JSONAPIDecoder(mode: mode), Data(body.utf8))
            let people = Endpoint<Blog.Person>("https://example.com/people", decoder: decoder)
            let update = try people.update(Patch<Blog.Person>(id: "9").set("name", "Bea")).answer(status: 200, body: body)
            let added = try people.add([ResourceIdentifier(type: "tags", id: "3")], to: "tags", of: "1").answer(status: 200, body: body)
            return update.document == nil && added.document == nil
        }
        for members in [#""status":"ok""#, #""included":[]"#, #""included":[\#(person)]"#, #""meta":{"a":1},"x:y":2"#] {
            #expect(try isDone(#"{"data":null,\#(members)}"#) && isDone(#"{"data":null,\#(members)}"#, .lenient))
        }
        #expect(try isDone(#"{"data":null,"errors":[]}"#, .lenient))
        #expect(throws: DecodingError.self) { try isDone(#"{"data":null,"status":"ok"}"#, .strict) }
        #expect(throws: DecodingError.self) { try isDone(#"{"data":null,"included":7}"#) }
        for mode in [JSONAPIDecoder.Mode.standard, .lenient] {
            #expect(throws: ErrorDocument.self) { try isDone(#"{"data":null,"status":"ok","errors":["no"]}"#, mode) }
        }
        var operations = AtomicOperations()
        operations.remove(ResourceIdentifier(type: "people", id: "9"))
        let atomic = try JSONAPIServer("https://example.com").send(operations, to: "/operations")
        #expect(try atomic.answer(status: 200, body: Data(#"{"data":null,"status":"ok"}"#.utf8)).results == nil)
        let results = Data(#"{"data":null,"atomic:results":[{},{}]}"#.utf8)
        #expect(throws: (any Error).self) { try atomic.answer(status: 200, body: results) }
    }

    @Test("A success without a resource keeps its meta, and another text is an error")
    func successWithOtherText() throws {
        let update = try people.update(Patch<Blog.Person>(id: "9").set("name", "Bea"))
        #expect(try update.answer(status: 200, body: Data(#"{"data":null,"meta":{"n":1}}"#.utf8)).meta?["n"] == 1)
        for text in ["<html>", #"{"detail":"x"}"#, "[]", "OK"] {
            #expect(unexpected { _ = try update.answer(status: 200, body: Data(text.utf8)) }?.kind == .notJSONAPI)
        }
    }

    @Test("An accepted request for operations has no results, and its document is read")
    func acceptedOperations() throws {
        var operations = AtomicOperations()
        operations.remove(ResourceIdentifier(type: "people", id: "9"))
        let request = try JSONAPIServer("https://example.com").send(operations, to: "/operations")
        #expect(try request.answer(status: 202, body: nil).isAccepted)
        let accepted = try request.answer(status: 202, body: Data(#"{"meta":{"n":1}}"#.utf8))
        #expect(accepted.isAccepted && accepted.results == nil)
        #expect(throws: ErrorDocument.self) { try request.answer(status: 202, body: Data(#"{"errors":[{"title":"t"}]}"#.utf8)) }
        #expect(throws: DecodingError.self) { try request.answer(status: 202, body: Data("{".utf8)) }
        #expect(unexpected { _ = try request.answer(status: 200, body: Data(#"{"detail":"x"}"#.utf8)) }?.kind == .notJSONAPI)
    }

    @Test(
        "The errors of an accepted request are thrown in lenient mode, too", arguments: ["null", #"{"type":"jobs","id":"7"}"#])
    func acceptedWithErrors(data: String) throws {
        let decoder = JSONAPIDecoder(mode: .lenient)
        let people = Endpoint<Blog.Person>("https://example.com/people", decoder: decoder)
        var operations = AtomicOperations()
        operations.remove(ResourceIdentifier(type: "people", id: "9"))
        let atomic = try JSONAPIRequest.atomic(operations, at: "https://example.com/operations", decoder: decoder)
        let create = try people.create(Blog.Person(id: "", name: "Ann"))
        let (replace, delete) = (try people.replace("boss", of: "9", with: nil), try people.delete("9"))
        let requests: [(Data) throws -> Bool] = [
            { try create.answer(status: 202, body: $0).isAccepted }, { try replace.answer(status: 202, body: $0).isAccepted },
            { try delete.answer(status: 202, body: $0).isAccepted }, { try atomic.answer(status: 202, body: $0).isAccepted },
        ]
        for answer in requests {
            let thrown = #expect(throws: ErrorDocument.self) { try answer(Data(#"{"data":\#(data),"errors":[{"title":"t"}]}"#.utf8)) }
            #expect(thrown?.errors.first?.title == "t" && thrown?.httpStatus == 202)
            for errors in ["null", "[]"] { #expect(try answer(Data(#"{"data":\#(data),"errors":\#(errors)}"#.utf8))) }
        }
    }

    @Test("Headers can be pairs")
    func pairs() throws {
        let fields = [(name: "ETag", value: #""a""#), (name: "Vary", value: "Accept"), (name: "vary", value: "Origin")]
        let answer = try people.delete("9").answer(status: 204, headers: fields, body: nil)
        #expect(answer.headers == ["ETag": #""a""#, "Vary": "Accept, Origin"])
    }

    @Test("Fieldsets of the query are known to a strict decoder")
    func fieldsets() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
        }
        let posts = Endpoint<Post>("https://example.com/posts", decoder: JSONAPIDecoder(mode: .strict))
        let text = #"{"data":{"type":"posts","id":"1"},"included":[{"type":"people","id":"9"}]}"#
        #expect(throws: DecodingError.self) { try posts.get("1").answer(status: 200, body: Data(text.utf8)) }
        let query = Query(fields: ["posts": ["title"]])
        #expect(try posts.get("1", query).answer(status: 200, body: Data(text.utf8)).data.id == "1")
    }

    @Test("Fieldsets of the address are known to a strict decoder that reads the response to a change")
    func fieldsetsOfTheAddress() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
        }
        let (decoder, fields) = (JSONAPIDecoder(mode: .strict), "fields%5Bposts%5D=title")
        let text = Data(#"{"data":{"type":"posts","id":"1"},"included":[{"type":"people","id":"9"}]}"#.utf8)
        let create = Create(Post(id: ""))
        #expect(throws: DecodingError.self) {
            try Endpoint<Post>("https://example.com/posts", decoder: decoder).create(create).answer(status: 201, body: text)
        }
        let posts = Endpoint<Post>("https://example.com/posts?\(fields)", decoder: decoder)
        #expect(try posts.create(create).answer(status: 201, body: text).data?.id == "1")
        #expect(try posts.delete("1").answer(status: 202, body: text).document(as: Post.self)?.data.id == "1")
        let sent: JSONAPIRequest<ChangeAnswer<Post>> = try JSONAPIServer("https://example.com?\(fields)", decoder: decoder)
            .send(.post, "/posts", body: create)
        #expect(try sent.answer(status: 201, body: text).data?.id == "1")
        let bare: JSONAPIRequest<ChangeAnswer<Post>> = try JSONAPIServer("https://example.com", decoder: decoder)
            .send(.post, "/posts/1/copy?\(fields)")
        #expect(try bare.answer(status: 200, body: text).data?.id == "1")
    }

    @Test("A response is mapped to another value")
    func mapping() throws {
        let names = try people.list().map { $0.data.map(\.name) }
        let text = #"{"data":[{"type":"people","id":"9","attributes":{"name":"Ann"}}]}"#
        #expect(try names.answer(status: 200, body: Data(text.utf8)) == ["Ann"])
    }
}

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

#if canImport(FoundationNetworking) || canImport(Darwin)
    @Suite("Requests of URLSession")
    struct URLRequestTests {
        @Test("A request and its response")
        func both() throws {
            let people = Endpoint<Blog.Person>("https://example.com/people")
            let request = try people.create(Blog.Person(id: "", name: "Ann"))
            let made = URLRequest(request)
            #expect(made.httpMethod == "POST" && made.url == request.url && made.httpBody == request.body)
            #expect(made.value(forHTTPHeaderField: "Content-Type") == "application/vnd.api+json")
            let response = try #require(
                HTTPURLResponse(url: request.url, statusCode: 201, httpVersion: nil, headerFields: ["Location": "/people/9"]))
            let answer = try request.answer(Data(AnswerTests.person.utf8), response)
            #expect(answer.data?.id == "9" && answer.location == "/people/9")
            let other = URLResponse(url: request.url, mimeType: nil, expectedContentLength: 0, textEncodingName: nil)
            #expect(throws: UnexpectedAnswer.self) { try request.answer(Data(), other) }
        }
    }
#endif

import Foundation
import JSONAPICodec
import JSONAPIHTTP
import JSONAPITesting
import JSONText
import Testing

@Suite("Testing helpers")
struct TestingKitTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
    }

    enum State: String, Codable { case open, closed }

    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var words: Int
        var isDraft: Bool
        var at: Date
        var site: URL
        var tags: [String]
        var size: [String: Double]
        var state: State
        var subtitle: String?
        var author: ToOne<Person>
        var reviewers: ToMany<Person>
    }

    static let article = Article(
        id: "1", title: "Clocks", words: 10, isDraft: true, at: Date(timeIntervalSince1970: 1_760_000_000),
        site: URL(fileURLWithPath: "/a"), tags: ["a"], size: ["x": 1.5], state: .open, subtitle: nil, author: ToOne(id: "9"),
        reviewers: ToMany(ids: ["9"]))

    @Test("A diff has resource, place, and both values, and is empty for equal documents")
    func difference() throws {
        let old = Data(#"{"data": {"type": "articles", "id": "1", "attributes": {"title": "Clocks", "n": 1.0}}}"#.utf8)
        let new = Data(#"{"data": {"attributes": {"n": 1, "title": "Watches"}, "id": "1", "type": "articles"}, "meta": {"a": 1}}"#.utf8)
        #expect(try DocumentDiff(old, old).isEmpty)
        let diff = try DocumentDiff(old, new)
        #expect(diff.changes.count == 2)
        #expect(diff.description == "/meta/a: + 1\narticles 1 /attributes/title: \"Clocks\" → \"Watches\"")
        let change = try #require(diff.changes.last)
        #expect(change.resource == ResourceIdentifier(type: "articles", id: "1") && change.pointer == JSONPointer("attributes", "title"))
        #expect(change.old == "Clocks" && change.new == "Watches")
    }

    @Test("A diff has added and removed resources, linkage, and order")
    func resources() throws {
        let old = Data(
            #"{"data": [{"type": "a", "id": "1", "relationships": {"r": {"data": [{"type": "b", "id": "1"}]}}}, {"type": "a", "id": "2"}]}"#
                .utf8)
        let new = Data(
            #"{"data": [{"type": "a", "id": "2"}, {"type": "a", "id": "1", "relationships": {"r": {"data": [{"type": "b", "id": "2"}]}}}, {"type": "a", "id": "3"}]}"#
                .utf8)
        let lines = try DocumentDiff(old, new).description.split(separator: "\n")
        #expect(
            lines == [
                "/data: other order", #"a 1 /relationships/r/data: [{"type":"b","id":"1"}] → [{"type":"b","id":"2"}]"#,
                #"a 3: + {"type":"a","id":"3"}"#,
            ])
        #expect(try DocumentDiff(old, new, countsOrder: false).changes.count == 2)
        #expect(throws: DecodingError.self) { try DocumentDiff(old, Data("[".utf8)) }
    }

    @Test("A diff of a resource without id and lid invents none")
    func withoutIdentity() throws {
        func document(_ x: Int) -> Data { Data(#"{"data":{"type":"a","attributes":{"x":\#(x)}}}"#.utf8) }
        let diff = try DocumentDiff(document(1), document(2))
        #expect(diff.description == "a without id /attributes/x: 1 → 2")
        let resource = try #require(diff.changes.first?.resource)
        #expect(resource.type == "a" && resource.id == nil && resource.lid == nil)
    }

    @Test("expectValid accepts a valid body, and throws all broken rules")
    func validity() throws {
        try expectValid(JSONAPIEncoder().encode(Create(Self.article)), as: .create)
        do {
            try expectValid(Data(#"{"data": {"attributes": {}}}"#.utf8), as: .update)
            Issue.record("nothing was thrown")
        } catch {
            #expect("\(error)".contains("crud/updating"), "\(error)")
        }
    }

    @Test("ModelVariation changes each field separately")
    func variations() throws {
        let all = try ModelVariation.all(of: Self.article)
        #expect(all.map(\.field) == ["title", "words", "isDraft", "at", "site", "tags", "size", "author", "reviewers"])
        for variation in all {
            let patch = Patch(from: Self.article, to: variation.value)
            let object = try patch.object()
            let names = (object.attributes ?? [:]).map(\.name) + (object.relationships?.members ?? [:]).map(\.name)
            #expect(names == [variation.field])
        }
    }

    struct Review: Resource {
        static let type = "reviews"
        var id: String
        var text: String
        var author: Person
        var readers: [Person]
        var editor: Person?
        var article: ToOne<Article>
    }

    @Test("ModelVariation changes each field of a model that embeds resources", arguments: [JSONAPIDecoder.Mode.standard, .strict])
    func embeddingVariations(mode: JSONAPIDecoder.Mode) throws {
        let review = Review(
            id: "1", text: "Good", author: Person(id: "9", name: "Ann"),
            readers: [Person(id: "8", name: "Bob"), Person(id: "9", name: "Ann")], editor: Person(id: "7", name: "Cem"),
            article: ToOne(id: "5"))
        let all = try ModelVariation.all(of: review, decoder: JSONAPIDecoder(mode: mode))
        #expect(all.map(\.field) == ["text", "author", "readers", "editor", "article"])
        for variation in all {
            let object = try Patch(from: review, to: variation.value).object()
            let names = (object.attributes ?? [:]).map(\.name) + (object.relationships?.members ?? [:]).map(\.name)
            #expect(names == [variation.field])
            #expect(variation.value.author.name == "Ann" && variation.value.editor?.name == "Cem")
        }
        #expect(all.first { $0.field == "author" }?.value.author.id == "91")
        #expect(all.first { $0.field == "readers" }?.value.readers.map(\.name) == ["Bob"])
    }

    @Test("ModelVariation throws for a model that cannot be read again")
    func unreadableVariations() {
        struct Broken: Resource {
            static let type = "broken"
            var id = "1"
            var title = "T"
            enum CodingKeys: String, CodingKey { case id, title, name }
            init() {}
            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                id = try values.decode(String.self, forKey: .id)
                title = try values.decode(String.self, forKey: .name)
            }
            func encode(to encoder: any Encoder) throws {
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(id, forKey: .id)
                try values.encode(title, forKey: .title)
            }
        }
        #expect(throws: DecodingError.self) { try ModelVariation.all(of: Broken()) }
    }

    @Test("A recorded server returns recorded responses, or describes the request")
    func recorded() throws {
        let articles = Endpoint<Person>("https://example.com/people")
        let create = try articles.create(Person(id: "", name: "Ann"))
        let exchanges = [
            RecordedExchange(
                .get, "/people/1?include=x%2Cy", status: 200,
                received: ["data": ["type": "people", "id": "1", "attributes": ["name": "Ann"]]]),
            try RecordedExchange(create, JSONAPIResponse(status: 204)),
        ]
        let server = try RecordedServer(JSONEncoder().encode(exchanges))
        #expect(server.exchanges == exchanges)
        let get = try articles.get("1", Query(include: ["x", "y"]))
        #expect(RecordedExchange(.get, "/people/1?include=x%2Cy", status: 200).address == exchanges[0].address)
        let known = RecordedServer([RecordedExchange(.get, get.url.relativePath + "?" + (get.url.query ?? ""), status: 404)])
        #expect(throws: UnexpectedAnswer.self) { try known.answer(get) }
        #expect(try server.answer(create).status == 204)
        do {
            _ = try server.answer(articles.create(Person(id: "", name: "Bob")))
            Issue.record("nothing was thrown")
        } catch let error as UnrecordedRequest {
            #expect(error.description.contains("POST /people with this document: expected") && error.description.contains("Bob"))
        }
        let unrecorded = #expect(throws: UnrecordedRequest.self) { try server.answer(articles.get("2")) }
        #expect(unrecorded?.localizedDescription == unrecorded?.description)
    }

    @Test("A recording keeps every digit of the numbers in its documents, and can be read by people")
    func recordedNumbers() throws {
        let document = #"{"data":{"type":"people","id":"1","attributes":{"name":"Ann","sum":12345678901234567.89,"rate":1.50}}}"#
        let request = try Endpoint<Person>("https://example.com/people").get("1")
        let exchange = try RecordedExchange(request, JSONAPIResponse(status: 200, body: Data(document.utf8)))
        let recording = try JSONWriter(style: .indented(spaces: 2)).write(JSON(encoding: [exchange]))
        let server = try RecordedServer(Data(recording))
        #expect(String(decoding: recording, as: UTF8.self).contains(#""sum": 12345678901234567.89"#))
        #expect(try server.response(to: request).body == Data(document.utf8))
    }

    @Test("A recording that is not JSON, or has no exchanges, is an error")
    func unreadableRecordings() {
        #expect(throws: JSONSyntaxError.self) { try RecordedServer(Data("[".utf8)) }
        #expect(throws: DecodingError.self) { try RecordedServer(Data(#"[{"method":"GET"}]"#.utf8)) }
    }

    @Test("A recorded response has no document where a client reads none", arguments: [(404, " \n"), (200, ""), (204, "<p>"), (205, "{}")])
    func recordedEmptiness(status: Int, body: String) throws {
        let request = try Endpoint<Person>("https://example.com/people").delete("1")
        let exchange = try RecordedExchange(request, JSONAPIResponse(status: status, body: Data(body.utf8)))
        #expect(exchange.status == status && exchange.received == nil)
        #expect(try RecordedServer([exchange]).response(to: request).body == nil)
    }

    @Test("A recorded response has no cookies")
    func recordedHeaders() throws {
        let request = try Endpoint<Person>("https://example.com/people").get("1")
        let response = JSONAPIResponse(
            status: 200, headers: ["Set-Cookie": "s=SECRET", "ETag": "x", "www-authenticate": "Basic"], body: Data(#"{"data":null}"#.utf8))
        #expect(try RecordedExchange(request, response).headers == ["ETag": "x"])
    }
}

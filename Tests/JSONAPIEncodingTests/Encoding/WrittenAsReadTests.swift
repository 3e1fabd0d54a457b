import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@Suite("What was read is written as it was read")
struct WrittenAsReadTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var friends: [Person]?
    }
    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person> = .notLoaded
        var buddy: ToOne<Person> = .notLoaded
        var first: ToOne<Thing> = .notLoaded
    }
    private struct Thing: Resource {
        static let type = "things"
        var id: String
        var owner: ToOne<Person> = .notLoaded
    }

    private func read<Value: Decodable & PrimaryValue>(_ type: Value.Type, _ text: String) throws -> Document<Value> {
        try JSONAPIDecoder().decode(Document<Value>.self, from: Data(text.utf8))
    }

    private func identities(_ data: Data) throws -> [String] {
        try JSON(parsing: data)["included"]?.array?.map { "\($0["type"]?.string ?? "") \($0["id"]?.string ?? "")" } ?? []
    }

    @Test("Unlinked included resources stay when a reference from another document was added")
    func anotherDocument() throws {
        var first = try read([Article].self, #"{"data":[{"type":"articles","id":"1"}],"included":[{"type":"people","id":"7"}]}"#)
        let second = try read(
            [Article].self,
            #"""
            {"data":[{"type":"articles","id":"2","relationships":{"author":{"data":{"type":"people","id":"9"}}}}],
             "included":[{"type":"people","id":"9"}]}
            """#)
        first.data[0].author = second.data[0].author
        #expect(try identities(JSONAPIEncoder().encode(first)).sorted() == ["people 7", "people 9"])
    }

    @Test("Unlinked included resources stay when a primary resource is removed to which another one refers")
    func removedPrimary() throws {
        var document = try read(
            [ResourceObject].self,
            #"""
            {"data":[{"type":"articles","id":"1"},
               {"type":"articles","id":"2","relationships":{"related":{"data":{"type":"articles","id":"1"}}}}],
             "included":[{"type":"people","id":"7"}]}
            """#)
        document.data.removeFirst()
        #expect(try identities(JSONAPIEncoder().encode(document)).contains("people 7"))
    }

    @Test("Of relationships with one name, each is written as it was")
    func repeatedLinkage() throws {
        let text = #"{"data":{"type":"a","id":"1","relationships":{"b":{"data":{"type":"b","id":2}},"b":{"data":null}}}}"#
        let document = try JSONAPIDecoder(mode: .lenient).decode(Document<ResourceObject>.self, from: Data(text.utf8))
        let written = String(decoding: try JSONAPIEncoder().encode(document), as: UTF8.self)
        #expect(written == text.replacingOccurrences(of: #""id":2"#, with: #""id":"2""#))
    }

    @Test(
        "A relationship document keeps its included resources, whatever other members its identifiers have",
        arguments: [#""@n":1"#, #""audit:by":1"#, #""href":"/people/1""#, #""meta":{"n":1},"@n":1"#])
    func relationshipDocument(member: String) throws {
        let identifier = #"{"type":"people","id":"1",\#(member)}"#
        let included = #""included":[{"type":"people","id":"1","attributes":{"name":"A"}}]"#
        let one = #"{"data":\#(identifier),\#(included)}"#
        let many = #"{"data":[\#(identifier),{"type":"people","id":"2"}],\#(included)}"#
        let encoder = JSONAPIEncoder()
        #expect(try String(decoding: encoder.encode(read(ResourceObject.self, one)), as: UTF8.self) == one)
        #expect(try String(decoding: encoder.encode(read(ResourceObject?.self, one)), as: UTF8.self) == one)
        #expect(try String(decoding: encoder.encode(read([ResourceObject].self, many)), as: UTF8.self) == many)
    }

    @Test("A relationship document keeps its included resources when null is in place of the attributes of an identifier")
    func relationshipDocumentWithNull() throws {
        let text = #"""
            {"data":{"type":"people","id":"1","attributes":null},"included":[{"type":"people","id":"1","attributes":{"name":"A"}}]}
            """#
        let document = try JSONAPIDecoder(mode: .lenient).decode(Document<ResourceObject>.self, from: Data(text.utf8))
        #expect(try identities(JSONAPIEncoder().encode(document)) == ["people 1"])
    }

    @Test("A document of errors keeps @-members and members of extensions of its top level, also when its errors change")
    func errors() throws {
        let text = Data(#"{"errors":[{"title":"T"}],"meta":{"m":1},"@x":1,"audit:by":{"n":2},"unknown":3}"#.utf8)
        let error = try #require(throws: ErrorDocument.self) { try JSONAPIDecoder().decode(Person.self, from: text) }
        var edited = error
        edited.errors.append(ErrorObject(title: "U"))
        #expect(
            try String(decoding: JSONAPIEncoder().encode(edited), as: UTF8.self)
                == #"{"errors":[{"title":"T"},{"title":"U"}],"meta":{"m":1},"@x":1,"audit:by":{"n":2}}"#)
    }

    @Test("A value that is found after a resource was written as read takes its place")
    func foundLate() throws {
        var document = try read(
            Article.self,
            #"""
            {"data":{"type":"articles","id":"1","relationships":{
               "author":{"data":{"type":"people","id":"1"}},"buddy":{"data":{"type":"people","id":"9"}},
               "first":{"data":{"type":"things","id":"1"}}}},
             "included":[{"type":"people","id":"1"},{"type":"people","id":"9"},
               {"type":"things","id":"1","relationships":{"owner":{"data":{"type":"people","id":"1"}}}}]}
            """#)
        document.data.author = ToOne(Person(id: "1", friends: [Person(id: "9", friends: [])]))
        let paths: IncludePaths = ["author", "buddy", "first.owner.friends"]
        for data in [
            try JSONAPIEncoder().encode(document, include: paths), try JSONAPIEncoder().encode(document.data, include: paths),
        ] {
            #expect(try identities(data).sorted() == ["people 1", "people 9", "things 1"])
            let nine = try JSON(parsing: data)["included"]?.array?.first { $0["id"] == "9" }
            #expect(nine?["relationships"]?["friends"]?["data"] == [], "the value of the program")
        }
    }

    @Test("An included resource without an id is written again")
    func withoutID() throws {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = [.missingIDs]
        let text = #"{"data":[],"included":[{"type":"logs","attributes":{"x":1}},{"type":"logs","attributes":{"x":1}}]}"#
        let document = try decoder.decode(Document<[ResourceObject]>.self, from: Data(text.utf8))
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == (try JSON(parsing: text)))
    }

    @Test("Linkage with integer ids is written with texts, like the resources")
    func integerIDs() throws {
        let decoder = JSONAPIDecoder(mode: .lenient)
        let resource = #"{"type":"a","id":1,"relationships":{"b":{"data":{"type":"b","id":2}},"c":{"data":[{"type":"b","id":2}]}}}"#
        let related = #"{"type":"b","id":2,"relationships":{"a":{"meta":{"n":1},"data":{"type":"a","id":1}}}}"#
        let text = #"{"data":[\#(resource)],"included":[\#(related)]}"#
        let expected = ["1", "2"].reduce(text) { $0.replacingOccurrences(of: "\"id\":\($1)", with: "\"id\":\"\($1)\"") }
        let document = try decoder.decode(Document<[ResourceObject]>.self, from: Data(text.utf8))
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == (try JSON(parsing: expected)))
    }

    private struct Knot: Resource {
        static let type = "knots"
        var id: String
        var next: ToOne<Knot>
    }

    @Test("A decoder that accepts integer ids keeps the relationships of resources that have none")
    func textIDsWithTheLeniency() throws {
        func knot(_ id: String, _ next: String) -> String {
            #"{"type":"knots","id":"\#(id)","relationships":{"next":{"data":{"type":"knots","id":"\#(next)"},"meta":{"n":1}}}}"#
        }
        let text = #"{"data":\#(knot("1", "2")),"included":[\#(knot("2", "3")),\#(knot("3", "1"))]}"#
        let document = try JSONAPIDecoder(mode: .lenient).decode(Document<Knot>.self, from: Data(text.utf8))
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == JSON(parsing: text))
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document.data)) == JSON(parsing: text))
    }

    private struct Rest: Resource {
        static let type = "rests"
        var id: String
        var b: Int?
        var rest: RemainingMembers
        enum CodingKeys: String, CodingKey { case id, b = "attributes.b", rest = "attributes" }
    }

    @Test("Of remaining members with one name, the last is written, as it is read")
    func repeatedNames() throws {
        let rest = try JSONAPIDecoder().decode(
            Rest.self, from: Data(#"{"data":{"type":"rests","id":"1","attributes":{"a":1,"b":3,"a":2}}}"#.utf8))
        #expect(rest.rest.members["a"] == 2)
        let written = try JSON(parsing: JSONAPIEncoder().encode(rest))
        #expect(written["data"]?["attributes"] == ["b": 3, "a": 2] || written["data"]?["attributes"] == ["a": 2, "b": 3])
    }

    private struct Post: Resource {
        static let type = "posts"
        var id: String
        var author: ToOne<Person>
        var authorLinks: Links?
        var own: String?
        enum CodingKeys: String, CodingKey { case id, author, authorLinks = "relationships.author.links", own = "links.self" }
    }

    @Test("A key for the links of a relationship writes what the relationship itself writes")
    func linksByPath() throws {
        let text = #"""
            {"data":{"type":"posts","id":"1","relationships":{"author":{"data":null,"links":{"related":"/a"}}},"links":{"self":"/p"}}}
            """#
        let post = try JSONAPIDecoder().decode(Post.self, from: Data(text.utf8))
        #expect(try JSON(parsing: JSONAPIEncoder().encode(post)) == (try JSON(parsing: text)))
        var other = post
        other.authorLinks = ["related": "/b"]
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(other) }?.kind == .duplicateName)
        var encoder = JSONAPIEncoder()
        encoder.linkMaker = { _, relationship in relationship == nil ? ["self": "/made", "edit": "/edit"] : nil }
        let made = try JSON(parsing: encoder.encode(post))
        #expect(made["data"]?["links"] == ["self": "/p", "edit": "/edit"])
    }

    private struct Node: Resource {
        static let type = "nodes"
        var id: String
        var next: ToOne<Node>
    }

    @Test("A long include path around a circle is an error instead of a long computation")
    func circles() throws {
        let nodes = (0..<50).map { number in
            #"{"type":"nodes","id":"\#(number)","relationships":{"next":{"data":{"type":"nodes","id":"\#((number + 1) % 50)"}}}}"#
        }
        let ring = try JSONAPIDecoder().decode([Node].self, from: Data(#"{"data":[\#(nodes.joined(separator: ","))]}"#.utf8))
        func path(_ count: Int) -> IncludePaths { .paths([Array(repeating: "next", count: count).joined(separator: ".")]) }
        #expect(throws: Never.self) { try JSONAPIEncoder().encode(ring, include: path(20)) }
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(ring[0], include: path(20_000)) }?.kind == .includeLimit)
    }

    @Test("A long include path through resources with much linkage is an error instead of a long computation")
    func denseCircles() throws {
        struct Person: Resource {
            static let type = "people"
            var id: String
            var friends: ToMany<Person>
        }
        let ids = (0..<30).map { "\($0)" + String(repeating: "0", count: 2000) }
        let friends = ids.map { #"{"type":"people","id":"\#($0)"}"# }.joined(separator: ",")
        let people = ids.map { #"{"type":"people","id":"\#($0)","relationships":{"friends":{"data":[\#(friends)]}}}"# }
        let all = try JSONAPIDecoder().decode([Person].self, from: Data(#"{"data":[\#(people.joined(separator: ","))]}"#.utf8))
        func path(_ count: Int) -> IncludePaths { .paths([Array(repeating: "friends", count: count).joined(separator: ".")]) }
        #expect(throws: Never.self) { try JSONAPIEncoder().encode(all[0], include: path(5)) }
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(all[0], include: path(100)) }?.kind == .includeLimit)
    }
}

import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Relationships in which a cycle of embedded values was cut")
struct CutRelationshipTests {
    private struct Author: Resource {
        static let type = "people"
        var id: String
        var name: String
        var essays: [Essay]?
    }

    private struct Essay: Resource {
        static let type = "essays"
        var id: String
        var author: Author?
    }

    private let text = #"""
        {"data":{"type":"essays","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}},
         "included":[
          {"type":"people","id":"9","attributes":{"name":"M"},"relationships":{"essays":{"links":{"related":"/e"},
           "data":[{"type":"essays","id":"1"},{"type":"essays","id":"2"}]}}},
          {"type":"essays","id":"2","attributes":{"extra":1},"relationships":{"author":{"data":{"type":"people","id":"9"}}}}]}
        """#

    private func decoded() throws -> Document<Essay> { try JSONAPIDecoder().decode(Document<Essay>.self, from: Data(text.utf8)) }

    private func encoded(_ document: Document<Essay>) throws -> JSON { try JSON(parsing: JSONAPIEncoder().encode(document)) }

    @Test("An unchanged document keeps them, and what they lead to")
    func unchanged() throws {
        #expect(try encoded(decoded()) == JSON(parsing: Data(text.utf8)))
    }

    @Test("A changed value keeps them, and a relationship that the program sets replaces them")
    func changed() throws {
        var document = try decoded()
        #expect(document.data.author?.essays == nil)
        document.data.author?.name = "N"
        let kept = try encoded(document)["included"]?[0]
        #expect(kept?["attributes"] == ["name": "N"] && kept?["relationships"]?["essays"]?["data"]?.array?.count == 2)
        document.data.author?.essays = []
        #expect(try encoded(document)["included"]?[0]?["relationships"]?["essays"]?["data"] == [])
    }

    @Test("They are written once, also after more names than an encoder remembers")
    func manyNames() throws {
        struct Shop: Resource {
            static let type = "shops"
            var id: String
            var prices: [Int: Int]
            var books: [Book]?
            var others: [Book]?
        }
        struct Book: Resource {
            static let type = "books"
            var id: String
            var shop: Shop?
        }
        let prices = (0..<5000).map { #""\#($0)":1"# }.joined(separator: ",")
        let shop = #"{"type":"shops","id":"9"}"#
        let book = #"[{"type":"books","id":"1"}]"#
        let text = Data(
            """
            {"data":{"type":"books","id":"1","relationships":{"shop":{"data":\(shop)}}},"included":[{"type":"shops","id":"9",
              "attributes":{"prices":{\(prices)}},"relationships":{"books":{"data":\(book)},"others":{"data":\(book)}}}]}
            """.utf8)
        var document = try JSONAPIDecoder().decode(Document<Book>.self, from: text)
        #expect(document.data.shop?.books == nil && document.data.shop?.prices.count == 5000)
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == JSON(parsing: text))
        document.data.shop?.others = []
        let relationships = try JSON(parsing: JSONAPIEncoder().encode(document))["included"]?[0]?["relationships"]
        #expect(relationships?["others"]?["data"] == [] && relationships?["books"]?["data"]?.array?.count == 1)
    }

    @Test("Requests, fieldsets, and include paths do not contain them unless asked")
    func selected() throws {
        let document = try decoded()
        let fields = try JSON(parsing: JSONAPIEncoder().encode(document, fields: ["people": ["name"]]))
        #expect(fields["included"]?[0]?["relationships"] == nil)
        let paths = try JSON(parsing: JSONAPIEncoder().encode(document, include: ["author"]))
        #expect(paths["included"]?.array?.count == 1 && paths["included"]?[0]?["relationships"]?["essays"] != nil)
        let create = try JSON(parsing: JSONAPIEncoder().encode(Create(try #require(document.data.author), clientID: true)))
        #expect(create["data"]?["relationships"] == nil)
    }

    private struct Writer: Resource {
        static let type = "people"
        var id: String
        var books: [Book]?
    }

    private struct Book: Resource {
        static let type = "books"
        var id: String
        var writers: [Writer]?
        var related: ToMany<Book>
    }

    /// The reference is in the value that was cut, or in one that is written after it.
    @Test("A model is encoded with them if a reference leads to the same document", arguments: [2, 3])
    func withoutDocument(owner: Int) throws {
        let writer = #"{"type":"people","id":"1","relationships":{"books":{"data":[{"type":"books","id":"2"},{"type":"books","id":"3"}]}}}"#
        let books = [2, 3].map { id in
            let related = id == owner ? #""related":{"data":[{"type":"books","id":"2"}]},"# : ""
            let writers = #""writers":{"data":[{"type":"people","id":"1"},{"type":"people","id":"4"}]}"#
            return #"{"type":"books","id":"\#(id)","relationships":{\#(related)\#(writers)}}"#
        }
        let others = #"{"type":"people","id":"4","relationships":{"books":{"data":[]}}}"#
        let text = Data(#"{"data":\#(writer),"included":[\#(books.joined(separator: ",")),\#(others)]}"#.utf8)
        let model = try JSONAPIDecoder().decode(Writer.self, from: text)
        #expect(model.books?.map { $0.writers == nil } == [true, true])
        #expect(try JSON(parsing: JSONAPIEncoder().encode(model)) == JSON(parsing: text))
        let paths = try JSON(parsing: JSONAPIEncoder().encode(model, include: ["books.related"]))
        #expect(paths["included"]?.array?.map { $0["relationships"]?["writers"]?["data"]?.array?.count } == [2, 2])

        var edited = model
        edited.books?[0].writers = []
        #expect(try JSON(parsing: JSONAPIEncoder().encode(edited))["included"]?[0]?["relationships"]?["writers"]?["data"] == [])
    }

    private struct Person: Resource {
        static let type = "people"
        var id: String
        var friends: [Person]?
    }

    private struct EquatablePerson: Resource, Equatable {
        static let type = "people"
        var id: String
        var friends: [EquatablePerson]?
    }

    private struct Team<Member: Resource>: Resource {
        static var type: String { "teams" }
        var id: String
        var people: [Member]?
        var leader: Member?
        var other: ToOne<Member> = .notLoaded
    }

    @Test("Values that differ only by where a cycle was cut are one resource", arguments: ["people", "leader"])
    func differentCuts(property: String) throws {
        func person(_ id: Int, _ friends: [Int]) -> String {
            let linkage = friends.map { #"{"type":"people","id":"\#($0)"}"# }.joined(separator: ",")
            return #"{"type":"people","id":"\#(id)","relationships":{"friends":{"data":[\#(linkage)]}}}"#
        }
        let first = property == "people" ? #"[{"type":"people","id":"0"},{"type":"people","id":"1"}]"# : #"{"type":"people","id":"0"}"#
        let text = #"""
            {"data":{"type":"teams","id":"1","relationships":{"\#(property)":{"data":\#(first)},"other":{"data":{"type":"people","id":"1"}}}},
             "included":[\#(person(0, [1])),\#(person(1, [0, 2])),\#(person(2, []))]}
            """#
        let document = try JSONAPIDecoder().decode(Document<Team<Person>>.self, from: Data(text.utf8))
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == JSON(parsing: Data(text.utf8)))
        let other = try JSONAPIDecoder().decode(Document<Team<EquatablePerson>>.self, from: Data(text.utf8))
        #expect(try JSON(parsing: JSONAPIEncoder().encode(other)) == JSON(parsing: Data(text.utf8)))
    }

    @Test("A path goes along a relationship that was cut, also if the fieldset leaves it out", arguments: ["1", "2"])
    func cutAndLeftOut(first: String) throws {
        struct Story: Resource {
            static let type = "stories"
            var id: String
            var title: String?
            var related: [Story]?
        }
        let text = #"""
            {"data": {"type": "stories", "id": "1", "relationships": {
                "related": {"data": [{"type": "stories", "id": "\#(first)"}, {"type": "stories", "id": "3"}]}}},
             "included": [{"type": "stories", "id": "2"}, {"type": "stories", "id": "3"}]}
            """#
        let document = try JSONAPIDecoder().decode(Document<Story>.self, from: Data(text.utf8))
        for fields in [["title", "related"], ["title"]] {
            let data = try JSONAPIEncoder().encode(document, include: ["related"], fields: ["stories": fields])
            let included = try JSONAPIDecoder().decode(DocumentObject.self, from: data).included?.map(\.id)
            #expect(included == (first == "1" ? ["3"] : ["2", "3"]))
        }
    }
}

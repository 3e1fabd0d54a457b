import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Names that begin with a combining character. To Swift, it is one `Character` with the dot before it.
@Suite struct CombiningNameTests {
    struct City: Resource, Equatable {
        static let type = "cities"
        var id: String
        var name: String?
    }
    struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var city: City?
        enum CodingKeys: String, CodingKey { case id, city = "\u{301}city" }
    }
    struct Note: Resource, Equatable {
        static let type = "notes"
        var id: String
        var city: String?
        var author: Person?
        enum CodingKeys: String, CodingKey { case id, city = "place.\u{301}city", author = "relationships.\u{301}author" }
    }

    @Test("An include path leads through such a relationship")
    func include() throws {
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var author: Person?
        }
        let article = Article(id: "1", author: Person(id: "2", city: City(id: "3")))
        let tree = try JSON(parsing: JSONAPIEncoder().encode(article, include: ["author.\u{301}city"]))
        #expect(tree["included"]?.array?.compactMap { $0["type"]?.string } == ["people", "cities"])
    }

    @Test("A coding key is a path to such a member")
    func paths() throws {
        let note = Note(id: "1", city: "Rom", author: Person(id: "2"))
        let data = try JSONAPIEncoder().encode(note, include: .all)
        let tree = try JSON(parsing: data)["data"]
        #expect(tree?["attributes"]?["place"]?["\u{301}city"] == "Rom")
        #expect(tree?["relationships"]?["\u{301}author"]?["data"]?["id"] == "2")
        #expect(try JSONAPIDecoder().decode(Note.self, from: data) == note)
    }

    @Test("An error for a missing member of this name points to the object that lacks it")
    func missing() throws {
        struct Place: Resource {
            static let type = "places"
            var id: String
            var city: String
            enum CodingKeys: String, CodingKey { case id, city = "place.\u{301}city" }
        }
        let text = Data(#"{"data":{"type":"places","id":"1","attributes":{"place":{}}}}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Place.self, from: text) }
        #expect(error?.failure?.pointer.description == "/data/attributes/place")
    }
}

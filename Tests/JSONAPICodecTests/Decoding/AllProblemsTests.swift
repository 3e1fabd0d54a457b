import Foundation
import JSONAPICodec
import JSONText
import Testing

/// One error for all problems of a document.
@Suite("All problems of a document at once")
struct AllProblemsTests {
    private enum Color: String, Codable, CaseIterable { case red, blue }
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
        var age: Int
    }
    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var count: Int
        var at: Date
        var color: Color
        var note: String?
        var author: Person
        var editor: ToOne<Person>
    }
    private struct DirectPerson: DirectResource {
        static let type = "people"
        var id: String
        var name: String
        var age: Int
        init(resource: ResourceView) throws {
            id = try resource.id()
            name = try resource.attribute("name")
            age = try resource.attribute("age")
        }
    }
    /// Tries one type after another, and ignores errors.
    private struct Tolerant: Resource {
        static let type = "people"
        var id: String
        var name: String
        var age: Int
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            name = try (try? map.decode(Int.self, forKey: .name)).map(String.init) ?? map.decode(String.self, forKey: .name)
            age = try map.decode(Int.self, forKey: .age)
        }
    }

    private var all: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.problems = .all
        return decoder
    }

    private func places<Value: PrimaryValue>(_ type: Value.Type, _ text: String, _ decoder: JSONAPIDecoder? = nil) -> [String] {
        do {
            _ = try (decoder ?? all).decode(type, from: Data(text.utf8))
            return []
        } catch {
            return ((error as? DecodingError)?.failures ?? []).map(\.pointer.description)
        }
    }

    private let article = """
        {"data":[
          {"type":"articles","id":"1","attributes":{"title":1,"count":"x","at":"never","color":"green","note":[]},"relationships":{
            "author":{"data":{"type":"people","id":"9"}},"editor":{"data":{"type":"people","id":"8"}}}},
          {"type":"articles","id":"2","attributes":{"title":"t","count":1,"at":"2026-01-01T00:00:00Z","color":"red"},"relationships":{
            "author":{"data":{"type":"people","id":"7"}},"editor":{"data":null}}},
          {"type":"articles","id":"3","attributes":{"count":1,"at":"2026-01-01T00:00:00Z","color":"red"},"relationships":{
            "author":{"data":{"type":"people","id":"7"}},"editor":{"data":null}}}],
         "included":[{"type":"people","id":"9","attributes":{"name":true,"age":"old"}},
          {"type":"people","id":"8","attributes":{"name":"n","age":null}},
          {"type":"people","id":"7","attributes":{"name":"n","age":3}}]}
        """

    @Test("Every failing element and member is reported with its pointer")
    func everything() throws {
        let expected = [
            "/data/0/attributes/title", "/data/0/attributes/count", "/data/0/attributes/at", "/data/0/attributes/color",
            "/data/0/attributes/note", "/included/0/attributes/name", "/included/0/attributes/age", "/included/1/attributes/age", "/data/2",
        ]
        #expect(places([Article].self, article) == expected)
        #expect(places([Article].self, article, JSONAPIDecoder()) == ["/data/0/attributes/title"])
        let error = try #require(throws: DecodingError.self) { try all.decode(Document<[Article]>.self, from: Data(article.utf8)) }
        #expect(error.failures.count == expected.count && error.failure?.others.count == expected.count - 1)
        #expect(error.failures.allSatisfy { $0.position != nil && !$0.description.contains("\n") })
        let text = try #require(error.failure?.description)
        #expect(text.split(separator: "\n").count == expected.count)
    }

    @Test("A failure that the model catches is not reported")
    func swallowed() {
        #expect(
            places(Tolerant.self, #"{"data":{"type":"people","id":"1","attributes":{"name":"n","age":"x"}}}"#) == ["/data/attributes/age"])
        #expect(places(Tolerant.self, #"{"data":{"type":"people","id":"1","attributes":{"name":"n","age":1}}}"#) == [])
        #expect(
            places(Tolerant.self, #"{"data":{"type":"people","id":"1","attributes":{"name":[],"age":"x"}}}"#)
                == ["/data/attributes/name", "/data/attributes/age"])
    }

    @Test("Direct initializers report all problems")
    func direct() {
        #expect(
            places(DirectPerson.self, #"{"data":{"type":"people","id":"1","attributes":{"name":1,"age":"x"}}}"#)
                == ["/data/attributes/name", "/data/attributes/age"])
    }

    private struct Seo: Codable, Sendable {
        var text: String
        var rank: Int
    }
    /// Reads an object member by member.
    private struct DirectPage: DirectResource {
        static let type = "pages"
        var id: String
        var seo: Seo
        var size: Int
        var views: Int
        init(resource: ResourceView) throws {
            id = try resource.id()
            seo = try resource.attribute("seo") { try Seo(text: $0.member("text"), rank: $0.member("rank")) }
            size = try resource.attribute("size")
            views = try resource.attribute("views")
        }
    }

    @Test(
        "A problem in an object that a direct initializer reads member by member does not hide later ones",
        arguments: [
            (#""seo":{"text":"t","rank":"x"},"#, "/data/attributes/seo/rank"), (#""seo":{"text":"t"},"#, "/data/attributes/seo"),
            (#""seo":5,"#, "/data/attributes/seo"), ("", "/data"),
        ])
    func directMembers(_ seo: String, _ place: String) {
        let text = #"{"data":{"type":"pages","id":"1","attributes":{\#(seo)"size":"z","views":true}}}"#
        #expect(places(DirectPage.self, text) == [place, "/data/attributes/size", "/data/attributes/views"])
    }

    @Test("The report has a maximum size, and counts what it omits")
    func budget() throws {
        let people = (0..<3000).map { #"{"type":"people","id":"\#($0)","attributes":{"name":1,"age":1}}"# }.joined(separator: ",")
        let data = Data(#"{"data":[\#(people)]}"#.utf8)
        var decoder = all
        decoder.maximumDiagnosticBytes = 2000
        let small = try #require(throws: DecodingError.self) { try decoder.decode([Person].self, from: data) }
        #expect(small.failures.count < 20 && (small.failure?.omittedCount ?? 0) > 0)
        let large = try #require(throws: DecodingError.self) { try all.decode([Person].self, from: data) }
        #expect(large.failures.count <= 1001 && large.failures.count > 300)
    }
}

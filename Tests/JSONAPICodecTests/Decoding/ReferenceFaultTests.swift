import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@Suite("References to resources that were read before")
struct ReferenceFaultTests {
    private struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
        var friends: [Person]?
    }

    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: Person?
        var editor: ToOne<Person>
        var reviewers: ToMany<Person> = .notLoaded
    }

    private func person(_ id: Int, name: String? = "n", friends: [Int] = []) -> String {
        let attributes = name.map { #""name":"\#($0)""# } ?? ""
        let linkage = friends.map { #"{"type":"people","id":"\#($0)"}"# }.joined(separator: ",")
        return #"{"type":"people","id":"\#(id)","attributes":{\#(attributes)},"relationships":{"friends":{"data":[\#(linkage)]}}}"#
    }

    /// An article with the author 0 and the editor and reviewer 1.
    private func document(_ people: String...) -> Data {
        Data(
            #"""
            {"data":{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"0"}},
              "editor":{"data":{"type":"people","id":"1"}},"reviewers":{"data":[{"type":"people","id":"1"}]}}},
             "included":[\#(people.joined(separator: ","))]}
            """#.utf8)
    }

    @Test("A fault of a resource that was embedded with a cycle cut in it is reported")
    func faultBehindACut() throws {
        let faulty = document(person(0, friends: [1]), person(1, friends: [0, 2]), person(2, name: nil))
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Article.self, from: faulty) }
        #expect(error?.failure?.pointer.description == "/included/2")
    }

    @Test("A missing resource behind a cut is reported, if missing resources are errors")
    func missingBehindACut() throws {
        var decoder = JSONAPIDecoder()
        decoder.missingResources = .throw
        let missing = document(person(0, friends: [1]), person(1, friends: [0, 2]))
        #expect(throws: DecodingError.self) { try decoder.decode(Article.self, from: missing) }
    }

    @Test("A reference to a resource that was embedded with a cut has its value")
    func valueBehindACut() throws {
        let whole = document(person(0, friends: [1]), person(1, friends: [0, 2]), person(2))
        let article = try JSONAPIDecoder().decode(Article.self, from: whole)
        let editor = try #require(article.editor.value)
        #expect(editor.friends?.map(\.id) == ["0", "2"])
        #expect(article.reviewers.values == [editor])
    }

    @Test("A fault that a model has caught is reported for references to the same resource")
    func caughtFault() throws {
        struct Pair: Resource {
            static let type = "articles"
            var id: String
            @Lossy var author: Person?
            var editor: ToOne<Person>
        }
        let text = #"""
            {"data":{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"0"}},
              "editor":{"data":{"type":"people","id":"EDITOR"}}}},"included":[{"type":"people","id":"0"},{"type":"people","id":"1","attributes":{"name":"n"}}]}
            """#
        let other = try JSONAPIDecoder().decode(Pair.self, from: Data(text.replacingOccurrences(of: "EDITOR", with: "1").utf8))
        #expect(other.author == nil && other.editor.value?.name == "n")
        let same = Data(text.replacingOccurrences(of: "EDITOR", with: "0").utf8)
        #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Pair.self, from: same) }
    }

    @Test("Many references to resources in embedded cycles are read")
    func manyCycles() throws {
        struct Team: Resource {
            static let type = "teams"
            var id: String
            var leaders: [Person]?
            var members: ToMany<Person>
        }
        let people = (0..<300).map { person($0, friends: [($0 + 1) % 3 + $0 / 3 * 3]) }
        let linkage = (0..<300).map { #"{"type":"people","id":"\#($0)"}"# }.joined(separator: ",")
        let text =
            #"{"data":{"type":"teams","id":"1","relationships":{"leaders":{"data":[\#(linkage)]},"members":{"data":[\#(linkage)]}}},"included":[\#(people.joined(separator: ","))]}"#
        let team = try JSONAPIDecoder().decode(Team.self, from: Data(text.utf8))
        #expect(team.leaders?.count == 300 && team.members.values.count == 300)
    }

    // MARK: - Whole resources in linkage

    private struct Story: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person>
        var editor: Person?
    }

    @Test(
        "All references to an identity lead to the included resource, whatever stands in linkage",
        arguments: [#""name":"M.""#, "", #""age":1"#])
    func summaryInLinkage(attributes: String) throws {
        let text = #"""
            {"data":{"type":"articles","id":"1","relationships":{
              "author":{"data":{"type":"people","id":"9","attributes":{\#(attributes)},"relationships":{}}},
              "editor":{"data":{"type":"people","id":"9"}}}},
             "included":[{"type":"people","id":"9","attributes":{"name":"Marit","age":41}}]}
            """#
        for decoder in [JSONAPIDecoder(), JSONAPIDecoder(mode: .lenient)] {
            let story = try decoder.decode(Story.self, from: Data(text.utf8))
            #expect(story.author.value?.name == "Marit" && story.editor?.name == "Marit")
        }
    }

    @Test("Of two resources in linkage with one identity, the first is read for both")
    func twoSummaries() throws {
        let text = #"""
            {"data":{"type":"articles","id":"1","relationships":{
              "author":{"data":{"type":"people","id":"9","attributes":{"name":"first"}}},
              "editor":{"data":{"type":"people","id":"9","attributes":{"name":"second"}}}}}}
            """#
        let story = try JSONAPIDecoder(mode: .lenient).decode(Story.self, from: Data(text.utf8))
        #expect(story.author.value?.name == "first" && story.editor?.name == "first")
    }

    private struct Piece: Resource {
        static let type = "pieces"
        var id: String
        var author: Author?
        var reviewer: ToOne<Author>
    }

    private struct Author: Resource {
        static let type = "authors"
        var id: String
        var profile: Profile?
        var pieces: [Piece]?
    }

    private struct Profile: Resource {
        static let type = "profiles"
        var id: String
        var owner: ToOne<Author>
    }

    @Test("A fault in a resource is found whether or not one that it embeds refers back to it", arguments: [true, false])
    func backReference(refersBack: Bool) {
        let owner = refersBack ? #""owner": {"data": {"type": "authors", "id": "9"}}"# : ""
        let text = #"""
            {"data": [{"type": "pieces", "id": "1", "relationships": {"author": {"data": {"type": "authors", "id": "9"}}}},
                      {"type": "pieces", "id": "3", "relationships": {"reviewer": {"data": {"type": "authors", "id": "9"}}}}],
             "included": [{"type": "authors", "id": "9", "relationships": {"profile": {"data": {"type": "profiles", "id": "p"}},
                            "pieces": {"data": [{"type": "pieces", "id": "1"}, {"type": "pieces", "id": "2"}]}}},
                          {"type": "profiles", "id": "p", "relationships": {\#(owner)}}]}
            """#
        #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode([Piece].self, from: Data(text.utf8)) }
    }
}

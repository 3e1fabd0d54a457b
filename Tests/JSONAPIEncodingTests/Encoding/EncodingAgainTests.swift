import Foundation
import JSONAPICodec
import Testing

/// Encoding a document does not affect the next one, and include paths work with any fieldset.
@Suite struct EncodingAgainTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
        var friends: [Person] = []
    }

    private struct Story: Resource {
        static let type = "stories"
        var id: String
        var authors: [Person]
        var editor: Person?
    }

    private func text(_ story: Story, include: IncludePaths = .all) throws -> String {
        String(decoding: try JSONAPIEncoder().encode(story, include: include), as: UTF8.self)
    }

    @Test func anIdentityCanHaveAnotherValueInTheNextDocument() throws {
        for round in 0..<5 {
            let ann = Person(id: "1", name: "Ann \(round)", friends: [Person(id: "2", name: "Bea \(round)")])
            let written = try text(Story(id: "1", authors: [ann, ann], editor: ann))
            #expect(written.contains("Ann \(round)") && written.contains("Bea \(round)"))
            #expect(written.components(separatedBy: #""name":"Ann"#).count == 2)
        }
    }

    @Test func aConflictDoesNotAffectTheNextDocument() throws {
        for _ in 0..<3 {
            let conflicting = Story(id: "1", authors: [Person(id: "1", name: "a")], editor: Person(id: "1", name: "b"))
            #expect(throws: EncodingError.self) { try text(conflicting) }
            #expect(try text(Story(id: "1", authors: [Person(id: "1", name: "a")], editor: nil)).contains(#""name":"a""#))
            #expect(try text(Story(id: "1", authors: [], editor: Person(id: "1", name: "b"))).contains(#""name":"b""#))
        }
    }

    @Test func pathsAreFollowedInEachDocument() throws {
        let ann = Person(id: "1", name: "Ann", friends: [Person(id: "2", name: "Bea", friends: [Person(id: "3", name: "Cleo")])])
        let story = Story(id: "1", authors: [ann], editor: ann)
        let paths: [IncludePaths] = [["authors"], ["editor.friends"], ["authors.friends.friends", "editor"]]
        let expected = try paths.map { try text(story, include: $0) }
        #expect(expected.map { $0.components(separatedBy: #""name""#).count - 1 } == [1, 2, 3])
        for _ in 0..<3 { #expect(try paths.map { try text(story, include: $0) } == expected) }
    }
}

@Suite struct HiddenRelationshipTests {
    private struct Person: Resource {
        static let type = "people"
        var id: String
        var friends: [Person] = []
    }

    private struct Story: Resource {
        static let type = "stories"
        var id: String
        var title: String
        var authors: [Person]
        var editor: Person?
        var readers: ToMany<Person> = .notLoaded
        var owner: ToOne<Person> = .notLoaded
    }

    @Test(arguments: [
        ("authors", ["1"]), ("editor", ["3"]), ("readers", ["4"]), ("owner", ["5"]), ("authors.friends", ["1", "2"]),
        ("authors,editor,readers,owner", ["1", "3", "4", "5"]),
    ])
    func anIncludePathFollowsARelationshipThatTheFieldsetOmits(paths: String, ids: [String]) throws {
        let story = Story(
            id: "1", title: "T", authors: [Person(id: "1", friends: [Person(id: "2")])], editor: Person(id: "3"),
            readers: ToMany([Person(id: "4")]), owner: ToOne(Person(id: "5")))
        let include = IncludePaths.paths(paths.components(separatedBy: ","))
        let data = try JSONAPIEncoder().encode(story, include: include, fields: ["stories": ["title"]])
        let document = try JSONAPIDecoder().decode(Document<ResourceObject>.self, from: data)
        #expect(document.data.relationships == nil)
        #expect(document.included.compactMap(\.id).sorted() == ids)
    }
}

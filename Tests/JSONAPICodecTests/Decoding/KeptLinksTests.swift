import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Links and included resources that a model does not show, and that editing and encoding it must not lose.
@Suite struct KeptLinksTests {
    private struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String?
    }
    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String?
        var author: ToOne<Person>
        var comments: ToMany<Person>
    }

    @Test("A document keeps an included resource of a type that its references do not accept")
    func otherType() throws {
        let text = Blog.document(
            Blog.article(
                relationships: #"{"author":{"data":{"type":"bots","id":"7"}},"comments":{"data":[{"type":"bots","id":"8"}]}}"#),
            included: [#"{"type":"bots","id":"7","attributes":{"x":1}}"#, #"{"type":"bots","id":"8"}"#])
        let document = try JSONAPIDecoder().decode(Document<Article>.self, from: text)
        #expect(try document.data.author.resolved() == nil && document.data.author.value == nil)
        #expect(document.data.comments.values.isEmpty)
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == JSON(parsing: text))
    }

    @Test("An included resource of another type is found if the reference has another type's resource beside it", arguments: [false, true])
    func otherTypeBesideMissing(isMissingFirst: Bool) throws {
        let identifiers = [#"{"type":"people","id":"4"}"#, #"{"type":"bots","id":"7"}"#]
        let linkage = (isMissingFirst ? identifiers : identifiers.reversed()).joined(separator: ",")
        let text = Blog.document(
            Blog.article(relationships: #"{"comments":{"data":[\#(linkage)]}}"#), included: [#"{"type":"bots","id":"7"}"#])
        let document = try JSONAPIDecoder().decode(Document<Article>.self, from: text)
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document))["included"]?.array?.count == 1)
    }

    private func article(_ comments: [String], isPage: Bool) throws -> Article {
        let data = comments.map { #"{"type":"people","id":"\#($0)"}"# }.joined(separator: ",")
        let links = isPage ? #","links":{"next":"/n"}"# : ""
        return try Blog.decode(Article.self, relationships: #"{"comments":{"data":[\#(data)]\#(links)}}"#)
    }

    @Test("A patch that assigns a page of other links to a relationship that was read as a whole throws")
    func assignedPage() throws {
        let old = try article(["1"], isPage: false)
        var new = old
        new.comments = try article(["9"], isPage: true).comments
        let error = try #require(
            #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Patch(from: old, to: new)) })
        #expect(error.failure?.kind == .missingLinkage && "\(error.failure!.pointer)" == "/data/relationships/comments")
    }

    @Test("A page of links that the old value has, or of a relationship that was a page, is no change", arguments: [false, true])
    func readPage(isPage: Bool) throws {
        let old = try article(["1", "2"], isPage: isPage)
        let patch = try Patch(from: old, to: article(isPage ? ["3"] : ["2"], isPage: true))
        #expect(patch.isEmpty)
    }

    private struct Node: Resource {
        static let type = "articles"
        var id: String
        var back: [Node]?
    }

    @Test("An optional array in which a cycle ends is nil, also if elements that cannot be read are dropped")
    func droppedCycle() throws {
        let text = Blog.document(
            #"{"type":"articles","id":"1","relationships":{"back":{"data":[{"type":"articles","id":"2"}]}}}"#,
            included: [#"{"type":"articles","id":"2","relationships":{"back":{"data":[{"type":"articles","id":"1"}]}}}"#])
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let document = try decoder.decode(Document<Node>.self, from: text)
        #expect(document.data.back?.first?.back == nil)
        #expect(try JSON(parsing: JSONAPIEncoder().encode(document)) == JSON(parsing: text))
    }

    private struct Post: Resource {
        static let type = "articles"
        var id: String
        var title: String?
        var people: Field<[Person]>
        var others: Field<ToMany<Person>>
    }

    @Test("A Field of a to-many relationship reads null as empty in lenient mode, and can be patched; otherwise, null is an error")
    func nullToMany() throws {
        let relationships = #"{"people":{"data":null},"others":{"data":null}}"#
        let post = try Blog.decode(Post.self, relationships: relationships, with: JSONAPIDecoder(mode: .lenient))
        #expect(post.people == .value([]))
        for name in ["people", "others"] {
            let failure = try Blog.failure { try Blog.decode(Post.self, relationships: #"{"\#(name)":{"data":null}}"#) }
            #expect(failure.kind == .cardinality && failure.advice?.contains("nullToMany") == true)
        }
        let body = try JSON(parsing: JSONAPIEncoder().encode(post.patch { $0.title = "New" }))
        #expect(body == ["data": ["type": "articles", "id": "1", "attributes": ["title": "New"]]])
    }
}

import CodecTestSupport
import Foundation
import JSONAPICodec
import Testing

/// References to resources without an id, which lenient mode reads where they are written.
@Suite struct ReferencesWithoutIDTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var articles: ToMany<Article>
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var lead: ToOne<Note>
        var notes: ToMany<Note>
    }
    struct Note: Resource {
        static let type = "notes"
        var id: String?
        var text: String
        var author: Person?
    }

    private let decoder = JSONAPIDecoder(mode: .lenient)

    private func note(_ text: String, author: String = "null") -> String {
        #"{"type":"notes","attributes":{"text":"\#(text)"},"relationships":{"author":{"data":\#(author)}}}"#
    }

    @Test("Related resources without an id stay available after an append and a removal")
    func edited() throws {
        let named = #"{"type":"notes","id":"2","attributes":{"text":"two"}}"#
        let data = Blog.document(
            Blog.article(relationships: #"{"notes":{"data":[\#(note("one")),{"type":"notes","id":"2"}]}}"#), included: [named])
        let document = try decoder.decode(Document<Article>.self, from: data)
        var article = document.data
        article.notes.append(Note(id: "3", text: "three"))
        #expect(article.notes.values.map(\.text) == ["one", "two", "three"])
        #expect(try article.notes.resolved().map(\.text) == ["one", "two", "three"])
        #expect(article.notes.allValues?.count == 3)
        #expect(document[article.notes].map(\.text) == ["one", "two"])
        article.notes.remove(ResourceIdentifier(type: "notes", id: "2"))
        #expect(article.notes.values.map(\.text) == ["one", "three"])
    }

    @Test("The linkage of a relationship with a resource that has neither id nor lid cannot be encoded, so that no link is left out")
    func unlinkable() {
        let notes = ToMany([Note(id: "1", text: "one"), Note(id: nil, text: "two")])
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(notes.data) }?.kind == .missingIdentity)
    }

    @Test("Related resources without an id are available inside a cycle of embedded values")
    func circle() throws {
        let author = #"{"type":"people","id":"1"}"#
        let relationships =
            #"{"notes":{"data":[\#(note("one", author: author))]},"lead":{"data":\#(note("first", author: author))}}"#
        let person = #"{"type":"people","id":"1","relationships":{"articles":{"data":[{"type":"articles","id":"1"}]}}}"#
        let read = try decoder.decode(
            Person.self, from: Blog.document(person, included: [Blog.article(relationships: relationships)]))
        let article = try #require(read.articles.values.first)
        #expect(article.notes.values.map(\.text) == ["one"])
        #expect(article.lead.value?.text == "first")
        let again = try #require(article.notes.values.first?.author?.articles.values.first)
        #expect(again.notes.values.map(\.text) == ["one"])
        #expect(try again.lead.resolved()?.text == "first")
    }
}

import Foundation
import JSONAPICodec
import JSONAPIStreams
import Testing

/// A value in the program takes precedence over a decoded copy of the same resource, whichever the encoder finds first.
@Suite struct EditedValueTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
        var name: String
        var boss: ToOne<Person>?
    }

    struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: Person
    }

    struct Note: Resource {
        static let type = "notes"
        var id: String
        var author: ToOne<Person> = .notLoaded
    }

    /// Article 1 refers to person 2 as its author, and article 2 embeds that person.
    static let text = Data(
        """
        {"data":[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"1"}}}},
        {"type":"articles","id":"2","relationships":{"author":{"data":{"type":"people","id":"2"}}}}],
        "included":[{"type":"people","id":"1","attributes":{"name":"One"},
        "relationships":{"boss":{"data":{"type":"people","id":"2"}}}},
        {"type":"people","id":"2","attributes":{"name":"Old"},"relationships":{"boss":{"data":{"type":"people","id":"3"}}}},
        {"type":"people","id":"3","attributes":{"name":"Three"}}]}
        """.utf8)

    static func edited() throws -> [Article] {
        var articles = try JSONAPIDecoder().decode([Article].self, from: text)
        articles[1].author.name = "New"
        return articles
    }

    static func names(_ document: Data) throws -> [String: String] {
        let people = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: document).included(Person.self)
        return Dictionary(people.map { ($0.id, $0.name) }) { first, second in "\(first) and \(second)" }
    }

    @Test func anEditedValueTakesPrecedenceOverAnEarlierReference() throws {
        #expect(try Self.names(JSONAPIEncoder().encode(Self.edited())) == ["1": "One", "2": "New", "3": "Three"])
    }

    @Test func anEditedValueTakesPrecedenceInADocumentWriter() throws {
        #expect(try Self.names(Self.written { try $0.append(contentsOf: Self.edited()) }) == ["1": "One", "2": "New", "3": "Three"])
    }

    @Test func anIncludedValueTakesPrecedenceOverADecodedResource() throws {
        let articles = try JSONAPIDecoder().decode([Article].self, from: Self.text)
        let document = try Self.written { writer in
            try writer.append(articles[0])
            var author = articles[1].author
            author.name = "New"
            try writer.include(author)
        }
        #expect(try Self.names(document) == ["1": "One", "2": "New", "3": "Three"])
    }

    @Test func anEarlierReferenceDoesNotHideAnEditedValue() throws {
        let text = String(decoding: Self.text, as: UTF8.self).replacingOccurrences(
            of: #"[{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"1"}}}}"#,
            with: #"[{"type":"notes","id":"1","relationships":{"author":{"data":{"type":"people","id":"2"}}}}"#)
        var parts = try JSONAPIDecoder().decode([Part].self, from: Data(text.utf8))
        guard case .article(var article) = parts[1] else { throw CocoaError(.coderReadCorrupt) }
        article.author.name = "New"
        parts[1] = .article(article)
        #expect(try Self.names(JSONAPIEncoder().encode(parts))["2"] == "New")
        #expect(try Self.names(Self.written { try $0.append(contentsOf: parts) })["2"] == "New")
    }

    @Test func anIncludePathContinuesFromTheEditedValue() throws {
        let articles = try Self.edited()
        let document = try JSONAPIEncoder().encode(articles, include: ["author.boss.boss"])
        #expect(try Self.names(document) == ["1": "One", "2": "New", "3": "Three"])
    }

    @Test func twoDifferentValuesAreAConflict() throws {
        var articles = try Self.edited()
        articles.append(Article(id: "3", author: Person(id: "2", name: "Newest")))
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(articles) }
        #expect(throws: EncodingError.self) { try Self.written { try $0.append(contentsOf: articles) } }
    }

    /// The data decides which types of a union occur, so an include path of one of them is valid for all.
    @Test func anIncludePathOfOneUnionMemberIsValid() throws {
        let note = Note(id: "1", author: .notLoaded)
        #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode([note], include: ["editor"]) }
        _ = try JSONAPIEncoder().encode([Part.note(note)], include: ["editor"])
    }

    enum Part: ResourceUnion {
        case note(Note), article(Article), unknown(ResourceObject)

        static let members: [UnionMember<Part>] = [.init(Part.note), .init(Part.article)]

        var resource: any ResourceRepresentable {
            switch self {
            case .note(let note): note
            case .article(let article): article
            case .unknown(let object): object
            }
        }
    }

    private static func written(_ body: (DocumentWriter) throws -> Void) throws -> Data {
        var text = Data()
        let writer = try DocumentWriter { text += $0 }
        try body(writer)
        try writer.finish()
        return text
    }
}

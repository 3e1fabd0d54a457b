import Foundation
import JSONMapping
import Testing

@testable import JSONAPICodec

/// Relationships as some servers write them, in place of what the specification asks for.
@Suite struct SloppyRelationshipTests {
    private struct Person: Resource, Equatable {
        static let type = "people"
        var id: String?
        var name: String?
    }

    private struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String?
        var author: ToOne<Person> = .notLoaded
        var editor: Person?
        var fans: ToMany<Person> = .notLoaded
        var revision: ResourceMeta<[String: Int]>?
    }

    private func text(_ relationships: String, attributes: String = "{}") -> Data {
        Data(
            #"{"data":{"type":"articles","id":"1","attributes":\#(attributes),"relationships":\#(relationships),"meta":{"rev":1}}}"#.utf8)
    }

    private func failure<Model: PrimaryValue>(_ type: Model.Type, _ data: Data, _ decoder: JSONAPIDecoder) -> DecodingFailure? {
        (#expect(throws: DecodingError.self) { try decoder.decode(Document<Model>.self, from: data) })?.failure
    }

    @Test(arguments: ["author", "editor"])
    func anIdentifierInPlaceOfARelationshipObjectIsAnErrorAndNotLost(name: String) throws {
        let data = text(#"{"\#(name)":{"type":"people","id":"9"}}"#)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Article.self, from: data) }
        #expect(error?.failure?.pointer.description == "/data/relationships/\(name)")
        #expect(error?.failure?.found == "an identifier in place of one")
        #expect(error?.failure?.advice == "the server must put the identifier into `data`")
        // The whole document is checked first, and says the same.
        let whole = failure(Article.self, data, JSONAPIDecoder())
        #expect(whole?.found == "an identifier in place of a relationship object")
        #expect(whole?.advice == "the server must put the identifier into `data`")
        // Lenient mode goes on, and says what it ignored.
        let lenient = try JSONAPIDecoder(mode: .lenient).decode(Document<Article>.self, from: data)
        #expect(lenient.diagnostics.contains { $0.kind == .leniency(.emptyRelationships) })
    }

    @Test(arguments: ["author", "editor", "fans"])
    func anIdentifierWithAnIntegerIDInPlaceOfARelationshipObjectIsNotTakenForNotLoaded(name: String) throws {
        let data = text(#"{"\#(name)":{"type":"people","id":9}}"#)
        var decoder = JSONAPIDecoder()
        for leniencies: Leniencies in [[], .integerIDs] {
            decoder.leniencies = leniencies
            let error = #expect(throws: DecodingError.self) { try decoder.decode(Article.self, from: data) }
            #expect(error?.failure?.found == "an identifier in place of one")
        }
        #expect(try JSONAPIDecoder(mode: .lenient).decode(Article.self, from: data).author.isLoaded == false)
    }

    @Test func anEmptyArrayOfAToOneRelationshipIsReadAsNullWithALeniency() throws {
        let data = text(#"{"author":{"data":[]},"editor":{"data":[]}}"#)
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Article.self, from: data) }
        #expect(error?.failure?.found == "an empty array")
        #expect(error?.failure?.advice?.contains("emptyArrayContainers") == true)
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .emptyArrayContainers
        let document = try decoder.decode(Document<Article>.self, from: data)
        #expect(document.data.author.isEmpty && document.data.editor == nil)
        #expect(document.diagnostics.filter { $0.kind == .leniency(.emptyArrayContainers) }.count == 2)
        let full = text(#"{"author":{"data":[{"type":"people","id":"9"}]}}"#)
        #expect(failure(Article.self, full, decoder)?.kind == .cardinality)
    }

    @Test func anEmptyArrayOfAFieldIsReadAsNullWithALeniency() throws {
        struct Fields: Resource {
            static let type = "articles"
            var id: String
            var author: Field<Blog.Person>
            var editor: Field<ToOne<Blog.Person>>
            var owner: Field<ResourceIdentifier>
            var other: Field<RelationshipObject>
        }
        let relationships = #"{"author":{"data":[]},"editor":{"data":[]},"owner":{"data":[]},"other":{"data":[]}}"#
        let article = try Blog.decode(Fields.self, relationships: relationships, with: JSONAPIDecoder(mode: .lenient))
        #expect(article.author.isNull && article.editor.isNull && article.owner.isNull && article.other.value?.data == .many([]))
        let failure = try Blog.failure { try Blog.decode(Fields.self, relationships: relationships) }
        #expect(failure.kind == .cardinality)
    }

    @Test(arguments: ["[]", "null"])
    func linksAndMetaThatAreNoObjectsAreNotWrittenBack(value: String) throws {
        let relationship = #"{"data":{"type":"people","id":"9"},"links":\#(value),"meta":\#(value)}"#
        let article = try JSONAPIDecoder().decode(Article.self, from: text(#"{"author":\#(relationship)}"#))
        #expect(article.author.identifier?.id == "9")
        let written = try JSONAPIEncoder().encode(article)
        #expect(String(decoding: written, as: UTF8.self).contains(#""author":{"data":{"type":"people","id":"9"}}"#))
    }

    @Test func anIdentifierWithoutIDDoesNotPreventAPatchOfTheTitle() throws {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = .identifiersWithoutID
        let data = text(
            #"{"author":{"data":{"type":"people","attributes":{"name":"A"}}},"fans":{"data":[{"type":"people","attributes":{"name":"N"}}]}}"#,
            attributes: #"{"title":"T"}"#)
        let article = try decoder.decode(Article.self, from: data)
        #expect(Patch(from: article, to: article).isEmpty)
        let patch = try JSONAPIEncoder().encode(article.patch { $0.title = "New" })
        #expect(String(decoding: patch, as: UTF8.self) == #"{"data":{"type":"articles","id":"1","attributes":{"title":"New"}}}"#)
        // Linkage that would have to name the resource is still an error.
        #expect(throws: EncodingError.self) {
            try JSONAPIEncoder().encode(article.patch { $0.fans.append(Person(id: "2")) })
        }
        let replaced = try JSONAPIEncoder().encode(article.patch { $0.author = ToOne(Person(id: "2")) })
        #expect(String(decoding: replaced, as: UTF8.self).contains(#""author":{"data":{"type":"people","id":"2"}}"#))
    }

    @Test func aDepthBelowZeroIsAnErrorOfTheEncoder() throws {
        var encoder = JSONAPIEncoder()
        encoder.maximumDepth = .min
        #expect(throws: EncodingError.self) {
            try encoder.encode(ResourceObject(type: "a", id: "1", attributes: ["v": [[]]]))
        }
    }
}

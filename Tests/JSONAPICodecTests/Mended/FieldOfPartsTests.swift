import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// `Field` of the types that select a part of the resource object.
@Suite struct FieldOfPartsTests {
    struct Revision: Codable, Sendable, Equatable {
        var number: Int
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: Field<String>
        var revision: Field<ResourceMeta<Revision>>
        var addresses: Field<ResourceLinks>
    }

    @Test("A Field of meta or links is read under any name")
    func anyName() throws {
        let whole = #"{"type":"articles","id":"1","meta":{"number":3},"links":{"self":"/articles/1"}}"#
        let article = try JSONAPIDecoder().decode(Article.self, from: Blog.document(whole))
        #expect(article.revision.value?.value == Revision(number: 3))
        #expect(article.addresses.value?.links.members["self"] == "/articles/1")
        #expect(article.title.isAbsent)
        let bare = try JSONAPIDecoder().decode(Article.self, from: Blog.document(#"{"type":"articles","id":"1"}"#))
        #expect(bare.revision.isAbsent && bare.addresses.isAbsent)
    }

    @Test("With another decoder, a Field of meta keeps null, absent and a value apart")
    func otherDecoders() throws {
        let text = #"{"id":"1","revision":null}"#
        let article = try JSONDecoder().decode(Article.self, from: Data(text.utf8))
        #expect(article.revision.isNull && article.addresses.isAbsent)
        let other = try JSONDecoder().decode(Article.self, from: Data(#"{"id":"1","revision":{"number":2}}"#.utf8))
        #expect(other.revision.value?.value.number == 2)
    }
}

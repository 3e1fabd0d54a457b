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

    @Test("An attribute that is null says nothing about the meta or links that a Field of that name has, nor about a relationship")
    func nullAttribute() throws {
        let text = #"{"type":"articles","id":"1","attributes":{"revision":null,"addresses":null,"title":null}}"#
        let article = try JSONAPIDecoder().decode(Article.self, from: Blog.document(text))
        #expect(article.revision.isAbsent && article.addresses.isAbsent && article.title.isNull)
        #expect(try Blog.decode(Post.self, attributes: #"{"author":null,"editor":null,"owner":null}"#).states == Self.absent)
    }

    struct Post: Resource {
        static let type = "articles"
        var id: String
        var author: Field<ToOne<Blog.Person>>
        var editor: Field<Blog.Person>
        var comments: Field<[Blog.Comment]>
        var owner: Field<ResourceIdentifier>
        var placed: Field<ToOne<Blog.Person>>
        enum CodingKeys: String, CodingKey { case id, author, editor, comments, owner, placed = "relationships.placed" }

        /// Which of the fields are absent, and which are null.
        var states: [Bool] {
            [author.isAbsent, editor.isAbsent, comments.isAbsent, owner.isAbsent, placed.isAbsent]
                + [author.isNull, editor.isNull, comments.isNull, owner.isNull, placed.isNull]
        }
    }
    static let absent = Array(repeating: true, count: 5) + Array(repeating: false, count: 5)

    /// Reads a Field by hand.
    struct Handwritten: Resource {
        static let type = "articles"
        var id: String
        var author: Field<ToOne<Blog.Person>>
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            author = try map.decode(Field<ToOne<Blog.Person>>.self, forKey: .relationships("author"))
        }
    }

    @Test(
        "Null in place of a relationship object is an error and not the null of a Field",
        arguments: ["author", "editor", "comments", "owner", "placed"])
    func nullRelationship(name: String) throws {
        let relationships = #"{"\#(name)":null}"#
        let failure = try Blog.failure { try Blog.decode(Post.self, relationships: relationships) }
        #expect(failure.kind == .wrongType && "\(failure.pointer)" == "/data/relationships/\(name)")
        let lenient = JSONAPIDecoder(mode: .lenient)
        #expect(try Blog.decode(Post.self, relationships: relationships, with: lenient).states == Self.absent)
        #expect(try Blog.decode(Handwritten.self, relationships: relationships, with: lenient).author.isAbsent)
    }

    @Test("A Field of a relationship without linkage is absent, unless it keeps the links")
    func withoutLinkage() throws {
        let links = #"{"links":{"related":"/x"}}"#
        let post = try Blog.decode(Post.self, relationships: #"{"editor":\#(links),"comments":\#(links),"owner":\#(links)}"#)
        #expect(post.states == Self.absent)
        let linked = try Blog.decode(Post.self, relationships: #"{"author":\#(links)}"#)
        #expect(linked.author.value?.links?.related?.href == "/x")
    }

    @Test("A Field of a relationship with linkage is null or a value, and an error for a resource that is not included")
    func withLinkage() throws {
        let null = #"{"data":null}"#
        let post = try Blog.decode(
            Post.self, relationships: #"{"author":\#(null),"editor":\#(null),"owner":\#(null),"placed":\#(null),"comments":{"data":[]}}"#)
        #expect(post.author.isNull && post.editor.isNull && post.owner.isNull && post.placed.isNull && post.comments.value == [])
        let failure = try Blog.failure {
            try Blog.decode(Post.self, relationships: #"{"editor":{"data":{"type":"people","id":"9"}}}"#)
        }
        #expect(failure.kind == .notIncluded)
    }

    @Test(
        "Null in place of meta or links is absent, so that what was read can be written",
        arguments: [JSONAPIDecoder.Mode.standard, .lenient])
    func nullPart(mode: JSONAPIDecoder.Mode) throws {
        let text = #"{"type":"articles","id":"1","meta":null,"links":null,"attributes":{"title":"A"}}"#
        let article = try JSONAPIDecoder(mode: mode).decode(Article.self, from: Blog.document(text))
        #expect(article.revision.isAbsent && article.addresses.isAbsent)
        let data = try JSONAPIEncoder().encode(article)
        #expect(String(decoding: data, as: UTF8.self) == #"{"data":{"type":"articles","id":"1","attributes":{"title":"A"}}}"#)
    }

    @Test("A Field of an optional meta, or of optional links, is read and written like one of the value")
    func optionalPart() throws {
        struct Note: Resource {
            static let type = "notes"
            var id: String
            var revision: Field<ResourceMeta<Revision>?>
            var addresses: Field<ResourceLinks?>
        }
        let text = #"{"data":{"type":"notes","id":"1","links":{"self":"/notes/1"},"meta":{"number":3}}}"#
        let note = try JSONAPIDecoder().decode(Note.self, from: Data(text.utf8))
        #expect(note.revision.value??.value.number == 3 && note.addresses.value??.links.members["self"] == "/notes/1")
        #expect(try String(decoding: JSONAPIEncoder().encode(note), as: UTF8.self) == text)
    }

    @Test("Meta that a lossy Field cannot read is written back")
    func lossyPart() throws {
        struct Note: Resource {
            static let type = "notes"
            var id: String
            @Lossy var revision: Field<ResourceMeta<Revision>>?
        }
        let text = #"{"data":{"type":"notes","id":"1","meta":{"number":"three"}}}"#
        let note = try JSONAPIDecoder().decode(Note.self, from: Data(text.utf8))
        #expect(note.revision == nil)
        #expect(try String(decoding: JSONAPIEncoder().encode(note), as: UTF8.self) == text)
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

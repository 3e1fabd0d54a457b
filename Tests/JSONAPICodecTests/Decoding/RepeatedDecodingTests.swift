import Foundation
import JSONAPICodec
import Testing

/// Calls of the decoder one after another, nested, and concurrent: they do not affect each other.
@Suite("Repeated decoding")
struct RepeatedDecodingTests {
    /// A document with one article by the given author, and the given number of comments by the same author.
    private func document(author: String, comments: Int, extra: String = "") -> Data {
        let linkage = (0..<comments).map { #"{"type":"comments","id":"\#($0)"}"# }.joined(separator: ",")
        let included = (0..<comments).map {
            #"{"type":"comments","id":"\#($0)","attributes":{"body":"\#(author) \#($0)"},"#
                + #""relationships":{"author":{"data":{"type":"people","id":"1"}}}}"#
        }
        return Blog.document(
            Blog.article(
                attributes: #"{"title":"by \#(author)"\#(extra)}"#,
                relationships: #"{"author":{"data":{"type":"people","id":"1"}},"comments":{"data":[\#(linkage)]}}"#),
            included: [#"{"type":"people","id":"1","attributes":{"name":"\#(author)"}}"#] + included)
    }

    struct Whole: DirectResource {
        static let type = "articles"
        var id: String
        var title: String
        var author: Blog.Person?
        var comments: [Blog.Comment]
        init(resource: ResourceView) throws {
            id = try resource.id()
            title = try resource.attribute("title")
            author = try resource.relationshipIfPresent("author")
            comments = try resource.relationship("comments")
        }
    }

    private func check(_ whole: Whole, _ author: String, _ comments: Int) {
        #expect(whole.title == "by \(author)" && whole.author?.name == author && whole.comments.count == comments)
        for (number, comment) in whole.comments.enumerated() {
            #expect(comment.id == "\(number)" && comment.body == "\(author) \(number)" && comment.author?.name == author)
        }
    }

    @Test("Valid and invalid documents in a row each give their own result")
    func series() throws {
        for (round, size) in [3, 0, 200, 1, 20_000, 2, 40, 9000, 5].enumerated() {
            check(try JSONAPIDecoder().decode(Whole.self, from: document(author: "A\(round)", comments: size)), "A\(round)", size)
            #expect(throws: (any Error).self) { try JSONAPIDecoder().decode(Whole.self, from: Data(#"{"data":[{]}"#.utf8)) }
            let broken = Blog.document(
                Blog.article(relationships: #"{"author":{"data":{"type":"people","id":"1"}}}"#),
                included: [#"{"type":"people","id":"1","attributes":{"name":7}}"#])
            let first = Result { try JSONAPIDecoder().decode(Whole.self, from: broken) }
            let second = Result { try JSONAPIDecoder().decode(Whole.self, from: broken) }
            #expect("\(first)" == "\(second)")
        }
    }

    @Test("A limit still applies after a document that exceeded it")
    func limits() throws {
        check(try JSONAPIDecoder().decode(Whole.self, from: document(author: "A", comments: 100)), "A", 100)
        var decoder = JSONAPIDecoder()
        decoder.reading.maximumValues = 50
        let data = document(author: "B", comments: 10)
        #expect("\(try Blog.failure { try decoder.decode(Whole.self, from: data) })".contains("more than 50 values"))
        decoder = JSONAPIDecoder()
        decoder.maximumResources = 5
        #expect(try Blog.failure { try decoder.decode(Whole.self, from: data) }.kind == .resourceLimit)
    }

    /// A model whose type the program sets.
    struct Named: DirectResource {
        nonisolated(unsafe) static var type = ""
        var id: String
        init(resource: ResourceView) throws { id = try resource.id() }
    }

    @Test("A computed type is evaluated each time")
    func computedType() throws {
        for name in ["people", "persons", "p", "people", "a-type-that-is-longer-than-the-others"] {
            Named.type = name
            let data = Data(#"{"data":{"type":"\#(name)","id":"1"}}"#.utf8)
            #expect(try JSONAPIDecoder().decode(Named.self, from: data).id == "1")
            let other = Data(#"{"data":{"type":"\#(name)s","id":"1"}}"#.utf8)
            #expect(try Blog.failure { try JSONAPIDecoder().decode(Named.self, from: other) }.kind == .unexpectedType)
        }
    }

    /// Decodes a document inside its own initializer.
    struct Nesting: DirectResource {
        static let type = "articles"
        var id: String
        var before: Blog.Person?
        var inner: Whole
        var comments: [Blog.Comment]
        init(resource: ResourceView) throws {
            id = try resource.id()
            before = try resource.relationshipIfPresent("author")
            inner = try JSONAPIDecoder().decode(Whole.self, from: try resource.attribute("inner") as Data)
            comments = try resource.relationship("comments")
        }
    }

    @Test("A model can decode another document in its initializer")
    func nested() throws {
        let inner = document(author: "I", comments: 4).base64EncodedString()
        for _ in 0..<3 {
            let value = try JSONAPIDecoder().decode(
                Nesting.self, from: document(author: "O", comments: 6, extra: #","inner":"\#(inner)""#))
            check(value.inner, "I", 4)
            #expect(value.before?.name == "O" && value.comments.map(\.body) == (0..<6).map { "O \($0)" })
        }
    }

    @Test("Concurrent calls are independent")
    func concurrently() async throws {
        try await withThrowingTaskGroup(of: (Int, Whole, ToMany<Blog.Comment>).self) { group in
            for number in 0..<64 {
                let data = document(author: "T\(number)", comments: number % 9)
                group.addTask {
                    let whole = try JSONAPIDecoder().decode(Whole.self, from: data)
                    return (number, whole, try JSONAPIDecoder().decode(Blog.Article.self, from: data).comments)
                }
            }
            for try await (number, whole, references) in group {
                check(whole, "T\(number)", number % 9)
                #expect(references.values.map(\.body) == whole.comments.map(\.body))
            }
        }
    }

    /// Keeps the container from which it is decoded.
    final class Keeper: Resource, @unchecked Sendable {
        static let type = "articles"
        let id: String
        let container: KeyedDecodingContainer<Names>
        enum Names: CodingKey { case id, title, author }
        init(from decoder: any Decoder) throws {
            container = try decoder.container(keyedBy: Names.self)
            id = try container.decode(String.self, forKey: .id)
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("A container that a model keeps still reads its own document")
    func keptContainer() throws {
        let keeper = try JSONAPIDecoder().decode(Keeper.self, from: document(author: "K", comments: 2))
        for round in 0..<4 {
            check(try JSONAPIDecoder().decode(Whole.self, from: document(author: "L\(round)", comments: 3)), "L\(round)", 3)
            #expect(try keeper.container.decode(String.self, forKey: .title) == "by K")
            #expect(try keeper.container.decode(Blog.Person.self, forKey: .author).name == "K")
        }
    }

    /// A class, to observe when it is released.
    final class Watched: DirectResource, @unchecked Sendable {
        static let type = "people"
        let id: String
        init(resource: ResourceView) throws { id = try resource.id() }
        init(from decoder: any Decoder) throws { id = "" }
        func encode(to encoder: any Encoder) throws {}
        func write(to resource: ResourceWriter) throws {}
    }
    struct Watching: DirectResource {
        static let type = "articles"
        var id: String
        var author: Watched?
        var editor: Watched?
        init(resource: ResourceView) throws {
            id = try resource.id()
            author = try resource.relationshipIfPresent("author")
            editor = try resource.relationshipIfPresent("editor")
        }
    }

    @Test("Releasing a result releases all of its memory")
    func released() throws {
        weak var author: Watched?
        do {
            let value = try JSONAPIDecoder().decode(
                Watching.self,
                from: Blog.document(
                    Blog.article(
                        relationships: #"{"author":{"data":{"type":"people","id":"1"}},"editor":{"data":{"type":"people","id":"1"}}}"#),
                    included: [Blog.ann]))
            #expect(value.author === value.editor)
            author = value.author
            #expect(author != nil)
        }
        #expect(author == nil)
    }
}

import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Decoding relationships")
struct RelationshipDecodingTests {
    private let decoder = JSONAPIDecoder()

    private func article(_ relationships: String, _ included: [String] = []) throws -> Blog.Article {
        try decoder.decode(Blog.Article.self, from: Blog.document(Blog.article(relationships: relationships), included: included))
    }

    @Test("A to-one relationship is not loaded, empty, an identifier, or resolved")
    func toOneStates() throws {
        let absent = try article("{}")
        #expect(!absent.author.isLoaded && absent.author.data == .absent && absent.author == .notLoaded)
        let linked = try article(#"{"author":{"links":{"related":"/a"}}}"#)
        #expect(!linked.author.isLoaded && linked.author.links?.related?.href == "/a")
        let empty = try article(#"{"author":{"data":null}}"#)
        #expect(empty.author.isEmpty && empty.author.isLoaded && empty.author == nil)
        let described = try article(#"{"author":{"data":null,"links":{"related":"/a"},"meta":{"x":2}}}"#)
        #expect(described.author == nil && !(described.author != nil) && described.author != .empty)
        #expect(absent.author != nil && linked.author != nil && !(linked.author == nil))
        let link = #"{"author":{"data":{"type":"people","id":"1","meta":{"m":1}},"meta":{"x":2}}}"#
        let identifier = try article(link)
        #expect(identifier.author.id == "1" && identifier.author.value == nil)
        #expect(identifier.author.identifier?.meta?["m"] == 1 && identifier.author.meta?["x"] == 2)
        let resolved = try article(link, [Blog.ann])
        #expect(resolved.author.value?.name == "Ann" && resolved.author == identifier.author)
    }

    @Test("A to-many relationship is not loaded, empty, or an ordered list that can repeat")
    func toManyStates() throws {
        #expect(try article("{}").comments.identifiers == nil)
        let empty = try article(#"{"comments":{"data":[]}}"#)
        #expect(empty.comments.isEmpty && empty.comments.allValues == [])
        let ids = ["2", "1", "2"].map { #"{"type":"comments","id":"\#($0)"}"# }.joined(separator: ",")
        let list = try article(#"{"comments":{"data":[\#(ids)]}}"#, [#"{"type":"comments","id":"2","attributes":{"body":"b"}}"#])
        #expect(list.comments.ids == ["2", "1", "2"])
        #expect(list.comments.values.map(\.id) == ["2", "2"] && list.comments.allValues == nil)
    }

    @Test("References can be edited")
    func edits() throws {
        var article = try article(#"{"author":{"data":{"type":"people","id":"1"}}}"#, [Blog.ann])
        article.author = ToOne(id: "7")
        #expect(article.author.identifier == ResourceIdentifier(type: "people", id: "7") && article.author.value == nil)
        article.author = ToOne(Blog.Person(id: "8", name: "Eve"))
        #expect(article.author.value?.name == "Eve")
        article.author = nil
        #expect(article.author.isEmpty)
        article.comments.append(id: "3")
        article.comments.append(Blog.Comment(id: "4", body: "b"))
        #expect(article.comments.ids == ["3", "4"] && article.comments.values.map(\.body) == ["b"])
        article.comments.remove(ResourceIdentifier(type: "comments", id: "3"))
        #expect(article.comments.ids == ["4"])
        article.comments = .notLoaded
        #expect(!article.comments.isLoaded)
    }

    @Test("Ids are compared by bytes")
    func lookUpByBytes() throws {
        let composed = #"{"type":"people","id":"\u00e9","attributes":{"name":"composed"}}"#
        let decomposed = #"{"type":"people","id":"e\u0301","attributes":{"name":"decomposed"}}"#
        for (id, name) in [
            ("é".precomposedStringWithCanonicalMapping, "composed"), ("é".decomposedStringWithCanonicalMapping, "decomposed"),
        ] {
            let article = try article(#"{"author":{"data":{"type":"people","id":"\#(id)"}}}"#, [composed, decomposed])
            #expect(article.author.value?.name == name)
        }
    }

    struct Embedding: Resource {
        static let type = "articles"
        var id: String
        var author: Blog.Person?
        var comments: [Blog.Comment]
        var reviewers: [Blog.Contributor]?
    }

    struct Required: Resource {
        static let type = "articles"
        var id: String
        var author: Blog.Person
    }

    @Test("A missing resource leaves an identifier, nil, a shorter array on request, or is an error")
    func missingKept() throws {
        let text = Blog.article(
            relationships: #"{"author":{"data":{"type":"people","id":"9"}},"comments":{"data":[{"type":"comments","id":"1"}]}}"#)
        #expect(try Blog.failure { try decoder.decode(Embedding.self, from: Blog.document(text)) }.kind == .notIncluded)
        var omitting = decoder
        omitting.missingResources = .omit
        let document = try omitting.decode(Document<Embedding>.self, from: Blog.document(text))
        #expect(document.data.author == nil && document.data.comments.isEmpty)
        #expect(document.diagnostics.count(of: .notIncluded) == 2)
        let failure = try Blog.failure { try decoder.decode(Required.self, from: Blog.document(text)) }
        #expect(failure.kind == .notIncluded && "\(failure.pointer)" == "/data/relationships/author/data")
        #expect(failure.expected.contains("people 9") && failure.resource?.id == "1")
        #expect(failure.position?.line == 1)
    }

    @Test("A missing resource can be omitted or be an error")
    func missingPolicies() throws {
        let data = Blog.document(
            Blog.article(
                relationships: #"{"author":{"data":{"type":"people","id":"9"}},"comments":{"data":[{"type":"comments","id":"1"}]}}"#))
        var decoder = self.decoder
        decoder.missingResources = .omit
        let article = try decoder.decode(Blog.Article.self, from: data)
        #expect(article.author.identifier == nil && article.comments.count == 0)
        decoder.missingResources = .throw
        #expect(try Blog.failure { try decoder.decode(Blog.Article.self, from: data) }.kind == .notIncluded)
        #expect(try Blog.failure { try decoder.decode(Embedding.self, from: data) }.kind == .notIncluded)
    }

    @Test("Unions keep unknown types, references keep identifiers, and embedded arrays omit them")
    func unknownTypes() throws {
        let robot = #"{"type":"robots","id":"5","attributes":{"model":"R2"}}"#
        let data = Blog.document(
            Blog.article(
                relationships:
                    #"{"author":{"data":{"type":"robots","id":"5"}},"comments":{"data":[]},"reviewers":{"data":[{"type":"robots","id":"5"},{"type":"people","id":"1"}]}}"#
            ),
            included: [robot, Blog.ann])
        let embedded = try decoder.decode(Document<Embedding>.self, from: data)
        #expect(embedded.data.author == nil && embedded.data.reviewers?.count == 2)
        guard case .unknown(let raw) = embedded.data.reviewers?.first else { return #expect(Bool(false), "not kept raw") }
        #expect(raw[attribute: "model"] == "R2")
        #expect(embedded.diagnostics.count(of: .unknownType) == 2)
        let article = try decoder.decode(Blog.Article.self, from: data)
        #expect(article.author.identifier?.type == "robots" && article.author.value == nil)
        var strict = decoder
        strict.unknownTypes = .throw
        #expect(try Blog.failure { try strict.decode(Blog.Article.self, from: data) }.kind == .unexpectedType)
        #expect(try Blog.failure { try strict.decode(Embedding.self, from: data) }.kind == .unexpectedType)
    }

    @Test("The error for a wrong cardinality says what to declare")
    func cardinality() throws {
        let one = try Blog.failure { try article(#"{"author":{"data":[]}}"#) }
        #expect(one.kind == .cardinality && one.advice?.contains("ToMany") == true)
        let many = try Blog.failure { try article(#"{"comments":{"data":null}}"#) }
        #expect(many.kind == .cardinality && many.advice?.contains("nullToMany") == true)
    }

    @Test("An invalid referenced resource is an error of decoding")
    func faultBehindReference() throws {
        let failure = try Blog.failure {
            try article(#"{"author":{"data":{"type":"people","id":"1"}}}"#, [#"{"type":"people","id":"1","attributes":{"name":7}}"#])
        }
        #expect("\(failure.pointer)" == "/included/0/attributes/name" && failure.kind == .wrongType)
    }

    @Test("Invalid elements can be dropped, and are reported")
    func invalidElements() throws {
        let data = Data(#"{"data":[\#(Blog.ann),{"type":"people","id":"2","attributes":{}}]}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode([Blog.Person].self, from: data) }
        var decoder = self.decoder
        decoder.invalidElements = .drop
        let document = try decoder.decode(Document<[Blog.Person]>.self, from: data)
        #expect(document.data.map(\.id) == ["1"] && document.diagnostics.count(of: .droppedElement) == 1)
        #expect(document.diagnostics.first { $0.kind == .droppedElement }.map { "\($0.pointer)" } == "/data/1")
    }
}

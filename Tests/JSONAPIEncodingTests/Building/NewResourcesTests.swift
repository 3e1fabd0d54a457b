import Foundation
import JSONText
import Testing

@testable import JSONAPICodec

/// `Create(article, including: .new)`: one request for several new resources.
@Suite struct NewResourcesTests {
    private struct Author: Resource, Equatable {
        static let type = "people"
        var id: String?
        var lid: LocalID?
        var name: String
    }
    private struct Comment: Resource, RestrictedFields {
        static let type = "comments"
        static let readOnlyFields = ["number"]
        var id: String?
        var lid: LocalID?
        var body: String
        var number = 7
        var author: ToOne<Author> = .notLoaded
        var article: ToOne<Article> = .notLoaded
    }
    private struct Article: Resource {
        static let type = "articles"
        var id: String?
        var lid: LocalID?
        var title: String
        var author: Author?
        var comments: ToMany<Comment> = .notLoaded
    }

    private func json(_ body: some DocumentBody) throws -> JSON { try JSON(parsing: JSONAPIEncoder().encode(body)) }

    @Test func newResourcesAreIncludedWithTheirLids() throws {
        let ann = Author(id: "9", name: "Ann")
        let bea = Author(lid: "b", name: "Bea")
        let parent = Article(lid: "a", title: "T")
        let comments = [
            Comment(lid: "1", body: "One", author: ToOne(bea), article: ToOne(parent)), Comment(id: "5", body: "Old", author: ToOne(bea)),
            Comment(lid: "2", body: "Two", author: ToOne(ann)),
        ]
        let article = Article(lid: "a", title: "T", author: bea, comments: ToMany(comments))
        let body = try json(Create(article, including: .new))
        #expect(body["data"]?["lid"] == "a" && body["data"]?["id"] == nil)
        #expect(
            body["data"]?["relationships"]?["comments"]?["data"]
                == [["type": "comments", "lid": "1"], ["type": "comments", "id": "5"], ["type": "comments", "lid": "2"]])
        #expect(
            body["included"] == [
                ["type": "people", "lid": "b", "attributes": ["name": "Bea"]],
                [
                    "type": "comments", "lid": "1", "attributes": ["body": "One"],
                    "relationships": [
                        "author": ["data": ["type": "people", "lid": "b"]], "article": ["data": ["type": "articles", "lid": "a"]],
                    ],
                ],
                [
                    "type": "comments", "lid": "2", "attributes": ["body": "Two"],
                    "relationships": ["author": ["data": ["type": "people", "id": "9"]]],
                ],
            ])
    }

    @Test func newResourcesAreNotIncludedByDefault() throws {
        let article = Article(title: "T", author: Author(lid: "b", name: "Bea"))
        #expect(try json(Create(article))["included"] == nil)
        #expect(try json(Create(Article(title: "T", author: Author(id: "9", name: "Ann")), including: .new))["included"] == nil)
        #expect(try json(Create(Article(title: "T"), including: .new)) == json(Create(Article(title: "T"))))
    }

    @Test func aNewResourceWithoutALidIsAnErrorWithAdvice() {
        let article = Article(title: "T", author: Author(name: "Bea"))
        let error = #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Create(article, including: .new)) }
        #expect(error?.failure?.kind == .missingIdentity && error?.failure?.advice?.contains("LocalID") == true)
    }

    @Test func twoValuesWithOneLidAreAnError() {
        let article = Article(
            title: "T", author: Author(lid: "b", name: "Bea"),
            comments: [Comment(lid: "1", body: "One", author: ToOne(Author(lid: "b", name: "Other")))])
        let error = #expect(throws: EncodingError.self) { try JSONAPIEncoder().encode(Create(article, including: .new)) }
        #expect(error?.failure?.kind == .duplicateResource)
    }

    @Test func aSharedResourceWithReadOnlyFieldsIsNoConflict() throws {
        let first = Comment(lid: "1", body: "One")
        let parts = { (comment: Comment) in
            [
                Create(Article(lid: "a", title: "A", comments: [first]), including: .new),
                Create(Article(lid: "b", title: "B", comments: [comment]), including: .new),
            ]
        }
        #expect(try json(parts(first))["included"] == [["type": "comments", "lid": "1", "attributes": ["body": "One"]]])
        #expect(throws: EncodingError.self) { try json(parts(Comment(lid: "1", body: "Two"))) }
    }

    @Test func severalCreationsShareOneNewResource() throws {
        let bea = Author(lid: "b", name: "Bea")
        let body = try json([
            Create(Article(lid: "1", title: "One", author: bea), including: .new),
            Create(Article(lid: "2", title: "Two", author: bea), including: .new),
        ])
        #expect(body["data"]?.array?.count == 2 && body["included"]?.array?.count == 1)
    }
}

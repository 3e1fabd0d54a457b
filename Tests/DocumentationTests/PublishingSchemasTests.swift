// The samples keep the spacing that they have in the documentation.
// swift-format-ignore-file

import Foundation
import JSONAPICodec
import JSONAPISchemas
import JSONText
import Testing

private struct AccountNumber: Codable {
    let text: String

    init(_ text: String) { self.text = text }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard text.utf8.count == 11, text.allSatisfy(\.isNumber) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "Expected 11 digits."))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

@Suite("The article Publishing schemas")
struct PublishingSchemasTests {
    private func attributes(_ schema: JSON, _ name: String) -> JSON? { schema["$defs"]?[name]?["properties"]?["attributes"] }

    @Test("The schemas of a model, and what the decoder decides")
    func schemas() throws {
        struct Article: Resource, RestrictedFields {
            static let type = "articles"
            static let readOnlyFields = ["createdAt"]
            var id: String
            var title: String
            var state: State
            var createdAt: Date
            var author: ToOne<Person>

            enum State: String, Codable, CaseIterable { case draft, published }
        }

        let schema = try ModelSchema(of: Article.self)
        let response = schema.document            // one article
        let responses = schema.collection         // many articles
        let post = schema.create                  // the body of POST /articles
        let patch = schema.update                 // the body of PATCH /articles/1
        let description = schema.openAPI          // an OpenAPI file with all resources
        for schema in [response, responses, post, patch] {
            #expect(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema")
        }
        #expect(description["components"]?["schemas"]?["Article"] != nil)
        #expect(post["properties"]?["data"]?["properties"]?["attributes"]?["properties"]?["createdAt"] == false)
        #expect(patch["properties"]?["data"]?["required"] == ["type", "id"])
        let page = try DocumentationPage.named("PublishingSchemas")
        #expect(try attributes(response, "Article") == JSON(parsing: #require(page.documents.first)))

        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .kebabCase
        decoder.unknownTypes = .throw
        let strict = try ModelSchema(of: Article.self, decoder: decoder)
        #expect(attributes(strict.document, "Article")?["properties"]?["created-at"] != nil)
        let author = strict.document["$defs"]?["Article"]?["properties"]?["relationships"]?["properties"]?["author"]
        #expect(author?["properties"]?["data"]?["properties"]?["type"]?["enum"] == ["people"])
    }

    @Test("An example")
    func example() throws {
        struct Account: Resource {
            static let type = "accounts"
            var id: String
            var number: AccountNumber
        }

        let accounts = try ModelSchema(of: Account.self, example: Account(id: "1", number: AccountNumber("86011117947")))
        #expect(attributes(accounts.document, "Account")?["required"] == ["number"])
        #expect(throws: ModelSchemaError.self) { try ModelSchema(of: Account.self) }
    }
}

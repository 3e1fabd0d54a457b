import Foundation
import JSONMapping
import JSONText
import Testing

@testable import JSONAPICodec

@Suite("Schemas of models")
struct ModelSchemaTests {
    @Test("print")
    func printed() throws {
        print(try JSONWriter(style: .indented(spaces: 1)).string(ModelSchema(of: SchemaModels.Article.self).document))
        for schema in try [ModelSchema(of: SchemaModels.Tolerant.self), ModelSchema(of: SchemaModels.Handwritten.self), ModelSchema(of: SchemaModels.Book.self), ModelSchema(of: SchemaModels.Dog.self), ModelSchema(of: SchemaModels.Restricted.self), ModelSchema(of: SchemaModels.Account.self)] {
            print(try JSONWriter().string(schema.create))
        }
        do { _ = try ModelSchema(of: SchemaModels.Moody.self) } catch { print(error) }
        print(try JSONWriter().string(ModelSchema(of: SchemaModels.MoodyFriend.self).update))
    }
}

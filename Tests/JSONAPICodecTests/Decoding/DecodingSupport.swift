import Foundation
import JSONAPICodec
import JSONText
import Testing

/// The models that the decoder's tests share.
enum Blog {
    struct Person: Resource, Equatable {
        static let type = "people"
        var id: String
        var name: String
    }

    struct Comment: Resource, Equatable {
        static let type = "comments"
        var id: String
        var body: String
        var author: Person?
    }

    /// The same with references.
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var author: ToOne<Person>
        var comments: ToMany<Comment>
    }

    enum Contributor: ResourceUnion {
        case person(Person), unknown(ResourceObject)
        static let members: [UnionMember<Contributor>] = [.init(Contributor.person)]
        var resource: any ResourceRepresentable {
            switch self {
            case .person(let person): person
            case .unknown(let object): object
            }
        }
    }

    static let ann = #"{"type":"people","id":"1","attributes":{"name":"Ann"}}"#

    static func article(attributes: String = #"{"title":"T"}"#, relationships: String = "{}") -> String {
        #"{"type":"articles","id":"1","attributes":\#(attributes),"relationships":\#(relationships)}"#
    }

    /// The single article of a document, as a model.
    static func decode<Model: Resource>(
        _ type: Model.Type, attributes: String = "{}", relationships: String = "{}", with decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> Model {
        try decoder.decode(type, from: document(article(attributes: attributes, relationships: relationships)))
    }

    static func document(_ data: String, included: [String] = []) -> Data {
        Data((#"{"data":\#(data),"included":["# + included.joined(separator: ",") + "]}").utf8)
    }

    /// The failure in the error that `body` throws.
    static func failure<Value>(
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Value
    ) throws -> DecodingFailure {
        let error = try #require(
            #expect(throws: DecodingError.self, sourceLocation: sourceLocation) { _ = try body() }, sourceLocation: sourceLocation)
        return try #require(error.failure, "\(error)", sourceLocation: sourceLocation)
    }
}

import Foundation
import JSONAPICodec
import Testing

/// An identifier in place of a relationship object, read through a coding key that is a path.
@Suite struct IdentifierAtPathTests {
    struct Person: Resource {
        static let type = "people"
        var id: String
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person>

        enum CodingKeys: String, CodingKey {
            case id
            case author = "relationships.author"
        }
    }

    @Test("It is an error, as with a plain key")
    func refused() throws {
        let text = #"{"data":{"type":"articles","id":"1","relationships":{"author":{"type":"people","id":"9"}}}}"#
        let error = #expect(throws: DecodingError.self) { try JSONAPIDecoder().decode(Article.self, from: Data(text.utf8)) }
        #expect(error?.failure?.kind == .wrongType)
    }
}

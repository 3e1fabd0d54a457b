import Foundation
import JSONAPICodec
import Testing

/// Whole resources in place of identifiers, which lenient mode reads, in sources of single resources.
@Suite struct ResourceInPlaceTests {
    struct Company: Resource {
        static let type = "companies"
        var id: String
        var name: String
    }
    struct Person: Resource {
        static let type = "people"
        var id: String?
        var name: String
        var company: Company?
    }
    struct Article: Resource {
        static let type = "articles"
        var id: String
        var author: ToOne<Person>
        var reviewers: ToMany<Person>
    }

    private let decoder = JSONAPIDecoder(mode: .lenient)

    /// A source that can read only the article 1.
    private final class DamagedShelf: ResourceSource {
        struct Damage: Error {}

        func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
            guard identifier.id == "1" else { throw Damage() }
            return Array(#"{"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"9"}}}}"#.utf8)
        }
    }

    @Test(
        "A resource that its source cannot read is not a missing one: the reference keeps the identifier",
        arguments: [JSONAPIDecoder.MissingPolicy.keep, .omit, .throw])
    func damaged(policy: JSONAPIDecoder.MissingPolicy) throws {
        var decoder = JSONAPIDecoder()
        decoder.missingResources = policy
        let identifier = ResourceIdentifier(type: "articles", id: "1")
        let article = try #require(try decoder.resource(Article.self, identifier, from: DamagedShelf()))
        #expect(article.author.identifier == ResourceIdentifier(type: "people", id: "9"))
        #expect(throws: DamagedShelf.Damage.self) { _ = try article.author.resolved() }
    }
}

import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Errors name the cure, and no value of the document.
@Suite struct RejectedValueTests {
    enum Status: String, Codable, CaseIterable { case draft, published }
    enum Level: Int, Codable { case one = 1 }

    struct Article: Resource {
        static let type = "article"
        var id: UUID
        var status: Status?
        var level: Level?
        var price: Decimal?
        var key: UUID?
    }

    private func failure(_ attributes: String, id: String = UUID().uuidString, type: String = "article") -> DecodingFailure? {
        let text = Data(#"{"data":{"type":"\#(type)","id":"\#(id)","attributes":{\#(attributes)}}}"#.utf8)
        do {
            _ = try JSONAPIDecoder().decode(Article.self, from: text)
            return nil
        } catch { return (error as? DecodingError)?.failure }
    }

    @Test("An unknown raw value names the nearest one, and the cure")
    func rawValues() {
        let near = failure(#""status":"publisched""#)
        #expect(near?.expected.contains("`draft`, `published`") == true)
        #expect(near?.advice?.contains("the nearest is `published`") == true)
        #expect(near?.advice?.contains("@Lossy") == true)
        #expect(near?.description.contains("publisched") == false)
        #expect(failure(#""level":2"#)?.advice?.contains("@Lossy") == true)
    }

    @Test("An id that is not a UUID names the cure")
    func ids() {
        #expect(failure("", id: "secret")?.advice?.contains("Identifier") == true)
        #expect(failure("", id: "secret")?.found == "another text")
        #expect(failure(#""key":"x""#)?.advice?.contains("String") == true)
    }

    @Test("A decimal out of range is not one with too many digits")
    func decimals() {
        #expect(failure(#""price":1e400"#)?.found == "a number that is too large or too close to zero")
        #expect(failure(#""price":1e-400"#)?.found == "a number that is too large or too close to zero")
        #expect(failure(#""price":1.2345678901234567890123456789012345678901234567890"#)?.found == "more digits")
        #expect(failure(#""price":1e400"#)?.advice?.contains("JSONNumber") == true)
    }

    @Test("Another type names a similar type in the document")
    func types() {
        #expect(failure("", type: "articles")?.advice?.contains("`articles` in the document is similar to `article`") == true)
        #expect(failure("", type: "people")?.advice == "use a ResourceUnion for several types in one place")
    }

    @Test("A patch of a value without an id names the cure")
    func patchWithoutID() {
        struct Draft: Resource {
            static let type = "articles"
            var id: String?
            var title: String
        }
        let draft = Draft(id: nil, title: "a")
        #expect(encodingFailure { _ = try JSONAPIEncoder().encode(draft.patch { $0.title = "b" }) }?.advice?.contains("Create") == true)
    }

    enum Cents: ConversionSource {
        static let conversion = Conversion<JSON, Int>.lenientInt.then(decode: { $0 * 100 }, encode: { $0 / 100 })
    }
    struct Order: Resource {
        static let type = "orders"
        var id: String
        var authorID: String?
        var city: String?
        @Converted<Cents> var total: Int
        enum CodingKeys: String, CodingKey { case id, authorID = "author", city = "place", total }

        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            authorID = try map.decode(ToOne<Article>.self, forKey: .authorID).data.identifiers.first?.id
            city = try map.nestedContainer(keyedBy: Key.self, forKey: .city).decodeIfPresent(String.self, forKey: Key("name"))
            _total = try map.decode(Converted<Cents>.self, forKey: .total)
        }
    }

    @Test("A key path to a property that is made of a reference or of a nested container is refused")
    func madeProperties() throws {
        let encoder = JSONAPIEncoder()
        let patch = Patch<Order>(id: "1")
        #expect(encodingFailure { _ = try encoder.encode(patch.set(\.authorID, "9")) }?.kind == .unknownName)
        #expect(encodingFailure { _ = try encoder.encode(patch.set(\.city, "Oslo")) }?.kind == .unknownName)
        #expect(try patch.set(\.total, 500).object(encoder)[attribute: "total"] == 5)
    }

    struct Parts: Decodable, Sendable {
        var revision: Int
        enum CodingKeys: String, CodingKey { case meta, revision }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            revision = try map.nestedContainer(keyedBy: CodingKeys.self, forKey: .meta).decode(Int.self, forKey: .revision)
        }
    }
    struct Wrapper<Value: Decodable & Sendable>: Resource {
        static var type: String { "things" }
        var id: String
        let value: Value
        init(from decoder: any Decoder) throws {
            id = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .id)
            value = try Value(from: decoder)
        }
        func encode(to encoder: any Encoder) throws {}
    }

    struct Inherited: Decodable, Sendable {
        var title: String
        enum CodingKeys: String, CodingKey { case title }
        init(from decoder: any Decoder) throws {
            let parent = try decoder.container(keyedBy: CodingKeys.self).superDecoder()
            title = try parent.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        }
    }

    @Test("A superclass reads the fields of the resource, as it writes them, even beside an attribute called super")
    func superclass() throws {
        let text = Data(#"{"data":{"type":"things","id":"1","attributes":{"title":"a","super":{"title":"b"}}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Wrapper<Inherited>.self, from: text).value.title == "a")
    }

    @Test("A nested container for meta reads the resource's meta, as it is written, whatever the attributes are")
    func nestedMeta() throws {
        func parts(_ rest: String) throws -> Int {
            let text = Data(#"{"data":{"type":"things","id":"1","attributes":{"meta":{"revision":1}}\#(rest)}}"#.utf8)
            return try JSONAPIDecoder().decode(Wrapper<Parts>.self, from: text).value.revision
        }
        #expect(try parts(#","meta":{"revision":2}"#) == 2)
        #expect(throws: DecodingError.self) { try parts("") }
    }
}

import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Names that the program gives as text, with a key strategy.
@Suite struct NamesOfStrategiesTests {
    struct Page: Resource {
        static let type = "pages"
        var id: String
        var urlID: String?
        var publishedAt: String?
        var mainURL: Writer?
    }

    private let empty = Page(id: "1")

    private func encoder(_ strategy: JSONAPIEncoder.KeyStrategy) -> JSONAPIEncoder {
        var encoder = JSONAPIEncoder()
        encoder.keyStrategy = strategy
        return encoder
    }

    @Test("The name of a key with capitals in a row is correct, even if the property is nil in all resources")
    func acronyms() throws {
        let kebab = encoder(.kebabCase)
        #expect(try kebab.text(empty, fields: ["pages": ["url-id"]]) == #"{"data":{"type":"pages","id":"1"}}"#)
        #expect(try kebab.text(empty, include: ["main-url"]) == #"{"data":{"type":"pages","id":"1"},"included":[]}"#)
        #expect(try kebab.text(Create(empty).omitting("url-id")) == #"{"data":{"type":"pages"}}"#)
        #expect(try encoder(.snakeCase).text(empty, fields: ["pages": ["url_id"]]) == #"{"data":{"type":"pages","id":"1"}}"#)
        #expect(try kebab.text(Patch<Page>(id: "1").set("url-id", "a")).contains(#""url-id":"a""#))
    }

    struct Odd: Resource {
        static let type = "odd"
        var id: String
        var firstName: String?
        var userID: String?
        var site: String?
        var friend: ToOne<Writer> = .notLoaded

        enum CodingKeys: String, CodingKey {
            case id
            case firstName = "first_Name"
            case userID = "user_ID"
            case site = "Web_Site"
            case friend = "best_Friend"
        }
    }

    @Test(
        "The name of a key with separators and capitals is correct, even if the property is nil",
        arguments: ["first_name", "user_id", "web_site"])
    func separatorsAndCapitals(name: String) throws {
        for strategy in [JSONAPIEncoder.KeyStrategy.snakeCase, .kebabCase] {
            #expect(try encoder(strategy).text(Odd(id: "1"), fields: ["odd": [name]]) == #"{"data":{"type":"odd","id":"1"}}"#)
            #expect(try encoder(strategy).text(Create(Odd(id: "1")).omitting(name)) == #"{"data":{"type":"odd"}}"#)
        }
        let odd = Odd(id: "1", friend: .empty)
        #expect(try encoder(.snakeCase).text(odd, include: ["best_friend"]).hasSuffix(#""included":[]}"#))
    }

    struct Tag: Resource, Equatable {
        static let type = "tags"
        var id: String
        var ID: Int?
    }

    @Test("A key that a strategy turns into id is an attribute, and not the identity")
    func convertedToID() throws {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        let text = Data(#"{"data":{"type":"tags","id":"1","attributes":{"id":5}}}"#.utf8)
        let tag = try decoder.decode(Tag.self, from: text)
        #expect(tag == Tag(id: "1", ID: 5))
        var encoder = JSONAPIEncoder(matching: decoder)
        #expect(encodingFailure { _ = try encoder.encode(tag) }?.kind == .illegalName)
        encoder.checksNames = false
        #expect(try encoder.encode(tag) == text)
        #expect(try encoder.text(tag.patch { $0.ID = 6 }) == #"{"data":{"type":"tags","id":"1","attributes":{"id":6}}}"#)
    }

    struct Capital: Resource, Equatable {
        static let type = "capitals"
        var id: String?
        var title: String

        enum CodingKeys: String, CodingKey {
            case id = "Id"
            case title = "Title"
        }
    }

    @Test("The only key that a strategy turns into id is the identity")
    func identityByStrategy() throws {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        let text = Data(#"{"data":{"type":"capitals","id":"1","attributes":{"title":"a"}}}"#.utf8)
        let capital = try decoder.decode(Capital.self, from: text)
        #expect(capital == Capital(id: "1", title: "a"))
        #expect(try JSONAPIEncoder(matching: decoder).encode(capital) == text)
    }

    struct Place: Resource {
        static let type = "places"
        var id: String
        var geo: [String: Int]
        var rest: RemainingMembers

        enum CodingKeys: String, CodingKey {
            case id, geo
            case rest = "attributes"
        }
    }

    /// Reads and writes its parts with containers of its own.
    struct Parts: Resource, Equatable {
        static let type = "parts"
        var id: String
        var name: String
        var version: Int

        enum CodingKeys: String, CodingKey { case id, attributes, meta }
        enum Names: String, CodingKey { case name, version }

        init(id: String, name: String, version: Int) { (self.id, self.name, self.version) = (id, name, version) }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            name = try container.nestedContainer(keyedBy: Names.self, forKey: .attributes).decode(String.self, forKey: .name)
            version = try container.nestedContainer(keyedBy: Names.self, forKey: .meta).decode(Int.self, forKey: .version)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            var attributes = container.nestedContainer(keyedBy: Names.self, forKey: .attributes)
            try attributes.encode(name, forKey: .name)
            var meta = container.nestedContainer(keyedBy: Names.self, forKey: .meta)
            try meta.encode(version, forKey: .version)
        }
    }

    @Test("A strategy does not convert the names of the parts of a resource")
    func partsOfResources() throws {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .custom { $0.prefix(1).uppercased() + $0.dropFirst() }
        let encoder = JSONAPIEncoder(matching: decoder)
        let text = Data(#"{"data":{"type":"places","id":"1","attributes":{"Geo":{"lat":1},"Other":5}}}"#.utf8)
        let place = try decoder.decode(Place.self, from: text)
        #expect(place.rest.members == ["Geo": ["lat": 1], "Other": 5])
        #expect(try encoder.encode(place) == text)
        let parts = Data(#"{"data":{"type":"parts","id":"1","attributes":{"name":"a"},"meta":{"version":2}}}"#.utf8)
        #expect(try decoder.decode(Parts.self, from: parts) == Parts(id: "1", name: "a", version: 2))
        #expect(try encoder.encode(Parts(id: "1", name: "a", version: 2)) == parts)
    }

    final class Post: Resource, @unchecked Sendable {
        static let type = "posts"
        var id = "1"
        var petName = "a"
        var due: Date?
    }

    @Test("The patch of an object throws for an encoder that writes the object otherwise than the one it was made with")
    func patchesOfObjects() throws {
        let snake = encoder(.snakeCase)
        let patch = Post().patch { $0.petName = "b" }
        #expect(encodingFailure { _ = try snake.encode(patch) }?.kind == .misuse)
        #expect(try snake.text(Post().patch(with: snake) { $0.petName = "b" }).contains(#"{"pet_name":"b"}"#))
        #expect(try JSONAPIEncoder().text(patch).contains(#"{"petName":"b"}"#))
        #expect(Post().patch(with: snake) { _ in }.isEmpty && !Post().patch(with: snake) { $0.petName = "b" }.isEmpty)
    }

    @Test("Other strategies for dates do not matter for the patch of an object without dates")
    func datesInPatchesOfObjects() throws {
        var seconds = JSONAPIEncoder()
        seconds.dateEncodingStrategy = .secondsSince1970
        #expect(try seconds.text(Post().patch { $0.petName = "b" }).contains(#"{"petName":"b"}"#))
        let dated = Post().patch { $0.due = Date(timeIntervalSince1970: 6) }
        #expect(encodingFailure { _ = try seconds.encode(dated) }?.kind == .misuse)
        var custom = JSONAPIEncoder()
        custom.dateEncodingStrategy = .custom { _, encoder in try "never".encode(to: encoder) }
        #expect(encodingFailure { _ = try seconds.encode(Post().patch(with: custom) { $0.due = Date() }) }?.kind == .misuse)
    }

    @Test("The patch of an object throws for an encoder with another function as a strategy, also after another edit")
    func functionsInPatchesOfObjects() throws {
        func dates(_ unit: Double) -> JSONAPIEncoder {
            var encoder = JSONAPIEncoder()
            encoder.dateEncodingStrategy = .custom { date, encoder in try (date.timeIntervalSince1970 * unit).encode(to: encoder) }
            return encoder
        }
        func texts(_ mark: String) -> JSONAPIEncoder {
            var encoder = JSONAPIEncoder()
            encoder.dateEncodingStrategy = .text(DateTextForm(read: { _ in nil }, write: { mark + String($0.timeIntervalSince1970) }))
            return encoder
        }
        func names(_ suffix: String) -> JSONAPIEncoder { encoder(.custom { $0 + suffix }) }
        for (one, other) in [(dates(1), dates(2)), (texts("a"), texts("b")), (names("A"), names("B"))] {
            let post = Post()
            let patch = post.patch(with: one) { $0.due = Date(timeIntervalSince1970: 6) }
            #expect(encodingFailure { _ = try other.encode(patch) }?.kind == .misuse)
            let body = try one.encode(patch)
            post.due = Date(timeIntervalSince1970: 7)
            #expect(try one.encode(patch) == body)
        }
    }

    @Test("A coding key is not the name of a member if the key strategy changes it")
    func keysAreNotNames() {
        let kebab = encoder(.kebabCase)
        let failures = [
            encodingFailure { _ = try kebab.encode(empty, fields: ["pages": ["publishedAt"]]) },
            encodingFailure { _ = try kebab.encode(empty, include: ["mainURL"]) },
            encodingFailure { _ = try kebab.encode(Create(empty).omitting("urlID")) },
            encodingFailure { _ = try kebab.encode(Patch<Page>(id: "1").set("publishedAt", "a")) },
        ]
        #expect(failures.map { $0?.kind } == [.unknownName, .unknownName, .unknownName, .unknownName])
        let failure = encodingFailure { _ = try kebab.encode(empty, fields: ["pages": ["published-att"]]) }
        #expect(failure?.kind == .unknownName)
        #expect(failure?.advice == "the nearest coding key is `publishedAt`, for the name `published-at`")
    }
}

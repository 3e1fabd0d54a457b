import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Decoding properties")
struct PropertyDecodingTests {
    private let decoder = JSONAPIDecoder()

    private func decode<Model: Resource>(
        _ type: Model.Type, attributes: String = "{}", relationships: String = "{}", with decoder: JSONAPIDecoder = JSONAPIDecoder()
    ) throws -> Model {
        try decoder.decode(type, from: Blog.document(Blog.article(attributes: attributes, relationships: relationships)))
    }

    // MARK: - Names

    struct Dotted: Resource {
        static let type = "articles"
        var id: String
        var kind: String
        var inner: String
        var city: String
        var street: String
        var author: Links?
        enum CodingKeys: String, CodingKey {
            case id, street = "address.street"
            case kind = "attributes.type", inner = "attributes.id", city = "attributes.address.city", author = "relationships.author.links"
        }
    }

    @Test("A coding key with dots is a path; an exact name wins")
    func dottedKeys() throws {
        let model = try decode(
            Dotted.self,
            attributes: #"{"type":"t","id":"i","address":{"city":"Rome","street":"inner"},"address.street":"exact"}"#,
            relationships: #"{"author":{"links":{"related":"/a"}}}"#)
        #expect(model.kind == "t" && model.inner == "i" && model.city == "Rome" && model.street == "exact" && model.id == "1")
        #expect(model.author?.related?.href == "/a")
    }

    struct Named: Resource {
        static let type = "articles"
        struct Inner: Codable { var subTitle: String }
        var id: String
        var publishedAt: String
        var innerValue: Inner
        var firstAuthor: ToOne<Blog.Person>
    }

    @Test("Key strategies rename attributes and relationships, and nothing inside attributes")
    func keyStrategies() throws {
        var decoder = decoder
        for (strategy, separator) in [(JSONAPIDecoder.KeyStrategy.kebabCase, "-"), (.snakeCase, "_")] {
            decoder.keyStrategy = strategy
            let model = try decode(
                Named.self, attributes: #"{"published\#(separator)at":"p","inner\#(separator)value":{"subTitle":"s"}}"#,
                relationships: #"{"first\#(separator)author":{"data":{"type":"people","id":"4"}}}"#, with: decoder)
            #expect(model.publishedAt == "p" && model.innerValue.subTitle == "s" && model.firstAuthor.id == "4")
        }
        decoder.keyStrategy = .custom { $0.uppercased() }
        let model = try decode(
            Named.self, attributes: #"{"PUBLISHEDAT":"p","INNERVALUE":{"subTitle":"s"}}"#,
            relationships: #"{"FIRSTAUTHOR":{"data":null}}"#, with: decoder)
        #expect(model.publishedAt == "p" && model.firstAuthor.isEmpty)
    }

    // MARK: - Values

    struct Dated: Resource {
        static let type = "articles"
        var id: String
        var at: Date
    }

    @Test(
        "Dates of RFC 3339 with and without fractions and offsets",
        arguments: [
            ("2026-11-21T09:30:00Z", 1_795_253_400.0), ("2026-11-21T09:30:00.25Z", 1_795_253_400.25),
            ("2026-11-21T10:30:00+01:00", 1_795_253_400), ("2026-11-21t04:00:00.5-05:30", 1_795_253_400.5),
            ("2026\\u002d11-21T09:30:00Z", 1_795_253_400), ("2024-02-29T00:00:00Z", 1_709_164_800), ("1969-12-31T23:59:59Z", -1),
        ])
    func dates(_ text: String, _ seconds: Double) throws {
        #expect(try decode(Dated.self, attributes: #"{"at":"\#(text)"}"#).at.timeIntervalSince1970 == seconds)
    }

    @Test(
        "Impossible dates are refused",
        arguments: [
            "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-04-31T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21", "",
            "2026-11-21T09:30:00", "2026-11-21T09:30:00.Z", "2026-11-21T09:30:00+0100", "2026-11-21T09:30:00Zz", "2026-11-00T09:30:00Z",
        ])
    func impossibleDates(_ text: String) throws {
        let failure = try Blog.failure { try decode(Dated.self, attributes: #"{"at":"\#(text)"}"#) }
        #expect(failure.kind == .invalidValue && "\(failure.pointer)" == "/data/attributes/at")
    }

    @Test("Other date strategies")
    func dateStrategies() throws {
        var decoder = decoder
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(try decode(Dated.self, attributes: #"{"at":5}"#, with: decoder).at == Date(timeIntervalSince1970: 5))
        decoder.dateDecodingStrategy = .millisecondsSince1970
        #expect(try decode(Dated.self, attributes: #"{"at":5000}"#, with: decoder).at == Date(timeIntervalSince1970: 5))
        decoder.dateDecodingStrategy = .deferredToDate
        #expect(try decode(Dated.self, attributes: #"{"at":5}"#, with: decoder).at == Date(timeIntervalSinceReferenceDate: 5))
        decoder.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self) * 60) }
        #expect(try decode(Dated.self, attributes: #"{"at":2}"#, with: decoder).at == Date(timeIntervalSince1970: 120))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "dd.MM.yyyy"
        decoder.dateDecodingStrategy = .formatted(formatter)
        #expect(try decode(Dated.self, attributes: #"{"at":"02.01.1970"}"#, with: decoder).at == Date(timeIntervalSince1970: 86400))
    }

    struct Values: Resource {
        static let type = "articles"
        enum Status: String, Codable { case draft, final }
        struct Wrapped: Codable, Equatable {
            var raw: Int
            init(from decoder: any Decoder) throws { raw = try decoder.singleValueContainer().decode(Int.self) }
        }
        var id: String
        var data: Data?
        var ratio: Double?
        var small: UInt8?
        var status: Status?
        var wrapped: Wrapped?
        var counts: [String: Int]?
        var double: String??
        var holes: [Int?]?
        var url: URL?
        var decimal: Decimal?
        var json: JSON?
        var pair: [[Double]]?
    }

    @Test("Data, enums, wrappers, dictionaries, arrays with holes")
    func values() throws {
        let model = try decode(
            Values.self,
            attributes:
                #"{"data":"aGk=","ratio":1e2,"small":255,"status":"final","wrapped":3,"counts":{"a":1},"double":"x","holes":[1,null],"url":"https://a.b/c","decimal":0.1,"json":{"a":[null]},"pair":[[1],[]]}"#
        )
        #expect(model.data == Data("hi".utf8) && model.ratio == 100 && model.small == 255 && model.status == .final)
        #expect(model.wrapped?.raw == 3 && model.counts == ["a": 1] && model.double == .some("x") && model.holes == [1, nil])
        #expect(
            model.url?.host == "a.b" && model.decimal == Decimal(string: "0.1") && model.json == ["a": [nil]] && model.pair == [[1], []])
    }

    @Test("An optional of an optional is nil when absent or null, as with JSONDecoder")
    func optionalOfOptional() throws {
        #expect(try decode(Values.self).double == String??.none)
        #expect(try decode(Values.self, attributes: #"{"double":null}"#).double == String??.none)
    }

    @Test("A raw value that an enum does not have is an error with a place")
    func unknownRawValue() throws {
        let failure = try Blog.failure { try decode(Values.self, attributes: #"{"status":"secret"}"#) }
        #expect("\(failure.pointer)" == "/data/attributes/status" && failure.kind == .invalidValue)
        #expect(failure.resource?.id == "1" && !failure.description.contains("secret") && failure.position?.line == 1)
    }

    @Test(
        "Numbers that do not fit and values of other kinds are errors",
        arguments: [
            (#"{"small":256}"#, "numberOutOfRange"), (#"{"small":-1}"#, "numberOutOfRange"), (#"{"small":1.5}"#, "numberOutOfRange"),
            (#"{"ratio":1e999}"#, "numberOutOfRange"), (#"{"ratio":"1"}"#, "wrongType"), (#"{"ratio":true}"#, "wrongType"),
            (#"{"data":"*"}"#, "invalidValue"), (#"{"counts":[]}"#, "wrongType"), (#"{"counts":{"a":null}}"#, "unexpectedNull"),
            (#"{"holes":{}}"#, "wrongType"),
        ])
    func badValues(_ attributes: String, _ kind: String) throws {
        #expect(try Blog.failure { try decode(Values.self, attributes: attributes) }.kind.description == kind)
    }

    @Test("Infinities and NaN by a strategy")
    func nonFinite() throws {
        var decoder = decoder
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(try decode(Values.self, attributes: #"{"ratio":"inf"}"#, with: decoder).ratio == .infinity)
        #expect(try decode(Values.self, attributes: #"{"ratio":"-inf"}"#, with: decoder).ratio == -.infinity)
        #expect(try decode(Values.self, attributes: #"{"ratio":"nan"}"#, with: decoder).ratio?.isNaN == true)
        #expect(throws: DecodingError.self) { try decode(Values.self, attributes: #"{"ratio":"other"}"#, with: decoder) }
    }

    @Test("Data by other strategies")
    func dataStrategies() throws {
        var decoder = decoder
        decoder.dataDecodingStrategy = .deferredToData
        #expect(try decode(Values.self, attributes: #"{"data":[1,2]}"#, with: decoder).data == Data([1, 2]))
        decoder.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
        #expect(try decode(Values.self, attributes: #"{"data":"x"}"#, with: decoder).data == Data("x".utf8))
    }

    // MARK: - Identity

    struct Keyed<ID: ResourceID>: Resource {
        static var type: String { "keys" }
        var id: ID
    }

    private func key<ID: ResourceID>(_ id: String, as: ID.Type, with decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> ID {
        try decoder.decode(Keyed<ID>.self, from: Data(#"{"data":{"type":"keys","id":\#(id)}}"#.utf8)).id
    }

    @Test("Ids of several types, always strings on the wire")
    func ids() throws {
        #expect(try key(#""7""#, as: Int.self) == 7)
        #expect(try key(#""7""#, as: String?.self) == "7")
        #expect(try key(#""7""#, as: Identifier<Blog.Person>.self) == "7")
        #expect(try key(#""7""#, as: Identifier<Blog.Person>?.self) == Identifier("7"))
        let uuid = UUID()
        #expect(try key("\"\(uuid)\"", as: UUID.self) == uuid)
        #expect(try Blog.failure { try key(#""007""#, as: Int.self) }.kind == .invalidValue)
        #expect(try Blog.failure { try key(#""x""#, as: UUID.self) }.kind == .invalidValue)
        #expect(try Blog.failure { try key("7", as: String.self) }.advice?.contains("integerIDs") == true)
        var lenient = decoder
        lenient.leniencies.insert(.integerIDs)
        #expect(try key("7", as: String.self, with: lenient) == "7" && key("7", as: Int.self, with: lenient) == 7)
        lenient.leniencies.insert(.missingIDs)
        #expect(try key("null", as: Int?.self, with: lenient) == nil)
    }

    struct Typed: Resource {
        static let type = "articles"
        var id: String
        var type: String
    }

    @Test("A property called type is the resource's type, whatever the attributes say")
    func typeProperty() throws {
        #expect(try decode(Typed.self, attributes: #"{"type":"other"}"#).type == "articles")
        let failure = try Blog.failure { try decoder.decode(Typed.self, from: Blog.document(Blog.ann)) }
        #expect(failure.kind == .unexpectedType && "\(failure.pointer)" == "/data/type")
    }

    struct Marked: Resource {
        static let type = "articles"
        struct Revision: Codable { var number: Int }
        var id: String?
        var meta: String
        var revision: ResourceMeta<Revision>?
        var web: ResourceLinks
        var local: LocalID?
    }

    @Test("Meta, links and lid of a resource are claimed by type, since attributes may have those names")
    func markers() throws {
        var decoder = decoder
        decoder.source = .request
        let model = try decoder.decode(
            Marked.self,
            from: Data(
                #"{"data":{"type":"articles","lid":"l","attributes":{"meta":"m"},"meta":{"number":3},"links":{"self":"/1"}}}"#.utf8))
        #expect(model.meta == "m" && model.revision?.value.number == 3 && model.web.`self`?.href == "/1" && model.local == "l")
        #expect(model.id == nil)
        let bare = try decode(Marked.self, attributes: #"{"meta":"m"}"#)
        #expect(bare.revision == nil && bare.local == nil && bare.web.links.names.isEmpty)
    }

    // MARK: - By hand

    struct Manual: Resource {
        static let type = "articles"
        var id: String
        var title: String
        var city: String
        var names: [String]
        var isNull: Bool
        var keys: Set<String>
        var author: ToOne<Blog.Person>
        var first: Int
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            title = try map.decode(String.self, forKey: .attributes("title"))
            city = try map.decode(String.self, forKey: .attributes("address", "city"))
            let address = try map.nestedContainer(keyedBy: Key.self, forKey: .attributes("address"))
            names = address.allKeys.map(\.stringValue)
            isNull = try map.decodeNil(forKey: .attributes("nothing")) && !map.contains(Key("absent")) && map.contains(Key("author"))
            keys = Set(map.allKeys.map(\.stringValue))
            author = try map.decode(ToOne<Blog.Person>.self, forKey: .relationships("author"))
            var list = try map.nestedUnkeyedContainer(forKey: Key("list"))
            first = try list.decode(Int.self)
            guard try list.decodeNil(), list.count == 3 else { throw CocoaError(.coderInvalidValue) }
            var inner = try list.nestedUnkeyedContainer()
            guard inner.isAtEnd, list.isAtEnd else { throw CocoaError(.coderInvalidValue) }
            if (try? inner.decode(Int.self)) != nil { throw CocoaError(.coderInvalidValue) }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("A hand-written initialiser with Key")
    func manual() throws {
        let model = try decode(
            Manual.self, attributes: #"{"title":"T","address":{"city":"Rome"},"nothing":null,"list":[1,null,[]]}"#,
            relationships: #"{"author":{"data":{"type":"people","id":"2"}}}"#)
        #expect(model.city == "Rome" && model.names == ["city"] && model.isNull && model.first == 1 && model.author.id == "2")
        #expect(model.keys == ["id", "type", "title", "address", "nothing", "list", "author"])
    }

    class Base: Codable {
        let title: String
        enum CodingKeys: CodingKey { case title }
        required init(from decoder: any Decoder) throws {
            title = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .title)
        }
    }
    final class Derived: Base, Resource, @unchecked Sendable {
        static let type = "articles"
        let id: String
        let author: ToOne<Blog.Person>
        enum Names: CodingKey { case id, author }
        required init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Names.self)
            id = try map.decode(String.self, forKey: .id)
            author = try map.decode(ToOne<Blog.Person>.self, forKey: .author)
            try super.init(from: map.superDecoder())
        }
    }

    @Test("A superclass reads its properties from the same resource")
    func inheritance() throws {
        let model = try decode(Derived.self, attributes: #"{"title":"T"}"#)
        #expect(model.title == "T" && model.id == "1" && !model.author.isLoaded)
    }

    struct Wrapper: Resource {
        static let type = "articles"
        var inner: Typed
        var id: String { inner.id }
        init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode(Typed.self) }
    }

    @Test("A resource may wrap another one by a single value container")
    func singleValue() throws {
        #expect(try decode(Wrapper.self).inner.type == "articles")
    }

    struct Direct: DirectResource, Equatable {
        static let type = "articles"
        var id: String
        var title: String
        var count: Int?
        var at: Date
        var author: Blog.Person?
        init(resource: ResourceView) throws {
            id = try resource.id()
            title = try resource.attribute("title")
            count = try resource.attributeIfPresent("count")
            at = try resource.attribute("at")
            author = try resource.relationshipIfPresent("author")
        }
    }
    struct Synthesized: Resource, Equatable {
        static let type = "articles"
        var id: String
        var title: String
        var count: Int?
        var at: Date
        var author: Blog.Person?
    }

    @Test(
        "A direct initialiser gives the values and the errors of Codable",
        arguments: [
            #"{"title":"T","count":1,"at":"2026-11-21T09:30:00Z"}"#, #"{"title":"T","at":"2026-11-21T09:30:00Z"}"#,
            #"{"title":7,"at":"2026-11-21T09:30:00Z"}"#, #"{"titel":"T"}"#, #"{"title":null}"#, #"{"title":"T","count":"1"}"#,
            #"{"title":"T","count":1.5}"#, #"{"title":"T","at":"x"}"#, #"{"title":"T"}"#, "{}",
        ])
    func direct(_ attributes: String) throws {
        for author in ["null", #"{"type":"people","id":"1"}"#, #"{"type":"people","id":"9"}"#, "[]", "7"] {
            let data = Blog.document(
                Blog.article(attributes: attributes, relationships: #"{"author":{"data":\#(author)}}"#), included: [Blog.ann])
            let direct = Result { try decoder.decode(Direct.self, from: data) }
            let codable = Result { try decoder.decode(Synthesized.self, from: data) }
            switch (direct, codable) {
            case (.success(let a), .success(let b)):
                #expect(a.id == b.id && a.title == b.title && a.count == b.count && a.at == b.at && a.author == b.author)
            case (.failure(let a as DecodingError), .failure(let b as DecodingError)):
                #expect("\(a)" == "\(b)")
                #expect(a.failure != nil && a.failure == b.failure)
            default: Issue.record("\(direct) beside \(codable)")
            }
        }
    }

    // MARK: - Errors

    @Test("An error says place, resource, nearest name, line and column")
    func errorText() throws {
        let data = Data("{\"data\":[\n  {\"type\":\"people\",\"id\":\"1\",\"attributes\":{\"nmae\":\"A\"}}]}".utf8)
        let failure = try Blog.failure { try decoder.decode([Blog.Person].self, from: data) }
        #expect(failure.kind == .missingMember && "\(failure.pointer)" == "/data/0")
        #expect(failure.resource == ResourceIdentifier(type: "people", id: "1"))
        #expect(failure.advice?.contains("`nmae`") == true)
        #expect(failure.position?.line == 2 && failure.position?.column == 3)
        #expect(failure.description.hasPrefix("line 2, column 3, /data/0 (people 1): expected the attribute `name`"))
        var silent = decoder
        silent.reportsPositions = false
        #expect(try Blog.failure { try silent.decode([Blog.Person].self, from: data) }.position == nil)
    }

    struct PlainAuthor: Resource {
        static let type = "articles"
        var id: String
        var author: String
    }

    @Test("A plain property with a relationship's name is explained, and the reverse")
    func wrongNamespace() throws {
        let plain = try Blog.failure { try decode(PlainAuthor.self, relationships: #"{"author":{"data":null}}"#) }
        #expect(plain.advice?.contains("`author` is a relationship") == true)
        let reference = try Blog.failure { try decode(Derived.self, attributes: #"{"title":"T","author":"Ann"}"#) }
        #expect(reference.found == "an attribute of that name")
    }

    @Test("Foundation's decoder fails on references and names the right decoder")
    func wrongDecoder() throws {
        let error = try #require(
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Derived.self, from: Data(#"{"id":"1","title":"T","author":{"data":null}}"#.utf8))
            })
        #expect("\(error)".contains("JSONAPIDecoder"))
    }

    struct Keeper: Resource {
        static let type = "articles"
        var id: String
        var kept: Kept
        struct Kept: Codable, @unchecked Sendable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
            func encode(to encoder: any Encoder) throws {}
        }
    }

    @Test("A decoder that a model keeps can be used after the call, when the bytes are gone")
    func keptDecoder() throws {
        func keep() throws -> Keeper {
            let text = String(repeating: "x", count: 100_000)
            return try decode(Keeper.self, attributes: #"{"kept":"\#(text)"}"#)
        }
        let keeper = try keep()
        let filler = Data(repeating: 0x20, count: 100_300)
        #expect(try keeper.kept.decoder.singleValueContainer().decode(String.self) == String(repeating: "x", count: 100_000))
        #expect(filler.count == 100_300)
    }

    @Test("One decoder serves many tasks at once")
    func concurrency() async throws {
        let data = Blog.document(
            Blog.article(relationships: #"{"author":{"data":{"type":"people","id":"1"}},"comments":{"data":[]}}"#), included: [Blog.ann])
        let decoder = decoder
        let shared = try decoder.decode(Blog.Article.self, from: data)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    _ = shared.author.value
                    return try decoder.decode(Blog.Article.self, from: data).author.value?.name
                }
            }
            for try await name in group { #expect(name == "Ann") }
        }
    }
}

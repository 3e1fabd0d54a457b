import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Decoding properties")
struct PropertyDecodingTests {
    private let decoder = JSONAPIDecoder()

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

    @Test("A coding key with dots is a path, unless a member has that name")
    func dottedKeys() throws {
        let model = try Blog.decode(
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
            let model = try Blog.decode(
                Named.self, attributes: #"{"published\#(separator)at":"p","inner\#(separator)value":{"subTitle":"s"}}"#,
                relationships: #"{"first\#(separator)author":{"data":{"type":"people","id":"4"}}}"#, with: decoder)
            #expect(model.publishedAt == "p" && model.innerValue.subTitle == "s" && model.firstAuthor.id == "4")
        }
        decoder.keyStrategy = .custom { $0.uppercased() }
        let model = try Blog.decode(
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
        #expect(try Blog.decode(Dated.self, attributes: #"{"at":"\#(text)"}"#).at.timeIntervalSince1970 == seconds)
    }

    @Test(
        "Impossible dates are errors",
        arguments: [
            "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-04-31T00:00:00Z", "2026-11-21", "",
            "2026-11-21T09:30:00", "2026-11-21T09:30:00.Z", "2026-11-21T09:30:00Zz", "2026-11-00T09:30:00Z",
        ])
    func impossibleDates(_ text: String) throws {
        let failure = try Blog.failure { try Blog.decode(Dated.self, attributes: #"{"at":"\#(text)"}"#) }
        #expect(failure.kind == .invalidValue && "\(failure.pointer)" == "/data/attributes/at")
    }

    @Test("Null in place of a date is valueNotFound of Date, with every strategy")
    func nullDates() throws {
        let strategies: [JSONAPIDecoder.DateDecodingStrategy] = [
            .iso8601, .secondsSince1970, .millisecondsSince1970, .deferredToDate, .formatted(DateFormatter()),
        ]
        for strategy in strategies {
            var decoder = decoder
            decoder.dateDecodingStrategy = strategy
            do {
                _ = try Blog.decode(Dated.self, attributes: #"{"at":null}"#, with: decoder)
                Issue.record("null was read as a date")
            } catch DecodingError.valueNotFound(let type, let context) {
                #expect(type == Date.self && context.codingPath.map(\.stringValue) == ["at"])
            }
        }
    }

    @Test("Other date strategies")
    func dateStrategies() throws {
        var decoder = decoder
        decoder.dateDecodingStrategy = .secondsSince1970
        #expect(try Blog.decode(Dated.self, attributes: #"{"at":5}"#, with: decoder).at == Date(timeIntervalSince1970: 5))
        decoder.dateDecodingStrategy = .millisecondsSince1970
        #expect(try Blog.decode(Dated.self, attributes: #"{"at":5000}"#, with: decoder).at == Date(timeIntervalSince1970: 5))
        decoder.dateDecodingStrategy = .deferredToDate
        #expect(try Blog.decode(Dated.self, attributes: #"{"at":5}"#, with: decoder).at == Date(timeIntervalSinceReferenceDate: 5))
        decoder.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: try $0.singleValueContainer().decode(Double.self) * 60) }
        #expect(try Blog.decode(Dated.self, attributes: #"{"at":2}"#, with: decoder).at == Date(timeIntervalSince1970: 120))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "dd.MM.yyyy"
        decoder.dateDecodingStrategy = .formatted(formatter)
        #expect(try Blog.decode(Dated.self, attributes: #"{"at":"02.01.1970"}"#, with: decoder).at == Date(timeIntervalSince1970: 86400))
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

    @Test("Data, enums, wrappers, dictionaries, and arrays with null")
    func values() throws {
        let model = try Blog.decode(
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
        #expect(try Blog.decode(Values.self).double == String??.none)
        #expect(try Blog.decode(Values.self, attributes: #"{"double":null}"#).double == String??.none)
    }

    @Test("An unknown raw value of an enum is an error with its place")
    func unknownRawValue() throws {
        let failure = try Blog.failure { try Blog.decode(Values.self, attributes: #"{"status":"secret"}"#) }
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
        #expect(try Blog.failure { try Blog.decode(Values.self, attributes: attributes) }.kind.description == kind)
    }

    @Test("Infinity and NaN with a strategy")
    func nonFinite() throws {
        var decoder = decoder
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        #expect(try Blog.decode(Values.self, attributes: #"{"ratio":"inf"}"#, with: decoder).ratio == .infinity)
        #expect(try Blog.decode(Values.self, attributes: #"{"ratio":"-inf"}"#, with: decoder).ratio == -.infinity)
        #expect(try Blog.decode(Values.self, attributes: #"{"ratio":"nan"}"#, with: decoder).ratio?.isNaN == true)
        #expect(throws: DecodingError.self) { try Blog.decode(Values.self, attributes: #"{"ratio":"other"}"#, with: decoder) }
    }

    @Test("Data with other strategies")
    func dataStrategies() throws {
        var decoder = decoder
        decoder.dataDecodingStrategy = .deferredToData
        #expect(try Blog.decode(Values.self, attributes: #"{"data":[1,2]}"#, with: decoder).data == Data([1, 2]))
        decoder.dataDecodingStrategy = .custom { Data(try $0.singleValueContainer().decode(String.self).utf8) }
        #expect(try Blog.decode(Values.self, attributes: #"{"data":"x"}"#, with: decoder).data == Data("x".utf8))
    }

    // MARK: - Identity

    struct Keyed<ID: ResourceID>: Resource {
        static var type: String { "keys" }
        var id: ID
    }

    private func key<ID: ResourceID>(_ id: String, as: ID.Type, with decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> ID {
        try decoder.decode(Keyed<ID>.self, from: Data(#"{"data":{"type":"keys","id":\#(id)}}"#.utf8)).id
    }

    @Test("Ids of several types are strings in the document")
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

    @Test("A property named type is the resource's type, and not an attribute")
    func typeProperty() throws {
        #expect(try Blog.decode(Typed.self, attributes: #"{"type":"other"}"#).type == "articles")
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

    @Test("Properties for meta, links, and lid are recognized by their types")
    func markers() throws {
        var decoder = decoder
        decoder.source = .request
        let model = try decoder.decode(
            Marked.self,
            from: Data(
                #"{"data":{"type":"articles","lid":"l","attributes":{"meta":"m"},"meta":{"number":3},"links":{"self":"/1"}}}"#.utf8))
        #expect(model.meta == "m" && model.revision?.value.number == 3 && model.web.`self`?.href == "/1" && model.local == "l")
        #expect(model.id == nil)
        let bare = try Blog.decode(Marked.self, attributes: #"{"meta":"m"}"#)
        #expect(bare.revision == nil && bare.local == nil && bare.web.links.names.isEmpty)
    }
}

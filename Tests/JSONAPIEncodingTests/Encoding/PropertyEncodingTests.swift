import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// The place and the form of each kind of property.
@Suite struct PropertyEncodingTests {
    private let encoder = JSONAPIEncoder()

    /// The resource object of a model, as text.
    private func object(_ model: some Resource, _ encoder: JSONAPIEncoder = JSONAPIEncoder()) throws -> String {
        try encoder.resourceObject(model).json.description
    }

    @Test("The type of a property says where it is encoded")
    func placesByType() throws {
        struct Everything: Resource {
            static let type = "things"
            var id: Int
            var revision: ResourceMeta<[String: Int]>
            var one: ToOne<Writer>
            var name: String
            var embedded: Writer
            var many: ToMany<Writer>
            var list: [Remark]
            var address: ResourceLinks
            var identifier: ResourceIdentifier
            var identifiers: [ResourceIdentifier]
            var object: RelationshipObject
            var tags: [String]
        }
        let writer = Writer(id: "9", firstName: "Dan")
        let thing = Everything(
            id: 7, revision: ResourceMeta(["n": 1]), one: ToOne(id: "9"), name: "N", embedded: writer, many: ToMany(ids: ["9"]), list: [],
            address: ResourceLinks(["self": "/things/7"]), identifier: ResourceIdentifier(type: "x", id: "1"), identifiers: [],
            object: RelationshipObject(members: ["data": nil, "meta": ["m": 1]]), tags: ["a"])
        #expect(
            try object(thing)
                == #"{"type":"things","id":"7","attributes":{"name":"N","tags":["a"]},"relationships":{"#
                + #""one":{"data":{"type":"people","id":"9"}},"embedded":{"data":{"type":"people","id":"9"}},"#
                + #""many":{"data":[{"type":"people","id":"9"}]},"list":{"data":[]},"identifier":{"data":{"type":"x","id":"1"}},"#
                + #""identifiers":{"data":[]},"object":{"data":null,"meta":{"m":1}}},"links":{"self":"/things/7"},"meta":{"n":1}}"#)
    }

    @Test("Nil properties of every kind are omitted")
    func nilIsLeftOut() throws {
        struct Sparse: Resource {
            static let type = "things"
            var id: String
            var name: String?
            var date: Date?
            var writer: Writer?
            var writers: [Writer]?
            var one: ToOne<Writer>?
            var target: ResourceIdentifier?
            var identifiers: [ResourceIdentifier]?
            var object: RelationshipObject?
            var meta: ResourceMeta<[String: Int]>?
            var links: ResourceLinks?
            var lid: LocalID?
        }
        #expect(try object(Sparse(id: "1")) == #"{"type":"things","id":"1"}"#)
        var nulls = JSONAPIEncoder()
        nulls.nilEncodingStrategy = .null
        #expect(try object(Sparse(id: "1"), nulls) == #"{"type":"things","id":"1","attributes":{"name":null,"date":null}}"#)
    }

    @Test("Every scalar type is encoded exactly")
    func scalars() throws {
        struct Scalars: Resource, Equatable {
            static let type = "things"
            var id: String
            var int8 = Int8.min
            var int16 = Int16.max
            var int32 = Int32.min
            var int64 = Int64.min
            var uint8 = UInt8.max
            var uint16 = UInt16.max
            var uint32 = UInt32.max
            var uint64 = UInt64.max
            var uint = UInt.max
            var double = 0.1
            var tiny = Double.leastNonzeroMagnitude
            var float: Float = 3.4028235e38
            var bool = true
            var text = "a\"\\\u{0}\u{1F600}é\n"
            var decimal = Decimal(string: "79228162514264337593543950335.5") ?? 0
            var url = URL(string: "https://a.b/c?d=e&f#g")
            var uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
            var data = Data([0, 255, 62])
            var optional: [Int?] = [1, nil]
        }
        let thing = Scalars(id: "1")
        let data = try encoder.encode(thing)
        #expect(try JSONAPIDecoder().decode(Scalars.self, from: data) == thing)
        let attributes = try #require(try JSON(parsing: data)["data"]?["attributes"])
        #expect(attributes["uint64"]?.number?.text == "18446744073709551615")
        #expect(attributes["int64"]?.number?.text == "-9223372036854775808")
        #expect(attributes["decimal"]?.number?.text == "79228162514264337593543950335.5")
        #expect(attributes["uuid"]?.string == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
        #expect(attributes["data"]?.string == "AP8+")
        #expect(attributes["double"]?.number?.text == "0.1")
        #expect(attributes["optional"] == [1, nil])
    }

    @Test("NaN and infinity are errors with their path, or the strategy's text")
    func nonFinite() throws {
        struct Point: Codable { var x: Double }
        struct Shape: Resource {
            static let type = "shapes"
            var id: String
            var size: Float = 1
            var area: Double = 1
            var optional: Double?
            var points: [Point] = []
            var list: [Double] = []
            var table: [String: Double] = [:]
        }
        func pointer(_ shape: Shape) -> String? { encodingFailure { _ = try encoder.encode([shape]) }.map { "\($0.pointer)" } }
        #expect(pointer(Shape(id: "1", size: .infinity)) == "/data/0/attributes/size")
        #expect(pointer(Shape(id: "1", area: .nan)) == "/data/0/attributes/area")
        #expect(pointer(Shape(id: "1", optional: .nan)) == "/data/0/attributes/optional")
        #expect(pointer(Shape(id: "1", points: [Point(x: 0), Point(x: .nan)])) == "/data/0/attributes/points/1/x")
        #expect(pointer(Shape(id: "1", list: [0, .nan])) == "/data/0/attributes/list/1")
        #expect(pointer(Shape(id: "1", table: ["k": -.infinity])) == "/data/0/attributes/table/k")
        var lenient = JSONAPIEncoder()
        lenient.nonConformingFloatEncodingStrategy = .convertToString(positiveInfinity: "+", negativeInfinity: "-", nan: "?")
        let text = try lenient.text(Shape(id: "1", size: .infinity, area: -.infinity, list: [.nan]))
        #expect(text.contains(#""size":"+","area":"-","points":[],"list":["?"]"#))
    }

    @Test("JSON attributes are encoded unchanged")
    func jsonAttributes() throws {
        struct Loose: Resource, Equatable {
            static let type = "things"
            var id: String
            var any: JSON
            var object: JSONObject
            var array: JSONArray
            var number: JSONNumber
            var nested: [String: [JSON]]
        }
        let number = try #require(JSONNumber(text: "1.00e+400"))
        let loose = Loose(
            id: "1", any: ["b": [1, nil], "a": "é"], object: ["k": nil], array: [true], number: number, nested: ["n": [.null, 1]])
        let text = try encoder.text(loose)
        #expect(
            text == #"{"data":{"type":"things","id":"1","attributes":{"any":{"b":[1,null],"a":"é"},"object":{"k":null},"array":[true],"#
                + #""number":1.00e+400,"nested":{"n":[null,1]}}}}"#)
        #expect(try JSONAPIDecoder().decode(Loose.self, from: Data(text.utf8)) == loose)
    }

    @Test("A property named type must equal the resource's type, and is not an attribute")
    func typeProperty() throws {
        struct Typed: Resource {
            static let type = "things"
            var id: String
            var type: String
        }
        #expect(try object(Typed(id: "1", type: "things")) == #"{"type":"things","id":"1"}"#)
        let failure = try #require(encodingFailure { _ = try encoder.encode([Typed(id: "1", type: "others")]) })
        #expect(failure.kind == .wrongPlace && "\(failure.pointer)" == "/data/0/type")
        #expect(failure.advice?.contains("attributes.type") == true)
        enum Kind: String, Codable { case folder, things }
        struct File: ResourceFields {
            static let type = "things"
            var name: String
            var type: Kind?
        }
        #expect(throws: EncodingError.self) { try encoder.encode(Create(File(name: "a", type: .folder))) }
        for kind in [Kind.things, nil] {
            let body = try encoder.encode(Create(File(name: "a", type: kind)))
            #expect(String(decoding: body, as: UTF8.self) == #"{"data":{"type":"things","attributes":{"name":"a"}}}"#)
        }
        struct Counted: Resource {
            static let type = "things"
            var id: String
            var type: Int
        }
        #expect(encodingFailure { _ = try encoder.encode([Counted(id: "1", type: 1)]) }?.kind == .wrongPlace)
        struct Nested: ResourceFields {
            static let type = "things"
            enum CodingKeys: CodingKey { case type, name }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                var nested = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .type)
                try nested.encode("a", forKey: .name)
            }
            init() {}
            init(from decoder: any Decoder) {}
        }
        #expect(throws: EncodingError.self) { try encoder.encode(Create(Nested())) }
        struct Keyed: Resource {
            static let type = "things"
            var id: String
            var kind: String
            var attributeID: Int
            enum CodingKeys: String, CodingKey { case id, kind = "attributes.type", attributeID = "attributes.id" }
        }
        // Such attributes are for servers that require them.
        let keyed = Keyed(id: "1", kind: "k", attributeID: 2)
        #expect(encodingFailure { _ = try encoder.encode(keyed) }?.kind == .illegalName)
        var unchecked = encoder
        unchecked.checksNames = false
        #expect(try unchecked.text(keyed) == #"{"data":{"type":"things","id":"1","attributes":{"type":"k","id":2}}}"#)
    }

    @Test("A resource inside an attribute is a plain value; a reference is an error")
    func resourcesInAttributes() throws {
        struct Box<Value: Codable & Sendable>: Codable, Sendable { var value: Value }
        struct Holder<Value: Codable & Sendable>: Resource {
            static var type: String { "holders" }
            var id: String
            var box: Box<Value>
        }
        let writer = Writer(id: "9", firstName: "Dan")
        #expect(
            try object(Holder(id: "1", box: Box(value: writer)))
                == #"{"type":"holders","id":"1","attributes":{"box":{"value":{"id":"9","firstName":"Dan"}}}}"#)
        #expect(
            try object(Holder(id: "1", box: Box(value: [writer])))
                == #"{"type":"holders","id":"1","attributes":{"box":{"value":[{"id":"9","firstName":"Dan"}]}}}"#)
        for failure in [
            encodingFailure { _ = try encoder.encode(Holder(id: "1", box: Box(value: ToOne<Writer>(id: "9")))) },
            encodingFailure { _ = try encoder.encode(Holder(id: "1", box: Box(value: ToMany<Writer>.empty))) },
            encodingFailure { _ = try encoder.encode(Holder(id: "1", box: Box(value: ResourceMeta(1)))) },
        ] {
            let failure = try #require(failure)
            #expect(failure.kind == .wrongPlace && "\(failure.pointer)" == "/data/attributes/box/value")
            #expect(failure.advice != nil && failure.resource?.id == "1")
        }
    }

    @Test("Key strategies rename attributes and relationships, and nothing inside them")
    func keyStrategies() throws {
        struct Inner: Codable, Equatable { var innerName = 1 }
        struct Post: Resource, Equatable {
            static let type = "posts"
            var id: String
            var publishedAt = "p"
            var innerValue = Inner()
            var leadAuthor: ToOne<Writer> = nil
            var dotted = 1
            enum CodingKeys: String, CodingKey { case id, publishedAt, innerValue, leadAuthor, dotted = "attributes.keptName" }
        }
        var encoder = JSONAPIEncoder()
        var decoder = JSONAPIDecoder()
        encoder.keyStrategy = .kebabCase
        decoder.keyStrategy = .kebabCase
        let text = try encoder.text(Post(id: "1"))
        #expect(
            text == #"{"data":{"type":"posts","id":"1","attributes":{"published-at":"p","inner-value":{"innerName":1},"keptName":1},"#
                + #""relationships":{"lead-author":{"data":null}}}}"#)
        #expect(try decoder.decode(Post.self, from: Data(text.utf8)) == Post(id: "1"))
        encoder.keyStrategy = .snakeCase
        #expect(try encoder.text(Post(id: "1")).contains(#""published_at""#))
    }

    @Test("Only nil attributes are written as null")
    func nilOutsideOfAttributes() throws {
        struct Post: Resource {
            static let type = "posts"
            var id: String
            var title: String?
            var city: String?
            var authorLinks: Links?
            var authorMeta: JSONObject?
            var revision: Int?
            var about: JSON?
            enum CodingKeys: String, CodingKey {
                case id, title, city = "attributes.place.city", authorLinks = "relationships.author.links"
                case authorMeta = "relationships.author.meta", revision = "meta.revision", about = "links.about"
            }
        }
        var encoder = JSONAPIEncoder()
        encoder.nilEncodingStrategy = .null
        let text = #"{"data":{"type":"posts","id":"1","attributes":{"title":null,"place":{"city":null}}}}"#
        #expect(try encoder.text(Post(id: "1")) == text)
        #expect(try encoder.text(Create(Post(id: "1"), clientID: true)) == text)
    }
}

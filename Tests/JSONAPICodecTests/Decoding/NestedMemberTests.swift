import Foundation
import JSONAPICodec
import JSONText
import Testing

// Each of these tests is for a former bug: a wrong value, a loss, or a disproportionate cost.

@Suite("Values come from the right object")
struct NestedMemberTests {
    struct Geo: Codable, Equatable, Sendable { var lat: Int }
    struct Place: Codable, Equatable, Sendable {
        var geo: Geo
        var name: String
        var note: String?
    }
    struct City: Resource {
        static let type = "cities"
        var id: String
        var place: Place
    }
    struct Direct: DirectResource {
        static let type = "cities"
        var id: String
        var place: Place
        var name: String

        init(resource: ResourceView) throws {
            id = try resource.id()
            place = try resource.attribute("place")
            name = try resource.attribute("place") { object in
                let geo: Geo = try object.member("geo")
                #expect(geo.lat == 1)
                return try object.member("name")
            }
        }
    }

    private static let place = #"{"geo":{"lat":1,"name":"INNER","note":"INNER"},"name":"outer"}"#
    private static let expected = Place(geo: Geo(lat: 1), name: "outer", note: nil)

    @Test("A member of an inner object is not read as one of the outer object")
    func innerMembers() throws {
        let data = Data(#"{"data":{"type":"cities","id":"1","attributes":{"place":\#(Self.place)}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(City.self, from: data).place == Self.expected)
        let direct = try JSONAPIDecoder().decode(Direct.self, from: data)
        #expect(direct.place == Self.expected && direct.name == "outer")
    }

    struct Described: Resource {
        static let type = "cities"
        var id: String
        var about: ResourceMeta<Place>
    }

    @Test("A member of a nested meta object is not read as one of the outer object")
    func innerMembersOfMeta() throws {
        let data = Data(#"{"data":{"type":"cities","id":"1","meta":\#(Self.place)},"meta":\#(Self.place)}"#.utf8)
        let document = try JSONAPIDecoder().decode(Document<Described>.self, from: data)
        #expect(document.data.about.value == Self.expected)
        #expect(try document.meta(Place.self) == Self.expected)
    }

    /// Tries one type after another, as hand-written code does.
    enum AnyJSON: Codable, Equatable, Sendable {
        case null, bool(Bool), number(Double), string(String)
        case array([AnyJSON]), object([String: AnyJSON])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode([String: AnyJSON].self) {
                self = .object(value)
            } else if let value = try? container.decode([AnyJSON].self) {
                self = .array(value)
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else {
                self = .number(try container.decode(Double.self))
            }
        }

        func encode(to encoder: any Encoder) throws {}
    }

    struct Anything: Resource {
        static let type = "things"
        var id: String
        var any: AnyJSON
    }

    private func anything(_ json: String) throws -> AnyJSON {
        try JSONAPIDecoder().decode(
            Anything.self, from: Data(#"{"data":{"type":"things","id":"1","attributes":{"any":\#(json)}}}"#.utf8)
        ).any
    }

    @Test(
        "Values of any shape are decoded as JSONDecoder does",
        arguments: [
            #"[{"k":null},"z"]"#, #"{"any":[{"k":null},"z"]}"#, #"{"k":{"k":{"k":1}},"a":{"k":2,"a":[3]}}"#,
            #"[[{"a":1,"b":{"a":2}}],{"b":{"b":{"a":3}},"a":4}]"#, #"{"a":{},"b":[],"c":{"a":[],"c":{}}}"#,
        ])
    func anyShape(_ json: String) throws {
        #expect(try anything(json) == JSONDecoder().decode(AnyJSON.self, from: Data(json.utf8)))
    }

    @Test("In a large object, the last member of a repeated name counts, in any order of access")
    func repeatedNames() throws {
        struct Counts: Resource {
            static let type = "things"
            var id: String
            var counts: [String: Int]
        }
        for count in [4, 17, 65, 3000] {
            let members = (0..<count).map { #""n\#($0)":\#($0)"# } + [#""n1":-1"#, #""\u006e2":-2"#]
            let data = Data(
                #"{"data":{"type":"things","id":"1","attributes":{"counts":{\#(members.joined(separator: ","))}}}}"#.utf8)
            let counts = try JSONAPIDecoder().decode(Counts.self, from: data).counts
            #expect(counts.count == count && counts["n1"] == -1 && counts["n2"] == -2 && counts["n3"] == 3)
        }
    }

    @Test("Attributes of a wide resource are found in any order, and absent ones are not")
    func wideResource() throws {
        struct Probe: Resource {
            static let type = "things"
            var id: String
            var found: [Int?]
            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(String.self, forKey: .id)
                found = try (0..<700).reversed().map { try map.decodeIfPresent(Int.self, forKey: Key("n\($0)")) }
            }
            func encode(to encoder: any Encoder) throws {}
        }
        let members = (0..<500).map { #""n\#($0 * 2)":\#($0)"# }.joined(separator: ",")
        let value = try JSONAPIDecoder().decode(
            Probe.self, from: Data(#"{"data":{"type":"things","id":"1","attributes":{\#(members)}}}"#.utf8))
        #expect(value.found == (0..<700).reversed().map { $0 % 2 == 0 ? $0 / 2 : nil })
    }
}

@Suite("Decoders that a model keeps")
struct KeptDecoderTests {
    final class Probe: Sendable {
        static let living = Counter()
        final class Counter: @unchecked Sendable {
            private let lock = NSLock()
            private var count = 0
            func add(_ number: Int) { lock.withLock { count += number } }
            var value: Int { lock.withLock { count } }
        }
        init() { Self.living.add(1) }
        deinit { Self.living.add(-1) }
    }

    /// The usual way to decode later.
    struct Later: Resource {
        static let type = "things"
        var id: String
        let probe = Probe()
        let name: @Sendable () throws -> String
        var next: [Later]

        enum CodingKeys: String, CodingKey { case id, name, next }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            id = try container.decode(String.self, forKey: .id)
            next = try container.decodeIfPresent([Later].self, forKey: .next) ?? []
            nonisolated(unsafe) let kept = container
            name = { try kept.decode(String.self, forKey: .name) }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("They still decode after the call, and are released with the model")
    func keptContainers() throws {
        let before = Probe.living.value
        for round in 0..<20 {
            let data = Data(
                #"""
                {"data":[{"type":"things","id":"1","attributes":{"name":"one \#(round)"},"relationships":{"next":{"data":[{"type":"things","id":"2"}]}}},
                {"type":"things","id":"3","attributes":{"name":"three"},"relationships":{"next":{"data":[{"type":"things","id":"2"}]}}}],
                "included":[{"type":"things","id":"2","attributes":{"name":"two"}}]}
                """#.utf8)
            let things = try JSONAPIDecoder().decode([Later].self, from: data)
            #expect(try things[0].name() == "one \(round)")
            #expect(try things[1].next.first?.name() == "two")
        }
        #expect(Probe.living.value == before)
    }
}

@Suite("Behavior that matches JSONDecoder")
struct CodableEdgeTests {
    struct Inner: Codable, Sendable { var n: Int }
    struct Thing: Resource {
        static let type = "things"
        var id: String
        var list: [Inner]
    }

    private func error(_ attributes: String) throws -> DecodingError {
        try #require(
            #expect(throws: DecodingError.self) {
                try JSONAPIDecoder().decode(
                    [Thing].self, from: Data(#"{"data":[{"type":"things","id":"1","attributes":\#(attributes)}]}"#.utf8))
            })
    }

    @Test("Indexes in a coding path have an intValue")
    func positions() throws {
        guard case .typeMismatch(let type, let context) = try error(#"{"list":[{"n":1},{"n":"x"}]}"#) else {
            Issue.record("another kind")
            return
        }
        #expect(type is Int.Type)
        #expect(context.codingPath.map(\.intValue) == [0, nil, 1, nil])
        #expect(context.codingPath.map(\.stringValue) == ["Index 0", "list", "Index 1", "n"])
        #expect(context.debugDescription.contains("/data/0/attributes/list/1/n"))
    }

    @Test("A missing key is not part of the coding path")
    func missingKeys() throws {
        guard case .keyNotFound(let key, let context) = try error(#"{"list":[{"m":1}]}"#) else {
            Issue.record("another kind")
            return
        }
        #expect(key.stringValue == "n" && context.codingPath.map(\.stringValue) == ["Index 0", "list", "Index 0"])
        guard case .keyNotFound(let property, let outer) = try error("{}") else {
            Issue.record("another kind")
            return
        }
        #expect(property.stringValue == "list" && outer.codingPath.map(\.stringValue) == ["Index 0"])
    }

    @Test("The error for another kind of container names the requested type")
    func containerTypes() throws {
        guard case .typeMismatch(let type, _) = try error(#"{"list":{"n":1}}"#) else {
            Issue.record("another kind")
            return
        }
        #expect(type is [Any].Type)
    }

    struct Names: Resource {
        static let type = "things"
        var id: String
        var keys: [String]
        var isEachContained: Bool

        struct AnyKey: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            id = ""
            keys = container.allKeys.map(\.stringValue)
            isEachContained = container.allKeys.allSatisfy { container.contains($0) }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("allKeys contains each converted key once")
    func allKeys() throws {
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .kebabCase
        let data = Data(
            #"""
            {"data":{"type":"things","id":"1","attributes":{"published-at":1,"title":2,"title":3},"relationships":{"main-author":{"data":null}}}}
            """#.utf8)
        let names = try decoder.decode(Names.self, from: data)
        #expect(names.keys == ["id", "type", "publishedAt", "title", "mainAuthor"] && names.isEachContained)
    }

    @Test("The error for a name inside a value says that a key strategy does not convert it")
    func keyStrategyInsideValues() throws {
        struct Address: Codable { var zipCode: String }
        struct House: Resource {
            static let type = "houses"
            var id: String
            var homeAddress: Address
        }
        var decoder = JSONAPIDecoder()
        decoder.keyStrategy = .snakeCase
        let data = Data(#"{"data":{"type":"houses","id":"1","attributes":{"home_address":{"zip_code":"1"}}}}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try decoder.decode(House.self, from: data) }
        #expect(error?.failure?.advice?.hasPrefix("name `zip_code` by a coding key") == true)
    }

    @Test("Diagnostics are printed one on each line")
    func printedDiagnostics() throws {
        let text = #"{"data":{"type":"a","id":"1","attributes":{"type":"x"},"extra":1}}"#
        let diagnostics = try JSONAPIDecoder().decode(Document<ResourceObject>.self, from: Data(text.utf8)).diagnostics
        #expect(diagnostics.count == 2 && "\(diagnostics)" == diagnostics.map(\.description).joined(separator: "\n"))
        #expect("\(Diagnostics())" == "")
    }

    @Test("Integers of 128 bits are decoded")
    func wideIntegers() throws {
        struct Wide: Resource {
            static let type = "things"
            var id: String
            var signed: Int128
            var unsigned: UInt128?
            var list: [Int128]
        }
        let data = Data(
            #"""
            {"data":{"type":"things","id":"1","attributes":{"signed":-170141183460469231731687303715884105728,
            "unsigned":340282366920938463463374607431768211455,"list":[1,-2]}}}
            """#.utf8)
        let value = try JSONAPIDecoder().decode(Wide.self, from: data)
        #expect(value.signed == .min && value.unsigned == .max && value.list == [1, -2])
    }
}

@Suite("Properties named after parts of a resource object")
struct ResourcePartTests {
    struct Attributes: Codable, Sendable { var title: String? }
    struct Wrapped: Resource {
        static let type = "things"
        var id: String
        var attributes: Attributes
    }
    struct Meta: Resource {
        static let type = "things"
        var id: String
        var meta: Attributes?
    }
    struct Links: Resource {
        static let type = "things"
        var id: String
        var links: [String: String]?
    }
    private static let data = Data(
        #"{"data":{"type":"things","id":"1","attributes":{"title":"T"},"meta":{"title":"M"},"links":{"self":"/x"}}}"#.utf8)

    @Test("They are errors that name the wrapper, if they would be nil")
    func parts() throws {
        let decoder = JSONAPIDecoder()
        let attributes = try Blog.failure { try decoder.decode(Wrapped.self, from: Self.data) }
        #expect(attributes.advice?.contains("as a property of the model itself") == true)
        let meta = try Blog.failure { try decoder.decode(Meta.self, from: Self.data) }
        #expect("\(meta.pointer)" == "/data/meta" && meta.advice?.contains("ResourceMeta<Attributes>") == true)
        #expect(try Blog.failure { try decoder.decode(Links.self, from: Self.data) }.advice?.contains("ResourceLinks") == true)
    }

    @Test("An attribute of that name is decoded, and nil if the resource has no such part")
    func attributes() throws {
        let attribute = Data(#"{"data":{"type":"things","id":"1","attributes":{"meta":{"title":"A"}},"meta":{"title":"M"}}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Meta.self, from: attribute).meta?.title == "A")
        let none = Data(#"{"data":{"type":"things","id":"1"}}"#.utf8)
        #expect(try JSONAPIDecoder().decode(Meta.self, from: none).meta == nil)
    }
}

@Suite("Embedded resources linked by a lid")
struct LocalIdentityTests {
    struct Writer: Resource, Equatable {
        static let type = "people"
        var id: String?
        var lid: LocalID?
        var name: String?
    }
    struct Post: Resource {
        static let type = "posts"
        var id: String?
        var writer: Writer?
        var readers: [Writer]
    }

    @Test("They are embedded like others, and are not a cycle")
    func byLid() throws {
        var decoder = JSONAPIDecoder()
        decoder.source = .request
        let data = Data(
            #"""
            {"data":{"type":"posts","relationships":{"writer":{"data":{"type":"people","lid":"a"}},
            "readers":{"data":[{"type":"people","lid":"a"},{"type":"people","lid":"b"}]}}},
            "included":[{"type":"people","lid":"a","attributes":{"name":"Ann"}},{"type":"people","lid":"b","attributes":{"name":"Bob"}}]}
            """#.utf8)
        let document = try decoder.decode(Document<Post>.self, from: data)
        #expect(document.data.writer?.name == "Ann" && document.data.readers.map(\.name) == ["Ann", "Bob"])
        #expect(document.diagnostics.count(of: .cycleCut) == 0)
    }

    struct Signed: Resource {
        static let type = "posts"
        var id: String?
        var writer: Writer
    }

    @Test("A lid of another type does not resolve")
    func otherType() throws {
        var decoder = JSONAPIDecoder()
        decoder.source = .request
        let data = Data(
            #"""
            {"data":{"type":"posts","relationships":{"writer":{"data":{"type":"bots","lid":"a"}},
            "readers":{"data":[{"type":"bots","lid":"a"},{"type":"people","lid":"a"}]}}},
            "included":[{"type":"bots","lid":"a","attributes":{"name":"Bot"}},{"type":"people","lid":"a","attributes":{"name":"Ann"}}]}
            """#.utf8)
        let post = try decoder.decode(Post.self, from: data)
        #expect(post.writer == nil && post.readers.map(\.name) == ["Ann"])
        let document = try decoder.decode(Document<Post>.self, from: data)
        #expect(document.data.writer == nil && document.data.readers.map(\.name) == ["Ann"])
        #expect(document.diagnostics.count(of: .unknownType) == 2)
        #expect(try Blog.failure { try decoder.decode(Signed.self, from: data) }.kind == .unexpectedType)
    }
}

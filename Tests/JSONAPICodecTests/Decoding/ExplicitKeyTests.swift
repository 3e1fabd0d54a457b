import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

@Suite("Keys that name one place in a resource object")
struct ExplicitKeyTests {
    private typealias Person = Blog.Person

    /// Runs `read` with the container of the resource.
    private struct Probe<Value: Sendable>: Resource {
        static var type: String { "articles" }
        var id: String { "1" }
        let value: Value
        init(from decoder: any Decoder) throws {
            let read = decoder.userInfo[ExplicitKeyTests.readKey] as? Reading<Value>
            value = try #require(read).read(try decoder.container(keyedBy: Key.self))
        }
        func encode(to encoder: any Encoder) throws {}
    }
    private struct Reading<Value: Sendable>: Sendable { let read: @Sendable (KeyedDecodingContainer<Key>) throws -> Value }
    private static var readKey: CodingUserInfoKey { GraphDecodingTests.counterKey }

    private func read<Value: Sendable>(
        _ resource: String, _ decoder: JSONAPIDecoder = JSONAPIDecoder(),
        _ read: @escaping @Sendable (KeyedDecodingContainer<Key>) throws -> Value
    ) throws -> Value {
        var decoder = decoder
        decoder.userInfo[Self.readKey] = Reading(read: read)
        return try decoder.decode(Probe<Value>.self, from: Data(#"{"data":{"type":"articles","id":"1"\#(resource)}}"#.utf8)).value
    }

    @Test(
        "The key of a relationship never leads to an attribute",
        arguments: [#"{"id":"2","name":"Ann"}"#, #""Bob""#, #"{"data":{"type":"people","id":"2"}}"#])
    func relationshipOnly(value: String) throws {
        let resource = #","attributes":{"manager":\#(value),"details":{"manager":\#(value)}}"#
        let key = Key.relationships("manager")
        #expect(try read(resource) { try $0.decodeIfPresent(Person.self, forKey: key) } == nil)
        #expect(try read(resource) { try $0.decodeIfPresent([Person].self, forKey: key) } == nil)
        #expect(try read(resource) { try $0.decode(ToOne<Person>.self, forKey: key) } == .notLoaded)
        #expect(try read(resource) { try $0.decode(ToMany<Person>.self, forKey: key) } == .notLoaded)
        #expect(try read(resource) { try $0.decode(Person?.self, forKey: key) } == nil)
        #expect(
            try Blog.failure { try read(resource) { try $0.decode(Person.self, forKey: key) } }.expected == "the relationship `manager`")
        #expect(try read(resource, JSONAPIDecoder(mode: .lenient)) { try $0.decode([Person].self, forKey: key) } == [])
        let path = Key.relationships("details.manager")
        #expect(try read(resource) { try $0.decodeIfPresent(Person.self, forKey: path) } == nil)
        #expect(try read(resource) { try $0.decodeIfPresent(ResourceIdentifier.self, forKey: path) } == nil)
    }

    @Test("Explicit keys of links, meta and type read what flat keys read")
    func members() throws {
        #expect(try read("") { try $0.decode(ResourceLinks.self, forKey: .links) }.links.members.isEmpty)
        #expect(try read("") { try $0.decodeIfPresent(ResourceMeta<[String: Int]>.self, forKey: .meta) } == nil)
        #expect(try read(#","meta":{"a":1}"#) { try $0.decode(ResourceMeta<[String: Int]>.self, forKey: .meta) }.value == ["a": 1])
        #expect(try read(#","meta":{"a":1}"#) { try $0.decode([String: Int].self, forKey: .meta) } == ["a": 1])
        var decoder = JSONAPIDecoder()
        decoder.leniencies.insert(.missingTypes)
        decoder.userInfo[Self.readKey] = Reading {
            try $0.decode(String.self, forKey: .type) + ($0.decodeIfPresent(String.self, forKey: .type) ?? "")
        }
        #expect(try decoder.decode(Probe<String>.self, from: Data(#"{"data":{"id":"1"}}"#.utf8)).value == "articlesarticles")
    }

    @Test("An error about a missing value names the place where it was looked up")
    func missing() throws {
        let resource = #","relationships":{"a":{"data":null}}"#
        let links = try Blog.failure { try read(resource) { try $0.decode(JSONObject.self, forKey: .relationships("a", "links")) } }
        #expect(links.expected == "the member `links`" && "\(links.pointer)" == "/data/relationships/a")
        let meta = try Blog.failure { try read(resource) { try $0.decode(JSONObject.self, forKey: .meta) } }
        #expect(meta.expected == "the resource's member `meta`")
        let nested = try Blog.failure { try read(resource) { try $0.nestedContainer(keyedBy: Key.self, forKey: .meta).allKeys.count } }
        #expect(nested.expected == "the resource's member `meta`")
        let city = try Blog.failure { try read(resource) { try $0.decode(String.self, forKey: .attributes("address", "city")) } }
        #expect(city.expected == "the attribute `address.city`")
    }

    @Test("The form of an empty value is kept under an explicit key")
    func emptyForms() throws {
        for (attributes, form) in [(#"{"at":null}"#, EmptyForm.null), (#"{"at":""}"#, .text), ("{}", .missing)] {
            let value = try read(#","attributes":\#(attributes)"#) { map in
                [
                    try map.decodeIfPresent(EmptyAsNil<Date>.self, forKey: .attributes("at")),
                    try map.decodeIfPresent(EmptyAsNil<Date>.self, forKey: Key("at")),
                ]
            }
            #expect(value.allSatisfy { $0?.emptyForm == form }, "\(attributes)")
        }
    }

    @Test("In lenient mode, an empty array in place of meta or links is absent")
    func emptyArrays() throws {
        let resource = #","meta":[],"links":[]"#
        let lenient = JSONAPIDecoder(mode: .lenient)
        struct Info: Codable { var views: Int }
        struct Item: Resource {
            static let type = "articles"
            var id: String
            var info: ResourceMeta<Info>?
            var links: ResourceLinks
        }
        let data = Data(#"{"data":{"type":"articles","id":"1"\#(resource)}}"#.utf8)
        #expect(try lenient.decode(Item.self, from: data).info == nil)
        #expect(try Blog.failure { try JSONAPIDecoder().decode(Item.self, from: data) }.kind == .wrongType)
        for key in [Key.meta, .links, Key("meta"), Key("links")] {
            let failure = try Blog.failure {
                try read(resource, lenient) { try $0.nestedContainer(keyedBy: Key.self, forKey: key).allKeys.count }
            }
            #expect(failure.kind == .missingMember)
        }
        #expect(try !read(resource, lenient) { $0.contains(.meta) || $0.contains(.links) })
        #expect(try read(resource, lenient) { try $0.decodeIfPresent(JSONObject.self, forKey: .meta) } == nil)
    }
}

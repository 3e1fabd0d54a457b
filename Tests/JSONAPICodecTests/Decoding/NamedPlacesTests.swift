import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONMapping
import JSONText
import Testing

/// Errors name the exact place, and the cure.
@Suite struct NamedPlacesTests {
    enum Size: String, Codable, CodingKeyRepresentable { case small, large }

    struct Stock: Resource {
        static let type = "articles"
        var id: String
        var counts: [Size: Int]?
        var names: [Int: String]?
    }

    @Test(
        "An error in a dictionary names the member, whatever the type of the keys",
        arguments: [
            (#"{"counts":{"small":1,"huge":2}}"#, "/data/attributes/counts/huge"),
            (#"{"counts":{"small":"x"}}"#, "/data/attributes/counts/small"),
            (#"{"names":{"1":"a","x":"b"}}"#, "/data/attributes/names/x"),
            (#"{"names":{"7":false}}"#, "/data/attributes/names/7"),
        ])
    func dictionaries(_ attributes: String, _ pointer: String) throws {
        let failure = try Blog.failure { try Blog.decode(Stock.self, attributes: attributes) }
        #expect("\(failure.pointer)" == pointer)
    }

    @Test("A key that a dictionary rejects names the cure")
    func rejectedKey() throws {
        let failure = try Blog.failure { try Blog.decode(Stock.self, attributes: #"{"counts":{"huge":2}}"#) }
        #expect(failure.advice?.contains("String") == true)
    }

    struct Twice: Resource {
        static let type = "articles"
        var id = "1"
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            var map = encoder.container(keyedBy: Key.self)
            var place = map.nestedContainer(keyedBy: Key.self, forKey: Key("place"))
            try place.encode(1, forKey: Key("x"))
            try place.encode(2, forKey: Key("x"))
        }
    }

    @Test("A name that a value writes twice is an error with advice")
    func repeatedName() {
        let failure = encodingFailure { _ = try JSONAPIEncoder().encode(Twice()) }
        #expect(failure?.kind == .duplicateName)
        #expect(failure?.advice?.contains("once") == true)
    }

    private struct Album: SchemaResource, Equatable {
        static let type = "albums"
        static let relationshipNames: Set<String> = ["cover"]
        static let schema = MappingSchema<Album>(creating: Album()) {
            MappingField(\.id, "id")
            MappingField(\.coverID, from: "cover.data.id")
        }
        var id = ""
        var coverID = ""
    }

    private func pointer(_ fields: String) -> String? {
        let text = Data(#"{"data":{"type":"albums","id":"1"\#(fields)}}"#.utf8)
        do {
            _ = try JSONAPIDecoder().decode(Album.self, from: text)
            return nil
        } catch { return (error as? ValidationError)?.issues.first.map { "\($0.pointer)" } }
    }

    @Test("A schema's error names the attribute if an attribute and a relationship have the same name")
    func sameName() {
        let relationships = #","relationships":{"cover":{"data":{"type":"images","id":5}}}"#
        #expect(pointer(relationships) == "/data/relationships/cover/data/id")
        #expect(pointer(#","attributes":{"cover":{"data":{"id":5}}}"# + relationships) == "/data/attributes/cover/data/id")
    }

    @Test("A schema's error for a missing relationship names the relationships")
    func missingRelationship() {
        #expect(pointer("")?.hasPrefix("/data/relationships/cover") == true)
    }

    private struct Anywhere<Value: Decodable & Sendable>: Resource {
        static var type: String { "articles" }
        var id: String { "1" }
        let value: Value
        init(from decoder: any Decoder) throws {
            let key = try #require(NamedPlacesTests.path.flatMap { decoder.userInfo[$0] } as? Key)
            value = try decoder.container(keyedBy: Key.self).decode(Value.self, forKey: key)
        }
        func encode(to encoder: any Encoder) throws {}
    }

    fileprivate static let path = CodingUserInfoKey(rawValue: "path")

    @Test(
        "An error about a missing value at a path names the last object on the way, and what it lacks",
        arguments: [
            (Key("attributes.place.city"), "/data/attributes/place", "the member `city`", "only `town`"),
            (Key("place.city"), "/data/attributes/place", "the member `city`", "only `town`"),
            (Key.attributes("place", "city"), "/data/attributes/place", "the member `city`", "only `town`"),
            (Key("place.town.name"), "/data/attributes/place/town", "an object with the member `name`", "a string"),
            (Key("address.city"), "/data", "the attribute `address.city`", "only `place`"),
            (Key("meta.revision"), "/data/meta", "the member `revision`", "only `revisions`"),
            (Key("relationships.author.links"), "/data/relationships/author", "the member `links`", "only `data`"),
            (Key.relationships("author", "links"), "/data/relationships/author", "the member `links`", "only `data`"),
            (Key.relationships("editor", "links"), "/data", "the relationship `editor`", "only `author`"),
            (Key("links.self"), "/data", "the member `links`", "only `type`, `id`, `attributes`, `meta`, `relationships`"),
        ])
    func missingAtPath(_ key: Key, _ pointer: String, _ expected: String, _ found: String) throws {
        let text = """
            {"data":{"type":"articles","id":"1","attributes":{"place":{"town":"Oslo"}},"meta":{"revisions":1},
              "relationships":{"author":{"data":null}}}}
            """
        var decoder = JSONAPIDecoder()
        decoder.userInfo[try #require(Self.path)] = key
        let failure = try Blog.failure { try decoder.decode(Anywhere<Int>.self, from: Data(text.utf8)) }
        #expect("\(failure.pointer)" == pointer && failure.expected == expected && failure.found == found)
        #expect(failure.kind == .missingMember && failure.resource?.id == "1")
    }

    private struct Maybe: Resource {
        static let type = "articles"
        var id: String { "1" }
        let value: String?
        init(from decoder: any Decoder) throws {
            let key = try #require(NamedPlacesTests.path.flatMap { decoder.userInfo[$0] } as? Key)
            value = try decoder.container(keyedBy: Key.self).decodeIfPresent(String.self, forKey: key)
        }
        func encode(to encoder: any Encoder) throws {}
    }

    private func city(_ key: Key, _ place: String, _ decoder: JSONAPIDecoder = JSONAPIDecoder()) throws -> String? {
        var decoder = decoder
        decoder.userInfo[try #require(Self.path)] = key
        return try Blog.decode(Maybe.self, attributes: #"{"place":\#(place)}"#, with: decoder).value
    }

    @Test(
        "An optional value at a path through a value that is no object is an error, and not nil",
        arguments: [Key("attributes.place.city"), Key("place.city"), Key.attributes("place", "city"), Key("place.city.name")],
        [#""Oslo""#, "7", "false", #"["Oslo"]"#, "[]"])
    func blockedPath(_ key: Key, _ place: String) throws {
        for mode in [JSONAPIDecoder.Mode.standard, .lenient] where place != "[]" || mode == .standard {
            let failure = try Blog.failure { try city(key, place, JSONAPIDecoder(mode: mode)) }
            #expect("\(failure.pointer)" == "/data/attributes/place" && failure.kind == .wrongType && failure.expected == "an object")
        }
        var php = JSONAPIDecoder()
        php.leniencies = .emptyArrayValues
        if place == "[]" { #expect(try city(key, place, php) == nil && city(key, place, JSONAPIDecoder(mode: .lenient)) == nil) }
    }

    @Test(
        "An optional value at a path is nil if the path leads to nothing",
        arguments: [Key("attributes.place.city"), Key("place.city"), Key.attributes("place", "city")], ["null", "{}", #"{"city":null}"#])
    func absentAtPath(_ key: Key, _ place: String) throws {
        #expect(try city(key, place) == nil)
        #expect(try city(key, #"{"city":"Oslo"}"#) == "Oslo")
    }

    @Test(
        "A value in a link is nil if the link is a text",
        arguments: ["relationships.comments.links.related.meta.count", "links.self.meta.count"])
    func insideLinks(_ key: String) throws {
        struct Counted: Resource {
            static let type = "articles"
            var id: String
            var count: Int?
            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: Key.self)
                id = try map.decode(String.self, forKey: .id)
                let key = try #require(decoder.userInfo[Self.key] as? String)
                count = try map.decodeIfPresent(Int.self, forKey: Key(key))
                guard key.hasPrefix("relationships.") else { return }
                let place = Key.relationships("comments", "links", "related", "meta", "count")
                #expect(try map.decodeIfPresent(Int.self, forKey: place) == count)
            }
            func encode(to encoder: any Encoder) throws {}
            static let key = CodingUserInfoKey(rawValue: "key") ?? { fatalError() }()
        }
        func count(_ link: String) throws -> Int? {
            var decoder = JSONAPIDecoder()
            decoder.userInfo[Counted.key] = key
            let text =
                #"{"data":{"type":"articles","id":"1","links":{"self":\#(link)},"#
                + #""relationships":{"comments":{"links":{"related":\#(link)}}}}}"#
            return try decoder.decode(Counted.self, from: Data(text.utf8)).count
        }
        #expect(try count(#""/x""#) == nil)
        #expect(try count("null") == nil)
        #expect(try count(#"{"href":"/x","meta":{"count":3}}"#) == 3)
    }

    private struct Placed<Value: Codable & Sendable>: Resource {
        static var type: String { "articles" }
        var id: String
        var value: Value
        enum CodingKeys: String, CodingKey { case id, value = "attributes.place.value" }
    }

    @Test("Wrappers and relationships at a path through a value that is no object are errors, too")
    func wrappersAtABlockedPath() throws {
        func check<Value: Codable & Sendable>(_: Value.Type) {
            #expect(throws: DecodingError.self, "\(Value.self)") {
                try Blog.decode(Placed<Value>.self, attributes: #"{"place":"Oslo"}"#)
            }
            #expect(throws: Never.self, "\(Value.self)") { try Blog.decode(Placed<Value>.self, attributes: #"{"place":null}"#) }
        }
        check(EmptyAsNil<Date>.self)
        check(LossyArray<Int>.self)
        check(Field<Int>.self)
        check(DecimalText.self)
        check(RemainingMembers.self)
        check(Blog.Person?.self)
        check(ResourceIdentifier?.self)
        check(Field<Blog.Person>.self)
    }

    @Test("An error about a missing value at a path suggests the nearest member of the last object")
    func nearestAtPath() throws {
        struct Numbered: Resource {
            static let type = "articles"
            var id: String
            var revision: Int
            enum CodingKeys: String, CodingKey {
                case id
                case revision = "meta.revision"
            }
        }
        let text = Data(#"{"data":{"type":"articles","id":"1","attributes":{"place":1},"meta":{"revisions":1}}}"#.utf8)
        let failure = try Blog.failure { try JSONAPIDecoder().decode(Numbered.self, from: text) }
        #expect("\(failure.pointer)" == "/data/meta" && failure.advice == "the nearest member is `revisions`")
    }
}

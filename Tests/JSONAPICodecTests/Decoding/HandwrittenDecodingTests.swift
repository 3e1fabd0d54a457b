import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Hand-written decoding")
struct HandwrittenDecodingTests {
    private let decoder = JSONAPIDecoder()

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

    @Test("A hand-written initializer with Key")
    func manual() throws {
        let model = try Blog.decode(
            Manual.self, attributes: #"{"title":"T","address":{"city":"Rome"},"nothing":null,"list":[1,null,[]]}"#,
            relationships: #"{"author":{"data":{"type":"people","id":"2"}}}"#)
        #expect(model.city == "Rome" && model.names == ["city"] && model.isNull && model.first == 1 && model.author.id == "2")
        #expect(model.keys == ["id", "type", "title", "address", "nothing", "list", "author"])
    }

    /// Reads each part of a resource object that is there, and the part that a name stands for.
    struct Sections: Resource {
        static let type = "articles"
        var id = ""
        var title: String?
        var next: String?
        var parts: [String] = []
        enum Parts: String, CodingKey, CaseIterable { case attributes, relationships, links, meta }
        enum Fields: CodingKey { case title, next }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Parts.self)
            for part in Parts.allCases where map.contains(part) {
                parts.append(try map.decodeNil(forKey: part) ? "null" : part.rawValue)
            }
            if map.contains(.attributes) {
                title = try map.nestedContainer(keyedBy: Fields.self, forKey: .attributes).decodeIfPresent(String.self, forKey: .title)
            }
            if map.contains(.links) {
                next = try map.nestedContainer(keyedBy: Fields.self, forKey: .links).decodeIfPresent(String.self, forKey: .next)
            }
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("A part of a resource object that a nested container can read is contained")
    func containedParts() throws {
        let whole = #"""
            {"data": {"type": "articles", "id": "1", "attributes": {"title": "T"}, "relationships": {}, "links": {"next": "/2"}, "meta": {}}}
            """#
        let sections = try JSONAPIDecoder().decode(Sections.self, from: Data(whole.utf8))
        #expect(sections.parts == ["attributes", "relationships", "links", "meta"] && sections.title == "T" && sections.next == "/2")
        struct Sent: Resource {
            static let type = "articles"
            var id: String?
            var lid: LocalID?
            enum CodingKeys: CodingKey { case id, lid }
            init(from decoder: any Decoder) throws {
                let map = try decoder.container(keyedBy: CodingKeys.self)
                lid = map.contains(.lid) ? try map.decode(LocalID.self, forKey: .lid) : nil
            }
        }
        var server = JSONAPIDecoder()
        server.source = .request
        #expect(try server.decode(Sent.self, from: Data(#"{"data":{"type":"articles","lid":"a1"}}"#.utf8)).lid == "a1")
        let bare = try JSONAPIDecoder().decode(Sections.self, from: Data(#"{"data":{"type":"articles","id":"1"}}"#.utf8))
        #expect(bare.parts == [] && bare.title == nil)
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

    @Test("A superclass decodes its properties from the same resource")
    func inheritance() throws {
        let model = try Blog.decode(Derived.self, attributes: #"{"title":"T"}"#)
        #expect(model.title == "T" && model.id == "1" && !model.author.isLoaded)
    }

    struct Wrapper: Resource {
        static let type = "articles"
        var inner: PropertyDecodingTests.Typed
        var id: String { inner.id }
        init(from decoder: any Decoder) throws { inner = try decoder.singleValueContainer().decode(PropertyDecodingTests.Typed.self) }
    }

    @Test("A resource can wrap another with a single value container")
    func singleValue() throws {
        #expect(try Blog.decode(Wrapper.self).inner.type == "articles")
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
        "A direct initializer gives the same values and errors as Codable",
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
}

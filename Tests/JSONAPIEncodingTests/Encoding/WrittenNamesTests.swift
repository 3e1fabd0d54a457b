import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

/// Checks of everything that models encode: repeated names, forbidden names, and writers that are used too late.
@Suite struct WrittenNamesTests {
    private let encoder = JSONAPIEncoder()

    /// A model that encodes what the test says.
    struct Scripted: Resource {
        static let type = "scripts"
        var id = "1"
        var write: @Sendable (any Encoder) throws -> Void

        init(_ write: @escaping @Sendable (any Encoder) throws -> Void) { self.write = write }
        init(from decoder: any Decoder) throws { self.init { _ in } }
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    /// The same without `Codable`.
    struct Direct: DirectResource {
        static let type = "scripts"
        var id = "1"
        var script: @Sendable (ResourceWriter) throws -> Void

        init(_ script: @escaping @Sendable (ResourceWriter) throws -> Void) { self.script = script }
        init(resource: ResourceView) throws { self.init { _ in } }
        init(from decoder: any Decoder) throws { self.init { _ in } }
        func encode(to encoder: any Encoder) throws {}
        func write(to resource: ResourceWriter) throws { try script(resource) }
    }

    private func failure(_ write: @escaping @Sendable (any Encoder) throws -> Void) -> EncodingFailure? {
        encodingFailure { _ = try encoder.encode([Scripted(write)]) }
    }

    private func directFailure(_ script: @escaping @Sendable (ResourceWriter) throws -> Void) -> EncodingFailure? {
        encodingFailure { _ = try encoder.encode([Direct(script)]) }
    }

    private static let person = Writer(id: "9", firstName: "Ann")

    @Test("A repeated key is an error")
    func repeated() {
        let keys: [@Sendable () -> (Key, Key)] = [
            { (Key("title"), Key("title")) }, { (Key("title"), .attributes("title")) }, { (.attributes("title"), .attributes("title")) },
            { (.attributes("a", "b"), .attributes("a", "b")) }, { (.attributes("a"), .attributes("a", "b")) },
            { (Key(String(repeating: "n", count: 100)), Key(String(repeating: "n", count: 100))) },
        ]
        for make in keys {
            let failure = failure { encoder in
                var map = encoder.container(keyedBy: Key.self)
                try map.encode("one", forKey: make().0)
                try map.encode("two", forKey: make().1)
            }
            #expect(failure?.kind == .duplicateName, "\(make())")
        }
    }

    @Test("An attribute and a relationship with the same name are an error")
    func shared() {
        for isFirst in [true, false] {
            let failure = failure { encoder in
                var map = encoder.container(keyedBy: Key.self)
                if isFirst { try map.encode("text", forKey: Key("author")) }
                try map.encode(Self.person, forKey: Key("author"))
                if !isFirst { try map.encode("text", forKey: Key("author")) }
            }
            #expect(failure?.kind == .duplicateName)
            #expect("\(failure?.pointer ?? .root)" == "/data/0/relationships/author")
        }
        #expect(
            directFailure {
                try $0.attribute("a", "x"); try $0.relationship("a", Self.person)
            }?.kind == .duplicateName)
        #expect(
            directFailure {
                try $0.relationship("a", [Self.person]); try $0.attribute("a", "x")
            }?.kind == .duplicateName)
    }

    struct Colliding: Resource {
        static let type = "names"
        var id = "1"
        var firstName = "Ann"
        var first_name = "Eve"
    }

    @Test("Names that collide because of the key strategy are an error")
    func strategies() {
        var encoder = encoder
        encoder.keyStrategy = .kebabCase
        let failure = encodingFailure { _ = try encoder.encode(Colliding()) }
        let other = encodingFailure { _ = try encoder.encode(Create(Colliding())) }
        encoder.keyStrategy = .snakeCase
        let third = encodingFailure { _ = try encoder.encode(Colliding()) }
        #expect([failure, third].contains { $0?.kind == .duplicateName })
        #expect(other == failure)
    }

    @Test("Attributes named id or type are errors, unless names are not checked")
    func reserved() throws {
        let keys: [Key] = [.attributes("id"), .attributes("type"), Key("attributes.type"), Key("attributes.id")]
        for key in keys {
            let model = Scripted { encoder in
                var map = encoder.container(keyedBy: Key.self)
                try map.encode("x", forKey: key)
            }
            let failure = encodingFailure { _ = try encoder.encode(model) }
            #expect(failure?.kind == .illegalName)
            #expect(failure?.advice?.contains("checksNames") == true)
            var lax = encoder
            lax.checksNames = false
            let attributes = try JSON(parsing: lax.encode(model))["data"]?["attributes"]?.object
            #expect(attributes?.count == 1)
        }
        #expect(directFailure { try $0.attribute("type", "x") }?.kind == .illegalName)
        #expect(directFailure { try $0.attribute("a.b", "x") }?.kind == .illegalName)
    }

    @Test("A repeated name inside an attribute is an error, on one level only")
    func inner() throws {
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                try map.encode(["n": ["n": 1]], forKey: Key("n"))
                try map.encode(1, forKey: Key("m"))
                try map.encode(2, forKey: Key("n"))
            }
        }
        let failure = failure { encoder in
            var map = encoder.container(keyedBy: Key.self)
            try map.encode([Twice()], forKey: Key("list"))
        }
        #expect(failure?.kind == .duplicateName)
        let pointer = "\(failure?.pointer ?? .root)"
        #expect(pointer.hasPrefix("/data/0/attributes/list/0"))
        let fine = Scripted { encoder in
            var map = encoder.container(keyedBy: Key.self)
            try map.encode([["n": ["n": ["n": 1]]], ["n": ["n": ["n": 2]]]], forKey: Key("n"))
            try map.encode(["n": 1], forKey: Key("m"))
        }
        #expect(
            try encoder.text([fine])
                == #"{"data":[{"type":"scripts","id":"1","attributes":{"n":[{"n":{"n":{"n":1}}},{"n":{"n":{"n":2}}}],"m":{"n":1}}}]}"#)
        #expect(
            directFailure {
                try $0.attribute("o") { object in
                    object.member("a", "x")
                    object.member("a", 1)
                }
            }?.kind == .duplicateName)
    }

    @Test("A repeated name in interleaved containers is an error")
    func detached() {
        let failure = failure { encoder in
            var map = encoder.container(keyedBy: Key.self)
            var one = map.nestedContainer(keyedBy: Key.self, forKey: Key("one"))
            var two = map.nestedContainer(keyedBy: Key.self, forKey: Key("two"))
            try one.encode(1, forKey: Key("a"))
            try two.encode(1, forKey: Key("a"))
            try one.encode(2, forKey: Key("a"))
        }
        #expect(failure?.kind == .duplicateName)
    }

    @Test("Names are checked in large objects too", arguments: [false, true])
    func manyNames(_ repeatsOne: Bool) throws {
        let model = Scripted { encoder in
            var map = encoder.container(keyedBy: Key.self)
            for index in 0..<6_000 { try map.encode(index, forKey: Key("name\(index)")) }
            if repeatsOne { try map.encode(0, forKey: Key("name5999")) }
        }
        if repeatsOne {
            #expect(encodingFailure { _ = try encoder.encode(model) }?.kind == .duplicateName)
        } else {
            #expect(try JSON(parsing: encoder.encode(model))["data"]?["attributes"]?.object?.count == 6_000)
        }
    }

    @Test("Path keys are encoded in linear time", arguments: [["name"], ["o", "name"]])
    func pathsAreLinear(names: [String]) throws {
        let growth = try TimeGrowth(from: 500, times: 16) { count in
            let model = Scripted { encoder in
                var map = encoder.container(keyedBy: Key.self)
                for index in 0..<count {
                    let name = "name\(index)"
                    try map.encode(index, forKey: names.count == 1 ? .attributes(name) : .attributes("o", name))
                }
            }
            return try processorSeconds { _ = try encoder.encode(model) }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("Values at nested paths are merged in linear time")
    func manyPaths() throws {
        let model = Scripted { encoder in
            var map = encoder.container(keyedBy: Key.self)
            for index in 0..<5_000 { try map.encode(index, forKey: .attributes("outer", "name\(index)")) }
        }
        #expect(try JSON(parsing: encoder.encode(model))["data"]?["attributes"]?["outer"]?.object?.count == 5_000)
    }

    @Test("Attributes, links, or meta that are not objects are errors")
    func parts() {
        for key in [Key.attributes(), .relationships(), .links, .meta] {
            let failure = failure { encoder in
                var map = encoder.container(keyedBy: Key.self)
                try map.encode("text", forKey: key)
            }
            #expect(failure?.kind == .wrongPlace, "\(key.stringValue)")
            #expect(failure?.expected == "an object")
        }
    }

    final class Keeper: @unchecked Sendable {
        var resource: ResourceWriter?
        var object: ObjectWriter?
    }

    @Test("A writer that is kept cannot write to the next resource")
    func stale() {
        let keeper = Keeper()
        let first = Direct { writer in
            keeper.resource = writer
            try writer.attribute("o") { keeper.object = $0 }
        }
        var second = Direct { _ in try keeper.resource?.attribute("late", "x") }
        second.id = "2"
        var third = Direct { _ in keeper.object?.member("late", "x") }
        third.id = "3"
        var fourth = Direct { _ in keeper.resource?.links(["self": "/x"]) }
        fourth.id = "4"
        for late in [second, third, fourth] {
            #expect(encodingFailure { _ = try encoder.encode([first, late]) }?.kind == .misuse)
        }
        #expect(
            directFailure { writer in
                try writer.attribute("o") { _ in try writer.attribute("inside", "x") }
            }?.kind == .misuse)
    }

    @Test("Meta or links of a request that are not objects are errors")
    func requestMembers() throws {
        for member in ["meta", "links"] {
            var members: JSONObject = ["type": "articles", "id": "1"]
            members[member] = "s"
            let object = ResourceObject(members: members)
            #expect(encodingFailure { _ = try encoder.encode(Create(object)) }?.kind == .wrongPlace)
        }
        let inner = ResourceObject(
            members: ["type": "articles", "relationships": ["author": ["data": ["type": "people", "id": "9", "meta": 1]]]])
        #expect(encodingFailure { _ = try encoder.encode(Create(inner)) }?.kind == .wrongPlace)
        let details = ResourceObject(members: ["type": "articles", "relationships": ["author": ["data": nil, "meta": 1]]])
        #expect(encodingFailure { _ = try encoder.encode(Create(details)) }?.kind == .wrongPlace)
    }

    @Test("A received resource is encoded unchanged, even with reserved names")
    func raw() throws {
        let text = #"{"data":[{"type":"articles","id":"1","attributes":{"type":"x","id":"y","a.b":1}}]}"#
        let document = try JSONAPIDecoder().decode(Document<[ResourceObject]>.self, from: Data(text.utf8))
        #expect(String(decoding: try encoder.encode(document), as: UTF8.self) == text)
    }
}

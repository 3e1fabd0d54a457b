import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Models with a hand-written `encode(to:)`, and its possible mistakes.
@Suite struct HandwrittenEncodingTests {
    private let encoder = JSONAPIEncoder()

    /// A resource whose `encode(to:)` is a closure.
    struct Custom: Resource {
        static let type = "things"
        var id = "1"
        var write: @Sendable (any Encoder) throws -> Void
        init(_ write: @escaping @Sendable (any Encoder) throws -> Void) { self.write = write }
        init(from decoder: any Decoder) throws { self.init { _ in } }
        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    private func text(_ write: @escaping @Sendable (any Encoder) throws -> Void) throws -> String {
        try encoder.text(Custom(write))
    }

    private func failure(_ write: @escaping @Sendable (any Encoder) throws -> Void) -> EncodingFailure? {
        encodingFailure { _ = try encoder.encode(Custom(write)) }
    }

    @Test("Every form of Key encodes to its place")
    func keys() throws {
        let text = try self.text { encoder in
            var map = encoder.container(keyedBy: Key.self)
            try map.encode("1", forKey: .id)
            try map.encode("things", forKey: .type)
            try map.encode(["self": "/1"], forKey: .links)
            try map.encode(["m": 1], forKey: .meta)
            try map.encode("T", forKey: .attributes("title"))
            try map.encode("C", forKey: .attributes("address", "city"))
            try map.encode("S", forKey: .attributes("address", "street"))
            try map.encode(1, forKey: .attributes("a_b"))
            try map.encode(2, forKey: Key("flat"))
            try map.encode(3, forKey: Key("deep.down"))
            try map.encode(Writer(id: "9", firstName: "D"), forKey: .relationships("users"))
            try map.encode(["related": "/r"], forKey: .relationships("users", "links"))
            try map.encodeNil(forKey: .attributes("none"))
            try map.encodeNil(forKey: .relationships("nobody"))
            try map.encodeIfPresent(Writer?.none, forKey: .relationships("unknown"))
        }
        let tree = try JSON(parsing: text)
        #expect(
            tree["data"] == [
                "type": "things", "id": "1",
                "attributes": [
                    "flat": 2, "title": "T", "address": ["city": "C", "street": "S"], "a_b": 1, "deep": ["down": 3], "none": nil,
                ],
                "relationships": [
                    "users": ["data": ["type": "people", "id": "9"], "links": ["related": "/r"]], "nobody": ["data": nil],
                ],
                "links": ["self": "/1"], "meta": ["m": 1],
            ])
        #expect(tree["included"]?.array?.count == 1)
    }

    @Test("A whole attributes object, meta beside ResourceMeta, and a path into both")
    func wholeObjects() throws {
        let text = try self.text { encoder in
            var map = encoder.container(keyedBy: Key.self)
            try map.encode(["b": 1], forKey: .attributes())
            try map.encode(2, forKey: .attributes("c"))
            try map.encode(ResourceMeta(["x": 1]), forKey: Key("revision"))
            try map.encode(3, forKey: Key("meta.y"))
            try map.encode(["ann": ["data": nil] as JSON], forKey: .relationships())
        }
        #expect(
            try JSON(parsing: text)["data"] == [
                "type": "things", "id": "1", "attributes": ["b": 1, "c": 2], "relationships": ["ann": ["data": nil]],
                "meta": ["x": 1, "y": 3],
            ])
    }

    enum Names: String, CodingKey { case a, b, c, attributes, city = "address.city" }

    @Test("Nested containers may be written in any order while their value is open")
    func nestedContainers() throws {
        let text = try self.text { encoder in
            var root = encoder.container(keyedBy: Names.self)
            var object = root.nestedContainer(keyedBy: Names.self, forKey: .a)
            var array = root.nestedUnkeyedContainer(forKey: .b)
            try object.encode(1, forKey: .a)
            try array.encode(1)
            var inner = array.nestedContainer(keyedBy: Names.self)
            try array.encode("end")
            try inner.encode(true, forKey: .c)
            try object.encode(2, forKey: .b)
            var deep = object.nestedUnkeyedContainer(forKey: .c)
            try deep.encodeNil()
            #expect(array.count == 3 && deep.count == 1)
            try root.encode("x", forKey: .city)
        }
        #expect(
            text == #"{"data":{"type":"things","id":"1","attributes":{"a":{"a":1,"b":2,"c":[null]},"b":[1,{"c":true},"end"],"#
                + #""address":{"city":"x"}}}}"#)
    }

    @Test("A nested container named attributes is the attributes object")
    func attributesContainer() throws {
        let text = try self.text { encoder in
            var root = encoder.container(keyedBy: Names.self)
            var attributes = root.nestedContainer(keyedBy: Names.self, forKey: .attributes)
            try attributes.encode("x", forKey: .a)
        }
        #expect(text == #"{"data":{"type":"things","id":"1","attributes":{"a":"x"}}}"#)
    }

    @Test("A class encodes the properties of its superclass into the same resource")
    func classes() throws {
        class Base: Codable, @unchecked Sendable {
            let name: String
            init(_ name: String) { self.name = name }
        }
        final class Derived: Base, Resource, @unchecked Sendable {
            static let type = "derived"
            let id: String
            let extra: Int
            enum CodingKeys: CodingKey { case id, extra }
            init(_ id: String, _ name: String, _ extra: Int) {
                (self.id, self.extra) = (id, extra)
                super.init(name)
            }
            required init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                id = try container.decode(String.self, forKey: .id)
                extra = try container.decode(Int.self, forKey: .extra)
                try super.init(from: container.superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(extra, forKey: .extra)
                try super.encode(to: container.superEncoder())
            }
        }
        let data = try encoder.encode(Derived("1", "N", 2))
        #expect(String(decoding: data, as: UTF8.self) == #"{"data":{"type":"derived","id":"1","attributes":{"extra":2,"name":"N"}}}"#)
        let read = try JSONAPIDecoder().decode(Derived.self, from: data)
        #expect(read.name == "N" && read.extra == 2)
    }

    @Test("Types that wrap a single value, and values that encode nothing")
    func wrappers() throws {
        struct Title: Codable, Equatable {
            var text: String
            init(_ text: String) { self.text = text }
            init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(text)
            }
        }
        enum Kind: String, Codable { case plain, odd }
        enum Shape: Codable, Equatable { case circle(radius: Double), square(Int), none }
        struct Empty: Codable, Equatable {}
        struct Nothing: Codable, Equatable {
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {}
        }
        struct Wrapped: Resource, Equatable {
            static let type = "things"
            var id: String
            var title = Title("T")
            var kind = Kind.odd
            var shapes = [Shape.circle(radius: 1.5), .square(2), .none]
            var empty = Empty()
            var nothing = Nothing()
            var table = [1: "one"]
            var kinds = [Kind.plain: 1]
            var deep: [[String: [Title]]] = [["k": [Title("a")]]]
        }
        let text = try encoder.text(Wrapped(id: "1"))
        #expect(text.contains(#""title":"T","kind":"odd","shapes":[{"circle":{"radius":1.5}},{"square":{"_0":2}},{"none":{}}]"#))
        #expect(text.contains(#""empty":{},"nothing":{},"table":{"1":"one"}"#))
        #expect(try JSONAPIDecoder().decode(Wrapped.self, from: Data(text.utf8)) == Wrapped(id: "1"))
    }

    // MARK: - Misuse

    @Test("Writing to a finished container is an error")
    func containersOutOfTurn() throws {
        struct Late: Codable, Sendable {
            var write: @Sendable (any Encoder) throws -> Void
            init(_ write: @escaping @Sendable (any Encoder) throws -> Void) { self.write = write }
            init(from decoder: any Decoder) throws { self.init { _ in } }
            func encode(to encoder: any Encoder) throws { try write(encoder) }
        }
        let wrongs: [@Sendable (any Encoder) throws -> Void] = [
            {
                var list = $0.unkeyedContainer()
                try list.encode(1)
            },
            {
                var single = $0.singleValueContainer()
                try single.encodeNil()
            },
            {
                var single = $0.singleValueContainer()
                try single.encode("text")
            },
            {
                var single = $0.singleValueContainer()
                try single.encode(Date())
            },
            {
                var single = $0.singleValueContainer()
                try single.encode([1])
            },
            { encoder in
                let leaked = Leak()
                leaked.keyed = encoder.container(keyedBy: Names.self)
                var root = encoder.container(keyedBy: Names.self)
                try root.encode(Late { _ in try leaked.keyed?.encode(1, forKey: .b) }, forKey: .a)
            },
            { encoder in
                var root = encoder.container(keyedBy: Names.self)
                try root.encode(
                    Late {
                        var single = $0.singleValueContainer()
                        try single.encode(1)
                        try single.encode(2)
                    }, forKey: .a)
            },
            { encoder in
                var root = encoder.container(keyedBy: Names.self)
                try root.encode(
                    Late {
                        var keyed = $0.container(keyedBy: Names.self)
                        try keyed.encode(1, forKey: .a)
                        var list = $0.unkeyedContainer()
                        try list.encode(1)
                    }, forKey: .a)
            },
            { encoder in
                var root = encoder.container(keyedBy: Names.self)
                let leaked = Leak()
                try root.encode(Late { leaked.encoder = $0 }, forKey: .a)
                var keyed = try #require(leaked.encoder).container(keyedBy: Names.self)
                try keyed.encode(1, forKey: .b)
            },
            { encoder in
                var root = encoder.container(keyedBy: Names.self)
                let leaked = Leak()
                try root.encode(Late { leaked.list = $0.unkeyedContainer() }, forKey: .a)
                try leaked.list?.encode(1)
            },
        ]
        for (index, wrong) in wrongs.enumerated() {
            let failure = try #require(self.failure(wrong), "\(index)")
            #expect([.misuse, .wrongPlace].contains(failure.kind), "\(index)")
        }
    }

    private final class Leak: @unchecked Sendable {
        var encoder: (any Encoder)?
        var list: (any UnkeyedEncodingContainer)?
        var keyed: KeyedEncodingContainer<Names>?
    }

    @Test("Writing to a container of an earlier resource is an error")
    func containersOfAnotherResource() throws {
        final class Kept: @unchecked Sendable { var container: KeyedEncodingContainer<Names>? }
        let kept = Kept()
        let first = Custom { encoder in kept.container = encoder.container(keyedBy: Names.self) }
        var second = Custom { encoder in
            _ = encoder.container(keyedBy: Names.self)
            try kept.container?.encode(1, forKey: .a)
        }
        second.id = "2"
        #expect(encodingFailure { _ = try encoder.encode([first, second]) }?.kind == .misuse)
        #expect(throws: EncodingError.self) { try kept.container?.encode(1, forKey: .a) }
        kept.container = nil
    }

    @Test("An encoder that a model keeps cannot write to the next resource")
    func encodersOfAnotherResource() throws {
        let kept = Leak()
        let first = Custom { encoder in kept.encoder = encoder }
        let writes: [@Sendable (any Encoder) throws -> Void] = [
            {
                var container = $0.container(keyedBy: Names.self)
                try container.encode(1, forKey: .a)
            },
            {
                var container = $0.container(keyedBy: Names.self)
                try container.encode("text", forKey: .a)
            },
            {
                var container = $0.container(keyedBy: Names.self)
                try container.encode([1], forKey: .a)
            },
            {
                var container = $0.container(keyedBy: Names.self)
                var list = container.nestedUnkeyedContainer(forKey: .a)
                try list.encode(1)
            },
            {
                var container = $0.container(keyedBy: Names.self)
                let parent = container.superEncoder()
                var fields = parent.container(keyedBy: Names.self)
                try fields.encode(1, forKey: .a)
            },
            {
                var container = $0.singleValueContainer()
                try container.encode(
                    Custom {
                        var fields = $0.container(keyedBy: Names.self)
                        try fields.encode(1, forKey: .a)
                    })
            },
        ]
        for (index, write) in writes.enumerated() {
            var second = Custom { _ in try write(#require(kept.encoder)) }
            second.id = "2"
            #expect(encodingFailure { _ = try encoder.encode([first, second]) }?.kind == .misuse, "\(index)")
            #expect(throws: EncodingError.self, "\(index)") { try write(#require(kept.encoder)) }
        }
    }

    @Test("An encoder for a member can be used after another member, whose value has such an encoder, too")
    func laterMember() throws {
        struct Inner: Encodable {
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                let own = map.superEncoder(forKey: Key("own"))
                try map.encode(1, forKey: Key("a"))
                try 2.encode(to: own)
            }
        }
        struct Outer: Encodable {
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                let later = map.superEncoder(forKey: Key("later"))
                try map.encode(Inner(), forKey: Key("inner"))
                try ["b": 3].encode(to: later)
            }
        }
        let text = try self.text { encoder in
            var map = encoder.container(keyedBy: Key.self)
            try map.encode(Outer(), forKey: Key("value"))
        }
        let judge = try JSON(parsing: JSONEncoder().encode(Outer()))
        #expect(try JSON(parsing: text)["data"]?["attributes"] == ["value": judge])
        #expect(judge == ["later": ["b": 3], "inner": ["own": 2, "a": 1]])
    }

    @Test("An encoder that a model keeps does not keep the values of the document")
    func keptEncoder() throws {
        final class Part: Resource, Sendable {
            static let type = "parts"
            let id: String
            init(id: String) { self.id = id }
        }
        struct Whole: Resource {
            static let type = "wholes"
            var id = "1"
            var part: Part
            var kept = Leak()
            init(_ part: Part) { self.part = part }
            init(from decoder: any Decoder) throws { throw Mine() }
            func encode(to encoder: any Encoder) throws {
                kept.encoder = encoder
                var container = encoder.container(keyedBy: Key.self)
                try container.encode(part, forKey: Key("part"))
            }
        }
        let calls: [(Whole) throws -> Void] = [
            { whole in
                let text = try encoder.text(whole)
                #expect(text.contains(#""included":[{"type":"parts","id":"2"}]"#))
            },
            { whole in try encoder.forEachResource(of: [whole]) { _, _, _, _ in } },
            { whole in _ = try encoder.json([whole], forEachHeld: { _, _, _, _ in }) },
        ]
        for (index, call) in calls.enumerated() {
            weak var part: Part?
            var kept: Leak?
            do {
                let whole = Whole(Part(id: "2"))
                part = whole.part
                try call(whole)
                kept = whole.kept
            }
            #expect(kept?.encoder != nil, "\(index)")
            #expect(part == nil, "\(index)")
        }
    }

    /// An error of the program.
    private struct Mine: Error {}

    /// A value that cannot be encoded.
    private struct Refusing: Codable, Hashable, Sendable {
        init() {}
        init(from decoder: any Decoder) throws { throw Mine() }
        func encode(to encoder: any Encoder) throws { throw Mine() }
    }

    /// Ignores that its value cannot be encoded.
    private struct Ignoring<Value: Codable & Sendable>: Codable, Sendable {
        var value: Value
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try? container.encode(value)
        }
    }

    @Test("After an element that cannot be encoded, the model can continue, and the first error is thrown")
    func ignoredElements() throws {
        func check<Value: Codable & Sendable>(_ value: Value) {
            #expect(throws: Mine.self, "\(Value.self)") {
                try encoder.encode(
                    Custom { encoder in
                        var map = encoder.container(keyedBy: Names.self)
                        try map.encode(Ignoring(value: value), forKey: .a)
                        try map.encodeNil(forKey: .b)
                    })
            }
        }
        check(Refusing())
        check([Refusing()])
        check(["a": Refusing()])
        check(Set([Refusing()]))
        check([[Refusing()]])
    }

    @Test("An error while encoding is thrown even if the model catches it")
    func swallowedErrors() throws {
        struct Mine: Error {}
        struct Bad: Codable {
            var value = 1
            init() {}
            init(from decoder: any Decoder) throws {}
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Names.self)
                try container.encode(1, forKey: .a)
                throw Mine()
            }
        }
        #expect(throws: Mine.self) {
            try encoder.encode(
                Custom { encoder in
                    var map = encoder.container(keyedBy: Names.self)
                    try map.encode(Bad(), forKey: .a)
                })
        }
        let swallowing: [@Sendable (any Encoder) throws -> Void] = [
            {
                var map = $0.container(keyedBy: Names.self)
                try? map.encode(Bad(), forKey: .a)
                try map.encode(1, forKey: .b)
            },
            {
                var map = $0.container(keyedBy: Names.self)
                try? map.encode(Double.nan, forKey: .a)
                try map.encode(1, forKey: .b)
            },
            {
                var map = $0.container(keyedBy: Names.self)
                try? map.encode([Double.nan], forKey: .a)
            },
            {
                var map = $0.container(keyedBy: Names.self)
                try? map.encode(Bad(), forKey: .city)
            },
            {
                var map = $0.container(keyedBy: Names.self)
                try? map.encode(ToOne(Unidentified()), forKey: .a)
            },
            {
                var map = $0.container(keyedBy: Names.self)
                try? map.encode([ToOne<Writer>.empty], forKey: .a)
            },
            {
                var list = $0.singleList()
                try? list.encode(Double.nan)
                try? list.encode(Bad())
                try list.encode(1)
            },
        ]
        for (index, write) in swallowing.enumerated() {
            #expect(throws: (any Error).self, "\(index)") { try encoder.encode(Custom(write)) }
        }
    }

    private struct Unidentified: Resource {
        static let type = "things"
        var id: String?
    }
}

extension Encoder {
    fileprivate func singleList() -> any UnkeyedEncodingContainer {
        var root = container(keyedBy: HandwrittenEncodingTests.Names.self)
        return root.nestedUnkeyedContainer(forKey: .a)
    }
}

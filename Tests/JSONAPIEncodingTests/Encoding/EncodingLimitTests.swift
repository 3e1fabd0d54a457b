import CodecTestSupport
import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

/// Limits for depth, length, and names. No input ends the process.
@Suite struct EncodingLimitTests {
    private let encoder = JSONAPIEncoder()

    /// Runs `body` on a thread with a stack of 512 KiB.
    private func onSmallStack(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                body()
                continuation.resume()
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }

    @Test("A type that was written without a check is not known as legal to a later encoder")
    func uncheckedTypes() throws {
        struct Odd: Resource {
            static let type = "odd/type"
            var id = "1"
            var count = 0
        }
        var lax = encoder
        lax.checksNames = false
        for _ in 0..<3 {
            #expect(throws: Never.self) { try lax.encode(Odd()) }
            #expect(!Odd().patch { $0.count = 2 }.isEmpty)
            #expect(throws: EncodingError.self) { try encoder.encode(Odd()) }
        }
    }

    @Test("Names of fields are checked in linear time, and types in them are compared by bytes")
    func manyFields() throws {
        struct Wide: Resource {
            static let type = "wide"
            var id = "1"
            var count = 0

            init(count: Int) { self.count = count }
            init(from decoder: any Decoder) throws { throw CancellationError() }
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Name.self)
                for index in 0..<count { try map.encode(index, forKey: Name(stringValue: "n\(index)")) }
            }
        }
        struct Name: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let growth = try TimeGrowth(from: 500) { count in
            let names = (0..<count).map { "n\($0)" }
            return try processorSeconds { _ = try encoder.encode(Wide(count: count), fields: ["wide": names]) }
        }
        #expect(growth.isLinear, "\(growth)")
        let objects = ["caf\u{E9}", "cafe\u{301}"].map { ResourceObject(type: $0, id: "1", attributes: ["a": 1, "b": 2]) }
        let data = try JSON(parsing: encoder.encode(objects, fields: ["caf\u{E9}": ["a"]]))["data"]
        #expect(data?[0]?["attributes"] == ["a": 1] && data?[1]?["attributes"] == ["a": 1, "b": 2])
    }

    @Test("Nested containers and values beside them take time in proportion to their number")
    func containersBesideValues() throws {
        enum Name: String, CodingKey { case name }
        struct Pair: Encodable { var a = 1 }
        struct Values: Codable, Sendable {
            let count: Int

            init(count: Int) { self.count = count }
            init(from decoder: any Decoder) throws { throw CancellationError() }
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                for _ in 0..<count {
                    _ = list.nestedContainer(keyedBy: Name.self)
                    try list.encode(Pair())
                }
            }
        }
        let growth = try TimeGrowth(from: 5000) { count in
            let holder = Holder(value: Values(count: count))
            return try processorSeconds { _ = try encoder.encode(holder) }
        }
        #expect(growth.isLinear, "\(growth)")
        let written = try JSON(parsing: encoder.encode(Holder(value: Values(count: 2))))["data"]?["attributes"]?["value"]
        #expect(written == [[:], ["a": 1], [:], ["a": 1]])
    }

    indirect enum Tree: Codable, Sendable { case leaf, node(Tree) }

    final class Chain: Codable, Sendable {
        let next: Chain?
        init(_ next: Chain?) { self.next = next }
    }

    struct Holder<Value: Codable & Sendable>: Resource {
        static var type: String { "holders" }
        var id = "1"
        var value: Value
    }

    @Test("Values nested hundreds deep are encoded or exceed the nesting limit on a small stack")
    func deepValues() async {
        await onSmallStack {
            for depth in [100, 250, 500, 600] {
                var chain = Chain(nil)
                for _ in 1..<depth { chain = Chain(chain) }
                let holder = Holder(value: chain)
                if let failure = encodingFailure({ _ = try JSONAPIEncoder().encode([holder]) }) {
                    #expect(failure.kind == .nestingLimit, "\(depth)")
                    #expect("\(failure.pointer)".hasPrefix("/data/0/attributes/value/next/next"))
                }
            }
            var tree = Tree.leaf
            for _ in 0..<600 { tree = .node(tree) }
            let holder = Holder(value: tree)
            #expect(encodingFailure { _ = try JSONAPIEncoder().encode(holder) }?.kind == .nestingLimit)
        }
    }

    @Test("Encoded documents are never too deep to decode", arguments: [490, 500, 503, 505, 506, 507, 508, 509, 510, 511, 512, 513])
    func exactDepth(_ depth: Int) throws {
        var chain = Chain(nil)
        for _ in 1..<depth { chain = Chain(chain) }
        if let data = try? encoder.encode([Holder(value: chain)]) { #expect((try? JSON(parsing: data)) != nil) }
        var tree: JSON = []
        for _ in 1..<depth { tree = [tree] }
        for value in [Holder(value: [tree]), Holder(value: [])] {
            if let data = try? encoder.encode([value]) { #expect((try? JSON(parsing: data)) != nil) }
        }
        // A document that can be decoded can be encoded again, raw and typed.
        let text = #"{"data":{"type":"holders","id":"1","attributes":{"value":\#(tree)}}}"#
        let document = Data(text.utf8)
        if (try? JSON(parsing: document)) != nil {
            let raw = try JSONAPIDecoder().decode(Document<ResourceObject>.self, from: document)
            #expect(try encoder.encode(raw) == document)
            let typed = try JSONAPIDecoder().decode(Document<Holder<JSON>>.self, from: document)
            #expect(try encoder.encode(typed) == document)
        } else {
            let object = Holder(value: tree)
            let failure = try #require(encodingFailure { _ = try encoder.encode(object) })
            #expect(failure.kind == .nestingLimit && "\(failure.pointer)".hasPrefix("/data/attributes/value/0/0/0"))
        }
    }

    @Test("A JSON value of 100,000 levels is an error in every place, on a small stack")
    func deepTrees() async {
        await onSmallStack {
            let encoder = JSONAPIEncoder()
            var tree: JSON = []
            for _ in 0..<100_000 { tree = [tree] }
            let meta: JSONObject = ["deep": tree]
            let identifier = ResourceIdentifier(json: ["type": "x", "id": "1", "meta": .object(meta)])
            let bodies: [() throws -> Void] = [
                { _ = try encoder.encode(Holder(value: tree)) },
                { _ = try encoder.encode(Holder(value: ["a": [tree]])) },
                { _ = try encoder.encode(Writer(id: "1", firstName: ""), meta: meta) },
                { _ = try encoder.encode(Create(type: "a", attributes: meta)) },
                { _ = try encoder.encode(Create(type: "a", relationships: [.toOne("r", identifier)])) },
                { _ = try encoder.encode(DocumentObject(members: ["meta": tree])) },
                { _ = try encoder.encode(ResourceObject(type: "a", id: "1", attributes: meta)) },
                { _ = try encoder.encode(Holder(value: ResourceMetaHolder(meta: tree))) },
                { _ = try encoder.encode(Patch(id: "1", Loose(value: .value(tree)))) },
                { _ = try encoder.json(tree) },
                { _ = try encoder.encode(Patch<Writer>(id: "1").set("twitter", tree)) },
                { _ = try encoder.encode(Linkage.many([identifier].compactMap(\.self))) },
                { _ = try encoder.encode(Document(NoData(), jsonapi: JSONAPIObject(json: ["version": "1.1", "meta": ["m": tree]]))) },
            ]
            for (index, body) in bodies.enumerated() { #expect(encodingFailure(body)?.kind == .nestingLimit, "\(index)") }
            #expect(Patch(type: "a", id: "1", attributes: meta).isEmpty == false)
        }
    }

    struct ResourceMetaHolder: Codable, Sendable { var meta: JSON }
    struct Loose: ResourceFields {
        static let type = "a"
        var value: Field<JSON>
    }

    @Test("Containers nested 100,000 deep are an error, on a small stack")
    func deepContainers() async {
        struct Looping: Codable, Sendable {
            func encode(to encoder: any Encoder) throws {
                var list = encoder.unkeyedContainer()
                for _ in 0..<100_000 { list = list.nestedUnkeyedContainer() }
                try list.encode(1)
            }
        }
        struct LoopingKeyed: Codable, Sendable {
            func encode(to encoder: any Encoder) throws {
                var map = encoder.container(keyedBy: Key.self)
                for _ in 0..<100_000 { map = map.nestedContainer(keyedBy: Key.self, forKey: Key("a")) }
            }
        }
        await onSmallStack {
            #expect(encodingFailure { _ = try JSONAPIEncoder().encode(Holder(value: Looping())) }?.kind == .nestingLimit)
            #expect(encodingFailure { _ = try JSONAPIEncoder().encode(Holder(value: LoopingKeyed())) }?.kind == .nestingLimit)
        }
    }

    struct Node: Resource {
        static let type = "nodes"
        var id: String
        var next: ToOne<Node>
    }

    @Test("A long chain of resources is encoded on a small stack")
    func longChains() async {
        await onSmallStack {
            let count = TestEffort.count(60_000, debug: 15_000)
            func node(_ index: Int) -> String {
                let next = index + 1 < count ? #"{"type":"nodes","id":"\#(index + 1)"}"# : "null"
                return #"{"type":"nodes","id":"\#(index)","relationships":{"next":{"data":\#(next)}}}"#
            }
            let included = (1..<count).map(node).joined(separator: ",")
            let text = Data(#"{"data":\#(node(0)),"included":[\#(included)]}"#.utf8)
            do {
                let first = try JSONAPIDecoder().decode(Node.self, from: text)
                #expect(try JSONAPIEncoder().encode(first) == text)
                let document = try JSONAPIDecoder().decode(Document<ResourceObject>.self, from: text)
                #expect(try JSONAPIEncoder().encode(document) == text)
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test("A to-many reference of 100,000 values is encoded in linear time")
    func wideReferences() throws {
        struct Group: Resource {
            static let type = "groups"
            var id: String
            var members: ToMany<Writer>
        }
        let group = Group(id: "1", members: ToMany((0..<100_000).map { Writer(id: "\($0)", firstName: "W") }))
        let data = try encoder.encode(group)
        #expect(data.count > 5_000_000)
    }

    // MARK: - Names and identities

    @Test("Forbidden names are errors with their place, unless allowed")
    func names() throws {
        struct Odd: Resource {
            static let type = "things"
            var id: String
            var value = 1
            var writer: Writer?
            enum CodingKeys: String, CodingKey { case id, value = "a/b", writer = "-w" }
        }
        let attribute = try #require(encodingFailure { _ = try encoder.encode(Odd(id: "1")) })
        #expect(attribute.kind == .illegalName && attribute.found.contains("`a/b`") && attribute.advice?.contains("checksNames") == true)
        #expect("\(attribute.pointer)" == "/data/attributes/a~1b")
        var loose = encoder
        loose.checksNames = false
        #expect(try loose.text(Odd(id: "1", writer: Writer(id: "9", firstName: "D"))).contains(#""-w":{"data""#))
        struct Wrong: Resource {
            static let type = "in valid/"
            var id: String
        }
        #expect(encodingFailure { _ = try encoder.encode(Wrong(id: "1")) }.map { "\($0.pointer)" } == "/data/type")
        #expect(try loose.text(Wrong(id: "1")) == #"{"data":{"type":"in valid/","id":"1"}}"#)
        struct Nothing: Resource {
            static let type = ""
            var id: String
        }
        #expect(encodingFailure { _ = try loose.encode(Nothing(id: "1")) }?.kind == .missingIdentity)
    }

    @Test("Encoding a resource or linkage without an id is an error")
    func identities() {
        struct Draft: Resource {
            static let type = "drafts"
            var id: String?
        }
        struct Shelf: Resource {
            static let type = "shelves"
            var id: String
            var one: ToOne<Draft> = nil
            var many: ToMany<Draft> = []
            var draft: Draft?
            var drafts: [Draft] = []
            var identifier = ResourceIdentifier(type: "x", id: "1")
        }
        func place(_ value: some PrimaryValue) -> String? {
            let failure = encodingFailure { _ = try encoder.encode(value) }
            #expect(failure?.kind == .missingIdentity && failure?.advice != nil)
            return failure.map { "\($0.pointer)" }
        }
        #expect(place(Draft()) == "/data")
        #expect(place([Draft(id: "1"), Draft()]) == "/data/1")
        #expect(place(Draft(id: "")) == "/data/id")
        #expect(place(Shelf(id: "1", one: ToOne(Draft()))) == "/data/relationships/one")
        #expect(place(Shelf(id: "1", many: [Draft()])) == "/data/relationships/many")
        #expect(place(Shelf(id: "1", draft: Draft())) == "/data/relationships/draft")
        #expect(place(Shelf(id: "1", drafts: [Draft(id: "1"), Draft()])) == "/data/relationships/drafts")
        #expect(place(Shelf(id: "1", drafts: [Draft(id: "")])) == "/data/relationships/drafts/data/0")
        #expect(place(Shelf(id: "1", identifier: ResourceIdentifier(type: "", id: "1"))) == "/data/relationships/identifier/data")
        #expect(place([ResourceIdentifier(type: "x", id: "")]) == "/data/0")
        #expect(place([ResourceObject(type: "x", id: nil)]) == "/data/0")
    }

    @Test("Errors have a place, resource, expectation, and advice, and no values")
    func messages() throws {
        let failure = try #require(encodingFailure { _ = try encoder.encode([Holder(id: "7", value: ["secret": Double.nan])]) })
        #expect(
            failure.description
                == "/data/0/attributes/value/secret (holders 7): expected a finite number, found NaN; choose a nonConformingFloatEncodingStrategy"
        )
    }
}

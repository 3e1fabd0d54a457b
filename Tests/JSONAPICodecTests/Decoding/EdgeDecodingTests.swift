import Foundation
import JSONAPICodec
import JSONText
import Testing

@Suite("Decoding edge cases")
struct EdgeDecodingTests {
    private let decoder = JSONAPIDecoder()

    struct Wide: Resource {
        static let type = "nodes"
        var id: String
        var children: [GraphDecodingTests.Tree]
        var map: [String: [String: GraphDecodingTests.Tree]]
    }

    indirect enum Expression: Codable, Sendable {
        case one(Expression), leaf
    }
    struct Formula: Resource {
        static let type = "formulas"
        var id: String
        var root: Expression
    }

    @Test("A recursive enum is decoded or exceeds the nesting limit on a small stack")
    func recursiveEnum() async throws {
        let depth = 240
        let text = String(repeating: #"{"one":{"_0":"#, count: depth) + #"{"leaf":{}}"# + String(repeating: "}}", count: depth)
        let data = Data(#"{"data":{"type":"formulas","id":"1","attributes":{"root":\#(text)}}}"#.utf8)
        let result = await GraphDecodingTests.onSmallStack { Result { _ = try JSONAPIDecoder().decode(Formula.self, from: data) } }
        if case .failure(let error) = result { #expect((error as? DecodingError)?.failure?.kind == .nestingLimit, "\(error)") }
    }

    @Test("Deep attributes are decoded or exceed the nesting limit on a small stack")
    func deepAttributes() async throws {
        let depth = 4000
        let tree = String(repeating: #"{"children":["#, count: depth) + String(repeating: "]}", count: depth)
        let data = Data(#"{"data":{"type":"forests","id":"1","attributes":{"tree":\#(tree)}}}"#.utf8)
        let result = await GraphDecodingTests.onSmallStack {
            var decoder = JSONAPIDecoder()
            decoder.reading.maximumDepth = 100_000
            return Result { _ = try decoder.decode(GraphDecodingTests.Forest.self, from: data) }
        }
        let failure = try Blog.failure(result.get)
        #expect(failure.kind == .nestingLimit)
    }

    enum Mixed: ResourceUnion {
        case node(Holder), unknown(ResourceObject)
        static let members: [UnionMember<Mixed>] = [.init(Mixed.node)]
        var resource: any ResourceRepresentable {
            switch self {
            case .node(let node): node
            case .unknown(let object): object
            }
        }
    }
    struct Holder: Resource {
        static let type = "nodes"
        var id: String
        var all: [Mixed]
    }

    @Test("A chain of embedded unions exceeds the nesting limit on a small stack")
    func unionChain() async throws {
        let count = 5000
        let nodes = (0..<count).map { GraphDecodingTests.node($0, all: $0 + 1 < count ? [$0 + 1] : []) }
        let data = Blog.document(nodes[0], included: Array(nodes.dropFirst()))
        let result = await GraphDecodingTests.onSmallStack { Result { _ = try JSONAPIDecoder().decode(Mixed.self, from: data) } }
        #expect(try Blog.failure(result.get).kind == .nestingLimit)
    }

    @Test("A cycle of embedded unions is cut")
    func unionCircle() throws {
        let data = Blog.document(GraphDecodingTests.node(0, all: [1]), included: [GraphDecodingTests.node(1, all: [0])])
        #expect(try Blog.failure { try decoder.decode(Holder.self, from: data) }.kind == .cycle)
        var omitting = decoder
        omitting.missingResources = .omit
        let document = try omitting.decode(Document<Holder>.self, from: data)
        #expect(document.diagnostics.count(of: .cycleCut) >= 1)
    }

    struct Ring: Resource, Hashable {
        static let type = "nodes"
        var id: String
        var all: [Ring]?
        var mixed: [MixedRing]?
    }
    enum MixedRing: ResourceUnion, Hashable {
        case ring(Ring), unknown(ResourceObject)
        static let members: [UnionMember<MixedRing>] = [.init(MixedRing.ring)]
        var resource: any ResourceRepresentable {
            switch self {
            case .ring(let ring): ring
            case .unknown(let object): object
            }
        }
        var ring: Ring? {
            guard case .ring(let ring) = self else { return nil }
            return ring
        }
    }

    @Test("A cycle is cut in the same place with and without a union", arguments: ["all", "mixed"], [1, 2])
    func unionCutLikeItsMember(name: String, count: Int) throws {
        let nodes = (0..<count).map { id in
            let next = #"{"type":"nodes","id":"\#((id + 1) % count)"}"#
            return #"{"type":"nodes","id":"\#(id)","relationships":{"\#(name)":{"data":[\#(next)]}}}"#
        }
        let data = Data(#"{"data":[\#(nodes.joined(separator: ","))]}"#.utf8)
        let plain = try decoder.decode(Document<[Ring]>.self, from: data)
        let union = try decoder.decode(Document<[MixedRing]>.self, from: data)
        let rings = union.data.compactMap { $0.ring }
        #expect(rings == plain.data && rings.count == count)
        #expect(union.diagnostics.count(of: .cycleCut) == plain.diagnostics.count(of: .cycleCut))
        #expect(plain.diagnostics.count(of: .cycleCut) == count)
        let inner = plain.data.first.flatMap { name == "all" ? $0.all?.first : $0.mixed?.first?.ring }
        #expect(inner?.id == (count == 1 ? nil : "1") && inner?.all == nil && inner?.mixed == nil)
    }

    @Test("A relationship gives the same value through a union as through its model")
    func unionBesideItsMember() throws {
        struct Root: Resource {
            static let type = "roots"
            var id: String
            var all: [Ring]?
            var mixed: [MixedRing]?
        }
        let linkage = #"{"data":[{"type":"nodes","id":"1"}]}"#
        let data = Blog.document(
            #"{"type":"roots","id":"1","relationships":{"all":\#(linkage),"mixed":\#(linkage)}}"#,
            included: [GraphDecodingTests.node(1, all: [1])])
        let root = try decoder.decode(Root.self, from: data)
        let plain = try #require(root.all?.first)
        #expect(plain == Ring(id: "1", all: nil, mixed: nil))
        #expect(root.mixed?.first?.ring == plain)
    }

    /// Reads itself again, as a union.
    struct Endless: Resource {
        static let type = "nodes"
        var id: String
        init(from decoder: any Decoder) throws {
            _ = try decoder.singleValueContainer().decode(MixedEndless.self)
            id = ""
        }
    }
    enum MixedEndless: ResourceUnion {
        case endless(Endless), unknown(ResourceObject)
        static let members: [UnionMember<MixedEndless>] = [.init(MixedEndless.endless)]
        var resource: any ResourceRepresentable {
            switch self {
            case .endless(let endless): endless
            case .unknown(let object): object
            }
        }
    }

    @Test("A model that reads itself again as a union is an error")
    func unionInItself() throws {
        let data = Blog.document(GraphDecodingTests.node(1, all: []))
        #expect(try Blog.failure { try decoder.decode(Endless.self, from: data) }.kind == .cycle)
        #expect(try Blog.failure { try decoder.decode(MixedEndless.self, from: data) }.kind == .cycle)
    }

    final class Referring: Resource {
        static let type = "nodes"
        let id: String
        let next: ToOne<Referring>
        let all: [Referring]
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            next = try map.decode(ToOne<Referring>.self, forKey: .relationships("next"))
            all = try map.decode([Referring].self, forKey: .relationships("all"))
            (decoder.userInfo[GraphDecodingTests.counterKey] as? Lives)?.add(self)
        }
        func encode(to encoder: any Encoder) throws {}
    }
    final class Lives: @unchecked Sendable {
        private struct Weak { weak var object: AnyObject? }
        private let lock = NSLock()
        private var all: [Weak] = []
        func add(_ object: AnyObject) { lock.withLock { all.append(Weak(object: object)) } }
        var count: Int { lock.withLock { all.count { $0.object != nil } } }
        var made: Int { lock.withLock { all.count } }
    }

    @Test("References and embedded values are released with their owner")
    func freed() throws {
        let lives = Lives()
        func read() throws {
            var decoder = decoder
            decoder.userInfo[GraphDecodingTests.counterKey] = lives
            let nodes = (0..<4).map { GraphDecodingTests.node($0, next: ($0 + 1) % 4, all: $0 == 0 ? [2] : []) }
            let node = try decoder.decode(Referring.self, from: Blog.document(nodes[0], included: Array(nodes.dropFirst())))
            #expect(node.next.value?.next.value?.id == "2" && node.all.first?.next.value?.id == "3")
            let document = try decoder.decode(Document<Referring>.self, from: Blog.document(nodes[0], included: Array(nodes.dropFirst())))
            #expect(document.data.next.value?.id == "1" && lives.count > 0)
        }
        try read()
        #expect(lives.made > 4 && lives.count == 0)
    }

    @Test("A decoder kept by a model that failed does not use released bytes")
    func keptByFailing() throws {
        struct Thief: Resource {
            static let type = "articles"
            final class Loot: @unchecked Sendable { var decoder: (any Decoder)? }
            var id: String
            init(from decoder: any Decoder) throws {
                (decoder.userInfo[GraphDecodingTests.counterKey] as? Loot)?.decoder = decoder
                throw CocoaError(.coderInvalidValue)
            }
            func encode(to encoder: any Encoder) throws {}
        }
        let loot = Thief.Loot()
        var decoder = decoder
        decoder.userInfo[GraphDecodingTests.counterKey] = loot
        let title = String(repeating: "y", count: 200_000)
        #expect(throws: CocoaError.self) {
            try decoder.decode(Thief.self, from: Blog.document(Blog.article(attributes: #"{"title":"\#(title)"}"#)))
        }
        let map = try #require(loot.decoder).container(keyedBy: Key.self)
        #expect(try map.decode(String.self, forKey: .attributes("title")) == title)
        let failure = try Blog.failure { try map.decode(Int.self, forKey: .attributes("title")) }
        #expect("\(failure.pointer)" == "/data/attributes/title")
    }

    struct Untyped: Resource {
        static let type = "articles"
        var id: String
        var type: String
    }

    @Test("With the leniency for a missing type, a property named type is the model's type")
    func missingType() throws {
        var decoder = decoder
        decoder.leniencies.insert(.missingTypes)
        #expect(try decoder.decode(Untyped.self, from: Data(#"{"data":{"id":"1"}}"#.utf8)).type == "articles")
    }

    struct Escaped: Resource {
        static let type = "articles"
        var id: UUID
        var at: Date?
        var author: ToOne<Blog.Person>
    }

    @Test("Escapes do not change names, types, or ids")
    func escapes() throws {
        let uuid = UUID()
        let id = "\\u00" + String(format: "%02x", uuid.uuidString.utf8.first ?? 0) + uuid.uuidString.dropFirst()
        let text =
            #"{"d\u0061ta":{"typ\u0065":"articl\u0065s","i\u0064":"\#(id)","relationsh\u0069ps":{"auth\u006fr":{"d\u0061ta":{"t\u0079pe":"peopl\u0065","\u0069d":"\u0031"}}}},"includ\u0065d":[\#(Blog.ann)]}"#
        let model = try decoder.decode(Escaped.self, from: Data(text.utf8))
        #expect(model.id == uuid && model.author.value?.name == "Ann" && model.author.id == "1")
    }

    struct Lists: Resource {
        static let type = "articles"
        var id: String
        var reviewers: [Blog.Person]?
        var editor: Blog.Person??
        var related: [ResourceIdentifier]?
        var raw: RelationshipObject?
    }

    @Test("Optional arrays and raw relationships distinguish absent from empty")
    func optionalArrays() throws {
        let absent = try decoder.decode(
            Lists.self, from: Blog.document(Blog.article(relationships: #"{"reviewers":{"meta":{}},"raw":{"meta":{"a":1}}}"#)))
        #expect(
            absent.reviewers == nil && absent.related == nil && absent.raw?.members["meta"] == ["a": 1]
                && absent.editor == Blog.Person??.none)
        let empty = try decoder.decode(
            Lists.self,
            from: Blog.document(
                Blog.article(
                    relationships: #"{"reviewers":{"data":[]},"related":{"data":[]},"editor":{"data":{"type":"people","id":"1"}}}"#),
                included: [Blog.ann]))
        #expect(empty.reviewers == [] && empty.related == [] && empty.raw == nil && empty.editor??.name == "Ann")
    }

    struct Decodes: Resource {
        static let type = "articles"
        struct Address: Codable { var city: String }
        var id: String
        var plain: Bool
        var custom: Bool
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: Key.self)
            id = try map.decode(String.self, forKey: .id)
            plain = Self.throwsMissing { try map.decode(String?.self, forKey: Key("absent")) }
            custom = Self.throwsMissing { try map.decode(Address?.self, forKey: Key("absent")) }
        }
        private static func throwsMissing<Value>(_ body: () throws -> Value) -> Bool {
            do { _ = try body() } catch DecodingError.keyNotFound { return true } catch { return false }
            return false
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("Decoding an optional type throws for an absent attribute, as JSONDecoder does")
    func decodeOptional() throws {
        let model = try decoder.decode(Decodes.self, from: Blog.document(Blog.article()))
        #expect(model.plain && model.custom)
    }
}

@Suite("Combined decoding policies")
struct PolicyDecodingTests {
    @Test("Dropped elements of a relationship are reported; limits are never dropped")
    func droppedInside() throws {
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let data = Blog.document(
            Blog.article(relationships: #"{"comments":{"data":[{"type":"comments","id":"1"},{"type":"comments","id":"2"}]}}"#),
            included: [
                #"{"type":"comments","id":"1","attributes":{"body":7}}"#, #"{"type":"comments","id":"2","attributes":{"body":"b"}}"#,
            ])
        let document = try decoder.decode(Document<RelationshipDecodingTests.Embedding>.self, from: data)
        #expect(document.data.comments.map(\.id) == ["2"] && document.diagnostics.count(of: .droppedElement) == 1)
        decoder.maximumExpansions = 10
        let nodes = (0..<12).map { GraphDecodingTests.node($0, all: Array(0..<12)) }
        let dense = Data((#"{"data":["# + nodes.joined(separator: ",") + "]}").utf8)
        #expect(try Blog.failure { try decoder.decode([GraphDecodingTests.ArrayNode].self, from: dense) }.kind == .expansionLimit)
    }

    @Test("A reference to an invalid resource is kept if invalid elements are dropped")
    func droppedBehindReference() throws {
        var decoder = JSONAPIDecoder()
        decoder.invalidElements = .drop
        let data = Blog.document(
            Blog.article(relationships: #"{"comments":{"data":[{"type":"comments","id":"1"},{"type":"comments","id":"2"}]}}"#),
            included: [
                #"{"type":"comments","id":"1","attributes":{"body":7}}"#, #"{"type":"comments","id":"2","attributes":{"body":"b"}}"#,
            ])
        let article = try decoder.decode(Blog.Article.self, from: data)
        #expect(article.comments.ids == ["1", "2"] && article.comments.values.map(\.id) == ["2"])
    }

    @Test("Too many resources are a limit error")
    func resourceLimit() throws {
        var decoder = JSONAPIDecoder()
        decoder.maximumResources = 1
        let data = Data(#"{"data":[\#(Blog.ann),\#(Blog.ann)]}"#.utf8)
        #expect(try Blog.failure { try decoder.decode([Blog.Person].self, from: data) }.kind == .resourceLimit)
    }

    struct Nested: Resource {
        static let type = "articles"
        struct Box: Codable { var author: ToOne<Blog.Person> }
        struct Holder: Codable { var who: Blog.Contributor }
        var id: String
        var box: Box?
        var holder: Holder?
    }

    @Test("References and unions inside attributes are errors with an explanation")
    func insideAttributes() throws {
        let box = try Blog.failure {
            try JSONAPIDecoder().decode(Nested.self, from: Blog.document(Blog.article(attributes: #"{"box":{"author":{"data":null}}}"#)))
        }
        #expect(box.found.contains("represents a relationship") && "\(box.pointer)" == "/data/attributes/box/author")
        let union = try Blog.failure {
            try JSONAPIDecoder().decode(Nested.self, from: Blog.document(Blog.article(attributes: #"{"holder":{"who":\#(Blog.ann)}}"#)))
        }
        #expect("\(union.pointer)".hasPrefix("/data/attributes/holder"))
    }
}

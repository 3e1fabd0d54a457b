import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

@Suite("Decoding cycles and shared resources")
struct GraphDecodingTests {
    private let decoder = JSONAPIDecoder()

    struct Node: Resource {
        static let type = "nodes"
        var id: String
        var next: ToOne<Node>
        var all: ToMany<Node>
    }
    final class OptionalNode: Resource {
        static let type = "nodes"
        let id: String
        let next: OptionalNode?
    }
    final class ArrayNode: Resource {
        static let type = "nodes"
        let id: String
        let all: [ArrayNode]
    }
    final class RequiredNode: Resource {
        static let type = "nodes"
        let id: String
        let next: RequiredNode
    }

    static func node(_ id: Int, next: Int? = nil, all: [Int]? = nil) -> String {
        var members: [String] = []
        if let next { members.append(#""next":{"data":{"type":"nodes","id":"\#(next)"}}"#) }
        if let all {
            members.append(#""all":{"data":["# + all.map { #"{"type":"nodes","id":"\#($0)"}"# }.joined(separator: ",") + "]}")
        }
        return #"{"type":"nodes","id":"\#(id)","relationships":{"# + members.joined(separator: ",") + "}}"
    }

    /// Two nodes in a cycle.
    private let circle = Blog.document(node(0, next: 1, all: [1]), included: [node(1, next: 0, all: [0])])

    @Test("References can form cycles")
    func references() throws {
        let node = try decoder.decode(Node.self, from: circle)
        #expect(node.next.value?.next.value?.next.value?.id == "1")
        #expect(node.all.values.first?.all.values.first?.id == "0")
    }

    @Test("An embedded optional in a cycle is nil, with a diagnostic")
    func optionalCut() throws {
        let document = try decoder.decode(Document<OptionalNode>.self, from: circle)
        #expect(document.data.next?.id == "1" && document.data.next?.next == nil)
        #expect(document.diagnostics.count(of: .cycleCut) == 1)
        #expect(document.diagnostics.first { $0.kind == .cycleCut }.map { "\($0.pointer)" } == "/included/0/relationships/next/data")
    }

    @Test("An embedded array in a cycle is an error, or omits the ancestor on request")
    func arrayCut() throws {
        let failure = try Blog.failure { try decoder.decode(ArrayNode.self, from: circle) }
        #expect(failure.kind == .cycle && failure.advice?.contains("ToMany<ArrayNode>") == true)
        var omitting = decoder
        omitting.missingResources = .omit
        let document = try omitting.decode(Document<ArrayNode>.self, from: circle)
        #expect(document.data.all.count == 1 && document.data.all.first?.all.isEmpty == true)
        #expect(document.diagnostics.count(of: .cycleCut) == 1)
    }

    @Test("An embedded optional array with a cycle and missing resources is nil; with omit, only if nothing else is left")
    func cycleAndMissing() throws {
        struct Part: Resource {
            static let type = "parts"
            var id: String
            var parts: [Part]?
        }
        func parts(_ ids: [String], _ missing: JSONAPIDecoder.MissingPolicy) throws -> [String]? {
            let linkage = ids.map { #"{"type":"parts","id":"\#($0)"}"# }.joined(separator: ",")
            let part = #"{"type":"parts","id":"1","relationships":{"parts":{"data":[\#(linkage)]}}}"#
            var decoder = JSONAPIDecoder()
            decoder.missingResources = missing
            let text = #"{"data":\#(part),"included":[{"type":"parts","id":"9"}]}"#
            return try decoder.decode(Part.self, from: Data(text.utf8)).parts?.map(\.id)
        }
        // 1 is the part itself, and 2 is missing.
        for ids in [["1", "2"], ["2", "1"], ["1", "9", "2"], ["2", "9", "1"]] {
            #expect(try parts(ids, .keep) == nil)
            #expect(try parts(ids, .omit) == (ids.contains("9") ? ["9"] : nil))
        }
        #expect(try parts(["1"], .omit) == [])
        #expect(throws: DecodingError.self) { try parts(["2", "9"], .keep) }
    }

    @Test("A required embedded value in a cycle is an error that prints the cycle")
    func requiredCycle() throws {
        let failure = try Blog.failure { try decoder.decode(RequiredNode.self, from: circle) }
        #expect(failure.kind == .cycle)
        #expect(failure.found.contains("nodes 0") && failure.found.contains("next → nodes 1"))
        #expect(failure.advice?.contains("ToOne") == true)
        #expect("\(failure.pointer)" == "/included/0/relationships/next/data")
    }

    @Test("The error for a long cycle has its first and last steps only")
    func longCycle() throws {
        let nodes = (0..<20).map { Self.node($0, next: ($0 + 1) % 20) }
        let data = Blog.document(nodes[0], included: Array(nodes.dropFirst()))
        let failure = try Blog.failure { try decoder.decode(RequiredNode.self, from: data) }
        #expect(failure.found.contains("next → nodes 5, …, next → nodes 17, next → nodes 18, next → nodes 19, next → back"))
        #expect(!failure.found.contains("nodes 6"))
    }

    final class Counter: @unchecked Sendable {
        private let lock = NSLock()
        private var counts: [String: Int] = [:]
        func count(_ id: String) { lock.withLock { counts[id, default: 0] += 1 } }
        var all: [String: Int] { lock.withLock { counts } }
    }
    static let counterKey: CodingUserInfoKey = CodingUserInfoKey(rawValue: "counter") ?? unreachableKey
    private static var unreachableKey: CodingUserInfoKey { preconditionFailure("a raw value is never refused") }

    struct Counted: Resource {
        static let type = "nodes"
        let id: String
        let all: [Counted]
        enum CodingKeys: CodingKey { case id, all }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            all = try map.decode([Counted].self, forKey: .all)
            (decoder.userInfo[GraphDecodingTests.counterKey] as? Counter)?.count(id)
        }
    }

    @Test("A resource is decoded once, no matter how many paths lead to it")
    func sharing() throws {
        let counter = Counter()
        var decoder = self.decoder
        decoder.userInfo[Self.counterKey] = counter
        // 30 levels of two nodes, each linked to both of the next level: 2^30 paths.
        let nodes = (0..<60).map { Self.node($0, all: $0 < 58 ? [$0 / 2 * 2 + 2, $0 / 2 * 2 + 3] : []) }
        let root = try decoder.decode(Counted.self, from: Blog.document(nodes[0], included: Array(nodes.dropFirst())))
        #expect(root.all.count == 2 && counter.all.count == 59 && counter.all.values.allSatisfy { $0 == 1 })
    }

    @Test("A primary resource with one link is decoded once, whether the link or the resource comes first", arguments: [false, true])
    func primaryLinkedOnce(isLinkedFirst: Bool) throws {
        let counter = Counter()
        var decoder = self.decoder
        decoder.userInfo[Self.counterKey] = counter
        let nodes = [Self.node(0, all: [1]), Self.node(1, all: [])]
        let data = "[" + (isLinkedFirst ? nodes : nodes.reversed()).joined(separator: ",") + "]"
        #expect(try decoder.decode([Counted].self, from: Blog.document(data)).count == 2)
        #expect(counter.all == ["0": 1, "1": 1])
    }

    struct Reply: Resource {
        static let type = "replies"
        var id: String
        var thread: Thread
    }
    final class Thread: Resource {
        static let type = "threads"
        let id: String
        let reply: Reply?
        enum CodingKeys: CodingKey { case id, reply }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            reply = try map.decodeIfPresent(Reply.self, forKey: .reply)
            (decoder.userInfo[GraphDecodingTests.counterKey] as? Counter)?.count(id)
        }
    }

    @Test("Linked primary data is not decoded again or counted as an expansion")
    func primaryLinkedLate() throws {
        let counter = Counter()
        var decoder = self.decoder
        decoder.userInfo[Self.counterKey] = counter
        decoder.maximumExpansions = 0
        let data = Blog.document(
            #"[{"type":"threads","id":"1"},{"type":"threads","id":"2","relationships":{"reply":{"data":{"type":"replies","id":"1"}}}}]"#,
            included: [#"{"type":"replies","id":"1","relationships":{"thread":{"data":{"type":"threads","id":"1"}}}}"#])
        let threads = try decoder.decode([Thread].self, from: data)
        #expect(threads.last?.reply?.thread.id == "1")
        #expect(counter.all == ["1": 1, "2": 1])
    }

    @Test("A resource that fails inside a cycle can be decoded outside of it")
    func failureInACircle() throws {
        var decoder = self.decoder
        decoder.invalidElements = .drop
        func thread(_ id: Int) -> String {
            #"{"type":"threads","id":"\#(id)","relationships":{"reply":{"data":{"type":"replies","id":"1"}}}}"#
        }
        let data = Blog.document(
            "[\(thread(1)),\(thread(2))]",
            included: [#"{"type":"replies","id":"1","relationships":{"thread":{"data":{"type":"threads","id":"1"}}}}"#])
        // The reply requires the first thread, which is currently being decoded around it. The second thread links to the reply from
        // outside.
        let document = try decoder.decode(Document<[Thread]>.self, from: data)
        #expect(document.data.map { $0.id } == ["2"])
        #expect(document.data.first?.reply?.thread.id == "1" && document.data.first?.reply?.thread.reply == nil)
        #expect(document.diagnostics.count(of: .droppedElement) == 1)
    }

    struct Twice: Resource {
        static let type = "nodes"
        let id: String
        let first: [Twice]
        let second: [Twice]
        enum CodingKeys: CodingKey { case id, next }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            first = try map.decode([Twice].self, forKey: .next)
            second = try map.decode([Twice].self, forKey: .next)
            (decoder.userInfo[GraphDecodingTests.counterKey] as? Counter)?.count(id)
        }
        func encode(to encoder: any Encoder) throws {}
    }

    @Test("Decoding a relationship twice at each step of a chain stays linear")
    func askedTwice() throws {
        let counter = Counter()
        var decoder = self.decoder
        decoder.userInfo[Self.counterKey] = counter
        decoder.maximumExpansions = 0
        let nodes = (0..<40).map { number in
            let linkage = number < 39 ? #"{"type":"nodes","id":"\#(number + 1)"}"# : ""
            return #"{"type":"nodes","id":"\#(number)","relationships":{"next":{"data":[\#(linkage)]}}}"#
        }
        let root = try decoder.decode(Twice.self, from: Blog.document(nodes[0], included: Array(nodes.dropFirst())))
        #expect(root.first.map { $0.id } == ["1"] && root.second.map { $0.id } == ["1"])
        #expect(root.second.first?.first.first?.id == "2")
        #expect(counter.all.count == 40 && counter.all.values.allSatisfy { $0 <= 2 })
    }

    @Test("Missing resources, other types, and lids are distinguished with and without diagnostics")
    func unusualIdentifiers() throws {
        var decoder = self.decoder
        decoder.source = .request
        decoder.missingResources = .omit
        let data = Blog.document(
            #"""
            {"type":"nodes","id":"1","relationships":{
              "next":{"data":[{"type":"nodes","id":"9"},{"type":"people","id":"1"},{"type":"nodes","lid":"a"},{"id":"2","type":"nodes"},
                {"type":"nodes","id":"2","meta":{"rank":1}},{"ty\u0070e":"nodes","id":"\u0032"}]},
              "children":{"data":[{"type":"nodes","id":"2"},{"type":"nodes","id":"9"}]}}}
            """#,
            included: [
                #"{"type":"people","id":"1"}"#, #"{"type":"nodes","lid":"a","relationships":{"next":{"data":[]}}}"#,
                #"{"type":"nodes","id":"2","relationships":{"next":{"data":[{"type":"nodes","id":"1"}]}}}"#,
            ])
        struct Plain: Resource {
            static let type = "nodes"
            var id: String?
            var next: [Plain]
            var children: ToMany<Plain>?
        }
        let value = try decoder.decode(Plain.self, from: data)
        let document = try decoder.decode(Document<Plain>.self, from: data)
        for node in [value, document.data] {
            let ids = node.next.map { $0.id }
            #expect(ids == [nil, "2", "2", "2"])
            #expect(node.next.flatMap { $0.next }.count == 0)
            let children = node.children?.values.map { $0.id }
            #expect(children == ["2"])
        }
        #expect(document.diagnostics.count(of: .notIncluded) == 1 && document.diagnostics.count(of: .unknownType) == 1)
    }

    @Test("A graph of mutual embedding exceeds the expansion limit, which names the relationship")
    func expansionLimit() throws {
        var decoder = self.decoder
        decoder.maximumExpansions = 1000
        decoder.missingResources = .omit
        let nodes = (0..<30).map { Self.node($0, all: Array(0..<30)) }
        let failure = try Blog.failure {
            try decoder.decode([ArrayNode].self, from: Data((#"{"data":["# + nodes.joined(separator: ",") + "]}").utf8))
        }
        #expect(failure.kind == .expansionLimit && failure.found.contains("all.all"))
        #expect(failure.advice?.contains("ToMany") == true)
    }

    @Test("Two primary resources with one identity are both returned, and linkage uses the first")
    func repeatedIdentity() throws {
        let data = Data(
            #"{"data":[{"type":"people","id":"1","attributes":{"name":"A"}},{"type":"people","id":"1","attributes":{"name":"B"}}]}"#.utf8)
        let document = try decoder.decode(Document<[Blog.Person]>.self, from: data)
        #expect(document.data.map(\.name) == ["A", "B"])
        #expect(document.diagnostics.count(of: .duplicateResource) == 1)
        #expect(try document.resource(Blog.Person.self, ResourceIdentifier(type: "people", id: "1"))?.name == "A")
    }

    // MARK: - Hostile

    @Test("Hundreds of resources that all refer to each other are decoded")
    func denseReferences() throws {
        let count = 300
        let nodes = (0..<count).map { Self.node($0, all: Array(0..<count)) }
        let decoded = try decoder.decode([Node].self, from: Data((#"{"data":["# + nodes.joined(separator: ",") + "]}").utf8))
        #expect(decoded.count == count && decoded.allSatisfy { $0.all.count == count })
        #expect(decoded.last?.all.value(for: ResourceIdentifier(type: "nodes", id: "0"))?.id == "0")
    }

    @Test("Hundreds of resources that all embed each other exceed a limit")
    func denseEmbedding() throws {
        var decoder = self.decoder
        decoder.maximumExpansions = 2000
        decoder.missingResources = .omit
        let count = TestEffort.count(300, debug: 150)
        let nodes = (0..<count).map { Self.node($0, all: Array(0..<count)) }
        let failure = try Blog.failure {
            try decoder.decode([ArrayNode].self, from: Data((#"{"data":["# + nodes.joined(separator: ",") + "]}").utf8))
        }
        #expect(failure.kind.category == .limit)
    }

    @Test("A long chain of references is followed and released")
    func longChain() throws {
        let count = TestEffort.count(100_000, debug: 20_000)
        let nodes = (0..<count).map { Self.node($0, next: $0 + 1 < count ? $0 + 1 : nil) }
        var node: Node? = try decoder.decode(Node.self, from: Blog.document(nodes[0], included: Array(nodes.dropFirst())))
        var steps = 0
        while let current = node {
            steps += 1
            node = current.next.value
        }
        #expect(steps == count)
    }

    /// Runs `body` on a thread with a stack of 512 KiB.
    static func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Foundation.Thread { continuation.resume(returning: body()) }
            thread.stackSize = 512 * 1024
            thread.start()
        }
    }

    @Test("A chain of thousands of embedded values exceeds the nesting limit on a small stack")
    func embeddedChain() async throws {
        let count = 5000
        let nodes = (0..<count).map { Self.node($0, next: $0 + 1 < count ? $0 + 1 : nil, all: $0 + 1 < count ? [$0 + 1] : []) }
        let data = Blog.document(nodes[0], included: Array(nodes.dropFirst()))
        let one = await Self.onSmallStack { Result { try JSONAPIDecoder().decode(OptionalNode.self, from: data) } }
        let many = await Self.onSmallStack { Result { try JSONAPIDecoder().decode(ArrayNode.self, from: data) } }
        for (failure, name) in [(try Blog.failure(one.get), "next"), (try Blog.failure(many.get), "all")] {
            #expect(failure.kind == .nestingLimit && failure.found.contains("\(name).\(name)"))
        }
    }

    struct Tree: Codable, Sendable { var children: [Tree] }
    struct Forest: Resource {
        static let type = "forests"
        var id: String
        var tree: Tree
    }

    @Test("A recursive attribute of 250 levels is decoded or exceeds the nesting limit on a small stack")
    func recursiveAttribute() async throws {
        let depth = 250
        let tree = String(repeating: #"{"children":["#, count: depth) + String(repeating: "]}", count: depth)
        let data = Data(#"{"data":{"type":"forests","id":"1","attributes":{"tree":\#(tree)}}}"#.utf8)
        let result = await Self.onSmallStack { Result { _ = try JSONAPIDecoder().decode(Forest.self, from: data) } }
        if case .failure(let error) = result {
            #expect((error as? DecodingError)?.failure?.kind == .nestingLimit, "\(error)")
        }
        _ = try JSONAPIDecoder().decode(Forest.self, from: data)
    }

    final class Forgiving: Resource {
        static let type = "nodes"
        let id: String
        let next: Forgiving?
        let depth: Int
        enum CodingKeys: CodingKey { case id, next }
        init(from decoder: any Decoder) throws {
            let map = try decoder.container(keyedBy: CodingKeys.self)
            id = try map.decode(String.self, forKey: .id)
            next = try? map.decodeIfPresent(Forgiving.self, forKey: .next)
            depth = decoder.codingPath.count
        }
    }

    @Test("A model that catches the nesting limit does not change the paths of other errors")
    func swallowedLimit() async throws {
        let count = 3000
        let nodes = (0..<count).map { Self.node($0, next: $0 + 1 < count ? $0 + 1 : nil) }
        let data = Blog.document("[\(nodes[0]),\(Self.node(count))]", included: Array(nodes.dropFirst()))
        let depths = await Self.onSmallStack { try? JSONAPIDecoder().decode([Forgiving].self, from: data).map(\.depth) }
        #expect(depths == [1, 1])
    }
}

import Foundation
import JSONAPICodec
import JSONText
import TestSupport
import Testing

/// References resolve to the right values, each decoded once, without leaks.
@Suite struct ReferenceValueTests {
    /// Counts the existing models.
    private final class Census: @unchecked Sendable {
        static let shared = Census()
        private let lock = NSLock()
        private var counts: [Int: Int] = [:]

        func add(_ count: Int, _ test: Int) { lock.withLock { counts[test, default: 0] += count } }
        func count(_ test: Int) -> Int { lock.withLock { counts[test, default: 0] } }
    }

    private static let test = CodingUserInfoKey(rawValue: "test") ?? { fatalError() }()

    /// A counted value inside a model.
    private final class Life: Codable, Sendable {
        let test: Int

        init(from decoder: any Decoder) throws {
            test = decoder.userInfo[ReferenceValueTests.test] as? Int ?? 0
            Census.shared.add(1, test)
        }

        func encode(to encoder: any Encoder) throws {}
        deinit { Census.shared.add(-1, test) }
    }

    /// A resource with references, embedded resources, and a counter.
    private struct Node: Resource {
        static let type = "nodes"
        var id: String
        var name: String
        var life: Life
        var next: ToOne<Node>
        var others: ToMany<Node>
        var leaf: ToOne<Leaf>
        var box: Box?
    }

    private final class Box: Resource {
        static let type = "boxes"
        let id: String
        let life: Life
        let node: ToOne<Node>
        let inner: Box?
    }

    private struct Leaf: Resource {
        static let type = "leaves"
        var id: String
        var life: Life
    }

    // MARK: - Random documents

    private struct Link {
        let type: String
        let id: Int
        var json: JSON { ["type": .string(type), "id": .string("\(id)")] }
    }

    /// The expected graph: the links of each resource, by type and id.
    private struct Graph {
        var next: [Int: Int] = [:]
        var others: [Int: [Int]] = [:]
        var leaf: [Int: Int] = [:]
        var box: [Int: Int] = [:]
        var nodeOfBox: [Int: Int] = [:]
        var inner: [Int: Int] = [:]
        let count: Int

        init(_ random: inout some RandomNumberGenerator, cyclic: Bool) {
            count = Int.random(in: 1...12, using: &random)
            for i in 0..<count {
                let targets = cyclic ? Array(0..<count) : Array((i + 1)..<max(count, i + 1))
                if let target = targets.randomElement(using: &random), Bool.random(using: &random) { next[i] = target }
                others[i] = targets.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
                if Bool.random(using: &random) { leaf[i] = Int.random(in: 0..<3, using: &random) }
                if Bool.random(using: &random) { box[i] = i }
                if let target = targets.randomElement(using: &random), Bool.random(using: &random) { nodeOfBox[i] = target }
                if i + 1 < count, Bool.random(using: &random) { inner[i] = i + 1 }
            }
        }

        func text(primary: Int) -> Data {
            func one(_ type: String, _ id: Int?) -> JSON { ["data": id.map { Link(type: type, id: $0).json } ?? .null] }
            let nodes = (0..<count).map { i -> JSON in
                let many = JSON.array(JSONArray((others[i] ?? []).map { Link(type: "nodes", id: $0).json }))
                return [
                    "type": "nodes", "id": .string("\(i)"), "attributes": ["name": .string("node \(i)"), "life": [:]],
                    "relationships": [
                        "next": one("nodes", next[i]), "others": ["data": many], "leaf": one("leaves", leaf[i]),
                        "box": one("boxes", box[i]),
                    ],
                ]
            }
            let boxes = (0..<count).map { i -> JSON in
                [
                    "type": "boxes", "id": .string("\(i)"), "attributes": ["life": [:]],
                    "relationships": ["node": one("nodes", nodeOfBox[i]), "inner": one("boxes", inner[i])],
                ]
            }
            let leaves = (0..<3).map { i -> JSON in ["type": "leaves", "id": .string("\(i)"), "attributes": ["life": [:]]] }
            let document: JSON = [
                "data": .array(JSONArray(nodes[..<primary])), "included": .array(JSONArray(nodes[primary...] + boxes + leaves)),
            ]
            return (try? Data(JSONWriter().write(document))) ?? Data()
        }
    }

    /// Follows every link to some depth, and compares the result with the document.
    private func check(_ node: Node, _ graph: Graph, depth: Int = 4) throws {
        let i = try #require(Int(node.id))
        #expect(node.name == "node \(i)")
        #expect(node.next.value?.id == graph.next[i].map(String.init))
        #expect(node.others.values.map(\.id) == graph.others[i]?.map(String.init))
        #expect(node.leaf.value?.id == graph.leaf[i].map(String.init))
        #expect(node.box?.id == graph.box[i].map(String.init))
        if depth == 0 { return }
        if let next = node.next.value { try check(next, graph, depth: depth - 1) }
        for other in node.others.values { try check(other, graph, depth: depth - 1) }
        var box = node.box
        while let current = box {
            let j = try #require(Int(current.id))
            #expect(current.node.value?.id == graph.nodeOfBox[j].map(String.init))
            #expect(current.inner?.id == graph.inner[j].map(String.init))
            if let node = current.node.value { try check(node, graph, depth: depth - 1) }
            box = current.inner
        }
    }

    @Test("references resolve with and without cycles, and are released with the models", arguments: [true, false])
    func randomGraphs(cyclic: Bool) throws {
        for seed in 0..<TestEffort.count(60, debug: 20) {
            var random = SeededRandom(seed: UInt64(seed))
            let graph = Graph(&random, cyclic: cyclic)
            let test = seed * 2 + (cyclic ? 1 : 0) + 1_000_000
            var decoder = JSONAPIDecoder()
            decoder.userInfo[Self.test] = test
            let text = graph.text(primary: Int.random(in: 1...graph.count, using: &random))
            var nodes: [Node]? = try decoder.decode([Node].self, from: text)
            for node in nodes ?? [] { try check(node, graph, depth: 3) }
            #expect(Census.shared.count(test) > 0)
            nodes = nil
            #expect(Census.shared.count(test) == 0, "graph \(seed) keeps itself alive")
            var document: Document<[Node]>? = try decoder.decode(Document<[Node]>.self, from: text)
            for node in document?.data ?? [] { try check(node, graph, depth: 1) }
            document = nil
            #expect(Census.shared.count(test) == 0, "document \(seed) keeps itself alive")
        }
    }

    @Test("two threads that follow one reference get the same value")
    func sharedValues() throws {
        final class Author: Resource, @unchecked Sendable {
            static let type = "people"
            let id: String
            let boss: ToOne<Author>
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var author: ToOne<Author>
            var editors: ToMany<Author>
        }
        let articles = try JSONAPIDecoder().decode(
            [Article].self,
            from: Data(
                """
                {"data":[
                  {"type":"articles","id":"1","relationships":{"author":{"data":{"type":"people","id":"1"}},
                    "editors":{"data":[{"type":"people","id":"2"},{"type":"people","id":"1"}]}}}],
                "included":[
                  {"type":"people","id":"1","relationships":{"boss":{"data":{"type":"people","id":"2"}}}},
                  {"type":"people","id":"2"}]}
                """.utf8))
        let article = try #require(articles.first)
        #expect(article.author.value === article.editors.values.last)
        #expect(article.author.value === article.author.value)
        #expect(article.author.value?.boss.value === article.editors.values.first)
        #expect(try article.author.resolved() === article.author.value)
    }

    @Test("references resolve after the list is edited")
    func editedLists() throws {
        struct Tag: Resource, Equatable {
            static let type = "tags"
            var id: String
            var name: String
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var tags: ToMany<Tag>
        }
        var article = try JSONAPIDecoder().decode(
            Article.self,
            from: Data(
                """
                {"data":{"type":"articles","id":"1","relationships":{"tags":{"data":[{"type":"tags","id":"1"},{"type":"tags","id":"2"}]}}},
                "included":[{"type":"tags","id":"1","attributes":{"name":"one"}},{"type":"tags","id":"2","attributes":{"name":"two"}}]}
                """.utf8))
        let copy = article
        article.tags.append(Tag(id: "3", name: "three"))
        #expect(article.tags.values.map(\.name) == ["one", "two", "three"])
        article.tags.append(Tag(id: "1", name: "changed"))
        #expect(article.tags.values.map(\.name) == ["changed", "two", "three", "changed"])
        article.tags.remove(ResourceIdentifier(type: "tags", id: "1"))
        #expect(article.tags.values.map(\.name) == ["two", "three"])
        article.tags.identifiers = [ResourceIdentifier(type: "tags", id: "3"), ResourceIdentifier(type: "tags", id: "1")]
        #expect(article.tags.values.map(\.name) == ["three", "changed"])
        article.tags.identifiers?.swapAt(0, 1)
        #expect(article.tags.values.map(\.name) == ["changed", "three"])
        var linked = copy
        linked.tags.append(id: "2")
        #expect(linked.tags.values.map(\.name) == ["one", "two", "two"])
        linked.tags.identifiers?.reverse()
        #expect(linked.tags.values.map(\.name) == ["two", "two", "one"])
        #expect(copy.tags.values.map(\.name) == ["one", "two"])
        #expect(copy.tags.count == 2)
    }

    @Test("a long chain of references is followed and released on a small stack")
    func longChain() throws {
        struct Link: Resource {
            static let type = "links"
            var id: String
            var next: ToOne<Link>
        }
        let count = 20_000
        let resources = (0..<count).map { i in
            let next = i + 1 < count ? #"{"type":"links","id":"\#(i + 1)"}"# : "null"
            return #"{"type":"links","id":"\#(i)","relationships":{"next":{"data":\#(next)}}}"#
        }
        let text = Data(#"{"data":\#(resources[0]),"included":[\#(resources.dropFirst().joined(separator: ","))]}"#.utf8)
        let found = Locked(0)
        let thread = Foundation.Thread {
            var link = try? JSONAPIDecoder().decode(Link.self, from: text)
            while let next = link?.next.value {
                link = next
                found.withLock { $0 += 1 }
            }
            // And all at once, from its beginning and in order.
            _ = try? JSONAPIDecoder().decode(Link.self, from: text)
            _ = try? JSONAPIDecoder().decode([Link].self, from: Data(#"{"data":[\#(resources.joined(separator: ","))]}"#.utf8))
            found.withLock { $0 += 1 }
        }
        thread.stackSize = 256 * 1024
        thread.start()
        while !thread.isFinished { Foundation.Thread.sleep(forTimeInterval: 0.01) }
        #expect(found.withLock { $0 } == count)
    }

    @Test("a cycle through an embedded resource that is read first does not leak")
    func embeddedCycle() throws {
        struct Author: Resource {
            static let type = "people"
            var id: String
            var life: Life
            var favorite: Article?
        }
        struct Article: Resource {
            static let type = "articles"
            var id: String
            var life: Life
            var author: ToOne<Author>
        }
        let text = Data(
            """
            {"data":[
              {"type":"articles","id":"1","attributes":{"life":{}},"relationships":{"author":{"data":{"type":"people","id":"1"}}}},
              {"type":"articles","id":"2","attributes":{"life":{}},"relationships":{"author":{"data":{"type":"people","id":"1"}}}}],
            "included":[
              {"type":"people","id":"1","attributes":{"life":{}},"relationships":{"favorite":{"data":{"type":"articles","id":"1"}}}}]}
            """.utf8)
        var decoder = JSONAPIDecoder()
        decoder.userInfo[Self.test] = 8
        var articles: [Article]? = try decoder.decode([Article].self, from: text)
        #expect(articles?.last?.author.value?.favorite?.author.value?.favorite?.id == "1")
        articles = nil
        #expect(Census.shared.count(8) == 0)
    }

    @Test("a model without references that keeps its decoder does not leak")
    func keptDecoderOfLeaf() throws {
        final class Leaf: Resource, @unchecked Sendable {
            static let type = "leaves"
            let id: String
            let life: Life
            let container: KeyedDecodingContainer<Key>

            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: Key.self)
                id = try container.decode(String.self, forKey: .id)
                life = try container.decode(Life.self, forKey: Key("life"))
            }

            func encode(to encoder: any Encoder) throws {}
        }
        struct Branch: Resource {
            static let type = "nodes"
            var id: String
            var leaf: ToOne<Leaf>
        }
        let text = Data(
            """
            {"data":{"type":"nodes","id":"1","relationships":{"leaf":{"data":{"type":"leaves","id":"2"}}}},
            "included":[{"type":"leaves","id":"2","attributes":{"life":{}}}]}
            """.utf8)
        var decoder = JSONAPIDecoder()
        decoder.userInfo[Self.test] = 9
        var branch: Branch? = try decoder.decode(Branch.self, from: text)
        #expect(branch?.leaf.value?.id == "2")
        branch = nil
        #expect(Census.shared.count(9) == 0)
    }

    @Test("a model that keeps its decoder does not leak")
    func keptDecoder() throws {
        final class Keeper: Resource, @unchecked Sendable {
            static let type = "nodes"
            let id: String
            let life: Life
            let next: ToOne<Keeper>
            let container: KeyedDecodingContainer<Key>

            init(from decoder: any Decoder) throws {
                container = try decoder.container(keyedBy: Key.self)
                id = try container.decode(String.self, forKey: .id)
                life = try container.decode(Life.self, forKey: Key("life"))
                next = try container.decode(ToOne<Keeper>.self, forKey: Key("next"))
            }

            func encode(to encoder: any Encoder) throws {}
        }
        var decoder = JSONAPIDecoder()
        decoder.userInfo[Self.test] = 7
        let text = Data(
            """
            {"data":{"type":"nodes","id":"1","attributes":{"life":{}},"relationships":{"next":{"data":{"type":"nodes","id":"2"}}}},
            "included":[{"type":"nodes","id":"2","attributes":{"life":{}},"relationships":{"next":{"data":{"type":"nodes","id":"1"}}}}]}
            """.utf8)
        var keeper: Keeper? = try decoder.decode(Keeper.self, from: text)
        #expect(keeper?.next.value?.next.value?.id == "1")
        keeper = nil
        #expect(Census.shared.count(7) == 0)
    }
}

private final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value
    init(_ value: Value) { self.value = value }
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&value) } }
}

import Foundation
import JSONAPICodec
import JSONText
import Testing

/// Resource objects by identity, some of which cannot be read. Notes each question.
private final class Library: ResourceSource {
    struct Damage: Error {}

    private let texts: [String: String]
    private let damaged: Set<String>
    private let lock = NSLock()
    private nonisolated(unsafe) var questions: [String: Int] = [:]
    var asked: [String: Int] { lock.withLock { questions } }

    init(_ texts: [String: String], damaged: Set<String> = []) { (self.texts, self.damaged) = (texts, damaged) }

    func resourceText(_ identifier: ResourceIdentifier) throws -> [UInt8]? {
        let key = identifier.id.map { "\(identifier.type)/\($0)" } ?? "\(identifier.type)/lid/\(identifier.lid ?? "")"
        lock.withLock { questions[key, default: 0] += 1 }
        if damaged.contains(key) { throw Damage() }
        return texts[key].map { Array($0.utf8) }
    }
}

private final class Node: Resource {
    static let type = "nodes"
    let id: String?
    let next: Node?
    let others: [Node]?
    enum CodingKeys: String, CodingKey { case id, next, others }
}

/// Keeps the decoders that it was read with.
private struct Keeper: Resource {
    final class Decoders: @unchecked Sendable {
        static let key = CodingUserInfoKey(rawValue: "decoders")
        var all: [any Decoder] = []
    }
    enum CodingKeys: String, CodingKey { case id, next }

    static let type = "nodes"
    let id: String
    let next: Node?

    init(from decoder: any Decoder) throws {
        if let key = Decoders.key, let decoders = decoder.userInfo[key] as? Decoders { decoders.all.append(decoder) }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        next = try values.decodeIfPresent(Node.self, forKey: .next)
    }
}

/// Resources that are read from a source together with those that they embed.
@Suite("Gathering the resources that a model embeds")
struct GatheringTests {
    private func node(_ id: String, next: String? = nil, others: [String] = [], local: Bool = false) -> String {
        func identifier(_ id: String) -> String { id.hasPrefix("{") ? id : #"{"type":"nodes","id":"\#(id)"}"# }
        let next = next.map(identifier) ?? "null"
        let relationships = #"{"next":{"data":\#(next)},"others":{"data":[\#(others.map(identifier).joined(separator: ","))]}}"#
        return #"{"type":"nodes","\#(local ? "lid" : "id")":"\#(id)","relationships":\#(relationships)}"#
    }

    private let first = ResourceIdentifier(type: "nodes", id: "1")
    private var decoder: JSONAPIDecoder {
        var decoder = JSONAPIDecoder()
        decoder.leniencies = [.integerIDs, .missingIDs]
        return decoder
    }

    /// Reads the first node, until what it embeds is known, and once more from a library that has not been asked anything.
    private func read(
        _ texts: [String: String], damaged: Set<String> = [], _ decoder: JSONAPIDecoder? = nil
    ) throws -> (node: Node, asked: [String: Int]) {
        let decoder = decoder ?? self.decoder
        _ = try? decoder.resource(Node.self, first, from: Library(texts, damaged: damaged))
        let library = Library(texts, damaged: damaged)
        return (try #require(try decoder.resource(Node.self, first, from: library)), library.asked)
    }

    @Test("A resource to which several paths lead is asked for once, and is one instance")
    func severalPaths() throws {
        let texts = [
            "nodes/1": node("1", next: "2", others: ["3", "4", "3"]), "nodes/2": node("2", next: "4"), "nodes/3": node("3", others: ["4"]),
            "nodes/4": node("4"),
        ]
        let (node, asked) = try read(texts)
        let others = try #require(node.others)
        #expect(others.map(\.id) == ["3", "4", "3"] && others[0] === others[2])
        #expect(node.next?.next === others[1] && others[0].others?.first === others[1])
        #expect(asked == ["nodes/1": 1, "nodes/2": 1, "nodes/3": 1, "nodes/4": 1])
    }

    @Test("Each resource of a circle is asked for once")
    func circle() throws {
        let (node, asked) = try read(["nodes/1": node("1", next: "2"), "nodes/2": node("2", next: "3"), "nodes/3": node("3", next: "1")])
        #expect(node.next?.next?.id == "3" && node.next?.next?.next == nil)
        #expect(asked == ["nodes/1": 1, "nodes/2": 1, "nodes/3": 1])
    }

    @Test("References ask for a resource once, however often the linkage has it", arguments: [JSONAPIDecoder.MissingPolicy.omit, .throw])
    func repeatedReferences(policy: JSONAPIDecoder.MissingPolicy) throws {
        struct Album: Resource {
            static let type = "nodes"
            let id: String
            let others: ToMany<Node>
        }
        var decoder = decoder
        decoder.missingResources = policy
        let missing = policy == .omit ? Array(repeating: "9", count: 1000) : []
        let library = Library(["nodes/1": node("1", others: Array(repeating: "2", count: 1000) + missing), "nodes/2": node("2")])
        let album = try #require(try decoder.resource(Album.self, first, from: library))
        #expect(album.others.identifiers?.first?.id == "2")
        #expect(library.asked.values.allSatisfy { $0 <= 2 })
    }

    @Test("A resource that is missing, or of another type, is left out")
    func missing() throws {
        let strange = #"{"type":"strangers","id":"7"}"#
        let texts = ["nodes/1": node("1", next: "2", others: ["3", strange, "4"]), "nodes/4": node("4"), "strangers/7": strange]
        var decoder = decoder
        decoder.missingResources = .omit
        let (node, asked) = try read(texts, decoder)
        #expect(node.next == nil && node.others?.map(\.id) == ["4"])
        #expect(asked["nodes/4"] == 1 && asked["strangers/7"] == 1 && asked.values.allSatisfy { $0 <= 2 })
    }

    @Test("A damaged resource on the way is an error, and one beside it is not")
    func damage() throws {
        let texts = [
            "nodes/1": node("1", next: "2"), "nodes/2": node("2", next: "3"), "nodes/3": node("3"),
            "pages/1": #"{"type":"pages","id":"1","relationships":{"next":{"data":{"type":"nodes","id":"3"}}}}"#,
        ]
        #expect(throws: Library.Damage.self) { try read(texts, damaged: ["nodes/2"]) }
        #expect(throws: Library.Damage.self) { try read(texts, damaged: ["nodes/3"]) }
        struct Page: Resource {
            static let type = "pages"
            var id: String
            var next: ToOne<Node>
        }
        let library = Library(texts, damaged: ["nodes/3"])
        #expect(try decoder.resource(Page.self, ResourceIdentifier(type: "pages", id: "1"), from: library)?.id == "1")
        #expect(library.asked == ["pages/1": 1])
    }

    @Test("An identity is the same however it is written, and a lid is another one than an id")
    func spellings() throws {
        let spellings = [
            #"{"type":"nodes","id":"2"}"#, #"{"id":2,"type":"nodes"}"#, #"{"type":"nod\u0065s","id":"\u0032","meta":{}}"#,
            #"{"type":"nodes","lid":"2"}"#,
        ]
        let texts = [
            "nodes/1": node("1", others: spellings), "nodes/2": node("2", next: spellings[3]), "nodes/lid/2": node("2", local: true),
        ]
        let (node, asked) = try read(texts)
        let others = try #require(node.others)
        #expect(others.map(\.id) == ["2", "2", "2", nil] && others[0] === others[1] && others[0] === others[2])
        #expect(others[0].next === others[3])
        #expect(asked == ["nodes/1": 1, "nodes/2": 1, "nodes/lid/2": 1])
    }

    @Test("Resources that are requested together are read once, also if one of them embeds another one")
    func together() throws {
        let texts = ["nodes/1": node("1", next: "2"), "nodes/2": node("2", next: "3"), "nodes/3": node("3")]
        let identifiers = ["1", "2", "4", "1"].map { ResourceIdentifier(type: "nodes", id: $0) }
        for _ in 1...2 {
            let library = Library(texts)
            let nodes = try decoder.resources(Node.self, identifiers, from: library)
            #expect(nodes.map { $0?.id } == ["1", "2", nil, "1"] && nodes[0] === nodes[3] && nodes[0]?.next === nodes[1])
            #expect(nodes[1]?.next?.id == "3")
            #expect(library.asked == ["nodes/1": 1, "nodes/2": 1, "nodes/3": 1, "nodes/4": 1])
        }
    }

    @Test("A decoder that a model has kept can still be used when more resources were fetched")
    func keptDecoders() throws {
        let decoders = Keeper.Decoders()
        var decoder = decoder
        decoder.userInfo[try #require(Keeper.Decoders.key)] = decoders
        var texts = ["nodes/1": node("1", next: "2")]
        for number in 2...50 { texts["nodes/\(number)"] = node("\(number)", others: number < 50 ? ["\(number + 1)"] : []) }
        #expect(try decoder.resource(Keeper.self, first, from: Library(texts))?.next?.id == "2")
        #expect(decoders.all.count > 1)
        for kept in decoders.all {
            #expect(try kept.container(keyedBy: Keeper.CodingKeys.self).decode(String.self, forKey: .id) == "1")
        }
    }

    @Test("A long chain is gathered without recursion, and each resource is asked for once")
    func longChain() throws {
        let count = 20_000
        var texts: [String: String] = [:]
        for number in 1...count { texts["nodes/\(number)"] = node("\(number)", next: number < count ? "\(number + 1)" : nil) }
        let library = Library(texts)
        let error = #expect(throws: DecodingError.self) { try decoder.resource(Node.self, first, from: library) }
        #expect(error?.failure?.kind == .nestingLimit)
        #expect(library.asked.count == count && library.asked.values.allSatisfy { $0 == 1 })
    }

    @Test("An empty text is refused, also if it is the only one that is read", arguments: ["", " \n", ","])
    func emptyTexts(_ text: String) throws {
        for _ in 1...2 {
            let library = Library(["nodes/1": node("1", next: "2"), "nodes/2": text])
            #expect(throws: DecodingError.self) { try decoder.resource(Node.self, first, from: library) }
        }
    }

    @Test(
        "A text that is not one resource object is refused, wherever it is",
        arguments: [
            "", "1", "null", "[]", "{", "{}{}", "{},{}", #"{},"x":{}"#, #"{}],"x":[{}"#, #"{}},"#, #"{}],"included":[{}"#,
            #"{"type":"nodes","id":"2"},{"type":"nodes","id":"3"}"#, #"{"type":"nodes","id":"2"}],"data":[{"type":"nodes","id":"3"}"#,
            #"{"type":"nodes","id":"2"},"included":[{"type":"nodes","id":"3"}],"x":{}"#,
        ])
    func otherTexts(_ text: String) throws {
        let texts = ["nodes/1": node("1", next: "2", others: ["3"]), "nodes/2": text, "nodes/3": node("3")]
        for _ in 1...2 {
            #expect(throws: DecodingError.self) { try decoder.resource(Node.self, first, from: Library(texts)) }
            for ids in [["2"], ["2", "3"], ["3", "2"]] {
                #expect(throws: DecodingError.self) {
                    try decoder.resources(Node.self, ids.map { ResourceIdentifier(type: "nodes", id: $0) }, from: Library(texts))
                }
            }
        }
    }
}

import Foundation
import JSONAPICodec
import JSONAPIStreams
import JSONText
import Testing

/// `included` of values and resources that were read.
@Suite struct IncludedAgainTests {
    struct Node: Resource, Equatable {
        static let type = "nodes"
        var id: String
        var next: ToOne<Node> = .notLoaded
        var others: ToMany<Node> = .notLoaded
        var name: String?
    }
    struct Post: Resource {
        static let type = "articles"
        var id: String
        var comments: ToMany<Blog.Comment>
    }

    private func included(_ data: Data) throws -> [JSON] {
        try JSON(parsing: data)["included"]?.array.map { Array($0) } ?? []
    }

    @Test("What a value refers to is included in place of what the resource with its identity referred to when it was read")
    func replaced() throws {
        func identifier(_ id: String) -> String { #"{"type":"nodes","id":"\#(id)"}"# }
        func raw(_ id: String, next: String) -> String {
            #"{"type":"nodes","id":"\#(id)","attributes":{"name":"raw"},"relationships":{"next":{"data":\#(identifier(next))}}}"#
        }
        let root =
            #"{"type":"nodes","id":"1","relationships":{"others":{"data":[\#(identifier("r")),\#(identifier("w"))]}}}"#
        let leaves = ["v", "x"].map { #"{"type":"nodes","id":"\#($0)"}"# }
        var node = try JSONAPIDecoder().decode(
            Node.self, from: Blog.document(root, included: [raw("r", next: "v"), raw("w", next: "x")] + leaves))
        // Only the path others.next leads to the edited w, after w was written as it was read.
        let edited = Node(id: "w", next: ToOne(Node(id: "y")), name: "edited")
        node.next = ToOne(Node(id: "v", next: ToOne(edited)))
        let resources = try included(JSONAPIEncoder().encode(node, include: ["next", "others.next", "others.next.next"]))
        #expect(resources.map { $0["id"]?.string } == ["v", "r", "w", "y"])
        #expect(resources.first(where: { $0["id"] == "w" })?["attributes"]?["name"] == "edited")
    }

    @Test("A DocumentWriter includes what a value refers to on the paths where it found the resource as it was read before")
    func replacedLater() throws {
        let root = #"{"type":"nodes","id":"1","relationships":{"others":{"data":[{"type":"nodes","id":"w"}]}}}"#
        let raw = #"{"type":"nodes","id":"w","relationships":{"next":{"data":{"type":"nodes","id":"x"}}}}"#
        let first = try JSONAPIDecoder().decode(Node.self, from: Blog.document(root, included: [raw, #"{"type":"nodes","id":"x"}"#]))
        let edited = Node(id: "w", next: ToOne(Node(id: "y")), name: "edited")
        // The value as a related resource, and as a primary one.
        let cases: [(Node, IncludePaths)] = [
            (Node(id: "2", next: ToOne(edited)), ["others.next", "next"]), (edited, ["others.next"]),
        ]
        for (second, paths) in cases {
            var text = Data()
            let writer = try DocumentWriter(include: paths) { text += $0 }
            try writer.append(first)
            try writer.append(second)
            try writer.finish()
            let ids = try included(text).map { $0["id"]?.string }
            let expected = try included(JSONAPIEncoder().encode([first, second], include: paths)).map { $0["id"]?.string }
            #expect(expected.contains("y"))
            #expect(Set(expected).isSubset(of: ids))
        }
    }

    @Test("An included resource without an id keeps its place when a document is written again")
    func placeWithoutID() throws {
        let linkage = #"{"comments":{"data":[{"type":"comments","id":"2"},{"type":"comments","id":"1"}]}}"#
        let comments = [(#""id":"1","#, "one"), ("", "nameless"), (#""id":"2","#, "two")].map {
            #"{"type":"comments",\#($0.0)"attributes":{"body":"\#($0.1)"}}"#
        }
        let document = try JSONAPIDecoder(mode: .lenient).decode(
            Document<Post>.self, from: Blog.document(Blog.article(relationships: linkage), included: comments))
        let resources = try included(JSONAPIEncoder().encode(document))
        #expect(resources.map { $0["attributes"]?["body"]?.string } == ["one", "nameless", "two"])
    }

    @Test("Resources without an id do not make the encoder include others twice")
    func manyWithoutID() throws {
        let nameless = Array(repeating: #"{"type":"comments","attributes":{"body":"b"}}"#, count: 3)
        let chain = (0..<60).map { number in
            let next = #"{"next":{"data":{"type":"comments","id":"\#((number + 1) % 60)"}}}"#
            return #"{"type":"comments","id":"\#(number)","attributes":{"body":"b"},"relationships":\#(next)}"#
        }
        let document = try JSONAPIDecoder(mode: .lenient).decode(
            Document<Post>.self, from: Blog.document(Blog.article(), included: nameless + chain))
        #expect(try included(JSONAPIEncoder().encode(document)).count == 63)
    }
}

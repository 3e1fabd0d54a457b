import Foundation
import JSONAPICodec
import Testing

/// Nested values, with a few names that occur at all levels, read in any order.
@Suite struct NestedValueTests {
    private struct Leaf: Codable, Equatable {
        var a: Int
        var b: Int?
        var c: Int?
    }

    private struct Branch: Codable, Equatable {
        var a: Leaf
        var b: Int?
        var c: [Leaf]
        var d: Int?
    }

    private struct Tree: Codable, Equatable {
        var b: Int?
        var a: Branch
        var c: Branch?
        var d: [Leaf]
    }

    private struct Thing: Resource, Equatable {
        static let type = "things"
        var id: String
        var tree: Tree
        var a: Leaf
        var b: Int?
    }

    private struct Wide: Codable, Equatable {
        var values: [String: Int]
        init(_ values: [String: Int]) { self.values = values }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Name.self)
            values = [:]
            // In another order than in the text.
            for name in container.allKeys.map(\.stringValue).sorted().reversed() {
                values[name] = try container.decode(Int.self, forKey: Name(name))
            }
        }
        func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    private struct WideThing: Resource {
        static let type = "wides"
        var id: String
        var wide: Wide
    }

    private func leaf(_ numbers: inout SystemRandomNumberGenerator) -> Leaf {
        func number() -> Int? { Bool.random(using: &numbers) ? Int.random(in: 0..<1000, using: &numbers) : nil }
        return Leaf(a: Int.random(in: 0..<1000, using: &numbers), b: number(), c: number())
    }

    private func branch(_ numbers: inout SystemRandomNumberGenerator) -> Branch {
        Branch(
            a: leaf(&numbers), b: Bool.random(using: &numbers) ? 7 : nil,
            c: (0..<Int.random(in: 0..<3, using: &numbers)).map { _ in leaf(&numbers) }, d: Bool.random(using: &numbers) ? 8 : nil)
    }

    /// JSON with the members of all objects in random order, and with some unused members.
    private func shuffled(_ value: Any, _ numbers: inout SystemRandomNumberGenerator) -> String {
        switch value {
        case let object as [String: Any]:
            var members = object.map { #""\#($0)":\#(shuffled($1, &numbers))"# }
            if Bool.random(using: &numbers) { members.append(#""extra":{"a":-1,"b":-1,"c":-1,"d":-1}"#) }
            return "{\(members.shuffled(using: &numbers).joined(separator: ","))}"
        case let array as [Any]: return "[\(array.map { shuffled($0, &numbers) }.joined(separator: ","))]"
        default: return "\(value)"
        }
    }

    @Test func valuesComeFromTheirOwnObjectInAnyOrder() throws {
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<60 {
            let things = (0..<3).map { id in
                Thing(
                    id: "\(id)",
                    tree: Tree(
                        b: 1, a: branch(&numbers), c: Bool.random(using: &numbers) ? branch(&numbers) : nil,
                        d: [leaf(&numbers), leaf(&numbers)]),
                    a: leaf(&numbers), b: Bool.random(using: &numbers) ? 9 : nil)
            }
            let texts = try things.map { thing in
                var attributes: [String: Any] = [:]
                attributes["tree"] = try JSONSerialization.jsonObject(with: JSONEncoder().encode(thing.tree))
                attributes["a"] = try JSONSerialization.jsonObject(with: JSONEncoder().encode(thing.a))
                attributes["b"] = thing.b
                return #"{"type":"things","attributes":\#(shuffled(attributes, &numbers)),"id":"\#(thing.id)"}"#
            }
            let data = Data(#"{"data":[\#(texts.joined(separator: ","))]}"#.utf8)
            #expect(try JSONAPIDecoder().decode([Thing].self, from: data) == things)
        }
    }

    @Test(arguments: [2, 16, 64, 65, 66, 300])
    func namesOfLargeObjectsBelongToTheirDocument(count: Int) throws {
        for round in 0..<4 {
            let values = Dictionary(uniqueKeysWithValues: (0..<count).map { ("name\(($0 + round) % (count + 3))", $0 * (round + 1)) })
            let members = values.map { #""\#($0)":\#($1)"# }.joined(separator: ",")
            let text = #"{"data":{"type":"wides","id":"1","attributes":{"wide":{\#(members)}}}}"#
            #expect(try JSONAPIDecoder().decode(WideThing.self, from: Data(text.utf8)).wide.values == values)
        }
    }

    @Test(arguments: [2, 3, 16, 17, 64, 65, 100])
    func theLastMemberOfARepeatedNameCounts(count: Int) throws {
        for place in ["front", "back"] {
            let others = (0..<count).map { #""name\#($0)":\#($0)"# }.joined(separator: ",")
            let attributes = place == "front" ? #""a":{"a":1},\#(others),"a":{"a":2}"# : #"\#(others),"a":{"a":1},"a":{"a":2}"#
            let tree = #""tree":{"a":{"a":{"a":5},"c":[],"a":{"a":6}},"d":[]}"#
            let text = #"{"data":{"type":"things","id":"1","attributes":{\#(attributes),\#(tree)}}}"#
            let thing = try JSONAPIDecoder().decode(Thing.self, from: Data(text.utf8))
            #expect(thing.a.a == 2 && thing.tree.a.a.a == 6)
        }
    }

    @Test(
        "Names that are equal only in Swift are an error in a dictionary, also beside a repeated name",
        arguments: [#""\u00e9":1,"e\u0301":2"#, #""\u00e9":1,"e\u0301":2,"a":3,"a":4"#, #""a":3,"e\u0301":2,"a":4,"\u00e9":1"#])
    func namesEqualOnlyInSwift(members: String) throws {
        let text = { (members: String) in #"{"data":{"type":"wides","id":"1","attributes":{"wide":{\#(members)}}}}"# }
        #expect(try Blog.failure { try JSONAPIDecoder().decode(Counts.self, from: Data(text(members).utf8)) }.kind == .duplicateName)
        #expect(try JSONAPIDecoder().decode(Counts.self, from: Data(text(#""a":3,"é":1,"a":4"#).utf8)).wide == ["a": 4, "é": 1])
    }

    private struct Counts: Resource {
        static let type = "wides"
        var id: String
        var wide: [String: Int]
    }
}

import Foundation
import JSONAPICodec
import JSONAPIValidation
import JSONText
import TestSupport
import Testing

/// Names that were found in order are not checked again in similar resources. The judge is the same resource in a document of its own.
@Suite struct SimilarResourcesTests {
    /// Few names, so that resources are often similar, and most of them legal.
    private static let names = ["a", "b", "title", "author", "na\\u006de", "name", "_x", "type", "@at", "x:y", "a b", "", "ä"]
    private static let types = ["articles", "people", "arti cles", "_t", "t\\u0061gs", "tags"]

    private func object(_ random: inout SeededRandom, _ value: (inout SeededRandom) -> String) -> String {
        let names = (0..<Int.random(in: 0...4, using: &random)).map { _ in
            Self.names[Int.random(in: 0..<(Bool.random(using: &random) ? 4 : Self.names.count), using: &random)]
        }
        return "{" + names.map { "\"\($0)\":\(value(&random))" }.joined(separator: ",") + "}"
    }

    private func identifiers(_ random: inout SeededRandom) -> String {
        let elements = (0..<Int.random(in: 0...8, using: &random)).map { _ in
            #"{"type":"\#(Self.types.randomElement(using: &random) ?? "a")","id":"\#(Int.random(in: 0...5, using: &random))"}"#
        }
        return "[" + elements.joined(separator: ",") + "]"
    }

    /// Few attributes and few relationships, all from four legal names, in every combination: many share a name, many do not.
    private func combination(_ number: Int, _ random: inout SeededRandom) -> String {
        let choices = [["a"], ["b"], ["title"], ["a", "b"], ["author"], ["b", "title"]]
        func names() -> [String] { choices.randomElement(using: &random) ?? [] }
        let attributes = names().map { "\"\($0)\":1" }.joined(separator: ",")
        let relationships = names().map { "\"\($0)\":{\"data\":null}" }.joined(separator: ",")
        return #"{"type":"articles","id":"c\#(number)","attributes":{\#(attributes)},"relationships":{\#(relationships)}}"#
    }

    private func resource(_ number: Int, _ random: inout SeededRandom) -> String {
        let type = Self.types[Int.random(in: 0..<(Bool.random(using: &random) ? 2 : Self.types.count), using: &random)]
        var members = [#""type":"\#(type)""#, #""id":"r\#(number)""#]
        if Int.random(in: 0..<4, using: &random) > 0 { members.append("\"attributes\":" + object(&random) { _ in "1" }) }
        if Int.random(in: 0..<4, using: &random) > 0 {
            members.append(
                "\"relationships\":"
                    + object(&random) { random in Bool.random(using: &random) ? #"{"data":null}"# : "{\"data\":\(identifiers(&random))}" })
        }
        members.shuffle(using: &random)
        return "{" + members.joined(separator: ",") + "}"
    }

    /// Each issue of resources as rule and place, with the number of the resource in front.
    private func issues(_ resources: ArraySlice<String>) -> [String] {
        Validator().validate("{\"data\":[\(resources.joined(separator: ","))]}").issues.map { issue in
            var tokens = issue.pointer.tokens
            if tokens.count > 1, let number = Int(tokens[1]) { tokens[1] = String(number + resources.startIndex) }
            return "\(issue.rule.id) \(JSONPointer(tokens: tokens)) \(issue.message)"
        }
    }

    private func diagnostics(_ resources: ArraySlice<String>) -> [String] {
        let text = "{\"data\":[\(resources.joined(separator: ","))]}"
        let decoder = JSONAPIDecoder(mode: .lenient)
        guard let diagnostics = try? decoder.decodeWithDiagnostics(DocumentObject.self, from: Data(text.utf8)).diagnostics else {
            return ["refused"]
        }
        return diagnostics.map { diagnostic in
            var tokens = diagnostic.pointer.tokens
            if tokens.count > 1, let number = Int(tokens[1]) { tokens[1] = String(number + resources.startIndex) }
            return "\(JSONPointer(tokens: tokens)) \(diagnostic.message)"
        }
    }

    @Test(arguments: 0..<UInt64(TestEffort.count(150, debug: 60))) func eachResourceIsCheckedAsInADocumentOfItsOwn(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let resources = (0..<12).map { resource($0, &random) } + (12..<30).map { combination($0, &random) }
        let alone = resources.indices.map { resources[$0...$0] }
        #expect(issues(resources[...]).sorted() == alone.flatMap(issues).sorted(), "\(resources)")
        let refused = alone.map(diagnostics).contains(["refused"])
        #expect(diagnostics(resources[...]).sorted() == (refused ? ["refused"] : alone.flatMap(diagnostics).sorted()), "\(resources)")
    }

    @Test("Attributes that were in order beside some relationships are looked at beside others", arguments: 0..<32)
    func otherRelationships(distance: Int) {
        let filler = Array(repeating: "0", count: distance).joined(separator: ",")
        let none = #"{"data":null}"#
        let text = #"""
            {"data":[{"type":"articles","id":"1","attributes":{"a":1,"b":1},"relationships":{"c":\#(none)},"meta":{"filler":[\#(filler)]}},
             {"type":"articles","id":"2","attributes":{"c":1},"relationships":{"a":\#(none),"d":\#(none)}},
             {"type":"articles","id":"3","attributes":{"a":1,"b":1},"relationships":{"a":\#(none),"d":\#(none)}}]}
            """#
        #expect(Validator().validate(text).errors.map(\.pointer.tokens.first) == ["data"])
        #expect(Validator().validate(text).errors.first?.pointer.tokens.dropFirst().first == "2")
    }
}

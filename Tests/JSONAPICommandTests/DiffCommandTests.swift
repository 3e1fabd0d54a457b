import Foundation
import JSONText
import TestSupport
import Testing

@testable import JSONAPICommand

@Suite("jsonapi diff")
struct DiffCommandTests {
    /// The output of `diff` for two documents.
    private func run(_ old: String, _ new: String, _ options: String...) throws -> CommandRun {
        try CommandRun.withFile(new) { CommandRun(["diff"] + options + ["-", $0], input: old) }
    }

    private func lines(_ old: String, _ new: String, _ options: String..., sourceLocation: SourceLocation = #_sourceLocation) throws
        -> [String]
    {
        let run = try CommandRun.withFile(new) { CommandRun(["diff"] + options + ["-", $0], input: old) }
        #expect(run.error.isEmpty, sourceLocation: sourceLocation)
        let lines = Array(run.lines.dropLast())
        #expect(run.status == (lines.isEmpty ? 0 : 1), sourceLocation: sourceLocation)
        return lines
    }

    /// A document with one resource with the given members.
    private func resource(_ members: String) -> String { #"{"data":{"type":"a","id":"1",\#(members)}}"# }

    @Test("Changes are listed by resource and member")
    func everything() throws {
        let old = #"""
            {"data": [{"type": "articles", "id": "1",
                       "attributes": {"title": "Old", "words": 3, "address": {"city": "Bonn", "zip": "1"}},
                       "relationships": {"author": {"data": {"type": "people", "id": "9"}},
                                         "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "12"}]},
                                         "editor": {"links": {"related": "/e"}}},
                       "links": {"self": "/articles/1"}}],
             "included": [{"type": "people", "id": "9"}], "meta": {"total": 2}}
            """#
        let new = #"""
            {"data": [{"type": "articles", "id": "1",
                       "attributes": {"title": "New", "draft": true, "address": {"city": "Berlin", "zip": "1"}},
                       "relationships": {"author": {"data": {"type": "people", "id": "10"}},
                                         "comments": {"data": [{"type": "comments", "id": "12"}, {"type": "comments", "id": "7"}]},
                                         "editor": {"links": {"related": "/e"}, "data": null}},
                       "links": {"self": "/a/1"}, "meta": {"x": 1}}],
             "included": [{"type": "people", "id": "10"}], "meta": {"total": 3}, "links": {"self": "/articles"}}
            """#
        #expect(
            try lines(old, new) == [
                "document",
                "  ~ meta total: 2 → 3",
                #"  + link self: "/articles""#,
                "~ articles 1",
                #"  ~ title: "Old" → "New""#,
                "  - words: 3",
                #"  ~ address/city: "Bonn" → "Berlin""#,
                "  + draft: true",
                "  + editor →: none",
                #"  ~ link self: "/articles/1" → "/a/1""#,
                "  + meta x: 1",
                "  ~ author →: people 9 → people 10",
                "  ~ comments →: added comments 7; removed comments 5",
                "- people 9 (included)",
                "+ people 10 (included)",
            ])
    }

    @Test(
        "Equivalent documents are equal",
        arguments: [
            (#""attributes":{"n":1.0,"m":100}"#, #""attributes":{"m":1e2,"n":1}"#),
            (#""attributes":{"n":2,"n":1}"#, #""attributes":{"n":1}"#),
            (#""attributes":{"s":"\u0041"}"#, #""attributes":{"s":"A"}"#),
            (#""meta":{},"links":{}"#, #""links":{},"meta":{}"#),
        ])
    func equal(old: String, new: String) throws {
        #expect(try lines(resource(old), resource(new)).isEmpty)
    }

    @Test(
        "Small differences are found",
        arguments: [
            (#""attributes":{"s":"\u00e9"}"#, #""attributes":{"s":"e\u0301"}"#, "  ~ s: \"é\" → \"e\u{301}\""),
            (
                #""attributes":{"n":9007199254740993}"#, #""attributes":{"n":9007199254740992}"#,
                "  ~ n: 9007199254740993 → 9007199254740992"
            ),
            (#""attributes":{"n":null}"#, #""attributes":{}"#, "  - n: null"),
            (#""attributes":{"n":1}"#, #""attributes":{"n":"1"}"#, "  ~ n: 1 → \"1\""),
            (#""attributes":{}"#, #""meta":{"a":1}"#, "  + meta a: 1"),
            (#""attributes":{"n":[1,2]}"#, #""attributes":{"n":[1,3]}"#, "  ~ n/1: 2 → 3"),
            (#""attributes":{"n":[1,2]}"#, #""attributes":{"n":[1]}"#, "  ~ n: [1, 2] → [1]"),
            (#""relationships":{"r":{"data":null}}"#, #""relationships":{"r":{"data":[]}}"#, "  ~ r →: none → empty"),
            (#""relationships":{"r":{"data":[]}}"#, #""relationships":{"r":{"meta":{"n":1}}}"#, "  - r →: empty"),
            (#""relationships":{"r":{"data":null}}"#, #""relationships":{}"#, "  - r →: none"),
            (
                #""relationships":{"r":{"data":[{"type":"b","id":1}]}}"#, #""relationships":{"r":{"data":[{"type":"b","id":"1"}]}}"#,
                "  ~ r → 0/id: 1 → \"1\""
            ),
            (
                #""relationships":{"r":{"data":[{"type":"b","id":"1","meta":{"n":1}}]}}"#,
                #""relationships":{"r":{"data":[{"type":"b","id":"1","meta":{"n":2}}]}}"#, "  ~ r → 0/meta/n: 1 → 2"
            ),
        ])
    func different(old: String, new: String, line: String) throws {
        #expect(try lines(resource(old), resource(new)).contains(line))
    }

    @Test("The order of linkage and collections matters by default, and of included resources never")
    func order() throws {
        let old = #"{"data":[{"type":"a","id":"1"},{"type":"a","id":"2"}],"included":[{"type":"b","id":"1"},{"type":"b","id":"2"}]}"#
        let new = #"{"data":[{"type":"a","id":"2"},{"type":"a","id":"1"}],"included":[{"type":"b","id":"2"},{"type":"b","id":"1"}]}"#
        #expect(try lines(old, new) == ["document", "  ~ data: in another order"])
        #expect(try lines(old, new, "--unordered").isEmpty)
        let forward = resource(#""relationships":{"r":{"data":[{"type":"b","id":"1"},{"type":"b","id":"2"}]}}"#)
        let backward = resource(#""relationships":{"r":{"data":[{"type":"b","id":"2"},{"type":"b","id":"1"}]}}"#)
        #expect(try lines(forward, backward) == ["~ a 1", "  ~ r →: in another order"])
        #expect(try lines(forward, backward, "--unordered").isEmpty)
    }

    @Test(
        "A change of the form of data is reported",
        arguments: [
            (#"{"data":null}"#, #"{"data":{"type":"a","id":"1"}}"#, ["document", "  ~ data: null → one resource", "+ a 1"]),
            (#"{"data":{"type":"a","id":"1"}}"#, #"{"data":[{"type":"a","id":"1"}]}"#, ["document", "  ~ data: one resource → a list"]),
            (#"{"data":[]}"#, #"{"data":[],"included":[]}"#, ["document", "  ~ included: absent → a list"]),
            (
                #"{"data":[]}"#, #"{"errors":[{"status":"404"}]}"#,
                ["document", "  ~ data: a list → absent", #"  + errors: [{status: "404"}]"#]
            ),
            (#"{"errors":[{"status":"404"}]}"#, #"{"errors":[{"status":"500"}]}"#, ["document", #"  ~ errors/0/status: "404" → "500""#]),
        ])
    func forms(old: String, new: String, expected: [String]) throws {
        #expect(try lines(old, new) == expected)
    }

    @Test("A resource that moves between data and included is reported")
    func moved() throws {
        let old = #"{"data":[{"type":"a","id":"1"},{"type":"a","id":"2"}],"included":[]}"#
        let new = #"{"data":[{"type":"a","id":"1"}],"included":[{"type":"a","id":"2"}]}"#
        #expect(try lines(old, new) == ["~ a 2 (moved from data to included)"])
    }

    @Test("Repeated and unidentified resources are compared in order")
    func repetition() throws {
        func document(_ values: [Int], _ identity: String) -> String {
            #"{"data":[\#(values.map { #"{"type":"a"\#(identity),"attributes":{"n":\#($0)}}"# }.joined(separator: ","))]}"#
        }
        #expect(try lines(document([1, 2, 3], #","id":"1""#), document([1, 5], #","id":"1""#)) == ["~ a 1", "  ~ n: 2 → 5", "- a 1"])
        #expect(try lines(document([1], #","lid":"x""#), document([2], #","lid":"x""#)) == [#"~ a (lid "x")"#, "  ~ n: 1 → 2"])
        #expect(try lines(#"{"data":{"type":"a"}}"#, #"{"data":{"type":"a","attributes":{"n":1}}}"#) == ["~ a (no id)", "  + n: 1"])
    }

    @Test("--json prints one object, also for equal documents")
    func json() throws {
        let old = resource(#""attributes":{"n":1.50},"relationships":{"r":{"data":[{"type":"b","id":"1"}]},"o":{"data":null}}"#)
        let new = resource(
            #""attributes":{"n":2},"relationships":{"r":{"data":[{"type":"b","id":"2"}]},"o":{"data":{"type":"b","id":"1"}}}"#)
        let run = try run(old, new, "--json")
        #expect(run.status == 1)
        let json = try run.outputJSON
        #expect(json["equal"]?.bool == false)
        #expect(
            json["resources"]?[0] == [
                "change": "changed", "type": "a", "id": "1", "place": "data",
                "changes": [
                    ["change": "changed", "pointer": "/attributes/n", "old": 1.5, "new": 2],
                    ["change": "changed", "pointer": "/relationships/o/data", "old": nil, "new": ["type": "b", "id": "1"]],
                    [
                        "change": "relinked", "pointer": "/relationships/r/data", "added": [["type": "b", "id": "2"]],
                        "removed": [["type": "b", "id": "1"]],
                    ],
                ],
            ])
        let same = try self.run(old, old, "--json")
        #expect(same.status == 0)
        #expect(try same.outputJSON == ["equal": true, "document": [], "resources": []])
    }

    @Test(
        "Status 1 means a difference, and an invalid text is status 2",
        arguments: ["[", "[]", "{}", #"{"data":1}"#])
    func noDocument(text: String) throws {
        let run = try run(text, #"{"data":null}"#)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("<stdin>:1:"))
        #expect(try CommandRun.withFile("{}") { try CommandRun("diff", "--json", "-", $0, input: text).errorJSON["kind"] } != nil)
    }

    @Test("Wrong usage ends with status 2", arguments: [["diff"], ["diff", "a"], ["diff", "a", "b", "c"], ["diff", "-", "-"]])
    func usage(arguments: [String]) {
        #expect(CommandRun(arguments).status == 2)
    }

    @Test("A text that is too long is status 2, and not that of documents that differ")
    func tooLong() {
        var error = Data()
        let status = Command.run(
            arguments: ["diff", "-", "/dev/null"],
            input: { throw Fault(file: "-", kind: "sizeLimit", message: "the text is longer than 10 bytes") },
            output: { _ in }, error: { error.append($0) })
        #expect(status == 2)
        #expect(String(decoding: error, as: UTF8.self).contains("the text is longer than 10 bytes"))
    }

    @Test("Long texts are shown from where they differ")
    func longTexts() throws {
        let common = String(repeating: "é", count: 200)
        let old = resource(#""attributes":{"s":"\#(common)old"}"#)
        let new = resource(#""attributes":{"s":"\#(common)\#(String(repeating: "n", count: 60))"}"#)
        #expect(try lines(old, new).last == #"  ~ s from character 201: "old" → "\#(String(repeating: "n", count: 50))"…"#)
        #expect(try lines(old, new, "--all").last?.contains("\(common)old") == true)
    }

    @Test("With --all, values that differ deep inside are complete")
    func deepValues() throws {
        func document(_ value: Int) -> String {
            resource(#""attributes":{"x":\#(String(repeating: #"{"a":"#, count: 40))\#(value)\#(String(repeating: "}", count: 40))}"#)
        }
        let change = try lines(document(71), document(72), "--all").last
        #expect(change?.contains("a: 71}") == true && change?.contains("a: 72}") == true)
    }

    @Test("With --all, ids and names are complete")
    func completeNames() throws {
        let long = String(repeating: "x", count: 500)
        func document(_ value: Int, _ id: String) -> String {
            #"{"data":{"type":"a","id":"\#(long)","attributes":{"\#(long)":\#(value)},"relationships":{"r":{"data":{"type":"b","id":"\#(id)"}}}}}"#
        }
        let all = try lines(document(1, long), document(2, "1"), "--all")
        #expect(all.count { $0.contains(long) } == 3)
        #expect(try lines(document(1, long), document(2, "1")).allSatisfy { !$0.contains(long) })
    }

    @Test("Long names do not multiply the output")
    func longNames() throws {
        let name = String(repeating: "n", count: 100_000)
        func document(_ value: Int) -> String {
            let members = (0..<5_000).map { #""\#($0)":\#(value)"# }.joined(separator: ",")
            let deep = String(repeating: #"{"a":"#, count: 60) + "{\(members)}" + String(repeating: "}", count: 60)
            return resource(
                #""attributes":{"\#(name)":{\#(members)},"deep":\#(deep)},"relationships":{"\#(name)":{"meta":{\#(members)}}}"#)
        }
        let run = try run(document(1), document(2), "--json")
        #expect(run.status == 1)
        #expect(run.output.utf8.count < 4_000_000)
    }

    @Test("Control characters never reach the terminal")
    func hostile() throws {
        let evil = #"\u001b[31m\u0007\u009b\r"#
        let old = #"{"data":{"type":"a\#(evil)","id":"\#(evil)","attributes":{"\#(evil)":"\#(evil)"}},"meta":{"\#(evil)":"\#(evil)"}}"#
        let new =
            #"{"data":{"type":"a\#(evil)","id":"\#(evil)","attributes":{"\#(evil)":"x\#(evil)"},"relationships":{"\#(evil)":{"data":[{"type":"\#(evil)","id":"\#(evil)"}]}}}}"#
        let run = try run(old, new)
        #expect(run.status == 1)
        #expect(run.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        let colored = try CommandRun.withFile(new) { CommandRun("diff", "--color=always", "-", $0, input: old) }
        #expect(colored.output.replacing(/\u{1B}\[[0-9;]+m/, with: "") == run.output)
    }

    @Test("Many resources, long linkage and deep values take linear time")
    func large() throws {
        func document(_ offset: Int, _ count: Int) -> String {
            let resources = (0..<count).map { #"{"type":"a","id":"\#($0 + offset)","attributes":{"n":\#($0)}}"# }
            let identifiers = (0..<count).map { #"{"type":"a","id":"\#($0 + offset)"}"# }
            let deep = String(repeating: #"{"a":"#, count: 480) + "\(offset)" + String(repeating: "}", count: 480)
            return
                #"{"data":[\#(resources.joined(separator: ",")),{"type":"b","id":"1","attributes":{"deep":\#(deep)},"relationships":{"r":{"data":[\#(identifiers.joined(separator: ","))]}}}]}"#
        }
        let growth = try TimeGrowth(from: 1_000) { count in
            let (old, new) = (document(0, count), document(1, count))
            return try processorSeconds {
                let lines = try lines(old, new)
                #expect(lines.count == 2 * count + 3)
                #expect(lines.contains("  ~ r →: added a \(count); removed a 0"))
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(
        "An absent member, null and an empty one differ",
        arguments: [
            (#""attributes":{}"#, #""attributes":{"n":null}"#, "  + n: null"),
            (#""attributes":{"n":null}"#, #""attributes":{"n":[]}"#, "  ~ n: null → []"),
            (#""meta":null"#, "", "  - meta: null"), ("", #""links":null"#, "  + links: null"),
            (#""attributes":null"#, #""attributes":{}"#, "  ~ attributes: null → {}"),
            (#""relationships":{"r":{"data":null}}"#, #""relationships":{"r":{"links":{"self":"/r"}}}"#, "  - r →: none"),
            (#""relationships":{"r":null}"#, #""relationships":{}"#, "  - r →: null"),
        ])
    func absentAndNull(old: String, new: String, line: String) throws {
        func text(_ members: String) -> String { #"{"data":{"type":"a","id":"1"\#(members.isEmpty ? "" : ",")\#(members)}}"# }
        #expect(try lines(text(old), text(new)).contains(line))
    }

    @Test(
        "A patch turns the old document into the new one",
        arguments: [
            (#"{"data":null}"#, #"{"data":{"type":"a","id":"1"}}"#, #"[{"op":"replace","path":"/data","value":{"type":"a","id":"1"}}]"#),
            (
                #"{"data":{"type":"a","id":"1","attributes":{"n":null,"a/b~":1}}}"#,
                #"{"data":{"type":"a","id":"1","attributes":{"m":null}}}"#,
                #"[{"op":"remove","path":"/data/attributes/n"},{"op":"remove","path":"/data/attributes/a~1b~0"},"#
                    + #"{"op":"add","path":"/data/attributes/m","value":null}]"#
            ),
            (
                #"{"data":[{"type":"a","id":"1"},{"type":"a","id":"2"},{"type":"a","id":"3"}]}"#,
                #"{"data":[{"type":"a","id":"1"},{"type":"a","id":"3"}]}"#, #"[{"op":"remove","path":"/data/1"}]"#
            ),
            (#"{"meta":{"l":[1,2,3]}}"#, #"{"meta":{"l":[0,1,2,3]}}"#, #"[{"op":"add","path":"/meta/l/0","value":0}]"#),
            (#"{"meta":{"l":[1,2.0]}}"#, #"{"meta":{"l":[1.0,2]}}"#, "[]"),
            (
                #"{"data":[{"type":"a","id":"1","meta":{"n":1}}]}"#, #"{"data":[{"type":"a","id":"2","meta":{"n":1}}]}"#,
                #"[{"op":"replace","path":"/data/0","value":{"type":"a","id":"2","meta":{"n":1}}}]"#
            ),
        ])
    func patches(old: String, new: String, patch: String) throws {
        let run = try run(old, new, "--patch")
        #expect(run.status == (patch == "[]" ? 0 : 1))
        let operations = try run.outputJSON
        #expect(operations == (try JSON(parsing: patch)))
        #expect(try JSON(parsing: old).applying(operations) == JSON(parsing: new))
    }

    @Test("Patches of random documents lead from one to the other")
    func randomPatches() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            let (old, new) = (JSON.random(&random, depth: 4), JSON.random(&random, depth: 4))
            let documents: [JSON] = [["meta": ["v": old]], ["meta": ["v": new]]]
            let operations = try run(documents[0].description, documents[1].description, "--patch").outputJSON
            #expect(documents[0].applying(operations) == documents[1], "\(documents)")
        }
    }

    @Test("A patch depends on the order")
    func unorderedPatch() {
        #expect(CommandRun("diff", "--patch", "--unordered", "a", "b").status == 2)
    }
}

extension JSON {
    /// A random value of a few kinds, so that two of them have much in common.
    fileprivate static func random(_ random: inout SeededRandom, depth: Int) -> JSON {
        switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &random) {
        case 0: return .null
        case 1: return .number(JSONNumber(Int.random(in: 0..<3, using: &random)))
        case 2: return .string(["id", "~/", ""].randomElement(using: &random) ?? "")
        case 3, 4:
            return .array(JSONArray((0..<Int.random(in: 0..<6, using: &random)).map { _ in self.random(&random, depth: depth - 1) }))
        default:
            let names = ["a", "id", "~1", "/"].filter { _ in Bool.random(using: &random) }
            return .object(JSONObject(members: names.map { .init(name: $0, value: self.random(&random, depth: depth - 1)) }))
        }
    }

    /// The value after a patch of RFC 6902 with `add`, `remove` and `replace`; nil if an operation does not apply.
    fileprivate func applying(_ patch: JSON) -> JSON? {
        var result: JSON? = self
        for operation in patch.array ?? [] {
            guard let text = operation["path"]?.string, let path = try? JSONPointer(parsing: text), let before = result else { return nil }
            result = before.replacing(path.tokens[...], operation["op"]?.string, operation["value"])
        }
        return result
    }

    private func replacing(_ path: ArraySlice<String>, _ operation: String?, _ value: JSON?) -> JSON? {
        guard let name = path.first else { return value }
        let rest = path.dropFirst()
        switch self {
        case .object(let object):
            var members = Array(object)
            let position = members.firstIndex { $0.name == name }
            if rest.isEmpty, operation == "add", position == nil, let value {
                members.append(.init(name: name, value: value))
            } else if let position, rest.isEmpty, operation == "remove" {
                members.remove(at: position)
            } else if let position, let inner = members[position].value.replacing(rest, operation, value) {
                members[position] = .init(name: name, value: inner)
            } else {
                return nil
            }
            return .object(JSONObject(members: members))
        case .array(let array):
            var elements = Array(array)
            guard let position = Int(name), position <= elements.count else { return nil }
            if rest.isEmpty, operation == "add", let value {
                elements.insert(value, at: position)
            } else if position == elements.count {
                return nil
            } else if rest.isEmpty, operation == "remove" {
                elements.remove(at: position)
            } else if let inner = elements[position].replacing(rest, operation, value) {
                elements[position] = inner
            } else {
                return nil
            }
            return .array(JSONArray(elements))
        default: return nil
        }
    }
}

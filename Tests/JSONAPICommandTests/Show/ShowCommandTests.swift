import Foundation
import JSONText
import Testing

@Suite("jsonapi show")
struct ShowCommandTests {
    /// The output of `show` for a document on standard input.
    private func shown(_ document: String, _ sourceLocation: SourceLocation = #_sourceLocation) -> [String] {
        let run = CommandRun("show", "-", input: document)
        #expect(run.status == 0, "\(run.error)", sourceLocation: sourceLocation)
        return run.lines.dropLast()
    }

    @Test("A compound document is a tree of resolved relationships")
    func compound() {
        let lines = shown(
            #"""
            {"data": {"type": "articles", "id": "1", "attributes": {"title": "JSON:API", "words": 1.50},
              "relationships": {"author": {"data": {"type": "people", "id": "9"}},
                                "comments": {"data": [{"type": "comments", "id": "5"}, {"type": "comments", "id": "12"}]}}},
             "included": [{"type": "people", "id": "9", "attributes": {"name": "Ada"}},
                          {"type": "comments", "id": "5", "attributes": {"body": "First!"},
                           "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}],
             "links": {"self": "/articles/1"}, "meta": {"total": 1}, "jsonapi": {"version": "1.1"}}
            """#)
        #expect(
            lines == [
                "one resource, 2 included resources",
                "├─ jsonapi: {version: \"1.1\"}",
                "├─ link self: /articles/1",
                "└─ meta total: 1",
                "",
                "articles 1",
                "├─ title: \"JSON:API\"",
                "├─ words: 1.50",
                "├─ author → people 9",
                "│  └─ name: \"Ada\"",
                "└─ comments → 2 comments",
                "   ├─ comments 5",
                "   │  ├─ body: \"First!\"",
                "   │  └─ author → people 9 (shown above)",
                "   └─ comments 12 (not included)",
            ])
    }

    @Test("The states of a relationship are shown in words")
    func states() {
        let lines = shown(
            #"""
            {"data": {"type": "a", "id": "1", "relationships": {
              "w": {"links": {"related": "/w"}}, "x": {"data": null}, "y": {"data": []},
              "z": {"data": {"type": "b", "id": "2"}}, "l": {"data": [{"type": "b", "id": "2"}, {"type": "b", "id": "3"}]}}}}
            """#)
        #expect(
            lines.suffix(5) == [
                "├─ w: not loaded, at /w",
                "├─ x: none",
                "├─ y: empty",
                "├─ z → b 2 (not included)",
                "└─ l → 2 b, not included: 2, 3",
            ])
    }

    @Test("Cycles are cut with a mark")
    func cycles() {
        let lines = shown(
            #"""
            {"data": {"type": "a", "id": "1", "relationships": {"next": {"data": {"type": "b", "id": "1"}}}},
             "included": [{"type": "b", "id": "1", "relationships": {"next": {"data": {"type": "c", "id": "1"}},
                                                                    "self": {"data": {"type": "b", "id": "1"}}}},
                          {"type": "c", "id": "1", "relationships": {"next": {"data": {"type": "a", "id": "1"}}}}]}
            """#)
        #expect(
            lines.suffix(5) == [
                "a 1",
                "└─ next → b 1",
                "   ├─ next → c 1",
                "   │  └─ next → a 1 ↑ shown above",
                "   └─ self → b 1 ↑ shown above",
            ])
    }

    @Test("Primary resources that link to each other keep their place")
    func primaryLinks() {
        let lines = shown(
            #"""
            {"data": [{"type": "a", "id": "1", "relationships": {"next": {"data": {"type": "a", "id": "2"}}}},
                      {"type": "a", "id": "2", "relationships": {"next": {"data": {"type": "a", "id": "1"}}}}]}
            """#)
        #expect(lines == ["2 a", "", "a 1", "└─ next → a 2 (shown below)", "", "a 2", "└─ next → a 1 (shown above)"])
    }

    @Test("Types and ids are compared by bytes")
    func bytes() {
        let lines = shown(
            #"""
            {"data": {"type": "a", "id": "1", "relationships": {"x": {"data": {"type": "b", "id": "\u00e9"}}}},
             "included": [{"type": "b", "id": "e\u0301", "attributes": {"n": 1}}]}
            """#)
        #expect(lines.contains("└─ x → b é (not included)"))
        #expect(lines.contains("1 included resource not shown above"))
    }

    @Test("Unlinked included resources come last")
    func unlinked() {
        let lines = shown(#"{"data": null, "included": [{"type": "b", "id": "1", "attributes": {"n": 1}}]}"#)
        #expect(
            lines == [
                "no resource (data is null), 1 included resource", "", "1 included resource not shown above", "", "b 1", "└─ n: 1",
            ])
    }

    @Test("Identifiers as primary data show included resources")
    func identifiers() {
        let lines = shown(
            #"""
            {"data": [{"type": "b", "id": "1", "meta": {"since": 2019}}, {"type": "b", "id": "2"}],
             "included": [{"type": "b", "id": "1", "attributes": {"n": 1}}]}
            """#)
        #expect(
            lines == [
                "a list of identifiers, 1 included resource", "", "2 b", "├─ b 1 (included)", "│  ├─ meta: {since: 2019}",
                "│  └─ n: 1", "└─ b 2",
            ])
    }

    @Test("A long chain is shown in parts of 32 levels, and cycles are cut")
    func chain() {
        let count = 1000
        let included = (1...count).map { number in
            #"{"type":"b","id":"\#(number)","relationships":{"next":{"data":{"type":"b","id":"\#(number % count + 1)"}}}}"#
        }
        let lines = shown(
            #"{"data":{"type":"a","id":"0","relationships":{"next":{"data":{"type":"b","id":"1"}}}},"included":[\#(included.joined(separator: ","))]}"#
        )
        #expect(lines.count { $0.contains("(32 levels deep here; shown below)") } == count / 32)
        #expect(lines.contains("b 32"))
        #expect(lines.last?.hasSuffix("next → b 1 (shown above)") == true)
    }

    @Test("Diamond-shaped graphs take linear time")
    func layers() {
        var included: [String] = []
        for layer in 1...200 {
            let next = #"[{"type":"b","id":"\#(layer + 1)a"},{"type":"b","id":"\#(layer + 1)b"}]"#
            for side in ["a", "b"] { included.append(#"{"type":"b","id":"\#(layer)\#(side)","relationships":{"n":{"data":\#(next)}}}"#) }
        }
        let lines = shown(
            #"{"data":{"type":"b","id":"0","relationships":{"n":{"data":{"type":"b","id":"1a"}}}},"included":[\#(included.joined(separator: ","))]}"#
        )
        #expect(lines.count < 3000)
    }

    @Test("Errors are a list")
    func errors() {
        let lines = shown(
            #"""
            {"errors": [{"status": "422", "title": "Invalid Attribute", "detail": "Too short.", "code": "12",
                         "source": {"pointer": "/data/attributes/title"}, "x": 1},
                        {"source": {"parameter": "include"}}]}
            """#)
        #expect(
            lines == [
                "2 errors", "", "error 1: 422 Invalid Attribute", "├─ detail: Too short.", "├─ in the document: /data/attributes/title",
                "├─ code: 12", "└─ x: 1", "", "error 2: without title", "└─ in the query: include",
            ])
    }

    @Test("A request to create a resource is shown, lids resolved")
    func create() {
        let lines = shown(
            #"""
            {"data": {"type": "a", "lid": "new", "attributes": {"n": null},
                      "relationships": {"me": {"data": {"type": "a", "lid": "new"}}, "b": {"data": {"type": "b", "id": "1"}}}}}
            """#)
        #expect(
            lines == [
                "one resource without an id: a request to create it", "", "a (lid \"new\")", "├─ n: null",
                "├─ me → a (lid \"new\") ↑ shown above", "└─ b → b 1",
            ])
    }

    @Test("Atomic operations are a list, and link to each other by lid")
    func operations() {
        let lines = shown(
            #"""
            {"atomic:operations": [
              {"op": "add", "data": {"type": "a", "lid": "x", "attributes": {"n": 1}}},
              {"op": "update", "ref": {"type": "b", "id": "1", "relationship": "a"}, "data": {"type": "a", "lid": "x"}},
              {"op": "remove", "href": "/b/2"}]}
            """#)
        #expect(
            lines == [
                "3 atomic operations", "", "operation 1: add", "└─ data: a (lid \"x\")", "   └─ n: 1", "",
                "operation 2: update b 1, relationship a", "└─ data → a (lid \"x\") (shown above)", "", "operation 3: remove at /b/2",
            ])
    }

    @Test(
        "The first line says what the document is",
        arguments: [
            (#"{"data": []}"#, "an empty collection"),
            (#"{"meta": {}}"#, "meta only, no data"),
            (#"{"errors": []}"#, "0 errors"),
            (#"{"atomic:results": [{}]}"#, "1 atomic result"),
            (#"{"data": {"type": "a", "id": "1"}}"#, "one identifier, or a resource without fields"),
            (#"{"data": [{"type": "a", "id": "1", "attributes": {}}], "included": []}"#, "a collection of one resource, nothing included"),
            (
                #"{"data": [{"type": "a", "id": "1", "attributes": {}}, {"type": "b", "id": "1"}, {"type": "a", "id": "2"}]}"#,
                "3 resources (2 a, 1 b)"
            ),
        ])
    func headlines(document: String, headline: String) {
        #expect(shown(document).first == headline)
    }

    @Test("Control characters are escaped, and long texts and arrays are shortened")
    func values() {
        let long = String(repeating: "x", count: 5000)
        let numbers = (1...1000).map(String.init).joined(separator: ",")
        let document =
            #"{"data":{"type":"a","id":"1 \u001b[0m","attributes":{"esc":"\u001b[31m\nred \u202e","long":"\#(long)","list":[\#(numbers)],"deep":[[[[[1]]]]]}}}"#
        let lines = shown(document)
        #expect(lines.contains("a \"1 \\u001b[0m\""))
        #expect(lines.contains("├─ esc: \"\\u001b[31m\\nred \\u202e\""))
        #expect(lines.contains { $0.hasPrefix("├─ long: \"xxx") && $0.hasSuffix("…\" (5000 characters)") && $0.count < 150 })
        #expect(lines.contains { $0.hasPrefix("├─ list: [1, 2, 3") && $0.hasSuffix(" more]") && $0.count < 150 })
        #expect(lines.last == "└─ deep: [[[[… 1]]]]")
        #expect(CommandRun("show", "--all", "-", input: document).output.contains(long))
    }

    @Test(
        "With --all, names, ids, types, pointers and the parts of operations are complete",
        arguments: [
            #"{"data":{"type":"@","id":"1"}}"#, #"{"data":{"type":"a","id":"@"}}"#, #"{"data":{"type":"a","lid":"@"}}"#,
            #"{"data":{"type":"a","id":"1","attributes":{"@":1}}}"#, #"{"data":{"type":"a","id":"1","attributes":{"o":{"@":1}}}}"#,
            #"{"data":{"type":"a","id":"1","relationships":{"@":{"data":null}}}}"#,
            #"{"data":{"type":"a","id":"1","relationships":{"r":{"data":{"type":"b","id":"@"}}}}}"#,
            #"{"data":{"type":"a","id":"1","relationships":{"r":{"data":[{"type":"b","id":"@"}]}}}}"#,
            #"{"data":{"type":"a","id":"1","relationships":{"r":{"data":[{"type":"@","id":"1"},{"type":"@","id":"2"}]}}}}"#,
            #"{"data":[{"type":"@","id":"1"},{"type":"b","id":"1","attributes":{"x":1}}]}"#,
            #"{"errors":[{"source":{"pointer":"/@"}}]}"#, #"{"errors":[{"source":{"parameter":"@"}}]}"#, #"{"meta":{"@":1}}"#,
            #"{"atomic:operations":[{"op":"@"}]}"#, #"{"atomic:operations":[{"op":"remove","ref":{"type":"a","id":"@"}}]}"#,
            #"{"atomic:operations":[{"op":"remove","href":"@"}]}"#,
            #"{"atomic:operations":[{"op":"remove","ref":{"type":"a","id":"1","relationship":"@"}}]}"#,
        ])
    func nothingIsShortened(_ pattern: String) {
        let long = String(repeating: "x", count: 2000)
        let document = pattern.replacing("@", with: long)
        let all = CommandRun("show", "--all", "-", input: document)
        #expect(all.status == 0 && all.output.contains(long))
        #expect(!CommandRun("show", "-", input: document).output.contains(long))
    }

    @Test(
        "With --all, the names and types in a table are complete",
        arguments: [
            #"{"type":"@","id":"1"}"#, #"{"type":"a","id":"@"}"#, #"{"type":"a","id":"1","attributes":{"@":1}}"#,
            #"{"type":"a","id":"1","relationships":{"@":{"data":null}}}"#,
            #"{"type":"a","id":"1","relationships":{"r":{"data":{"type":"b","id":"@"}}}}"#,
            #"{"type":"a","id":"1","relationships":{"r":{"data":[{"type":"@","id":"1"}]}}}"#,
        ])
    func nothingIsShortenedInTables(_ pattern: String) {
        let long = String(repeating: "x", count: 2000)
        let document = #"{"data":[\#(pattern.replacing("@", with: long))]}"#
        #expect(CommandRun("show", "--all", "--layout", "table", "-", input: document).output.contains(long))
    }

    @Test("With --all, the places in notes are complete")
    func completeNotes() {
        let long = String(repeating: "x", count: 2000)
        let document = #"{"data":{"type":"a","id":"1","relationships":{"\#(long)":{"data":{"type":"b","id":9}}}}}"#
        #expect(CommandRun("show", "--all", "-", input: document).error.contains(long))
        #expect(!CommandRun("show", "-", input: document).error.contains(long))
    }

    @Test("A long list is shortened with a count, and complete with --all")
    func longList() {
        let identifiers = (1...60).map { #"{"type":"b","id":"\#($0)"}"# }.joined(separator: ",")
        let document =
            #"{"data":{"type":"a","id":"1","relationships":{"b":{"data":[\#(identifiers)]}}},"included":[{"type":"b","id":"1"}]}"#
        #expect(shown(document).last == "   └─ … 10 more (--all shows them)")
        #expect(CommandRun("show", "--all", "-", input: document).output.contains("└─ b 60 (not included)"))
    }

    @Test("A resource inside a relationship is shown there")
    func inPlace() {
        let lines = shown(
            #"{"data":{"type":"a","id":"1","relationships":{"b":{"data":{"type":"b","id":"2","attributes":{"n":1}}}}}}"#)
        #expect(lines.suffix(2) == ["└─ b → b 2", "   └─ n: 1"])
    }

    @Test("Invalid JSON is status 1, with its place")
    func syntaxError() throws {
        try CommandRun.withFile("{\n\"data\": [}") { path in
            let run = CommandRun("show", path)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.error.hasPrefix("\(path):2:10: error: "))
        }
    }

    @Test(
        "Other JSON is status 1",
        arguments: ["[]", "1", "{}", #"{"type": "a", "id": "1"}"#, #"{"data": 1}"#, #"{"data": [null]}"#, #"{"articles": []}"#])
    func noDocument(text: String) throws {
        let run = CommandRun("show", "-", input: text)
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("<stdin>:1:"))
        let error = try CommandRun("show", "--json", "-", input: text).errorJSON
        for name in ["file", "line", "column", "pointer", "kind", "message"] { #expect(error[name]?.isNull == false) }
    }

    @Test("The error for a bare resource object explains how to make it a document")
    func bareResource() {
        #expect(CommandRun("show", "-", input: #"{"type": "a"}"#).error.contains(#"write it as {"data": …}"#))
    }

    @Test("A million levels are a limit error")
    func deep() {
        let run = CommandRun("show", "-", input: #"{"data":"# + String(repeating: "[", count: 1_000_000))
        #expect(run.status == 1)
        #expect(run.error.hasPrefix("<stdin>:1:520: error: nesting goes deeper than 512 levels"))
    }

    @Test("--json is one object")
    func json() throws {
        let run = CommandRun(
            "show", "--json", "-",
            input: #"""
                {"data": [{"type": "a", "id": "1", "attributes": {"n": 1.50},
                           "relationships": {"b": {"data": [{"type": "b", "id": "1"}, {"type": "a", "id": "1"}, {"type": "c", "id": "1"}]},
                                             "n": {"links": {"related": "/n"}}}}],
                 "included": [{"type": "b", "id": "1"}], "meta": {"total": 1}}
                """#)
        #expect(run.status == 0)
        let json = try run.outputJSON
        #expect(json["subject"]?.string == "collection")
        #expect(json["included"]?.int == 1)
        #expect(json["errors"]?.array?.isEmpty == true)
        #expect(json["diagnostics"]?.array != nil)
        #expect(json["meta"]?["total"]?.int == 1)
        let resource = json["resources"]?[0]
        #expect(resource?["attributes"]?["n"]?.number?.text == "1.50")
        let targets = resource?["relationships"]?["b"]?["targets"]?.array ?? []
        #expect(targets.map { $0["found"]?.string } == ["included", "primary", "no"])
        #expect(resource?["relationships"]?["n"]?["state"]?.string == "notLoaded")
    }

    @Test("--json lists errors as they are")
    func jsonErrors() throws {
        let json = try CommandRun("show", "--json", "-", input: #"{"errors": [{"status": "404"}]}"#).outputJSON
        #expect(json["subject"]?.string == "errors")
        #expect(json["errors"]?[0]?["status"]?.string == "404")
        #expect(json["resources"]?.array?.isEmpty == true)
    }

    @Test("Several files are shown in order, even if one is invalid")
    func severalFiles() throws {
        try CommandRun.withFile(#"{"data":{"type":"a","id":"1"}}"#) { file in
            let run = CommandRun("show", file, "/no/such/file.json", "-", input: #"{"data":null}"#)
            #expect(run.status == 2)
            #expect(
                run.lines == [
                    "\(file):", "one identifier, or a resource without fields", "", "a 1", "", "<stdin>:", "no resource (data is null)", "",
                ])
            #expect(run.error == "jsonapi: cannot read /no/such/file.json: no such file\n")
            let list = try CommandRun("show", "--json", file, "-", input: #"{"data":null}"#).outputJSON
            #expect(list[0]?["file"]?.string == file && list[0]?["subject"]?.string == "resource")
            #expect(list[1]?["file"]?.string == "-" && list[1]?["subject"]?.string == "null")
            #expect(list.array?.count == 2)
            #expect(CommandRun("show", "--graph", "dot", file, file).status == 2)
        }
    }
}

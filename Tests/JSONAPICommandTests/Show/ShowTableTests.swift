import Foundation
import JSONAPICommand
import JSONText
import TestSupport
import Testing

@Suite("jsonapi show: tables")
struct ShowTableTests {
    private func shown(_ document: String, _ options: String..., width: Int? = nil) -> [String] {
        let environment = width.map { ["COLUMNS": "\($0)"] } ?? [:]
        let run = CommandRun(
            ["show"] + options + ["-"], input: document, terminal: Terminal(isInteractive: false, environment: environment))
        #expect(run.status == 0, "\(run.error)")
        return run.lines.dropLast()
    }

    private static let library = #"""
        {"data": [
          {"type": "books", "id": "1", "attributes": {"title": "Emma", "pages": 474, "isbn": "12"},
           "relationships": {"author": {"data": {"type": "people", "id": "9"}}, "shop": {"links": {"related": "/shop"}},
                             "chapters": {"data": [{"type": "chapters", "id": "1"}, {"type": "chapters", "id": "2"}]}}},
          {"type": "books", "id": "20", "attributes": {"title": "Der Prozeß", "pages": null, "tags": ["a", "b"]},
           "relationships": {"author": {"data": null}, "chapters": {"data": []}}}],
         "included": [{"type": "people", "id": "9", "attributes": {"name": "Jane"}}]}
        """#

    @Test("Rows are resources, columns are members, and ambiguous values are quoted")
    func table() {
        #expect(
            shown(Self.library, "--layout", "table") == [
                "2 books, 1 included resource",
                "",
                "books (2)",
                "id  title       pages  isbn  tags        author →  chapters →",
                #"1   Emma          474  "12"              people 9  2 chapters"#,
                #"20  Der Prozeß   null        ["a", "b"]  none      empty"#,
                "",
                "included people (1)",
                "id  name",
                "9   Jane",
            ])
    }

    @Test("A long collection of one type is a table, and others are trees")
    func automatic() {
        func collection(_ count: Int, _ type: (Int) -> String = { _ in "a" }) -> String {
            let resources = (1...count).map { #"{"type":"\#(type($0))","id":"\#($0)","attributes":{"n":\#($0)}}"# }
            return #"{"data":[\#(resources.joined(separator: ","))]}"#
        }
        #expect(shown(collection(20))[3...5] == ["id   n", "1    1", "2    2"])
        #expect(shown(collection(19)).contains("└─ n: 19"))
        #expect(shown(collection(40) { $0 == 40 ? "b" : "a" }).contains("└─ n: 39"))
        #expect(shown(collection(20), "--layout", "tree").contains("└─ n: 20"))
    }

    @Test("Lines fit the terminal, and omitted columns are named", arguments: [20, 40, 60, 80, 200])
    func width(columns: Int) {
        let attributes = (1...12).map { #""attribute\#($0)":"\#(String(repeating: "x", count: $0 * 3))""# }.joined(separator: ",")
        let resources = (1...25).map { #"{"type":"a","id":"\#($0)","attributes":{\#(attributes)}}"# }.joined(separator: ",")
        let document = #"{"data":[\#(resources)]}"#
        let lines = shown(document, width: columns)
        let rows = lines.dropFirst(3).prefix(26)
        #expect(rows.allSatisfy { $0.count <= columns })
        #expect(rows.last?.hasPrefix("25") == true)
        #expect(lines.last?.hasPrefix("not shown: attribute") == (columns < 120))
        let all = shown(document, "--all", width: columns)
        #expect(all.contains { $0.contains(String(repeating: "x", count: 36)) })
    }

    @Test("Wide characters take two columns, and combining marks none")
    func wideCharacters() {
        let lines = shown(
            #"""
            {"data": [{"type": "a", "id": "1", "attributes": {"name": "日本語", "n": 1}},
                      {"type": "a", "id": "2", "attributes": {"name": "Cafe\u0301", "n": 2}},
                      {"type": "a", "id": "3", "attributes": {"name": "👩‍👩‍👧", "n": 3}}]}
            """#, "--layout", "table")
        #expect(lines[4...] == ["1   日本語  1", "2   Cafe\u{301}    2", "3   👩‍👩‍👧      3"])
    }

    @Test("Cells are cut with a mark")
    func cut() {
        let lines = shown(
            #"{"data": [{"type": "a", "id": "1", "attributes": {"x": "\#(String(repeating: "日", count: 100))"}}]}"#, "--layout", "table",
            width: 20)
        #expect(lines.last == "1   日日日日日日日…")
    }

    @Test("A document without rows is a tree", arguments: [#"{"errors": [{"title": "x"}]}"#, #"{"data": null}"#, #"{"meta": {"a": 1}}"#])
    func noRows(document: String) {
        #expect(shown(document, "--layout", "table") == shown(document))
    }

    @Test("Resources, each with an attribute of its own, take linear time", arguments: [[], ["--all"]])
    func many(options: [String]) {
        let growth = TimeGrowth(from: 1_000) { count in
            let resources = (1...count).map { #"{"type":"a","id":"\#($0)","attributes":{"n":\#($0),"own\#($0)":true}}"# }
            let document = #"{"data":[\#(resources.joined(separator: ","))]}"#
            return processorSeconds {
                let run = CommandRun(["show"] + options + ["-"], input: document)
                #expect(run.lines.count > count)
                #expect(run.output.contains("more\n"))
            }
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test("One long text does not widen other lines")
    func oneLongText() {
        let text = String(repeating: "x", count: 100_000)
        let resources = (0..<2_000).map { #"{"type":"a","id":"\#($0)","attributes":{"t":"\#($0 == 7 ? text : "")","n":1}}"# }
        let run = CommandRun("show", "--all", "-", input: #"{"data":[\#(resources.joined(separator: ","))]}"#)
        #expect(run.output.contains(text))
        #expect(run.output.utf8.count < 1_000_000)
    }

    @Test("Ids are complete, or distinct if longer than half of the line")
    func wideIDs() {
        func table(_ ids: [String], width: Int) -> [String] {
            let resources = ids.map { #"{"type":"a","id":"\#($0)","attributes":{"t":"\#(String(repeating: "x", count: 80))"}}"# }
            return Array(shown(#"{"data":[\#(resources.joined(separator: ","))]}"#, "--layout", "table", width: width).dropFirst(4))
        }
        let uuids = ["1d9b3f6e-52cb-4a3e-8f0d-0c1b2a3d4e5f", "1d9b3f6e-52cb-4a3e-8f0d-0c1b2a3d4e60"]
        #expect(table(uuids, width: 80).map { String($0.prefix(38)) } == uuids.map { "\($0)  " })
        let cut = table(uuids, width: 60)
        #expect(cut.allSatisfy { $0.count == 60 })
        #expect(Set(cut.map { $0.prefix(36) }) == Set(uuids.map { $0.prefix(36) }))
        let early = table(["abcdefgh-0123456789012345678901234567890", "zbcdefgh-0123456789012345678901234567890"], width: 40)
        #expect(early.map { String($0.prefix(22)) } == ["abcdefgh-0123456789…  ", "zbcdefgh-0123456789…  "])
    }

    @Test("Columns without values are omitted and named, except with --all")
    func emptyColumns() {
        let document = #"""
            {"data": [{"type": "a", "id": "1", "attributes": {"x": null, "n": 0, "tags": []}, "relationships": {"r": {"data": null}}},
                      {"type": "a", "id": "2", "attributes": {"n": false, "note": ""}, "relationships": {"r": {"data": []}}}]}
            """#
        let lines = shown(document, "--layout", "table")
        #expect(lines[3...] == ["id  n", "1   0", "2   false", "without values: x, tags, note, r →"])
        #expect(shown(document, "--layout", "table", "--all")[3] == "id     x  n      tags  note  r →")
    }

    @Test("Shortened headings are distinct")
    func distinctHeadings() {
        let document = #"""
            {"data": [{"type": "a", "id": "1", "attributes": {"sponsorship-level-name": "x", "sponsorship-level-rank": "y", "sponsorship": 1}}]}
            """#
        let headings = shown(document, "--layout", "table", width: 60)[3].split(separator: " ")
        #expect(headings == ["id", "sponsorship-level-n…", "sponsorship-level-r…", "sponsor…"] || Set(headings).count == 4)
        #expect(headings.contains { $0.hasPrefix("sponsorship-level-n") } && headings.contains { $0.hasPrefix("sponsorship-level-r") })
    }

    @Test("--columns chooses the columns and their order")
    func columns() {
        #expect(
            shown(Self.library, "--columns", "author,title") == [
                "2 books, 1 included resource", "", "books (2)", "id  author →  title", "1   people 9  Emma", "20  none      Der Prozeß",
            ])
        #expect(shown(Self.library, "--columns=name,pages").suffix(3) == ["included people (1)", "id  name", "9   Jane"])
        let run = CommandRun("show", "--columns", "titel", "-", input: Self.library)
        #expect(run.error == "<stdin>: note: there is no column `titel`; did you mean `title`?\n")
        #expect(CommandRun("show", "--columns", "title", "--layout", "tree", "-").status == 2)
    }

    @Test("A column whose name only Swift's strings take for equal is noted as missing")
    func columnsOfEqualCharacters() {
        let document =
            #"{"data":[{"type":"a","id":"1","attributes":{"e\u0301":1}}],"included":[{"type":"b","id":"2","attributes":{"e\u0301":2}}]}"#
        let run = CommandRun("show", "--columns", "\u{E9}", "-", input: document)
        #expect(run.error.contains("<stdin>: note: there is no column `\u{E9}`"))
        #expect(!run.output.contains("included b"))
        #expect(CommandRun("show", "--columns", "e\u{301}", "-", input: document).error.contains("no column") == false)
    }

    @Test("Only one layout can be chosen")
    func exclusive() {
        #expect(CommandRun("show", "--json", "--graph", "dot", "-").status == 2)
        #expect(CommandRun("show", "--layout", "table", "--graph", "dot", "-").status == 2)
        #expect(CommandRun("show", "--layout", "tabel", "-").error.contains("did you mean `table`?"))
    }
}

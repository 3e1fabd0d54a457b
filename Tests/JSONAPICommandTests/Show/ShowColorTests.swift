import JSONAPICommand
import Testing

@Suite("jsonapi show: colors")
struct ShowColorTests {
    private static let article = #"""
        {"data": {"type": "articles", "id": "1", "attributes": {"title": "JSON:API", "words": 12, "draft": null},
                  "relationships": {"author": {"data": {"type": "people", "id": "9"}}}}}
        """#
    private static let terminal = Terminal(isInteractive: true)

    private func shown(_ options: [String] = [], on terminal: Terminal) -> String {
        CommandRun(["show"] + options + ["-"], input: Self.article, terminal: terminal).output
    }

    @Test("A terminal gets colors by the kind of value")
    func terminal() {
        let output = shown(on: Self.terminal)
        #expect(output.contains("\u{1B}[36mtitle\u{1B}[0m: \u{1B}[32m\"JSON:API\"\u{1B}[0m"))
        #expect(output.contains("\u{1B}[36mwords\u{1B}[0m: \u{1B}[33m12\u{1B}[0m"))
        #expect(output.contains("\u{1B}[35mauthor\u{1B}[0m → \u{1B}[1mpeople 9\u{1B}[0m"))
    }

    @Test("The text is the same without colors")
    func onlyColors() {
        let colored = shown(on: Self.terminal)
        #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == shown(on: .none))
    }

    @Test(
        "Only a terminal that supports colors gets them",
        arguments: [
            Terminal.none, Terminal(isInteractive: true, environment: ["NO_COLOR": "1"]),
            Terminal(isInteractive: true, environment: ["TERM": "dumb"]),
        ])
    func refusal(terminal: Terminal) {
        #expect(!shown(on: terminal).contains("\u{1B}"))
        #expect(shown(["--color", "always"], on: terminal).contains("\u{1B}[36m"))
    }

    @Test("An empty NO_COLOR is ignored, and --color never takes precedence")
    func wishes() {
        #expect(shown(on: Terminal(isInteractive: true, environment: ["NO_COLOR": "", "TERM": "xterm"])).contains("\u{1B}"))
        #expect(!shown(["--color=never"], on: Self.terminal).contains("\u{1B}"))
    }

    @Test("A misspelled value gets a suggestion")
    func slip() {
        let run = CommandRun("show", "--color", "allways", "-", input: Self.article)
        #expect(run.status == 2)
        #expect(run.error.contains("unknown value of --color `allways`; did you mean `always`?"))
    }

    @Test(
        "Escape sequences of a document never reach the terminal, in any form of output",
        arguments: [["--color", "always"], ["--layout", "table"], ["--graph", "dot"], ["--graph", "mermaid"], ["--layout", "tree"]])
    func hostile(options: [String]) {
        let evil = #"\u001b]0;x\u0007\u001b[31m\u009b2J\r\n\u202e\u2028\u0000"#
        let document = #"""
            {"data": [{"type": "a\#(evil)", "id": "1\#(evil)", "lid": "\#(evil)", "attributes": {"title": "\#(evil)", "\#(evil)": {"\#(evil)": ["\#(evil)"]}},
                      "relationships": {"\#(evil)": {"data": [{"type": "\#(evil)", "id": "\#(evil)", "meta": {"\#(evil)": "\#(evil)"}}],
                                                     "links": {"\#(evil)": "\#(evil)"}}},
                      "links": {"\#(evil)": "\#(evil)"}, "meta": {"\#(evil)": "\#(evil)"}, "\#(evil)": "\#(evil)"}],
             "links": {"\#(evil)": {"href": "\#(evil)", "title": "\#(evil)"}}, "meta": {"\#(evil)": "\#(evil)"}, "jsonapi": {"\#(evil)": "\#(evil)"},
             "\#(evil)": "\#(evil)"}
            """#
        let terminal = Terminal(isInteractive: true, environment: ["TERM": "dumb"])
        let run = CommandRun(["show", "--all"] + options + ["-"], input: document, terminal: terminal)
        #expect(run.status == 0, "\(run.error)")
        let own = run.output.replacing(/\u{1B}\[[0-9;]+m/, with: "")
        #expect(own == run.output || options == ["--color", "always"])
        let isHarmless = (own + run.error).unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || (scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && !(0x2028...0x202E).contains(scalar.value))
        }
        #expect(isHarmless)
    }

    @Test("JSON for programs has no escape character either")
    func hostileJSON() {
        let run = CommandRun("show", "--json", "-", input: #"{"meta": {"\u001b[31m": "\u001b[0m\u0007"}}"#)
        #expect(run.status == 0)
        #expect(!run.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    }

    @Test("Escape sequences in errors and operations are escaped", arguments: ["errors", "atomic:operations", "atomic:results"])
    func hostileLists(name: String) {
        let evil = #"\u001b[31m\u0007"#
        let entry = #"""
            {"status": "\#(evil)", "title": "\#(evil)", "detail": "\#(evil)", "code": "\#(evil)", "id": "\#(evil)", "\#(evil)": "\#(evil)", "op": "\#(evil)",
             "href": "\#(evil)", "ref": {"type": "\#(evil)", "id": "\#(evil)", "relationship": "\#(evil)"}, "links": {"about": "\#(evil)"},
             "source": {"pointer": "\#(evil)", "parameter": "\#(evil)", "header": "\#(evil)"}, "data": {"type": "\#(evil)", "id": "\#(evil)"}}
            """#
        let run = CommandRun("show", "-", input: #"{"\#(name)": [\#(entry)]}"#)
        #expect(!run.output.isEmpty)
        #expect(!(run.output + run.error).unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{07}" })
    }
}

import JSONAPICommand
import JSONText
import Testing

@Suite("jsonapi format")
struct FormatCommandTests {
    @Test("Two spaces for each level, and a line break at the end")
    func indented() {
        let run = CommandRun("format", "-", input: #"{"b":[1,{}],"a":null}"#)
        #expect(run.status == 0)
        #expect(run.output == "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": null\n}\n")
        #expect(run.error.isEmpty)
    }

    @Test("--compact prints one line, before or after the file")
    func compact() {
        #expect(CommandRun("format", "--compact", "-", input: "{ \"a\" : [ 1 , 2 ] }\n").output == "{\"a\":[1,2]}\n")
        #expect(CommandRun("format", "-", "--compact", input: "[ ]").output == "[]\n")
    }

    @Test("--sort-keys sorts names by bytes, and keeps the order of repeated ones")
    func sorted() {
        let run = CommandRun("format", "--compact", "--sort-keys", "-", input: #"{"b":1,"é":2,"B":3,"a":{"z":1,"y":2},"b":4}"#)
        #expect(run.output == #"{"B":3,"a":{"y":2,"z":1},"b":1,"b":4,"é":2}"# + "\n")
    }

    @Test(
        "Numbers keep every digit",
        arguments: ["1.50", "-0", "1E400", "9007199254740993", "0.1000", "1e-2", "123456789012345678901234567890.0"])
    func numbers(text: String) {
        #expect(CommandRun("format", "-", input: text).output == text + "\n")
    }

    @Test("Strings have the shortest escapes")
    func strings() {
        #expect(CommandRun("format", "-", input: #""\u00e9\/\u001f\ud83d\ude00""#).output == "\"é/\\u001f😀\"\n")
    }

    @Test("Formatting twice changes nothing")
    func stable() {
        let first = CommandRun("format", "-", input: #"{"a":[1,[],{"b":"\n"}],"c":{}}"#)
        #expect(CommandRun("format", "-", input: first.output).output == first.output)
    }

    @Test("On a terminal, names, strings, numbers, and literals have colors")
    func colors() {
        let text = #"{"a":["b",-1.5e3,true],"c\":":null}"#
        let colored = CommandRun("format", "--compact", "-", input: text, terminal: Terminal(isInteractive: true)).output
        let (name, string, number, word, end) = ("\u{1B}[36m", "\u{1B}[32m", "\u{1B}[33m", "\u{1B}[34m", "\u{1B}[0m")
        #expect(
            colored
                == #"{\#(name)"a"\#(end):[\#(string)"b"\#(end),\#(number)-1.5e3\#(end),\#(word)true\#(end)],"#
                + #"\#(name)"c\":"\#(end):\#(word)null\#(end)}"# + "\n")
        #expect(CommandRun("format", "--compact", "--color", "always", "-", input: text).output == colored)
        let refused = Terminal(isInteractive: true, environment: ["NO_COLOR": "1"])
        for run in [
            CommandRun("format", "--compact", "-", input: text, terminal: refused),
            CommandRun("format", "--compact", "--color=never", "-", input: text, terminal: Terminal(isInteractive: true)),
            CommandRun("format", "--compact", "-", input: text),
        ] { #expect(run.output == text + "\n") }
    }

    @Test("Control characters are escaped on a terminal, and kept in a file")
    func controlCharacters() {
        let text = "\"\u{7F}\u{9B}31m\u{A0}\"\n"
        #expect(CommandRun("format", "-", input: text).output == text)
        let escaped = #""\u007f\u009b31m"# + "\u{A0}\"\n"
        #expect(CommandRun("format", "--color=never", "-", input: text, terminal: Terminal(isInteractive: true)).output == escaped)
        #expect(CommandRun("format", "-", input: text, terminal: Terminal(isInteractive: true)).output.contains(#"\u009b31m"#))
        let body = CommandRun("build", "create", "x", "v=\u{9B}", "--compact").output
        #expect(body == #"{"data":{"type":"x","attributes":{"v":"\u009b"}}}"# + "\n")
    }

    @Test("An invalid file is status 1, with its place")
    func broken() throws {
        try CommandRun.withFile("{\n  \"a\": 1,\n  \"b\": tru\n}\n") { path in
            let run = CommandRun("format", path)
            #expect(run.status == 1)
            #expect(run.output.isEmpty)
            #expect(run.error.hasPrefix("\(path):3:"))
            #expect(run.error.contains(": error: "))
            #expect(run.lines == [""])
        }
    }

    @Test("An invalid text on standard input is reported with its place, also as JSON")
    func brokenInput() throws {
        #expect(CommandRun("format", "-", input: "[1,\n 2,]").error.hasPrefix("<stdin>:2:4: error: "))
        let run = CommandRun("format", "--json", "-", input: "{\"a\":[1,\n 2,]}")
        #expect(run.status == 1)
        let error = try run.errorJSON
        #expect(error["file"]?.string == "-")
        #expect(error["line"]?.int == 2)
        #expect(error["column"]?.int == 4)
        #expect(error["pointer"]?.string == "/a")
        #expect(error["kind"]?.string == "unexpectedByte")
        #expect(error["message"]?.string?.isEmpty == false)
    }

    @Test("An empty text is an error")
    func empty() {
        let run = CommandRun("format", "-")
        #expect(run.status == 1)
        #expect(run.error.hasPrefix("<stdin>:1:1: error: "))
    }

    @Test("512 levels are accepted, and more are a limit error")
    func deep() throws {
        let good = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(CommandRun("format", "--compact", "-", input: good).output == good + "\n")
        for count in [513, 1_000_000] {
            let run = CommandRun("format", "--json", "-", input: String(repeating: "[", count: count))
            #expect(run.status == 1)
            #expect(try run.errorJSON["kind"]?.string == "depthLimit")
            #expect(try run.errorJSON["column"]?.int == 513)
        }
    }
}

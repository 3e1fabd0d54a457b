import Foundation
import JSONAPICommand
import JSONText
import TestSupport
import Testing

@Suite("The command line")
struct CommandTests {
    @Test("Help goes to standard output with status 0", arguments: ["--help", "-h"])
    func help(option: String) {
        let run = CommandRun(option)
        #expect(run.status == 0)
        #expect(run.output.contains("USAGE: jsonapi SUBCOMMAND"))
        #expect(run.output.contains("show") && run.output.contains("flatten") && run.output.contains("format"))
        #expect(run.error.isEmpty)
    }

    @Test("Every subcommand has help", arguments: ["show", "flatten", "format"])
    func subcommandHelp(name: String) {
        let run = CommandRun(name, "--help")
        #expect(run.status == 0)
        #expect(run.output.contains("USAGE: jsonapi \(name) "))
        #expect(run.output.contains("--json"))
    }

    @Test("The version is one line")
    func version() {
        let run = CommandRun("--version")
        #expect(run.status == 0)
        #expect(run.lines.count == 2)
        #expect(run.output.hasPrefix("jsonapi "))
    }

    @Test("Without arguments the help goes to standard error with status 2")
    func nothing() {
        let run = CommandRun()
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.error.contains("USAGE"))
    }

    @Test("A misspelled name gets a suggestion")
    func nearestNames() {
        #expect(CommandRun("shwo", "-").error.contains("unknown subcommand `shwo`; did you mean `show`?"))
        #expect(CommandRun("format", "--sortkeys", "-").error.contains("unknown option `--sortkeys`; did you mean `--sort-keys`?"))
        #expect(CommandRun("--hlep").error.contains("did you mean `--help`?"))
        #expect(!CommandRun("teleport").error.contains("did you mean"))
    }

    @Test(
        "Wrong usage ends with status 2 and prints no result",
        arguments: [
            ["teleport"], ["--teleport"], ["show"], ["show", "a", "b"], ["format", "--wide", "-"], ["format", "--compact=yes", "-"],
        ])
    func wrongUsage(arguments: [String]) {
        var (output, error) = (Data(), Data())
        let status = Command.run(
            arguments: arguments, input: { Data("{}".utf8) }, output: { output.append($0) }, error: { error.append($0) })
        #expect(status == 2)
        #expect(output.isEmpty)
        #expect(String(decoding: error, as: UTF8.self).hasPrefix("jsonapi: "))
    }

    @Test("Without a file, standard input is read when it is a pipe", arguments: ["show", "flatten", "format", "validate", "generate"])
    func pipedInput(name: String) {
        let document = #"{"data":[{"type":"books","id":"1"}]}"#
        let run = CommandRun(name, input: document, terminal: Terminal(isInteractive: false, hasPipedInput: true))
        #expect(run.status == 0)
        #expect(run.output == CommandRun(name, "-", input: document).output)
        let typed = CommandRun(name, input: document)
        #expect(typed.status == 2)
        #expect(typed.error.contains(", or - for standard input"))
    }

    @Test("Standard input is read only once", arguments: ["show", "validate", "generate", "schema", "diff"])
    func standardInputTwice(name: String) {
        let run = CommandRun(name, "-", "-", input: #"{"data":[]}"#)
        #expect(run.status == 2)
        #expect(run.error.contains("standard input can be read only once"))
    }

    @Test("After --, every argument is a file")
    func endOfOptions() {
        #expect(CommandRun("format", "--", "--compact").error == "jsonapi: cannot read --compact: no such file\n")
    }

    @Test("A missing file ends with status 2", arguments: ["show", "flatten", "format"])
    func missingFile(name: String) {
        let run = CommandRun(name, "/no/such/file.json")
        #expect(run.status == 2)
        #expect(run.error == "jsonapi: cannot read /no/such/file.json: no such file\n")
        #expect(run.output.isEmpty)
    }

    @Test("A folder ends with status 2", arguments: ["show", "flatten", "format"])
    func folder(name: String) {
        let folder = TestFolder.url.path
        let run = CommandRun(name, folder)
        #expect(run.status == 2)
        #expect(run.error == "jsonapi: cannot read \(folder): it is a folder\n")
    }

    @Test("With --json a missing file is an object on standard error")
    func missingFileAsJSON() throws {
        let run = CommandRun("show", "--json", "/no/such/file.json")
        #expect(run.status == 2)
        let error = try run.errorJSON
        #expect(error["file"]?.string == "/no/such/file.json")
        #expect(error["kind"]?.string == "unreadableFile")
        #expect(error["line"]?.isNull == true)
    }

    @Test("Control characters of a file's name cannot reach the terminal")
    func namesAreEscaped() {
        #expect(CommandRun("show", "a\u{1B}[31mb").error == "jsonapi: cannot read a\\u001b[31mb: no such file\n")
    }

    @Test("A closed pipe ends the command silently")
    func brokenPipe() {
        var error = Data()
        let status = Command.run(
            arguments: ["format", "-"], input: { Data("[1]".utf8) }, output: { _ in throw POSIXError(.EPIPE) },
            error: { error.append($0) })
        #expect(status == 0)
        #expect(error.isEmpty)
    }

    /// The status of a run whose output nobody reads.
    private func unreadStatus(_ arguments: String..., input: String) -> Int32 {
        Command.run(
            arguments: arguments, input: { Data(input.utf8) }, output: { _ in throw POSIXError(.EPIPE) }, error: { _ in })
    }

    @Test("validate and diff give their verdict although the reader closes the pipe")
    func verdictWithoutReader() throws {
        let (empty, broken, doubtful) = (#"{"data":null}"#, #"{"data":{"type":"a"}}"#, #"{"data":null,"links":{"next":"/2"}}"#)
        #expect(unreadStatus("validate", "-", input: broken) == 1)
        #expect(unreadStatus("validate", "--json", "-", input: broken) == 1)
        #expect(unreadStatus("validate", "-", input: doubtful) == 0)
        #expect(unreadStatus("validate", "-", "/no/such/file.json", input: doubtful) == 2)
        try CommandRun.withFile(empty) { file in
            for option in ["--all", "--json", "--patch"] {
                #expect(unreadStatus("diff", option, file, "-", input: doubtful) == 1)
                #expect(unreadStatus("diff", option, file, "-", input: empty) == 0)
            }
        }
    }

    @Test("After a closed pipe the rest of the output is dropped")
    func outputAfterClosedPipe() {
        var (writes, error) = (0, Data())
        let text = "[" + (0..<100_000).map { #"{"type":"a","id":"\#($0)","x":1}"# }.joined(separator: ",") + "]"
        let status = Command.run(
            arguments: ["validate", "-"], input: { Data("{\"data\":\(text)}".utf8) },
            output: { _ in
                writes += 1
                throw POSIXError(.EPIPE)
            }, error: { error.append($0) })
        #expect(status == 1 && writes == 1)
        #expect(String(decoding: error, as: UTF8.self).hasPrefix("jsonapi: 100000 errors"))
    }

    @Test("Output that cannot be written is status 2")
    func fullDisk() {
        var error = Data()
        let status = Command.run(
            arguments: ["format", "-"], input: { Data("[1]".utf8) }, output: { _ in throw POSIXError(.ENOSPC) },
            error: { error.append($0) })
        #expect(status == 2)
        #expect(String(decoding: error, as: UTF8.self).hasPrefix("jsonapi: cannot write the output: "))
    }

    @Test("With --json, output that cannot be written is an object on standard error")
    func fullDiskAsJSON() throws {
        var error = Data()
        let status = Command.run(
            arguments: ["show", "--json", "-"], input: { Data(#"{"data":null}"#.utf8) }, output: { _ in throw POSIXError(.ENOSPC) },
            error: { error.append($0) })
        #expect(status == 2)
        let object = try JSON(parsing: error)
        #expect(object["kind"] == "unwritableOutput")
        #expect(object["message"]?.string?.hasPrefix("jsonapi: cannot write the output: ") == true)
    }

    #if os(Linux)
        @Test("A pipe that its reader closes is status 0", .enabled(if: BuiltModules.folder != nil, "the built program is not there"))
        func closedPipe() throws {
            let modules = try #require(BuiltModules.folder)
            let numbers = "[" + (0..<100_000).map(String.init).joined(separator: ",") + "]"
            try CommandRun.withFile(numbers) { file in
                // The pipe closes before the program has written its whole output, which is longer than a pipe can hold.
                let script = #"{ env --default-signal=PIPE "$1" format "$2"; echo "status $?" >&2; } | head -1"#
                let run = try modules.run(["sh", "-c", script, "sh", modules.path + "/jsonapi", file])
                #expect(run.output.contains("status 0"), "\(run.output.prefix(1000))")
            }
        }
    #endif

    @Test("A failing standard input is status 2")
    func brokenInput() {
        var error = Data()
        let status = Command.run(
            arguments: ["show", "-"], input: { throw POSIXError(.EIO) }, output: { _ in }, error: { error.append($0) })
        #expect(status == 2)
        #expect(String(decoding: error, as: UTF8.self).hasPrefix("jsonapi: cannot read <stdin>: "))
    }

    @Test("With --json, notes and wrong arguments are JSON as well")
    func machineReadableNotes() throws {
        let run = CommandRun("show", "--json", "--wrong")
        #expect(run.status == 2)
        let usage = try run.errorJSON
        #expect(usage["kind"] == "usage" && usage["message"]?.string?.contains("--wrong") == true)
        #expect(CommandRun("show", "--wrong").error.hasPrefix("{") == false)
        func document(_ x: Int) -> String { #"{"data":{"type":"a","id":"1","attributes":{"x":\#(x)}}}"# }
        try CommandRun.withFile(document(1)) { first in
            try CommandRun.withFile(document(2)) { second in
                let archive = first + ".archive"
                defer { try? FileManager.default.removeItem(atPath: archive) }
                let run = CommandRun("archive", "pack", "--json", archive, first, second)
                let note = try run.errorJSON
                #expect(note["kind"] == "duplicateResource" && note["severity"] == "note", "\(run.error)")
            }
        }
    }
}

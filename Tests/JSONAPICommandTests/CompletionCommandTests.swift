import Foundation
import Testing

@testable import JSONAPICommand

@Suite("jsonapi completion")
struct CompletionCommandTests {
    @Test("The script of every shell has all subcommands, options, and choices", arguments: Shell.allCases)
    func complete(shell: Shell) {
        let run = CommandRun("completion", shell.rawValue)
        #expect(run.status == 0)
        for subcommand in Command.subcommands {
            #expect(run.output.contains(subcommand.name))
            for option in subcommand.allOptions {
                let written = shell == .fish ? "-l \(option.name) " : "--\(option.name)"
                #expect(run.output.contains(written), "\(subcommand.name) --\(option.name)")
                if !option.choices.isEmpty { #expect(run.output.contains(option.choices.joined(separator: " "))) }
            }
            #expect(run.output.contains(subcommand.operandChoices.joined(separator: " ")) || subcommand.operandChoices.isEmpty)
        }
    }

    @Test("Choices come from the placeholder of a value")
    func choices() {
        #expect(Option(name: "color", value: "always|never|auto", meaning: "").choices == ["always", "never", "auto"])
        #expect(Option(name: "to-one", value: "NAME=TYPE:ID|null", meaning: "").choices.isEmpty)
        #expect(Option(name: "as", value: "KIND", choices: ["atomic-request"], meaning: "").choices == ["atomic-request"])
    }

    @Test("A misspelled shell gets a suggestion")
    func slip() {
        #expect(CommandRun("completion", "bsh").error.contains("unknown shell `bsh`; did you mean `bash`?"))
        #expect(CommandRun("completion").status == 2)
    }

    #if os(Linux) || os(macOS)
        @Test(
            "bash completes subcommands, options, choices and actions",
            .enabled(if: Program.isThere("/bin/bash")),
            arguments: [
                (["jsonapi", "sh"], ["show"]), (["jsonapi", "--v"], ["--version"]), (["jsonapi", "show", "--la"], ["--layout"]),
                (["jsonapi", "show", "--layout", "t"], ["tree", "table"]), (["jsonapi", "show", "--layout", "=", "ta"], ["table"]),
                (["jsonapi", "show", "--color", "="], ["always", "never", "auto"]),
                (["jsonapi", "archive", ""], ["pack", "list", "get", "unpack", "verify", "recover", "compact"]),
                (["jsonapi", "archive", "list", ""], []),
                (["jsonapi", "archive", "--json", "ve"], ["verify"]), (["jsonapi", "show", ""], []),
                (["jsonapi", "validate", "--as", "atomic"], ["atomic-request", "atomic-response"]),
                (["jsonapi", "completion", "f"], ["fish"]), (["jsonapi", "teleport", ""], []),
            ])
        func bash(words: [String], answers: [String]) throws {
            let typed = words.map { "'\($0)'" }.joined(separator: " ")
            let script = #"""
                \#(CommandRun("completion", "bash").output)
                COMP_WORDS=(\#(typed)); COMP_CWORD=\#(words.count - 1); _jsonapi; printf '%s\n' "${COMPREPLY[@]}"
                """#
            let output = try Program.run("/bin/bash", ["-u", "-c", script])
            #expect(output.split(separator: "\n").map(String.init) == answers)
        }

        @Test("zsh accepts its script", .enabled(if: Program.isThere("/usr/bin/zsh") || Program.isThere("/bin/zsh")))
        func zsh() throws {
            let path = Program.isThere("/bin/zsh") ? "/bin/zsh" : "/usr/bin/zsh"
            let script = "autoload -U compinit && compinit -D -u\n\(CommandRun("completion", "zsh").output)\nprint -- $_comps[jsonapi]"
            #expect(try Program.run(path, ["-f", "-c", script]) == "_jsonapi\n")
        }

        @Test(
            "fish completes subcommands, options, choices and actions",
            .enabled(if: Program.isThere("/usr/bin/fish")),
            arguments: [
                ("jsonapi sho", ["show"]), ("jsonapi show --lay", ["--layout"]), ("jsonapi show --layout t", ["table", "tree"]),
                ("jsonapi archive u", ["unpack"]), ("jsonapi format --comp", ["--compact"]), ("jsonapi --vers", ["--version"]),
            ])
        func fish(typed: String, answers: [String]) throws {
            let script = "\(CommandRun("completion", "fish").output)\ncomplete -C '\(typed)'"
            let output = try Program.run("/usr/bin/fish", ["--no-config", "-c", script])
            let words: [Substring] = output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
            #expect(words.map { String($0) } == answers)
        }
    #endif
}

#if os(Linux) || os(macOS)
    /// A program of the system.
    enum Program {
        static func isThere(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }

        /// The output of a program on both of its streams.
        static func run(_ path: String, _ arguments: [String]) throws -> String {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.environment = ["HOME": "/nonexistent", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = pipe
            process.standardError = pipe
            try process.run()
            let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: output, as: UTF8.self)
        }
    }
#endif

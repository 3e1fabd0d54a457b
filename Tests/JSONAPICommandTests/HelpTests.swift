import Foundation
import Testing

@testable import JSONAPICommand

@Suite("Help")
struct HelpTests {
    private static let names = Command.subcommands.map { $0.name }

    @Test("The list of subcommands is complete")
    func list() {
        let help = CommandRun("--help").output
        for subcommand in Command.subcommands { #expect(help.contains("  \(subcommand.name) ")) }
        #expect(CommandRun("help").output == help)
    }

    @Test("Every subcommand has usage, options and examples, in lines that fit", arguments: names)
    func help(name: String) {
        let run = CommandRun(name, "--help")
        #expect(run.status == 0)
        #expect(run.output.contains("USAGE: jsonapi \(name) "))
        #expect(run.output.contains("OPTIONS\n") && run.output.contains("EXAMPLES\n  # "))
        #expect(run.output == CommandRun("help", name).output)
        let long = run.lines.filter { $0.count > 130 && !$0.hasPrefix("USAGE") }
        #expect(long.isEmpty)
    }

    @Test("Every example runs", arguments: names)
    func examples(name: String) throws {
        let subcommand = try #require(Command.subcommands.first { $0.name == name })
        #expect(!subcommand.examples.isEmpty)
        for example in subcommand.examples {
            let words = Self.words(of: example.call)
            #expect(words.first == name)
            let arguments = try Arguments(words.dropFirst(), of: name, options: subcommand.options, hasPipedInput: true)
            _ = try subcommand.init(arguments)
        }
    }

    @Test("Help for an unknown subcommand suggests the nearest")
    func slip() {
        #expect(CommandRun("help", "shwo").error.contains("did you mean `show`?"))
        #expect(CommandRun("hlep").error.contains("did you mean `help`?"))
    }

    /// The arguments of a call as a shell splits them: without pipes and redirections, and with quotation marks interpreted.
    private static func words(of call: String) -> [String] {
        guard let start = call.range(of: "jsonapi ", options: .backwards) else { return [] }
        var words: [String] = []
        var (word, isQuoted) = ("", false)
        for character in call[start.upperBound...] + " " {
            switch character {
            case "'": isQuoted.toggle()
            case " " where !isQuoted:
                if ["|", ">", "<"].contains(word) { return words }
                if !word.isEmpty { words.append(word) }
                word = ""
            default: word.append(character)
            }
        }
        return words
    }
}

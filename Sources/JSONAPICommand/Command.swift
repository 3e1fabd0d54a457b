import Foundation
import JSONAPICodec

/// The command `jsonapi`: subcommands that read JSON and JSON:API documents.
///
/// ```swift
/// Command.run(arguments: ["show", "articles.json"])  // 0, with the document on standard output
/// ```
///
/// The result is what the process ends with: 0 good, 1 the input falls short, 2 wrong usage or an unreadable file. Results go to
/// standard output, everything else to standard error.
public enum Command {
    static let version = "0.1.0-dev"

    /// A new subcommand is one file and one element here.
    static let subcommands: [any Subcommand.Type] = [
        ShowCommand.self, DiffCommand.self, ValidateCommand.self, BuildCommand.self, FlattenCommand.self, GenerateCommand.self,
        SchemaCommand.self,
        ArchiveCommand.self, FormatCommand.self, CompletionCommand.self,
    ]

    /// Runs the command on the standard streams of the process. `arguments` are those behind the name of the program.
    public static func run(arguments: [String]) -> Int32 {
        run(
            arguments: arguments, terminal: .standardOutput,
            input: { try InputFile.contents(of: .standardInput) },
            output: { try FileHandle.standardOutput.write(contentsOf: $0) },
            error: { try FileHandle.standardError.write(contentsOf: $0) })
    }

    /// Runs the command on streams of the caller: `input` answers all of standard input, and is asked only for the file `-`.
    ///
    /// The result is written as into a file: no colours, lines of 100 columns. Nothing is thrown. When the reader of `output` has
    /// gone away (`EPIPE`), the rest is dropped without a word.
    public static func run(
        arguments: [String], input: @escaping () throws -> Data, output: @escaping (Data) throws -> Void,
        error: @escaping (Data) throws -> Void
    ) -> Int32 {
        run(arguments: arguments, terminal: .none, input: input, output: output, error: error)
    }

    /// Runs the command on streams of the caller, its result made for that terminal.
    package static func run(
        arguments: [String], terminal: Terminal, input: @escaping () throws -> Data, output: @escaping (Data) throws -> Void,
        error: @escaping (Data) throws -> Void
    ) -> Int32 {
        let console = Console(terminal: terminal, input: input, output: output, error: error)
        do {
            let status = try run(arguments, console)
            try console.flush()
            return status.rawValue
        } catch let usage as UsageError {
            console.complain(usage.text)
            return ExitStatus.unusable.rawValue
        } catch let fault as Fault {
            // What was shown before the fault comes first.
            try? console.flush()
            console.complain(fault)
            return fault.status.rawValue
        } catch let failure as OutputFailure {
            guard !failure.isBrokenPipe else { return ExitStatus.good.rawValue }
            console.complain("jsonapi: cannot write the output: \(failure.reason)")
            return ExitStatus.unusable.rawValue
        } catch {
            console.complain("jsonapi: \(error)")
            return ExitStatus.unusable.rawValue
        }
    }

    private static func run(_ arguments: [String], _ console: Console) throws -> ExitStatus {
        guard let first = arguments.first else {
            console.complain(help)
            return .unusable
        }
        switch first {
        case "--help", "-h":
            try console.print(help)
            return .good
        case "help":
            try console.print(arguments.count > 1 ? subcommand(arguments[1]).help : help)
            return .good
        case "--version":
            try console.print("jsonapi \(version)")
            return .good
        default: break
        }
        guard !first.hasPrefix("-") else {
            throw UsageError.unknown("option", first, known: ["--help", "--version"])
        }
        return try run(subcommand(first), arguments.dropFirst(), console)
    }

    private static func subcommand(_ name: String) throws -> any Subcommand.Type {
        guard let subcommand = subcommands.first(where: { $0.name == name }) else {
            throw UsageError.unknown("subcommand", name, known: subcommands.map { $0.name } + ["help"])
        }
        return subcommand
    }

    private static func run(
        _ subcommand: any Subcommand.Type, _ arguments: ArraySlice<String>, _ console: Console
    ) throws -> ExitStatus {
        if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            try console.print(subcommand.help)
            return .good
        }
        let parsed = try Arguments(arguments, of: subcommand.name, options: subcommand.options)
        console.isMachineReadable = parsed.has("json")
        return try subcommand.init(parsed).run(in: console)
    }

    private static var help: String {
        let width = subcommands.map { $0.name.count }.max() ?? 0
        let list = subcommands.map { "  \($0.name.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.summary)" }
        return """
            Reads JSON and JSON:API documents (https://jsonapi.org).

            USAGE: jsonapi SUBCOMMAND …

            \(list.joined(separator: "\n"))

            A file is a path, or - for standard input. Results go to standard output, errors and notes to standard
            error. The exit status is 0 when all is well, 1 when the input falls short, 2 for wrong usage or a file
            that cannot be read.

            `jsonapi SUBCOMMAND --help` tells more, with examples. `jsonapi --version` names the version, and
            `jsonapi completion SHELL` makes a shell complete all this.
            """
    }
}

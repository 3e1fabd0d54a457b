import Foundation
import JSONAPICodec

/// The command `jsonapi`: subcommands that read JSON and JSON:API documents.
///
/// ```swift
/// Command.run(arguments: ["show", "articles.json"])  // 0, with the document on standard output
/// ```
///
/// The result is the exit status: 0 for success, 1 if the input is not good enough, 2 for wrong usage or a file that cannot be read.
/// Results go to standard output, errors and notes to standard error.
public enum Command {
    static let version = "0.1.0-dev"

    /// A new subcommand is one file and one element here.
    static let subcommands: [any Subcommand.Type] = [
        ShowCommand.self, DiffCommand.self, ValidateCommand.self, BuildCommand.self, FlattenCommand.self, GenerateCommand.self,
        SchemaCommand.self, ArchiveCommand.self, FormatCommand.self, CompletionCommand.self,
    ]

    /// Runs the command on the standard streams of the process. `arguments` does not include the name of the program.
    public static func run(arguments: [String]) -> Int32 { runProcess(FileNames(arguments)) }

    /// Runs the command with the arguments and the standard streams of the process. File names need not be UTF-8.
    ///
    /// The status stays the same if the reader of the output closes the pipe, as `head` does.
    package static func runProcess() -> Int32 {
        Platform.ignoreClosedPipes()
        do {
            let names = try Platform.arguments.map { try FileNames($0) } ?? FileNames(Array(CommandLine.arguments.dropFirst()))
            return runProcess(names)
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("\((error as? UsageError)?.text ?? "\(error)")\n".utf8))
            return ExitStatus.unusable.rawValue
        }
    }

    private static func runProcess(_ names: FileNames) -> Int32 {
        run(
            Console(
                terminal: .ofProcess, fileNames: names,
                input: { try InputFile.contents(of: .standardInput) },
                output: { try FileHandle.standardOutput.write(contentsOf: $0) },
                error: { try FileHandle.standardError.write(contentsOf: $0) }))
    }

    /// Runs the command on streams of the caller. `input` returns all of standard input; it is called only for the file `-`.
    ///
    /// The output is the one for a file: no colors, lines of 100 columns. Nothing is thrown. If `output` throws `EPIPE`, because the
    /// reader closed the pipe, the rest of the output is dropped, and the status is that of the whole run.
    public static func run(
        arguments: [String], input: @escaping () throws -> Data, output: @escaping (Data) throws -> Void,
        error: @escaping (Data) throws -> Void
    ) -> Int32 {
        run(arguments: arguments, terminal: .none, input: input, output: output, error: error)
    }

    /// Runs the command on streams of the caller, with output for the given terminal.
    package static func run(
        arguments: [String], terminal: Terminal, input: @escaping () throws -> Data, output: @escaping (Data) throws -> Void,
        error: @escaping (Data) throws -> Void
    ) -> Int32 {
        run(Console(terminal: terminal, fileNames: FileNames(arguments), input: input, output: output, error: error))
    }

    private static func run(_ console: Console) -> Int32 {
        do {
            let status = try run(console.fileNames.arguments, console)
            try console.flush()
            return status.rawValue
        } catch let usage as UsageError {
            console.complain(usage)
            return ExitStatus.unusable.rawValue
        } catch let fault as Fault {
            // The output before the fault comes first.
            try? console.flush()
            console.complain(fault)
            return fault.status.rawValue
        } catch let failure as OutputFailure {
            console.complain("jsonapi: cannot write the output: \(failure.reason)", kind: "unwritableOutput")
            return ExitStatus.unusable.rawValue
        } catch {
            console.complain("jsonapi: \(error)", kind: "unexpected")
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
        let parsed = try Arguments(
            arguments, of: subcommand.name, options: subcommand.options, hasPipedInput: console.terminal.hasPipedInput)
        try checkText(of: parsed, subcommand, console.fileNames)
        console.isMachineReadable = parsed.has("json")
        return try subcommand.init(parsed).run(in: console)
    }

    /// Throws `UsageError` for an argument that is not UTF-8 and not the name of a file to read.
    private static func checkText(of arguments: Arguments, _ subcommand: any Subcommand.Type, _ names: FileNames) throws {
        let options = subcommand.options.filter { if case .file = $0.completion { false } else { true } }
        let texts = options.flatMap { arguments.values(of: $0.name) } + (subcommand.readsOperands ? [] : arguments.operands)
        guard let name = texts.first(where: { names[$0] != nil }) else { return }
        throw UsageError("the argument `\(ShortText.plain(name, limit: 200))` has to be UTF-8", of: subcommand.name)
    }

    private static var help: String {
        let width = subcommands.map { $0.name.count }.max() ?? 0
        let list = subcommands.map { "  \($0.name.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.summary)" }
        return """
            Reads JSON and JSON:API documents (https://jsonapi.org).

            USAGE: jsonapi SUBCOMMAND …

            \(list.joined(separator: "\n"))

            FILE is a path, or - for standard input. Without a file, a subcommand reads standard input if it is a
            pipe or a file. Results go to standard output, errors and notes to standard error.

            The exit status is 0 for success, 1 if a document is broken or not what was expected, and 2 for wrong
            usage or a file that cannot be read or written. It stays the same if the reader of the output closes the
            pipe, as head does.

            `jsonapi SUBCOMMAND --help` describes a subcommand, with examples. `jsonapi --version` prints the version.
            `jsonapi completion SHELL` prints a script that makes a shell complete subcommands and options.
            """
    }
}

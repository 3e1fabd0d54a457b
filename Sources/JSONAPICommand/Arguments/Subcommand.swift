import Foundation

/// One job of the command: its name, its arguments and what it does.
///
/// ```swift
/// struct CountCommand: Subcommand {
///     static let name = "count"
///     static let summary = "count the resources of a document"
///     static let operands = "FILE"
///     static let options: [Option] = []
///     static let details = ""
///     static let examples = [Example("count articles.json", "how many resources there are")]
///     let file: String
///     init(_ arguments: Arguments) throws { file = try arguments.oneFile() }
///     func run(in console: Console) throws -> ExitStatus { … }
/// }
/// ```
protocol Subcommand: Sendable {
    static var name: String { get }
    /// One line for the list of subcommands, in the imperative.
    static var summary: String { get }
    /// What follows the options in the usage line.
    static var operands: String { get }
    static var options: [Option] { get }
    /// The rest of the help, such as what the output means.
    static var details: String { get }
    /// Example calls, the most common first.
    static var examples: [Example] { get }
    /// The words that the first operand can be; empty if the first operand is a file.
    static var operandChoices: [String] { get }
    /// Whether every operand is a file to read. File names need not be UTF-8; all other arguments must be.
    static var readsOperands: Bool { get }

    /// Reads the arguments. Throws `UsageError`.
    init(_ arguments: Arguments) throws
    /// Does the job. Throws `Fault` if the input is not good enough or cannot be read, and rethrows errors of the output.
    func run(in console: Console) throws -> ExitStatus
}

/// An option: its name, its value and its meaning.
struct Option: Sendable {
    /// The name without its dashes.
    let name: String
    /// The word that stands for the value in the help; nil for an option without a value.
    let value: String?
    /// The words that the value can be; empty if any value is possible.
    let choices: [String]
    /// One line for the help.
    let meaning: String

    /// Creates an option. If `value` has the form `a|b`, these words are the choices.
    init(name: String, value: String? = nil, choices: [String] = [], meaning: String) {
        self.name = name
        self.value = value
        self.meaning = meaning
        let words = (value ?? "").split(separator: "|").map(String.init)
        let areWords = words.count > 1 && words.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
        self.choices = choices.isEmpty && areWords ? words : choices
    }

    /// The option as the usage line and the list of options show it.
    var synopsis: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}

/// An example call of the command.
struct Example: Sendable {
    /// What the user types.
    let call: String
    /// What that does, in a few words.
    let meaning: String

    /// Creates an example. `jsonapi` is put in front of a call that does not name the program.
    init(_ call: String, _ meaning: String) {
        self.call = call.contains("jsonapi ") ? call : "jsonapi \(call)"
        self.meaning = meaning
    }
}

/// The exit status of the process.
enum ExitStatus: Int32, Sendable {
    /// Success.
    case good = 0
    /// The input is not what the subcommand needs, or two documents differ.
    case fallsShort = 1
    /// Wrong usage, or a file that cannot be read or written.
    case unusable = 2
}

extension ExitStatus {
    /// The higher of two statuses, for a run over several files.
    func worse(than other: ExitStatus) -> ExitStatus { rawValue >= other.rawValue ? self : other }
}

extension Subcommand {
    static var operandChoices: [String] { [] }
    static var readsOperands: Bool { true }

    /// The text that `--help` prints.
    static var help: String {
        let usage = (["jsonapi", name] + options.map { "[\($0.synopsis)]" } + [operands]).joined(separator: " ")
        let width = allOptions.map(\.synopsis.count).max() ?? 0
        let list = allOptions.map { "  \($0.synopsis.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.meaning)" }
        let text = """
            \(summary.prefix(1).uppercased() + summary.dropFirst()).

            USAGE: \(usage)

            OPTIONS
            \(list.joined(separator: "\n"))
            """
        let calls = examples.map { "  # \($0.meaning)\n  \($0.call)" }
        let sections = [text, details, calls.isEmpty ? "" : "EXAMPLES\n" + calls.joined(separator: "\n")]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}

import Foundation

/// One job of the command: what it is called, what it takes, what it does.
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
    /// One line for the list of subcommands.
    static var summary: String { get }
    /// What follows the options in the usage line.
    static var operands: String { get }
    static var options: [Option] { get }
    /// The rest of the help: what the output means.
    static var details: String { get }
    /// What it is used for, the most usual first.
    static var examples: [Example] { get }
    /// The words of which the first operand is one; none when it is a file.
    static var operandChoices: [String] { get }

    /// Reads the arguments. Throws `UsageError`.
    init(_ arguments: Arguments) throws
    /// Does the job. Throws `Fault` when the input falls short or cannot be read, and what writing throws.
    func run(in console: Console) throws -> ExitStatus
}

/// What an option is called and means.
struct Option: Sendable {
    /// The name without its dashes.
    let name: String
    /// The word that stands for its value in the help; nil for an option without value.
    let value: String?
    /// The words of which its value is one, where they are known.
    let choices: [String]
    /// One line for the help.
    let meaning: String

    /// An option of that name; `a|b` as its value stands for a choice of these words.
    init(name: String, value: String? = nil, choices: [String] = [], meaning: String) {
        self.name = name
        self.value = value
        self.meaning = meaning
        let words = (value ?? "").split(separator: "|").map(String.init)
        let areWords = words.count > 1 && words.allSatisfy { $0.utf8.allSatisfy { (0x61...0x7A).contains($0) } }
        self.choices = choices.isEmpty && areWords ? words : choices
    }

    /// How it stands in the usage line and in the list of options.
    var synopsis: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}

/// A call of the command that shows what it is good for.
struct Example: Sendable {
    /// What is typed. Without a pipe it begins behind the name of the program.
    let call: String
    /// What that does, in a few words.
    let meaning: String

    init(_ call: String, _ meaning: String) {
        self.call = call.contains("jsonapi ") ? call : "jsonapi \(call)"
        self.meaning = meaning
    }
}

/// What the process ends with.
enum ExitStatus: Int32, Sendable {
    /// All is well.
    case good = 0
    /// The input falls short.
    case fallsShort = 1
    /// Wrong usage, or a file that cannot be read.
    case unusable = 2
}

extension Subcommand {
    static var operandChoices: [String] { [] }

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

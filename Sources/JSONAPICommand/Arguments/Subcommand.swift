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
    var value: String?
    /// One line for the help.
    let meaning: String

    /// How it stands in the usage line and in the list of options.
    var synopsis: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
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
    /// The text that `--help` prints.
    static var help: String {
        let usage = (["jsonapi", name] + options.map { "[\($0.synopsis)]" } + [operands]).joined(separator: " ")
        let all = options + [Option(name: "help", meaning: "print this text")]
        let width = all.map(\.synopsis.count).max() ?? 0
        let list = all.map { "  \($0.synopsis.padding(toLength: width, withPad: " ", startingAt: 0))  \($0.meaning)" }
        let text = """
            \(summary.prefix(1).uppercased() + summary.dropFirst()).

            USAGE: \(usage)

            OPTIONS
            \(list.joined(separator: "\n"))
            """
        return details.isEmpty ? text : text + "\n\n" + details
    }
}

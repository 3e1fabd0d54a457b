/// A shell that completes what its user types.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The text that teaches the shell those subcommands.
    func completion(of subcommands: [any Subcommand.Type]) -> String {
        switch self {
        case .bash: BashCompletion(subcommands).text
        case .zsh: ZshCompletion(subcommands).text
        case .fish: FishCompletion(subcommands).text
        }
    }
}

extension Option {
    /// What may stand behind an option, as far as a shell can help.
    enum Completion {
        case none
        case words([String])
        case file
        case folder
    }

    /// How its value is completed: read off `choices`, or off the word that stands for the value in the help.
    var completion: Completion {
        guard let value else { return .none }
        if !choices.isEmpty { return .words(choices) }
        if value == "FOLDER" { return .folder }
        return value.hasSuffix(".json") || value == "FILE" ? .file : .none
    }
}

extension Subcommand {
    /// All options, `--help` included.
    static var allOptions: [Option] { options + [Option(name: "help", meaning: "print this text")] }
}

import JSONText

/// `jsonapi completion`: what teaches a shell to complete this command.
struct CompletionCommand: Subcommand {
    static let name = "completion"
    static let summary = "print what makes a shell complete subcommands and options"
    static let operands = "bash|zsh|fish"
    static let operandChoices = Shell.allCases.map(\.rawValue)
    static let options: [Option] = []
    static let details = """
        bash  Put into ~/.bashrc:               eval "$(jsonapi completion bash)"
        zsh   Put into ~/.zshrc, behind compinit:  eval "$(jsonapi completion zsh)"
              or write it into a file _jsonapi in a folder of $fpath.
        fish  Write it once:                    jsonapi completion fish > ~/.config/fish/completions/jsonapi.fish
        """
    static let examples = [
        Example("completion bash", "print the text for bash")
    ]

    private let shell: Shell

    init(_ arguments: Arguments) throws {
        guard arguments.operands.count == 1 else {
            throw UsageError("completion takes the name of one shell: bash, zsh or fish", of: Self.name)
        }
        guard let shell = Shell(rawValue: arguments.operands[0]) else {
            throw UsageError.unknown("shell", arguments.operands[0], known: Self.operandChoices, of: Self.name)
        }
        self.shell = shell
    }

    func run(in console: Console) throws -> ExitStatus {
        try console.print(shell.completion(of: Command.subcommands))
        return .good
    }
}

import JSONText

/// `jsonapi completion`: prints a script that makes a shell complete this command.
struct CompletionCommand: Subcommand {
    static let name = "completion"
    static let summary = "print a script that makes a shell complete this command"
    static let operands = "bash|zsh|fish"
    static let readsOperands = false
    static let operandChoices = Shell.allCases.map(\.rawValue)
    static let options: [Option] = []
    static let details = """
        bash  Add this line to ~/.bashrc:                  eval "$(jsonapi completion bash)"
        zsh   Add this line to ~/.zshrc, after compinit:   eval "$(jsonapi completion zsh)"
              or save the script as _jsonapi in a folder of $fpath.
        fish  Save the script: jsonapi completion fish > ~/.config/fish/completions/jsonapi.fish
        """
    static let examples = [
        Example("completion bash", "print the script for bash")
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

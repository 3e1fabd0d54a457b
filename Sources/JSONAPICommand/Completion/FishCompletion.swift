/// Lines for fish.
struct FishCompletion {
    private let subcommands: [any Subcommand.Type]

    init(_ subcommands: [any Subcommand.Type]) { self.subcommands = subcommands }

    var text: String {
        let head = [
            "# Completion of jsonapi for fish.",
            "function __jsonapi_runs",
            "    set -l words (commandline -opc)",
            "    test \"$words[2]\" = $argv[1]",
            "end",
            "complete -c jsonapi -n __fish_use_subcommand -f",
            "complete -c jsonapi -n __fish_use_subcommand -s h -l help -d 'print the help'",
            "complete -c jsonapi -n __fish_use_subcommand -l version -d 'print the version'",
        ]
        return (head + subcommands.flatMap(lines)).joined(separator: "\n")
    }

    private func lines(_ subcommand: any Subcommand.Type) -> [String] {
        let name = subcommand.name
        var lines = ["complete -c jsonapi -n __fish_use_subcommand -a \(name) -d \(quoted(subcommand.summary))"]
        // The word counts only where a subcommand stands: a file may be called like one.
        let isHere = "__jsonapi_runs \(name)"
        let choices = subcommand.operandChoices.joined(separator: " ")
        if !choices.isEmpty {
            let isFirst = "\(isHere); and not __fish_seen_subcommand_from \(choices)"
            lines.append("complete -c jsonapi -n \(quoted(isFirst)) -f -a \(quoted(choices))")
        }
        return lines
            + subcommand.allOptions.map { option in
                let value =
                    switch option.completion {
                    case .none: option.value == nil ? "" : " -x"
                    case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
                    case .file: " -r -F"
                    case .folder: " -x -a '(__fish_complete_directories)'"
                    }
                return "complete -c jsonapi -n \(quoted(isHere)) -l \(option.name)\(value) -d \(quoted(option.meaning))"
            }
    }

    private func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}

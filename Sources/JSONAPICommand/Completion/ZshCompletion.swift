/// A function for zsh, for `eval` or a folder of `$fpath`.
struct ZshCompletion {
    private let subcommands: [any Subcommand.Type]

    init(_ subcommands: [any Subcommand.Type]) { self.subcommands = subcommands }

    var text: String {
        let list = subcommands.map { "        \(quoted("\($0.name):\($0.summary)"))" }
        return #"""
            #compdef jsonapi
            # Completion of jsonapi for zsh.
            _jsonapi() {
                local context state state_descr line
                typeset -A opt_args
                local -a subcommands
                subcommands=(
            \#(list.joined(separator: "\n"))
                )
                _arguments -C '(- *)'{-h,--help}'[print the help]' '(- *)--version[print the version]' '1: :->subcommand' '*:: :->arguments'
                case $state in
                subcommand) _describe -t subcommands subcommand subcommands ;;
                arguments)
                    case $words[1] in
            \#(subcommands.map(branch).joined(separator: "\n"))
                    esac
                    ;;
                esac
            }
            if [ "$funcstack[1]" = _jsonapi ]; then _jsonapi "$@"; else compdef _jsonapi jsonapi; fi
            """#
    }

    private func branch(_ subcommand: any Subcommand.Type) -> String {
        var specifications = subcommand.allOptions.map(specification)
        let choices = subcommand.operandChoices
        if !choices.isEmpty { specifications.append(quoted("1:what:(\(choices.joined(separator: " ")))")) }
        specifications.append("'*:file:_files'")
        return "        \(subcommand.name)) _arguments \(specifications.joined(separator: " ")) ;;"
    }

    /// `'*--color=[when]:WHEN:(always never)'`; an option with a value may be repeated.
    private func specification(_ option: Option) -> String {
        let meaning = escaped(option.meaning, "[]\\:")
        guard let value = option.value else { return quoted("--\(option.name)[\(meaning)]") }
        let action =
            switch option.completion {
            case .none: " "
            case .words(let words): "(\(words.joined(separator: " ")))"
            case .file: "_files"
            case .folder: "_files -/"
            }
        return quoted("*--\(option.name)=[\(meaning)]:\(escaped(value, "\\:")):\(action)")
    }

    private func escaped(_ text: String, _ special: String) -> String {
        text.reduce(into: "") { $0 += special.contains($1) ? "\\\($1)" : String($1) }
    }

    private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
}

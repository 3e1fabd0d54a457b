/// A function for bash, of version 3.2 too, which Apple ships.
struct BashCompletion {
    private let subcommands: [any Subcommand.Type]

    init(_ subcommands: [any Subcommand.Type]) { self.subcommands = subcommands }

    var text: String {
        let values = subcommands.flatMap { subcommand in subcommand.options.compactMap { valueCase(subcommand.name, $0) } }
        return #"""
            # Completion of jsonapi for bash.
            _jsonapi() {
                local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" options="" words="" word
                COMPREPLY=()
                # bash takes --name=value for three words.
                if [ "$current" = "=" ]; then
                    current=""
                elif [ "$previous" = "=" ]; then
                    previous="${COMP_WORDS[COMP_CWORD-2]}"
                fi
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\#(subcommands.map { $0.name }.joined(separator: " ")) --help --version" -- "$current"))
                    return
                fi
                case "${COMP_WORDS[1]} $previous" in
            \#(values.joined(separator: "\n"))
                esac
                case "${COMP_WORDS[1]}" in
            \#(subcommands.map(optionCase).joined(separator: "\n"))
                esac
                case "$current" in
                -*)
                    COMPREPLY=($(compgen -W "$options" -- "$current"))
                    return
                    ;;
                esac
                for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
                    case " $words " in *" $word "*) words="" ;; esac
                done
                if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$current")); fi
            }
            # Where the function has no answer, files are completed.
            complete -o default -F _jsonapi jsonapi
            """#
    }

    private func valueCase(_ subcommand: String, _ option: Option) -> String? {
        guard case .words(let words) = option.completion else {
            // A value of any other kind is completed as a file, whatever it begins with.
            return option.value == nil ? nil : #"    "\#(subcommand) --\#(option.name)") return ;;"#
        }
        let list = words.joined(separator: " ")
        return #"    "\#(subcommand) --\#(option.name)") COMPREPLY=($(compgen -W "\#(list)" -- "$current")); return ;;"#
    }

    private func optionCase(_ subcommand: any Subcommand.Type) -> String {
        let options = subcommand.allOptions.map { "--\($0.name)" }.joined(separator: " ")
        return #"    \#(subcommand.name)) options="\#(options)" words="\#(subcommand.operandChoices.joined(separator: " "))" ;;"#
    }
}

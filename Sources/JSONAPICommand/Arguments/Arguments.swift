/// The arguments of a subcommand, sorted into options and operands.
///
/// Options are `--name`, `--name VALUE` or `--name=VALUE`, anywhere. `--` ends them; `-` is an operand.
struct Arguments: Sendable {
    private let subcommand: String
    private var found: [String: [String]] = [:]
    /// Everything that is no option, in order.
    private(set) var operands: [String] = []

    /// Reads arguments. Throws `UsageError` for an unknown option, a missing value or one that is not wanted.
    init(_ arguments: ArraySlice<String>, of subcommand: String, options: [Option]) throws {
        self.subcommand = subcommand
        var rest = arguments
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                operands.append(argument)
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = options.first(where: { "--\($0.name)" == parts[0] }) else {
                throw UsageError.unknown("option", String(parts[0]), known: options.map { "--\($0.name)" } + ["--help"], of: subcommand)
            }
            found[option.name, default: []].append(
                try Self.value(of: option, written: parts.count > 1 ? String(parts[1]) : nil, &rest, subcommand))
        }
    }

    private static func value(
        of option: Option, written: String?, _ rest: inout ArraySlice<String>, _ subcommand: String
    ) throws -> String {
        guard let placeholder = option.value else {
            guard written == nil else { throw UsageError("--\(option.name) takes no value", of: subcommand) }
            return ""
        }
        guard let value = written ?? rest.popFirst() else {
            throw UsageError("--\(option.name) needs a value: --\(option.name) \(placeholder)", of: subcommand)
        }
        return value
    }
}

// MARK: - Reading

extension Arguments {
    /// Whether the option was given.
    func has(_ name: String) -> Bool { found[name] != nil }

    /// The values of an option, in order.
    func values(of name: String) -> [String] { found[name] ?? [] }

    /// The value of an option that is one of a few words; nil when it was not given. Throws `UsageError`.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of type: Choice.Type = Choice.self) throws -> Choice? {
        guard let written = values(of: name).last else { return nil }
        guard let choice = Choice(rawValue: written) else {
            throw UsageError.unknown("value of --\(name)", written, known: Choice.allCases.map(\.rawValue), of: subcommand)
        }
        return choice
    }

    /// The one file that is asked for. Throws `UsageError` when there are none or several.
    func oneFile() throws -> String {
        switch operands.count {
        case 1: return operands[0]
        case 0: throw UsageError("\(subcommand) needs a file, or - for standard input", of: subcommand)
        default:
            throw UsageError("\(subcommand) takes one file, not \(operands.count)", of: subcommand)
        }
    }
}

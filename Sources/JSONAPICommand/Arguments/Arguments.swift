/// The arguments of a subcommand, sorted into options and operands.
///
/// Options are `--name`, `--name VALUE` or `--name=VALUE`, in any place. `--` ends the options; `-` is an operand.
struct Arguments: Sendable {
    private let subcommand: String
    private let hasPipedInput: Bool
    /// All operands and options, in order.
    private(set) var items: [Item] = []

    /// An operand, or an option with its value.
    struct Item: Sendable {
        /// The name of the option without its dashes; nil for an operand.
        let option: String?
        /// The value; empty for an option without one.
        let value: String
    }

    /// Reads arguments. Throws `UsageError` for an unknown option, a missing value or a value that the option does not take.
    ///
    /// `hasPipedInput`: whether standard input can stand in for a missing file name.
    init(_ arguments: ArraySlice<String>, of subcommand: String, options: [Option], hasPipedInput: Bool = false) throws {
        self.subcommand = subcommand
        self.hasPipedInput = hasPipedInput
        var rest = arguments
        while let argument = rest.popFirst() {
            if argument == "--" {
                items += rest.map { Item(option: nil, value: $0) }
                break
            }
            guard argument.hasPrefix("-"), argument != "-" else {
                items.append(Item(option: nil, value: argument))
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = options.first(where: { "--\($0.name)" == parts[0] }) else {
                throw UsageError.unknown("option", String(parts[0]), known: options.map { "--\($0.name)" } + ["--help"], of: subcommand)
            }
            let value = try Self.value(of: option, written: parts.count > 1 ? String(parts[1]) : nil, &rest, options, subcommand)
            items.append(Item(option: option.name, value: value))
        }
    }

    private static func value(
        of option: Option, written: String?, _ rest: inout ArraySlice<String>, _ options: [Option], _ subcommand: String
    ) throws -> String {
        guard let placeholder = option.value else {
            guard written == nil else { throw UsageError("--\(option.name) takes no value", of: subcommand) }
            return ""
        }
        // Another option is no value: it means that the value is missing.
        let next = options.contains { "--\($0.name)" == rest.first } ? nil : rest.first
        guard let value = written ?? next else {
            throw UsageError("--\(option.name) needs a value: --\(option.name) \(placeholder)", of: subcommand)
        }
        if written == nil { rest.removeFirst() }
        return value
    }
}

// MARK: - Reading

extension Arguments {
    /// All arguments that are not options, in order.
    var operands: [String] { items.filter { $0.option == nil }.map(\.value) }

    /// Whether the option was given.
    func has(_ name: String) -> Bool { items.contains { $0.option == name } }

    /// The values of an option, in order.
    func values(of name: String) -> [String] { items.filter { $0.option == name }.map(\.value) }

    /// The value of an option that takes one of a few words; nil if it was not given. Throws `UsageError`.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ name: String, of type: Choice.Type = Choice.self) throws -> Choice? {
        guard let written = values(of: name).last else { return nil }
        guard let choice = Choice(rawValue: written) else {
            throw UsageError.unknown("value of --\(name)", written, known: Choice.allCases.map(\.rawValue), of: subcommand)
        }
        return choice
    }

    /// The value of an option that takes a whole number from 0; nil if it was not given. Throws `UsageError`.
    func count(_ name: String) throws -> Int? {
        guard let written = values(of: name).last else { return nil }
        guard let count = Int(written), count >= 0 else {
            throw UsageError("--\(name) needs a whole number, not `\(ShortText.plain(written, limit: 60))`", of: subcommand)
        }
        return count
    }

    /// The files to read, in order. Without any, standard input if something is piped into it.
    ///
    /// Throws `UsageError` if there is no file, or if standard input is named twice.
    func files(_ noun: String = "a file") throws -> [String] {
        guard !operands.isEmpty else {
            guard hasPipedInput else { throw UsageError("\(subcommand) needs \(noun), or - for standard input", of: subcommand) }
            return ["-"]
        }
        guard operands.filter({ $0 == "-" }).count < 2 else {
            throw UsageError("standard input can be read only once", of: subcommand)
        }
        return operands
    }

    /// The one file to read. Throws `UsageError` if there is none, or more than one.
    func oneFile() throws -> String {
        let files = try files()
        guard files.count == 1 else { throw UsageError("\(subcommand) takes one file, not \(files.count)", of: subcommand) }
        return files[0]
    }
}

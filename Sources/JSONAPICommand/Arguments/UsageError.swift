import JSONText

/// The command was called in a way that it does not understand.
struct UsageError: Error {
    /// What is wrong, and where to read on.
    let text: String

    /// An error about a subcommand, or about the command itself.
    init(_ sentence: String, of subcommand: String? = nil) {
        let name = subcommand.map { "jsonapi \($0)" } ?? "jsonapi"
        text = "jsonapi: \(sentence)\nRun `\(name) --help` for what there is."
    }

    /// An unknown option or subcommand, with the known one that may have been meant.
    static func unknown(_ noun: String, _ name: String, known: [String], of subcommand: String? = nil) -> UsageError {
        let shown = ShortText.plain(name, limit: 60)
        guard let nearest = NearestName.find(name, in: known) else {
            return UsageError("unknown \(noun) `\(shown)`", of: subcommand)
        }
        return UsageError("unknown \(noun) `\(shown)`; did you mean `\(nearest)`?", of: subcommand)
    }
}

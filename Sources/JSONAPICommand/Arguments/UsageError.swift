import JSONText

/// A call of the command with wrong arguments.
struct UsageError: Error {
    /// What is wrong, and which help to read.
    let text: String

    /// Creates an error about a subcommand, or about the command itself.
    init(_ sentence: String, of subcommand: String? = nil) {
        let name = subcommand.map { "jsonapi \($0)" } ?? "jsonapi"
        text = "jsonapi: \(sentence)\nRun `\(name) --help` to see the usage."
    }

    /// Returns an error about an unknown word, with the most similar known one.
    static func unknown(_ noun: String, _ name: String, known: [String], of subcommand: String? = nil) -> UsageError {
        let shown = ShortText.plain(name, limit: 60)
        guard let nearest = NearestName.find(name, in: known) else {
            return UsageError("unknown \(noun) `\(shown)`", of: subcommand)
        }
        return UsageError("unknown \(noun) `\(shown)`; did you mean `\(nearest)`?", of: subcommand)
    }
}

import Foundation
import JSONText

/// `jsonapi format`: a JSON text, laid out anew.
///
/// It goes straight from the tape to text, so numbers keep every digit and strings get the shortest escapes.
struct FormatCommand: Subcommand {
    static let name = "format"
    static let summary = "lay a JSON text out anew, or say where it is wrong"
    static let operands = "FILE"
    static let options = [
        Option(name: "compact", meaning: "one line without spaces; two spaces a level otherwise"),
        Option(name: "sort-keys", meaning: "members in the order of the bytes of their names"),
        Option(name: "json", meaning: "print an error as a JSON object"),
    ]
    static let details = """
        Any JSON text is taken, JSON:API or not. Numbers are kept digit for digit, repeated names are kept in order,
        strings are written as UTF-8 with the shortest escapes. Arrays and objects may be nested 512 deep.

        An error is FILE:LINE:COLUMN: error: message, both counted from 1, columns in bytes; with --json it is
        {"file","line","column","pointer","kind","message"}. Both go to standard error, and the exit status is 1.
        """
    static let examples = [
        Example("format answer.json", "lay out a text, or learn where it is wrong"),
        Example("format --compact --sort-keys - < answer.json", "one line, the same for whatever order of members"),
    ]

    let file: String
    let style: JSONWriter.Style
    let sortsNames: Bool

    init(_ arguments: Arguments) throws {
        file = try arguments.oneFile()
        style = arguments.has("compact") ? .compact : .indented(spaces: 2)
        sortsNames = arguments.has("sort-keys")
    }

    func run(in console: Console) throws -> ExitStatus {
        let text = try console.contents(of: file)
        try console.print(bytes: try formatted(text))
        return .good
    }

    private func formatted(_ text: Data) throws -> [UInt8] {
        do {
            return try text.withBytes { bytes in
                try Tape.with(bytes, options: JSONReadingOptions()) { tape in
                    let output = JSONOutput(style)
                    output.reserve(text.count)
                    tape.view.write(tape.view.root, into: output, sortsNames: sortsNames)
                    var formatted = output.bytes
                    formatted.append(0x0A)
                    return formatted
                }
            }
        } catch let error as JSONSyntaxError {
            throw Fault(error, in: text, file: file)
        }
    }
}

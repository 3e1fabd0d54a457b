import Foundation
import JSONText

/// `jsonapi format`: formats a JSON text.
///
/// Text is written straight from the tape, so numbers keep every digit and strings get the shortest escapes.
struct FormatCommand: Subcommand {
    static let name = "format"
    static let summary = "format a JSON text, or report its first syntax error"
    static let operands = "FILE"
    static let options = [
        Option(name: "compact", meaning: "write one line without spaces; by default two spaces for each level"),
        Option(name: "sort-keys", meaning: "sort members by the bytes of their names"),
        Ink.option,
        Option(name: "json", meaning: "print an error as a JSON object"),
    ]
    static let details = """
        The file can be any JSON text. Numbers keep every digit, repeated names keep their order, and strings are written
        in UTF-8 with the shortest escapes. Arrays and objects can be nested 512 levels deep.

        On a terminal the output has colors, unless NO_COLOR is set or TERM is dumb, and the characters U+007F to U+009F
        are escaped, because a terminal may obey them.

        A syntax error is FILE:LINE:COLUMN: error: message. Lines and columns count from 1, columns in bytes. With --json
        it is {"file","line","column","pointer","kind","message"}. Errors go to standard error, with exit status 1.
        """
    static let examples = [
        Example("format response.json", "format a text, or find its syntax error"),
        Example("curl -s https://example.com/articles | jsonapi format", "format the response of a server"),
        Example("format --compact --sort-keys response.json", "one line that does not depend on the order of members"),
    ]

    let file: String
    let style: JSONWriter.Style
    let sortsNames: Bool
    let color: Ink.Use

    init(_ arguments: Arguments) throws {
        file = try arguments.oneFile()
        style = arguments.has("compact") ? .compact : .indented(spaces: 2)
        sortsNames = arguments.has("sort-keys")
        color = try arguments.choice("color") ?? .auto
    }

    func run(in console: Console) throws -> ExitStatus {
        let text = try console.contents(of: file)
        let ink = Ink(color, on: console.terminal)
        let formatted = try formatted(text)
        if ink.isColored {
            try console.print(raw: ColoredJSON.bytes(of: TerminalSafe.escaped(formatted), ink))
        } else {
            try console.print(bytes: formatted)
        }
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

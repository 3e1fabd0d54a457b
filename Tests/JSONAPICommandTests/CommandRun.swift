import Foundation
import JSONAPICommand
import JSONText
import TestSupport

/// One run of the command in this process, with its output.
struct CommandRun {
    let status: Int32
    let output: String
    let error: String

    /// Runs the command. `input` is the contents of standard input.
    init(_ arguments: String..., input: String = "", terminal: Terminal = .none) {
        self.init(arguments, input: input, terminal: terminal)
    }

    init(_ arguments: [String], input: String = "", terminal: Terminal = .none) {
        let streams = Streams()
        status = Command.run(
            arguments: arguments, terminal: terminal, input: { Data(input.utf8) }, output: { streams.output.append($0) },
            error: { streams.error.append($0) })
        output = String(decoding: streams.output, as: UTF8.self)
        error = String(decoding: streams.error, as: UTF8.self)
    }

    private final class Streams {
        var output = Data()
        var error = Data()
    }

    var lines: [String] { output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }

    /// Standard output as JSON.
    var outputJSON: JSON { get throws { try JSON(parsing: output) } }
    /// Standard error as JSON.
    var errorJSON: JSON { get throws { try JSON(parsing: error) } }

    /// Runs `body` with the path of a temporary file that contains `text`.
    static func withFile<Answer>(_ text: String, named name: String = "document.json", _ body: (String) throws -> Answer) throws -> Answer {
        let folder = TestFolder.url.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return try body(file.path)
    }
}

import Foundation
import JSONText

/// The streams of one run.
final class Console {
    /// Whether errors are printed as JSON objects.
    var isMachineReadable = false
    /// What is known about the streams.
    let terminal: Terminal
    /// The arguments that are file names and not UTF-8.
    let fileNames: FileNames

    private let input: () throws -> Data
    private let output: (Data) throws -> Void
    private let error: (Data) throws -> Void
    /// Output that is not written yet.
    private var waiting: [UInt8] = []
    /// Whether the reader of the output closed the pipe, as `head` does. This is not an error: the rest of the output is dropped, and the
    /// run goes on, because its status does not depend on the reader.
    private var isClosed = false

    init(
        terminal: Terminal, fileNames: FileNames = FileNames(), input: @escaping () throws -> Data,
        output: @escaping (Data) throws -> Void, error: @escaping (Data) throws -> Void
    ) {
        self.terminal = terminal
        self.fileNames = fileNames
        self.input = input
        self.output = output
        self.error = error
    }
}

// MARK: - Input

extension Console {
    /// Returns the contents of a file, or of standard input for `-`. Throws `Fault`.
    func contents(of file: String) throws -> Data {
        if let bytes = fileNames[file] { return try InputFile.contents(of: bytes, named: file) }
        guard file == "-" else { return try InputFile.contents(of: file) }
        do {
            return try input()
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault.unreadable("-", SystemError(error).reason)
        }
    }
}

// MARK: - Output

extension Console {
    /// Prints a line of the result. Throws `OutputFailure`.
    func print(_ line: String) throws {
        waiting.append(contentsOf: line.utf8)
        waiting.append(0x0A)
        if waiting.count >= 1 << 16 { try flush() }
    }

    /// Prints JSON text. DEL and the control characters U+0080 to U+009F are escaped, because a terminal may obey them. Throws
    /// `OutputFailure`.
    func print(json text: String) throws { try print(TerminalSafe.escaped(text)) }

    /// Prints a JSON value on one line. Throws `OutputFailure`.
    func print(json value: JSON) throws { try print(json: value.description) }

    /// Prints JSON text in UTF-8 in the same way, without adding a line end.
    func print(json bytes: [UInt8]) throws { try write(whole: TerminalSafe.escaped(bytes)) }

    /// Prints bytes unchanged to a file or a pipe. On a terminal, control characters that JSON allows are escaped. Throws `OutputFailure`.
    func print(bytes: [UInt8]) throws { try write(whole: terminal.isInteractive ? TerminalSafe.escaped(bytes) : bytes) }

    /// Prints bytes that are safe on a terminal, or meant for it. Throws `OutputFailure`.
    func print(raw bytes: [UInt8]) throws { try write(whole: bytes) }

    private func write(whole bytes: [UInt8]) throws {
        try flush()
        try write(Data(bytes))
    }

    /// Writes the buffered output. Throws `OutputFailure`.
    func flush() throws {
        guard !waiting.isEmpty else { return }
        let bytes = Data(waiting)
        waiting.removeAll(keepingCapacity: true)
        try write(bytes)
    }

    private func write(_ bytes: Data) throws {
        guard !isClosed else { return }
        do {
            try output(bytes)
        } catch {
            let failure = SystemError(error)
            guard failure.code == .EPIPE else { throw OutputFailure(reason: failure.reason) }
            isClosed = true
        }
    }

    /// Prints a line on standard error. A failure is ignored, because there is no other place to report it.
    func complain(_ line: String) { try? error(Data((line + "\n").utf8)) }

    /// Prints a note about a file on standard error, as a line or as JSON.
    func note(_ message: String, on file: String, kind: String = "note", pointer: String? = nil) {
        guard isMachineReadable else {
            let end = pointer.map { " [\(kind)] (\($0))" } ?? ""
            return complain("\(Fault.shown(file)): note: \(message)\(end)")
        }
        var json: JSONObject = ["severity": "note", "file": .string(file), "kind": .string(kind), "message": .string(message)]
        json["pointer"] = pointer.map { .string($0) }
        complain(TerminalSafe.escaped(JSON.object(json).description))
    }

    /// Prints an error in the arguments on standard error, as lines, or as JSON if the arguments ask for it.
    func complain(_ usage: UsageError) {
        if fileNames.arguments.prefix(while: { $0 != "--" }).contains("--json") { isMachineReadable = true }
        complain(usage.text, kind: "usage")
    }

    /// Prints an error that concerns no file on standard error, as text or as JSON.
    func complain(_ text: String, kind: String) {
        guard isMachineReadable else { return complain(text) }
        let json: JSON = ["kind": .string(kind), "message": .string(text)]
        complain(TerminalSafe.escaped(json.description))
    }

    /// Prints a fault on standard error, as a line or as JSON.
    func complain(_ fault: Fault) { complain(isMachineReadable ? TerminalSafe.escaped(fault.json.description) : fault.text) }
}

/// The result could not be written.
struct OutputFailure: Error {
    let reason: String
}

import Foundation
import JSONText

/// The streams of one run.
final class Console {
    /// Whether errors are printed as JSON objects.
    var isMachineReadable = false
    /// Where the result goes.
    let terminal: Terminal

    private let input: () throws -> Data
    private let output: (Data) throws -> Void
    private let error: (Data) throws -> Void
    /// Output that waits for more.
    private var waiting: [UInt8] = []

    init(
        terminal: Terminal, input: @escaping () throws -> Data, output: @escaping (Data) throws -> Void,
        error: @escaping (Data) throws -> Void
    ) {
        self.terminal = terminal
        self.input = input
        self.output = output
        self.error = error
    }
}

// MARK: - Input

extension Console {
    /// The contents of a file, or of standard input for `-`. Throws `Fault`.
    func contents(of file: String) throws -> Data {
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

    /// Prints JSON text for programs, and for terminals: DEL and the control characters from U+0080 on are escaped, which JSON would let
    /// pass. Throws `OutputFailure`.
    func print(json text: String) throws { try print(TerminalSafe.escaped(text)) }

    /// Prints a JSON value on one line. Throws `OutputFailure`.
    func print(json value: JSON) throws { try print(json: value.description) }

    /// The same for text in UTF-8, which ends as it ends.
    func print(json bytes: [UInt8]) throws { try write(whole: TerminalSafe.escaped(bytes)) }

    /// Prints a piece of the result as it is; on a terminal without the control characters that JSON lets pass. Throws `OutputFailure`.
    func print(bytes: [UInt8]) throws { try write(whole: terminal.isInteractive ? TerminalSafe.escaped(bytes) : bytes) }

    private func write(whole bytes: [UInt8]) throws {
        try flush()
        try write(Data(bytes))
    }

    /// Writes what waits. Throws `OutputFailure`.
    func flush() throws {
        guard !waiting.isEmpty else { return }
        let bytes = Data(waiting)
        waiting.removeAll(keepingCapacity: true)
        try write(bytes)
    }

    private func write(_ bytes: Data) throws {
        do { try output(bytes) } catch { throw OutputFailure(error) }
    }

    /// Prints a line on standard error. When that fails there is nobody left to tell.
    func complain(_ line: String) { try? error(Data((line + "\n").utf8)) }

    /// Prints a fault on standard error, in the form that was asked for.
    func complain(_ fault: Fault) { complain(isMachineReadable ? TerminalSafe.escaped(fault.json.description) : fault.text) }
}

/// The result could not be written.
struct OutputFailure: Error {
    private let error: SystemError

    init(_ error: any Error) { self.error = SystemError(error) }

    /// Whether the reader of a pipe has gone away. It has seen enough: no fault.
    var isBrokenPipe: Bool { error.code == .EPIPE }

    var reason: String { error.reason }
}

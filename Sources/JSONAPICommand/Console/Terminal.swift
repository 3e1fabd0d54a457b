import Foundation

/// What is known about the streams of a run: whether people read the output, how wide their window is, and whether input waits.
package struct Terminal: Sendable {
    /// Whether standard output is a terminal, not a file or a pipe.
    package let isInteractive: Bool
    /// The width of a line in columns; nil if it is not known.
    package let columns: Int?
    /// Whether the user prefers output without colors.
    package let refusesColor: Bool
    /// Whether standard input is a file or a pipe, so that it can stand in for a missing file name.
    package let hasPipedInput: Bool

    /// A terminal as the environment describes it.
    ///
    /// `COLUMNS` takes precedence over `width`. A `NO_COLOR` that is not empty (https://no-color.org) and `TERM=dumb` turn colors off.
    package init(isInteractive: Bool, width: Int? = nil, hasPipedInput: Bool = false, environment: [String: String] = [:]) {
        self.isInteractive = isInteractive
        let written = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        columns = written ?? width
        refusesColor = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        self.hasPipedInput = hasPipedInput
    }

    /// A file, or a pipe to another program.
    package static let none = Terminal(isInteractive: false)

    /// The standard streams of this process.
    static var ofProcess: Terminal {
        let isInteractive = Platform.isTerminal(1)
        return Terminal(
            isInteractive: isInteractive, width: isInteractive ? Platform.windowWidth : nil, hasPipedInput: !Platform.isTerminal(0),
            environment: ProcessInfo.processInfo.environment)
    }
}

extension Terminal {
    /// The columns of a line: 80 on a terminal of unknown width, 100 elsewhere. At least 20 and at most 1,000.
    var width: Int { min(max(columns ?? (isInteractive ? 80 : 100), 20), 1000) }
}

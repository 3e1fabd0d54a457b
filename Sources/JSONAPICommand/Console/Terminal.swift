import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

/// Where the result goes: whether people look at it there, and how wide it is.
package struct Terminal: Sendable {
    /// Whether standard output is a terminal, not a file or a pipe.
    package let isInteractive: Bool
    /// How many columns a line may have before it is broken, as far as somebody knows.
    package let columns: Int?
    /// Whether colours are unwanted there, unless somebody asks for them.
    package let refusesColor: Bool

    /// A terminal as the environment describes it: `COLUMNS` wins over `width`, a `NO_COLOR` that is not empty and
    /// `TERM=dumb` refuse colours (https://no-color.org).
    package init(isInteractive: Bool, width: Int? = nil, environment: [String: String] = [:]) {
        self.isInteractive = isInteractive
        let written = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
        columns = written ?? width
        refusesColor = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
    }

    /// A file, or a pipe to another program.
    package static let none = Terminal(isInteractive: false)

    /// What standard output of this process is.
    static var standardOutput: Terminal {
        let isInteractive = isatty(FileHandle.standardOutput.fileDescriptor) == 1
        return Terminal(
            isInteractive: isInteractive, width: isInteractive ? windowWidth : nil, environment: ProcessInfo.processInfo.environment)
    }
}

extension Terminal {
    /// The columns of a line: 80 on a terminal that tells nothing, 100 elsewhere. Never fewer than 20, never more than 1,000.
    var width: Int { min(max(columns ?? (isInteractive ? 80 : 100), 20), 1000) }
}

import Foundation

/// What goes to standard error while something is measured.
public enum Progress {
    private static let start = Date()

    /// What is done now, with the seconds since the first note.
    public static func note(_ text: String) {
        let seconds = Int(Date().timeIntervalSince(start).rounded())
        FileHandle.standardError.write(Data("[\(seconds) s] \(text)\n".utf8))
    }

    /// Why the program cannot go on.
    public static func fail(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    public static func milliseconds(_ seconds: Double) -> String { fixed(seconds * 1000, 3) + " ms" }
}

/// A number with that many decimal places.
public func fixed(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }

import Foundation

/// Messages on standard error during a measurement.
public enum Progress {
    private static let start = Date()

    /// Prints the current activity, with the seconds since the first message.
    public static func note(_ text: String) {
        let seconds = Int(Date().timeIntervalSince(start).rounded())
        FileHandle.standardError.write(Data("[\(seconds) s] \(text)\n".utf8))
    }

    /// The reason why the program cannot continue.
    public static func fail(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    public static func milliseconds(_ seconds: Double) -> String { fixed(seconds * 1000, 3) + " ms" }
}

/// Returns a number with the given number of decimal places.
public func fixed(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }

import Foundation

/// What goes to standard error while something is measured.
public enum Progress {
    public static func note(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    public static func milliseconds(_ seconds: Double) -> String { fixed(seconds * 1000, 3) + " ms" }
}

/// A number with that many decimal places.
public func fixed(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }

import JSONText

/// Functions for strings that are compared byte by byte: composed and decomposed é are different.
enum ByteSet {
    /// Returns the strings in order, each once.
    static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<[UInt8]> = []
        return texts.filter { seen.insert(Array($0.utf8)).inserted }
    }
}

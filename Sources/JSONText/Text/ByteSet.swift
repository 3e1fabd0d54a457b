/// Functions for strings that are compared byte by byte: composed and decomposed é are different.
package enum ByteSet {
    /// Returns the strings in order, each once.
    package static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<[UInt8]> = []
        return texts.filter { seen.insert(Array($0.utf8)).inserted }
    }
}

/// Functions for strings that are compared byte by byte: composed and decomposed é are different.
package enum ByteSet {
    /// Returns the strings in order, each once.
    package static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<ByteText> = []
        return texts.filter { seen.insert(ByteText($0)).inserted }
    }
}

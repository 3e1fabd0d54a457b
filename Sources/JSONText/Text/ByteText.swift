/// Text as a key of sets and dictionaries, compared by its bytes. `String` keys treat composed and decomposed é as equal.
package struct ByteText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (a: ByteText, b: ByteText) -> Bool { UTF8Bytes.areEqual(a.text, b.text) }

    package func hash(into hasher: inout Hasher) { UTF8Bytes.hash(text, into: &hasher) }

    /// Returns the strings in order, each once.
    package static func distinct(_ texts: [String]) -> [String] {
        var seen: Set<ByteText> = []
        return texts.filter { seen.insert(ByteText($0)).inserted }
    }

    /// Returns a dictionary whose keys are compared by their bytes.
    package static func keys<Value>(of dictionary: [String: Value]) -> [ByteText: Value] {
        // Most calls of an encoder have no fieldsets. An empty dictionary from a sequence took a sixth of the time of a small document, and
        // one from a literal a fiftieth.
        dictionary.isEmpty ? Dictionary() : Dictionary(uniqueKeysWithValues: dictionary.map { (ByteText($0.key), $0.value) })
    }
}

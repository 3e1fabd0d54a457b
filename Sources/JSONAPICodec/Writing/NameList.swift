import JSONText

/// A list of names. A name is found by comparing all of them, and by hash as soon as there are so many that this is faster.
struct NameList {
    private(set) var names: [String] = []
    /// The position of each name; empty while there are few names.
    private var positions: [ByteText: Int] = [:]

    /// The number of names that are compared one by one.
    private static let few = 16

    init(_ names: [String] = []) { for name in names { append(name) } }

    mutating func append(_ name: String) {
        names.append(name)
        guard names.count > Self.few else { return }
        for position in (positions.isEmpty ? 0 : names.count - 1)..<names.count { positions[ByteText(names[position])] = position }
    }

    /// Returns the position of a name, of the last one if it is repeated; nil when it is not in the list.
    func position(of name: String) -> Int? {
        if positions.isEmpty { return names.lastIndex { UTF8Bytes.areEqual($0, name) } }
        return positions[ByteText(name)]
    }
}

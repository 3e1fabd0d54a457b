// Writes the tape as text, without creating a tree.

extension TapeView {
    /// Writes the value at `index` without recursion. Numbers are copied digit by digit. Strings are written with the shortest escapes.
    ///
    /// If `sortsNames` is true, members are sorted by the bytes of their names. Members with the same name keep their order.
    /// - Complexity: O(n), n = size of the value, or O(n log n) if names are sorted.
    package func write(_ index: Int, into output: JSONOutput, sortsNames: Bool = false) {
        guard isContainer(index) else { return writeScalar(index, into: output) }
        var open = [WriteFrame(self, index, sortsNames)]
        begin(index, output)
        while let top = open.indices.last {
            guard let name = open[top].nextName(self) else {
                if open[top].isObject { output.endObject() } else { output.endArray() }
                open.removeLast()
                continue
            }
            var value = name
            if open[top].isObject {
                output.name(string(at: name))
                value = next(after: name)
            }
            if isContainer(value) {
                open.append(WriteFrame(self, value, sortsNames))
                begin(value, output)
            } else {
                writeScalar(value, into: output)
            }
        }
    }

    private func begin(_ index: Int, _ output: JSONOutput) {
        if isObject(index) { output.beginObject() } else { output.beginArray() }
    }

    private func writeScalar(_ index: Int, into output: JSONOutput) {
        switch kind(at: index) {
        case .null: output.null()
        case .false: output.bool(false)
        case .true: output.bool(true)
        case .number: withBytes(at: index) { output.raw($0) }
        default: output.string(string(at: index))
        }
    }
}

/// A container that is being written, with the position of its next element.
private struct WriteFrame {
    let isObject: Bool
    private let end: Int
    private var position: Int
    /// The remaining names in sorted order, last first. Nil for text order.
    private var sorted: [Int]?

    init(_ view: TapeView, _ index: Int, _ sortsNames: Bool) {
        isObject = view.isObject(index)
        end = view.end(of: index)
        position = view.first(in: index)
        if sortsNames, isObject { sorted = Self.sortedNames(view, index) }
    }

    /// Returns the next name or element, or nil at the end.
    mutating func nextName(_ view: TapeView) -> Int? {
        if sorted != nil { return sorted?.popLast() }
        guard position < end else { return nil }
        let name = position
        position = view.next(after: isObject ? view.next(after: name) : name)
        return name
    }

    private static func sortedNames(_ view: TapeView, _ index: Int) -> [Int] {
        var names: [(text: String, position: Int)] = []
        view.forEachMember(of: index) { name, _ in names.append((view.string(at: name), name)) }
        names.sort { a, b in
            UTF8Bytes.isLess(a.text, b.text) || (UTF8Bytes.areEqual(a.text, b.text) && a.position < b.position)
        }
        return names.reversed().map { $0.position }
    }
}

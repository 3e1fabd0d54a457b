// From the tape straight to text, without a tree between.

extension TapeView {
    /// Writes the value at `index`, with a loop instead of recursion. Numbers are copied digit for digit; strings get the
    /// shortest escapes. With `sortsNames` members go by the bytes of their names, equal names in their order. O(size), and
    /// O(n log n) for sorting n members.
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

/// A container that is being written: what comes next in it.
private struct WriteFrame {
    let isObject: Bool
    private let end: Int
    private var position: Int
    /// The names in sorted order, last first; nil for the order of the text.
    private var sorted: [Int]?

    init(_ view: TapeView, _ index: Int, _ sortsNames: Bool) {
        isObject = view.isObject(index)
        end = view.end(of: index)
        position = view.first(in: index)
        if sortsNames, isObject { sorted = Self.sortedNames(view, index) }
    }

    /// The next name, or element; nil at the end.
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

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

    /// Returns the text of the value at `index` as `write` writes it.
    ///
    /// - Parameter output: Used if the text has white space, or escapes that are not the shortest. Otherwise its bytes are copied.
    package func compactText(at index: Int, _ output: JSONOutput) -> [UInt8] {
        if let end = compactEnd(of: index) { return text(in: start(of: index)..<end) }
        output.reset(to: .start)
        write(index, into: output)
        return output.bytes
    }

    /// Returns the offset after the value at `index` if its text has no white space, and no escapes but the shortest; otherwise nil.
    private func compactEnd(of index: Int) -> Int? {
        let end = next(after: index)
        var (place, last) = (index, index)
        /// The length of the text without white space, and the number of containers that end with it.
        var (length, closing) = (0, 0)
        while place < end {
            last = place
            let word = firstWord(at: place)
            if isContainer(place) {
                let count = count(at: place)
                // Brackets, commas, and the colons of an object.
                length += 2 + max(count - 1, 0) + (isObject(place) ? count : 0)
                if next(after: place) == end { closing += 1 }
                place = first(in: place)
            } else {
                if isString(place), word & Flag.escaped != 0, !hasShortestEscapes(place) { return nil }
                length += textLength(of: word, at: place)
                place = next(after: place)
            }
        }
        let closers = start(of: last) + (isContainer(last) ? 1 : textLength(of: firstWord(at: last), at: last))
        guard closers + closing - start(of: index) == length else { return nil }
        // Of the bytes that can stand here, only these two are above Z.
        for offset in closers..<closers + closing where byte(atOffset: offset) <= UInt8(ascii: "Z") { return nil }
        return closers + closing
    }

    private func hasShortestEscapes(_ index: Int) -> Bool {
        withBytes(at: index) { bytes in
            var position = 0
            while position < bytes.count {
                let isEscape = bytes[position] == UInt8(ascii: "\\")
                if isEscape, bytes[position + 1] == UInt8(ascii: "u") || bytes[position + 1] == UInt8(ascii: "/") { return false }
                position += isEscape ? 2 : 1
            }
            return true
        }
    }

    /// Returns the number of bytes of the scalar at `index`, whose first word is given.
    @inline(__always)
    private func textLength(of word: UInt64, at index: Int) -> Int {
        // Strings have the kind 5, numbers 4, and false 2.
        switch word >> 60 {
        case 5: length(of: word, at: index) + 2
        case 4: length(of: word, at: index)
        case 2: 5
        default: 4
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

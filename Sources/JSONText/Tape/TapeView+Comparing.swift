// Values of two texts, compared where they lie.

extension TapeView {
    /// Whether the value at `index` is written as that of another text: the same numbers, strings, names and order, whatever stands
    /// between them. Values that are equal may be written in different ways.
    ///
    /// - Complexity: O(size of the value).
    package func isWritten(_ index: Int, like other: TapeView, at otherIndex: Int) -> Bool {
        var (mine, theirs) = (index, otherIndex)
        let end = next(after: index)
        while mine < end {
            guard kind(at: mine) == other.kind(at: theirs) else { return false }
            if isContainer(mine) {
                // Kinds and counts in the order of the text tell the whole structure.
                guard count(at: mine) == other.count(at: theirs) else { return false }
                (mine, theirs) = (first(in: mine), other.first(in: theirs))
            } else {
                guard hasBytes(mine, of: other, at: theirs) else { return false }
                (mine, theirs) = (next(after: mine), other.next(after: theirs))
            }
        }
        return true
    }

    /// Whether a string or number has the same bytes as that of another text; a string with escapes the same escapes. Other scalars have
    /// none.
    @inline(__always)
    private func hasBytes(_ index: Int, of other: TapeView, at otherIndex: Int) -> Bool {
        withBytes(at: index) { mine in other.withBytes(at: otherIndex) { Bytes.areEqual(mine, $0) } }
    }

    /// Whether a name is written as that of another text.
    @inline(__always)
    package func isName(_ name: Int, like other: TapeView, at otherName: Int) -> Bool { hasBytes(name, of: other, at: otherName) }
}

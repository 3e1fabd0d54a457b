// Compares values of two texts in place.

extension TapeView {
    /// Returns whether the value at `index` is written like a value of another text: with the same numbers, strings, names and order.
    /// Whitespace is ignored. Equal values can be written in different ways.
    ///
    /// - Complexity: O(n), n = size of the value.
    package func isWritten(_ index: Int, like other: TapeView, at otherIndex: Int) -> Bool {
        var (mine, theirs) = (index, otherIndex)
        let end = next(after: index)
        while mine < end {
            guard kind(at: mine) == other.kind(at: theirs) else { return false }
            if isContainer(mine) {
                // Kinds and counts in text order determine the whole structure.
                guard count(at: mine) == other.count(at: theirs) else { return false }
                (mine, theirs) = (first(in: mine), other.first(in: theirs))
            } else {
                guard hasBytes(mine, of: other, at: theirs) else { return false }
                (mine, theirs) = (next(after: mine), other.next(after: theirs))
            }
        }
        return true
    }

    /// Returns whether a string or number has the same bytes as that of another text. Escapes are not decoded. Other scalars have no bytes.
    @inline(__always)
    private func hasBytes(_ index: Int, of other: TapeView, at otherIndex: Int) -> Bool {
        withBytes(at: index) { mine in other.withBytes(at: otherIndex) { Bytes.areEqual(mine, $0) } }
    }

    /// Returns whether a name is written like a name of another text.
    @inline(__always)
    package func isName(_ name: Int, like other: TapeView, at otherName: Int) -> Bool { hasBytes(name, of: other, at: otherName) }
}

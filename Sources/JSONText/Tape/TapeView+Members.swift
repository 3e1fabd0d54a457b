// Finds members and elements.

extension TapeView {
    /// Returns the index of the value of the last member with a name in the object at `index`, or nil if there is none. Names are compared
    /// by their bytes.
    ///
    /// - Complexity: O(n), n = number of members. For many lookups in one large object, create a `TapeNameIndex`.
    package func member(_ name: Span<UInt8>, of index: Int) -> Int? {
        var found: Int?
        let keepsFirst = !hasDuplicates(index)
        var position = first(in: index)
        let end = self.end(of: index)
        while position < end {
            let value = value(ofName: position)
            if string(at: position, equals: name) {
                if keepsFirst { return value }
                found = value
            }
            position = next(after: value)
        }
        return found
    }

    /// Returns the index of the value of the last member with a name in the object at `index`, or nil if there is none.
    ///
    /// - Complexity: O(n), n = number of members.
    package func member(_ name: StaticString, of index: Int) -> Int? {
        Bytes.with(name) { member($0, of: index) }
    }

    /// Returns the index of the value of the last member with a name in the object at `index`, or nil if there is none.
    ///
    /// The overload is disfavored, so that a literal uses the one above.
    /// - Complexity: O(n), n = number of members.
    @_disfavoredOverload
    package func member(_ name: String, of index: Int) -> Int? {
        UTF8Bytes.withBytes(of: name) { member($0, of: index) }
    }

    /// Calls `body` with the index of each name and of its value, in text order.
    @inlinable package func forEachMember<Failure: Error>(
        of index: Int, _ body: (_ name: Int, _ value: Int) throws(Failure) -> Void
    ) throws(Failure) {
        var position = first(in: index)
        let end = self.end(of: index)
        while position < end {
            let value = value(ofName: position)
            try body(position, value)
            position = next(after: value)
        }
    }

    /// Calls `body` with the index of each element and its position, from 0.
    @inlinable package func forEachElement<Failure: Error>(
        of index: Int, _ body: (_ element: Int, _ number: Int) throws(Failure) -> Void
    ) throws(Failure) {
        var position = first(in: index)
        let end = self.end(of: index)
        var number = 0
        while position < end {
            try body(position, number)
            position = next(after: position)
            number += 1
        }
    }
}

extension TapeView {
    /// Returns whether two values have the same text, apart from white space. Equal values can have different texts: `1` and `1.0`, or members
    /// in another order.
    ///
    /// - Complexity: O(n), n = bytes of the values. Does not recurse.
    package func value(at first: Int, isWrittenLike second: Int) -> Bool {
        var (mine, theirs) = (first, second)
        let end = next(after: first)
        guard end - first == next(after: second) - second else { return false }
        while mine < end {
            guard kind(at: mine) == kind(at: theirs), count(at: mine) == count(at: theirs) else { return false }
            if isContainer(mine) {
                (mine, theirs) = (self.first(in: mine), self.first(in: theirs))
            } else {
                guard withBytes(at: mine, { mine in withBytes(at: theirs) { Bytes.areEqual(mine, $0) } }) else { return false }
                (mine, theirs) = (next(after: mine), next(after: theirs))
            }
        }
        return true
    }

    /// Returns whether the object at `index` is `{"type":…,"id":…}` with short strings without escapes, like nearly all identifiers. The
    /// values are at `index + 3` and `index + 5`.
    @inlinable @inline(__always) package func isPlainIdentifier(_ index: Int) -> Bool {
        // Two members and six words in total. Each name and each value is therefore one word.
        isObject(index) && secondWord(at: index) == UInt64(truncatingIfNeeded: index &+ 6) << 32 | 2
            && word(at: index &+ 3) >> 56 == 0x50 && word(at: index &+ 5) >> 56 == 0x50
            && string(at: index &+ 2, equals: "type") && string(at: index &+ 4, equals: "id")
    }
}

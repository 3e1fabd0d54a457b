// Finding members and elements.

extension TapeView {
    /// The index of the value named `name` in the object at `index`, or nil. Of several members with that name the last one
    /// answers. Names compare by bytes.
    ///
    /// - Complexity: O(members).
    package func member(_ name: StaticString, of index: Int) -> Int? {
        member(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), of: index)
    }

    /// Disfavored, so that a literal means the one above.
    @_disfavoredOverload
    package func member(_ name: String, of index: Int) -> Int? {
        var name = name
        return name.withUTF8 { member($0, of: index) }
    }

    package func member(_ name: UnsafeBufferPointer<UInt8>, of index: Int) -> Int? {
        var hint = 0
        return member(name, of: index, hint: &hint)
    }

    @inlinable package func member(_ name: StaticString, of index: Int, hint: inout Int) -> Int? {
        member(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), of: index, hint: &hint)
    }

    /// The same, tried first at `hint`, a name's index in this object where the member is expected (0 for none). Leaves the
    /// index of the name behind the one it found, where the next look-up of an ordered reader will hit at once.
    ///
    /// The answer does not depend on the hint: from there the search goes round the whole object, and an object with
    /// repeated names is searched from the start for the last one.
    @inlinable @inline(__always) package func member(
        _ name: UnsafeBufferPointer<UInt8>, of index: Int, hint: inout Int
    ) -> Int? {
        if hasDuplicates(index) { return lastMember(name, of: index) }
        let first = index &+ 2
        let end = self.end(of: index)
        let start = hint >= first && hint < end ? hint : first
        if let value = member(name, from: start, to: end, &hint) { return value }
        return start == first ? nil : member(name, from: first, to: start, &hint)
    }

    /// The same among the members from one name up to another, or the object's end.
    @inlinable @inline(__always) package func member(
        _ name: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, _ hint: inout Int
    ) -> Int? {
        var position = start
        while position < end {
            let isFound = string(at: position, equals: name)
            let value = position &+ 1 &+ Int(truncatingIfNeeded: (words[position] >> 59) & 1)
            position = next(after: value)
            if isFound {
                hint = position
                return value
            }
        }
        return nil
    }

    @usableFromInline package func lastMember(_ name: UnsafeBufferPointer<UInt8>, of index: Int) -> Int? {
        var found: Int?
        forEachMember(of: index) { position, value in
            if string(at: position, equals: name) { found = value }
        }
        return found
    }

    /// Calls `body` with the index of each name and of its value, in the order of the text.
    @inlinable package func forEachMember<Failure: Error>(
        of index: Int, _ body: (_ name: Int, _ value: Int) throws(Failure) -> Void
    ) throws(Failure) {
        var position = first(in: index)
        let end = self.end(of: index)
        while position < end {
            let value = next(after: position)
            try body(position, value)
            position = next(after: value)
        }
    }

    /// Calls `body` with the index of each element and its number from 0.
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
    /// Whether the object at `index` is `{"type":…,"id":…}`, both short strings without escapes, as nearly all identifiers are.
    /// The values are at `index + 3` and `index + 5`.
    @inlinable @inline(__always) package func isPlainIdentifier(_ index: Int) -> Bool {
        // Two members, and six words in all: so each name and each value is one word.
        words[index &+ 1] == UInt64(truncatingIfNeeded: index &+ 6) << 32 | 2
            && words[index &+ 3] >> 56 == 0x40 && words[index &+ 5] >> 56 == 0x40
            && string(at: index &+ 2, equals: "type") && string(at: index &+ 4, equals: "id")
    }
}

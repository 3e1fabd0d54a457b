// Finding members and elements.

extension TapeView {
    /// The value of the last member of that name in the object at `index`; nil when there is none. Names are compared by bytes.
    ///
    /// - Complexity: O(members). For many look-ups in one large object make a `TapeNameIndex`.
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

    /// The value of the last member of that name in the object at `index`; nil when there is none.
    ///
    /// - Complexity: O(members).
    package func member(_ name: StaticString, of index: Int) -> Int? {
        Bytes.with(name) { member($0, of: index) }
    }

    /// The value of the last member of that name in the object at `index`; nil when there is none.
    ///
    /// Disfavored, so that a literal means the one above.
    /// - Complexity: O(members).
    @_disfavoredOverload
    package func member(_ name: String, of index: Int) -> Int? {
        UTF8Bytes.withBytes(of: name) { member($0, of: index) }
    }

    /// Whether the name at `name` is exactly these bytes. Escapes are resolved first; nothing is normalized.
    @inlinable @inline(__always) package func name(at name: Int, equals bytes: Span<UInt8>) -> Bool { string(at: name, equals: bytes) }

    /// Whether the name at `name` is exactly these bytes. Escapes are resolved first; nothing is normalized.
    @inlinable @inline(__always) package func nameMatches(at name: Int, _ bytes: Span<UInt8>) -> Bool { string(at: name, equals: bytes) }

    /// Calls `body` with the index of each name and of its value, in the order of the text.
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
        isObject(index) && secondWord(at: index) == UInt64(truncatingIfNeeded: index &+ 6) << 32 | 2
            && word(at: index &+ 3) >> 56 == 0x50 && word(at: index &+ 5) >> 56 == 0x50
            && string(at: index &+ 2, equals: "type") && string(at: index &+ 4, equals: "id")
    }
}

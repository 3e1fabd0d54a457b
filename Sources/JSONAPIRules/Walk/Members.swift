import JSONText

/// The members of an object, in order: the words of name and value. Of several members of one name, the last.
package struct Members: Sequence, IteratorProtocol {
    private let view: TapeView
    private var position: Int
    private let end: Int
    /// Names that stand again later; nil for none, which is nearly always so and costs nothing.
    private var superseded: Set<Int>?

    // Inlined, with the rare case apart: `Document` decoding takes 3 % fewer instructions (medium document).

    /// - Complexity: O(1); O(bytes of the names) for an object in which a name stands twice.
    @inline(__always)
    package init(_ view: TapeView, of object: Int) {
        self.view = view
        position = view.first(in: object)
        end = view.end(of: object)
        if view.hasDuplicates(object) { superseded = Set(view.supersededNames(of: object)) }
    }

    @inline(__always)
    package mutating func next() -> (name: Int, value: Int)? {
        guard position < end else { return nil }
        let name = position
        let value = view.next(after: name)
        position = view.next(after: value)
        return superseded == nil ? (name, value) : nextThatCounts(name, value)
    }

    @inline(never)
    private mutating func nextThatCounts(_ first: Int, _ firstValue: Int) -> (name: Int, value: Int)? {
        var (name, value) = (first, firstValue)
        while let superseded, superseded.contains(name) {
            guard position < end else { return nil }
            name = position
            value = view.next(after: name)
            position = view.next(after: value)
        }
        return (name, value)
    }
}

/// The elements of an array, in order: their words.
package struct Elements: Sequence, IteratorProtocol {
    private let view: TapeView
    private var position: Int
    private let end: Int

    package init(_ view: TapeView, of array: Int) {
        self.view = view
        position = view.first(in: array)
        end = view.end(of: array)
    }

    package mutating func next() -> Int? {
        guard position < end else { return nil }
        defer { position = view.next(after: position) }
        return position
    }
}

extension TapeView {
    /// The unescaped bytes of the string (or name) at `word`.
    package func textBytes(at word: Int) -> [UInt8] {
        if isEscaped(word) { return Array(string(at: word).utf8) }
        return withBytes(at: word) { bytes in
            var copy: [UInt8] = []
            copy.reserveCapacity(bytes.count)
            for index in bytes.indices { copy.append(bytes[index]) }
            return copy
        }
    }

    /// The names in an object that stand there again later, in the order of those.
    ///
    /// - Complexity: O(bytes of the names).
    package func supersededNames(of object: Int) -> [Int] {
        var last: [[UInt8]: Int] = [:]
        var superseded: [Int] = []
        forEachMember(of: object) { name, _ in
            if let earlier = last.updateValue(name, forKey: textBytes(at: name)) { superseded.append(earlier) }
        }
        return superseded
    }

    /// Whether the string at `word` is one of those.
    package func string(at word: Int, isOneOf names: [StaticString]) -> Bool {
        for name in names where string(at: word, equals: name) { return true }
        return false
    }

    /// The name or text at `word`, short enough for a sentence.
    package func shown(_ word: Int) -> String { string(at: word).shortened(to: 60) }
}

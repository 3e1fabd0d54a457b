import JSONText

/// The members of an object, in order, as the indices of their names and values. If a name is repeated, only its last member is included.
package struct Members: Sequence, IteratorProtocol {
    private let view: TapeView
    private var position: Int
    private let end: Int
    /// The indices of names that are repeated later. Nil if there are none, which is nearly always the case.
    private var superseded: Set<Int>?

    // Inlined, with the rare case in a separate function: decoding a medium `Document` takes 3 % fewer instructions.

    /// - Complexity: O(1), or O(n) if a name is repeated, n = number of bytes in the names.
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
        return superseded == nil ? (name, value) : nextEffective(name, value)
    }

    @inline(never)
    private mutating func nextEffective(_ first: Int, _ firstValue: Int) -> (name: Int, value: Int)? {
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

/// The elements of an array, in order, as their indices.
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
    /// Returns the bytes of the string or name at `word`, with its escapes decoded.
    package func textBytes(at word: Int) -> [UInt8] { Array(string(at: word).utf8) }

    /// Returns the names that a later member of the object repeats, in the order of the later members.
    ///
    /// - Complexity: O(n), n = number of bytes in the names.
    package func supersededNames(of object: Int) -> [Int] {
        var last: [[UInt8]: Int] = [:]
        var superseded: [Int] = []
        forEachMember(of: object) { name, _ in
            if let earlier = last.updateValue(name, forKey: textBytes(at: name)) { superseded.append(earlier) }
        }
        return superseded
    }

    /// Returns whether the string at `word` is one of the given names.
    package func string(at word: Int, isOneOf names: [StaticString]) -> Bool {
        for name in names where string(at: word, equals: name) { return true }
        return false
    }

    /// Returns the name or text at `word`, shortened for a message.
    package func shown(_ word: Int) -> String { string(at: word).shortened(to: 60) }
}

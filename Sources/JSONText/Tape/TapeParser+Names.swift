// Names that are repeated in one object.

extension TapeParser {
    /// Whether the object that is being closed has two members, each value a single word, and names of different length: as nearly all
    /// identifiers are, and so most objects of a compound document. False says nothing.
    @inline(__always)
    static func isPlainPair(_ scan: TapeScan, _ object: Int) -> Bool {
        guard scan.top &- object == 6 else { return false }
        let first = scan.words[object &+ 2]
        let second = scan.words[object &+ 4]
        return (first ^ second) >> 32 != 0 && (first | second) & TapeView.Flag.escaped == 0
    }

    /// Whether the names of the object that is being closed all differ, by two cheap looks: two names of different length, or at most
    /// sixteen names whose short fingerprints all differ. False says nothing.
    @inline(never)
    static func namesDiffer(
        in object: Int, _ members: Int, _ view: TapeView
    ) -> Bool {
        if members == 2 {
            let first = view.firstWord(at: object + 2)
            let second = view.firstWord(at: view.next(after: view.next(after: object + 2)))
            // Kind, flags and length of both words at once: a plain name never equals one of another length.
            if (first ^ second) >> 32 != 0, (first | second) & TapeView.Flag.escaped == 0 { return true }
        }
        // With more names, fingerprints are likely to be the same.
        return members <= 16 && fingerprintsDiffer(view, object)
    }

    /// Finds the names that repeat an earlier one of the object that is being closed, records them, and marks the object.
    ///
    /// Above 32 members, or 4 where a name has escapes, names are compared through a table, so that the cost stays linear whatever the
    /// names are.
    @inline(never)
    func checkNames(of object: Int, members: Int) throws(JSONSyntaxError) {
        let view = words.view(top, of: text)
        // Each comparison with an escaped name resolves its escapes, which many pairs of long names would pay for again and again.
        if members <= 32, members == distinctCount, hasNamesOfDistinctObject(view, object) { return }
        if members <= 4 || members <= 32 && !hasEscapedName(view, object) {
            let found = duplicates.count
            try compareNames(view, object)
            if duplicates.count == found { (distinctObject, distinctCount) = (object, members) }
        } else {
            try compareManyNames(view, object, members)
        }
    }

    /// Whether the object has the same names, in the same order, as the last one that was found to have each name once: as the resources of
    /// one list have.
    private func hasNamesOfDistinctObject(_ view: TapeView, _ object: Int) -> Bool {
        var position = object + 2
        var known = distinctObject + 2
        while position < top {
            guard view.string(at: known, equalsStringAt: position) else { return false }
            position = view.next(after: view.next(after: position))
            known = view.next(after: view.next(after: known))
        }
        return true
    }

    /// Whether no two names share two fingerprints of six bits, made of their length, first and last byte. False says nothing.
    @inline(__always)
    private static func fingerprintsDiffer(_ view: TapeView, _ object: Int) -> Bool {
        var seen: UInt64 = 0
        var seenOther: UInt64 = 0
        var position = object &+ 2
        let end = view.wordCount
        while position < end {
            let word = view.firstWord(at: position)
            if word & (TapeView.Flag.escaped | TapeView.Flag.long) != 0 { return false }
            let offset = Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
            let length = (word >> 32) & 0xFF_FFFF
            // The name's first and last byte, or the quotation marks of an empty one.
            let first = UInt64(view.byte(atOffset: offset))
            let last = UInt64(view.byte(atOffset: offset &+ Int(truncatingIfNeeded: length) &- 1))
            let mix = (length << 16 ^ first << 8 ^ last) &* 0x9E37_79B9_7F4A_7C15
            let bit: UInt64 = 1 << (mix >> 58)
            let otherBit: UInt64 = 1 << ((mix >> 52) & 63)
            if seen & bit != 0, seenOther & otherBit != 0 { return false }
            seen |= bit
            seenOther |= otherBit
            position = view.next(after: position &+ 1)
        }
        return true
    }

    private func hasEscapedName(_ view: TapeView, _ object: Int) -> Bool {
        var position = object + 2
        while position < top {
            if view.isEscaped(position) { return true }
            position = view.next(after: view.value(ofName: position))
        }
        return false
    }

    @inline(never)
    private func compareNames(_ view: TapeView, _ object: Int) throws(JSONSyntaxError) {
        var position = object + 2
        while position < top {
            var earlier = object + 2
            while earlier < position {
                if view.string(at: earlier, equalsStringAt: position) {
                    try record(position, in: object)
                    break
                }
                earlier = view.next(after: view.next(after: earlier))
            }
            position = view.next(after: view.next(after: position))
        }
    }

    @inline(never)
    private func compareManyNames(_ view: TapeView, _ object: Int, _ members: Int) throws(JSONSyntaxError) {
        var table = NameTable(capacity: members)
        var position = object + 2
        while position < top {
            if !table.insert(position, view) { try record(position, in: object) }
            position = view.next(after: view.next(after: position))
        }
    }

    private func record(_ name: Int, in object: Int) throws(JSONSyntaxError) {
        if options.duplicateNames == .refuse {
            let view = words.view(top, of: text)
            throw failure(
                .duplicateName, at: view.offset(at: name) - 1,
                "the name \"\(view.string(at: name))\" stands twice in one object")
        }
        words[object] |= TapeView.Flag.duplicates
        duplicates.append(Tape.Duplicate(object: object, name: name))
    }
}

/// A set of names on a tape, by their unescaped bytes. Hashing is the standard library's, seeded per process, so that a text
/// cannot be written to collide.
private struct NameTable {
    private var slots: [UInt32]
    private let mask: Int

    init(capacity: Int) {
        var size = 64
        while size < capacity * 2 { size *= 2 }
        slots = [UInt32](repeating: .max, count: size)
        mask = size - 1
    }

    /// Returns false when the name is there already.
    mutating func insert(_ name: Int, _ view: TapeView) -> Bool {
        var hasher = Hasher()
        view.hash(stringAt: name, into: &hasher)
        var slot = hasher.finalize() & mask
        while slots[slot] != .max {
            if view.string(at: Int(slots[slot]), equalsStringAt: name) { return false }
            slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(truncatingIfNeeded: name)
        return true
    }
}

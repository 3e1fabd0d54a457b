// Detects names that are repeated in one object.

extension TapeParser {
    /// Returns true if the closed object has two members with single-word values and names of different lengths. Nearly all identifiers
    /// have this form. If the result is false, the names must be compared.
    @inline(__always)
    static func isPlainPair(_ scan: TapeScan, _ object: Int) -> Bool {
        guard scan.top &- object == 6 else { return false }
        let first = scan.words[object &+ 2]
        let second = scan.words[object &+ 4]
        return (first ^ second) >> 32 != 0 && (first | second) & TapeView.Flag.escaped == 0
    }

    /// Returns true if a fast check shows that all names of the closed object differ. Either two names have different lengths, or the
    /// fingerprints of at most sixteen names differ. If the result is false, the names must be compared.
    @inline(never)
    static func namesDiffer(
        in object: Int, _ members: Int, _ view: TapeView
    ) -> Bool {
        if members == 2 {
            let first = view.firstWord(at: object + 2)
            let second = view.firstWord(at: view.next(after: view.next(after: object + 2)))
            // Compares kind, flags and length of both words at once. Names of different lengths differ.
            if (first ^ second) >> 32 != 0, (first | second) & TapeView.Flag.escaped == 0 { return true }
        }
        // With more names, equal fingerprints are likely.
        return members <= 16 && plainNamesDiffer(view, object, comparesEqual: false)
    }

    /// Finds and records the names that repeat an earlier name of the closed object, and marks the object.
    ///
    /// Objects with more than 32 members, or more than 4 if a name has escapes or is repeated, use a hash table. The cost is therefore
    /// always linear.
    @inline(never)
    func checkNames(of object: Int, members: Int) {
        let view = words.view(top, of: text)
        if members <= 32, Self.plainNamesDiffer(view, object, comparesEqual: true) { return }
        if members <= 4 { compareNames(view, object) } else { compareManyNames(view, object, members) }
    }

    /// Returns true if no name has escapes and all names differ. If the result is false, the names must be compared.
    ///
    /// Each name has two 6-bit fingerprints, which are computed from its length and its first and last byte. Names whose fingerprints both
    /// occurred are taken for equal, unless `comparesEqual` is true.
    @inline(__always)
    private static func plainNamesDiffer(_ view: TapeView, _ object: Int, comparesEqual: Bool) -> Bool {
        var seen: UInt64 = 0
        var seenOther: UInt64 = 0
        var position = object &+ 2
        let end = view.wordCount
        while position < end {
            let word = view.firstWord(at: position)
            if word & (TapeView.Flag.escaped | TapeView.Flag.long) != 0 { return false }
            let offset = Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
            let length = (word >> 32) & 0xFF_FFFF
            // The first and last byte of the name, or the quotation marks if it is empty.
            let first = UInt64(view.byte(atOffset: offset))
            let last = UInt64(view.byte(atOffset: offset &+ Int(truncatingIfNeeded: length) &- 1))
            let mix = (length << 16 ^ first << 8 ^ last) &* 0x9E37_79B9_7F4A_7C15
            let bit: UInt64 = 1 << (mix >> 58)
            let otherBit: UInt64 = 1 << ((mix >> 52) & 63)
            if seen & bit != 0, seenOther & otherBit != 0, !comparesEqual || occurs(position, earlierIn: object, view) {
                return false
            }
            seen |= bit
            seenOther |= otherBit
            position = view.next(after: position &+ 1)
        }
        return true
    }

    /// Returns whether the name at `position` occurs among the names before it.
    @inline(never)
    private static func occurs(_ position: Int, earlierIn object: Int, _ view: TapeView) -> Bool {
        var earlier = object + 2
        while earlier < position {
            if view.string(at: earlier, equalsStringAt: position) { return true }
            earlier = view.next(after: view.next(after: earlier))
        }
        return false
    }

    @inline(never)
    private func compareNames(_ view: TapeView, _ object: Int) {
        var position = object + 2
        while position < top {
            if Self.occurs(position, earlierIn: object, view) { record(position, in: object) }
            position = view.next(after: view.next(after: position))
        }
    }

    @inline(never)
    private func compareManyNames(_ view: TapeView, _ object: Int, _ members: Int) {
        var table = NameTable(capacity: members)
        var position = object + 2
        while position < top {
            if !table.insert(position, view) { record(position, in: object) }
            position = view.next(after: view.next(after: position))
        }
    }

    private func record(_ name: Int, in object: Int) {
        words[object] |= TapeView.Flag.duplicates
        duplicates.append(Tape.Duplicate(object: object, name: name))
    }

    /// Throws for a repeated name if the options refuse it. The parser has reached the end of the text.
    func refuseDuplicates() throws(JSONSyntaxError) {
        guard options.duplicateNames == .refuse, let duplicate = duplicates.outermost else { return }
        let view = words.view(top, of: text)
        let name = view.string(at: duplicate.name)
        throw JSONSyntaxError(
            .duplicateName, offset: view.offset(at: duplicate.name) - 1, reason: "the name \"\(name)\" occurs twice in one object",
            pointer: view.pointer(to: duplicate.object))
    }
}

/// A set of names on a tape, compared by their bytes with escapes decoded. The keys of the hash are random in each process, so that an
/// attacker cannot choose names that collide.
private struct NameTable {
    private var slots: [UInt32]
    private let mask: Int

    init(capacity: Int) {
        var size = 64
        while size < capacity * 2 { size *= 2 }
        slots = [UInt32](repeating: .max, count: size)
        mask = size - 1
    }

    /// Inserts a name. Returns false if the table already contains it.
    mutating func insert(_ name: Int, _ view: TapeView) -> Bool {
        var slot = Int(truncatingIfNeeded: view.hash(stringAt: name, .shared, into: 0)) & mask
        while slots[slot] != .max {
            if view.string(at: Int(slots[slot]), equalsStringAt: name) { return false }
            slot = (slot + 1) & mask
        }
        slots[slot] = UInt32(truncatingIfNeeded: name)
        return true
    }
}

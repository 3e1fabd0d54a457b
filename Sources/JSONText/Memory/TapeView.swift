/// Reads a tape: an array of 8-byte words that point back into the bytes of the text.
///
///     {"id":"7","tags":[1]}
///
///     word  kind    says                                       is
///      0    object  2 members, the first word behind is 8      two words, 0 and 1
///      2    string  "id", 2 bytes at byte 2                    name
///      3    string  "7", 1 byte at byte 7                      value
///      4    string  "tags", 4 bytes at byte 11                 name
///      5    array   1 element, the first word behind is 8      value, two words, 5 and 6
///      7    number  1 byte at byte 18                          element
///
/// A word is, from the highest bit: 4 bits kind, 4 bits flags, 24 bits length, 32 bits offset. A length that does not fit
/// sets `Flag.long` and stands in a word of its own behind. A container has two words: the second holds the number of its
/// elements or members (low half) and the index of the first word behind it (high half), so that any value is skipped in one
/// step. Nothing is nested in memory: freeing, walking and skipping never recurse, whatever the depth of the text.
///
/// The 24 bits of length mean nothing in a container's first word. They are its mark: 0 until the one session that uses the tape
/// leaves a number there.
///
/// Bounds: indices from 0 up to, but not including, `wordCount`. Every index is checked before its word is read, in release builds too.
/// Only the parser writes words. It checks every offset and length against the text before it writes them, and after parsing
/// nothing but marks changes. The bytes of a string or number are therefore in bounds as soon as its word is one of a string
/// or number, which is checked as well.
///
/// The kind of a first word is never 0; the four highest bits of a second word always are, because a tape has fewer than 2^28 words
/// and a text fewer than 2^32 bytes. So no second word is taken for a value: an index that points at one stops a build with assertions,
/// and in any other is a value of no kind, neither null nor a container, with an empty text.
///
/// A view owns nothing: keep its `Tape` as long as the view.
@safe
@usableFromInline package struct TapeView: @unchecked Sendable {
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let start: UnsafePointer<UInt8>
    /// As 32 bits, so that a view has three words.
    @usableFromInline let storedWordCount: UInt32
    @usableFromInline let storedByteCount: UInt32

    /// - Parameters:
    ///   - words: `wordCount` words that a parser wrote for the text.
    ///   - text: `byteCount` bytes. Words and bytes stay where they are as long as the view is used.
    @unsafe
    @inlinable init(words: UnsafeMutablePointer<UInt64>, wordCount: Int, text: UnsafePointer<UInt8>, byteCount: Int) {
        unsafe self.words = unsafe words
        unsafe start = unsafe text
        storedWordCount = UInt32(wordCount)
        storedByteCount = UInt32(byteCount)
    }

    /// The same tape with the text at another place.
    @unsafe
    func withText(at place: UnsafePointer<UInt8>) -> TapeView {
        unsafe TapeView(words: words, wordCount: wordCount, text: place, byteCount: byteCount)
    }

    /// Number of words of the tape.
    @inlinable var wordCount: Int { Int(truncatingIfNeeded: storedWordCount) }
    /// Number of bytes of the text.
    @inlinable var byteCount: Int { Int(truncatingIfNeeded: storedByteCount) }
}

// MARK: - Words

extension TapeView {
    /// What a word stands for. Containers are the two highest, so that one comparison finds them. 0 is no kind.
    @usableFromInline package enum Kind: UInt8, Sendable {
        case null = 1
        case `false`, `true`, number, string, array, object
    }

    @usableFromInline enum Flag {
        @usableFromInline static let long: UInt64 = 1 << 59
        /// A string with a backslash in it; its text has to be unescaped.
        static let escaped: UInt64 = 1 << 56
        /// A number without fraction and exponent. Not the bit of `escaped`: a number's text may be read as a string's.
        static let integer: UInt64 = 1 << 57
        /// An object in which some name is repeated.
        static let duplicates: UInt64 = 1 << 56
    }

    static let maximumShortLength = (1 << 24) - 1

    /// The most words of a tape: the four highest bits of an index in the upper half of a word are 0, and on systems with 32 bits the
    /// bytes of all words can be counted.
    static let maximumWordCount = min(1 << 28 - 1, Int.max / 16)

    /// The most bytes of a text: offsets have 32 bits.
    static let maximumByteCount = Int(clamping: UInt32.max)

    static func word(_ kind: Kind, flags: UInt64, offset: Int) -> UInt64 {
        UInt64(kind.rawValue) << 60 | flags | UInt64(truncatingIfNeeded: offset)
    }

    /// The word at `index`.
    @inlinable @inline(__always) func word(at index: Int) -> UInt64 {
        precondition(UInt(bitPattern: index) < UInt(truncatingIfNeeded: storedWordCount), "an index outside of the tape")
        // In bounds: checked.
        return unsafe words[index]
    }

    /// The word at `index`, the first one of a value or name.
    @inlinable @inline(__always) func firstWord(at index: Int) -> UInt64 {
        let word = word(at: index)
        assert(word >> 60 != 0, "an index that is not that of a value or name")
        return word
    }

    /// The second word of the container or long value at `index`. To be asked only for those, of which the parser wrote both words.
    @inlinable @inline(__always) func secondWord(at index: Int) -> UInt64 {
        assert(index &+ 1 < wordCount)
        // In bounds: the caller has seen in the first word that there are two.
        return unsafe words[index &+ 1]
    }

    /// The word of the document's one value.
    @inlinable package var root: Int { 0 }

    @inlinable package func kind(at index: Int) -> Kind {
        switch firstWord(at: index) >> 60 {
        case 2: .false
        case 3: .true
        case 4: .number
        case 5: .string
        case 6: .array
        case 7: .object
        default: .null
        }
    }

    @inlinable @inline(__always) package func isString(_ index: Int) -> Bool { firstWord(at: index) >> 60 == 5 }
    @inlinable @inline(__always) package func isNull(_ index: Int) -> Bool { firstWord(at: index) >> 60 == 1 }
    @inlinable @inline(__always) package func isObject(_ index: Int) -> Bool { firstWord(at: index) >> 60 == 7 }
    @inlinable @inline(__always) package func isArray(_ index: Int) -> Bool { firstWord(at: index) >> 60 == 6 }
    @inlinable @inline(__always) package func isContainer(_ index: Int) -> Bool { firstWord(at: index) >> 60 >= 6 }

    /// The index behind the value (or name) at `index`: its next sibling, or its container's end. O(1).
    @inlinable @inline(__always) package func next(after index: Int) -> Int {
        let word = firstWord(at: index)
        if word >> 60 >= 6 { return Int(truncatingIfNeeded: secondWord(at: index) >> 32) }
        return index &+ 1 &+ Int(truncatingIfNeeded: (word >> 59) & 1)
    }

    /// The index of the value of the member whose name is at `name`.
    @inlinable @inline(__always) package func value(ofName name: Int) -> Int {
        let word = firstWord(at: name)
        assert(word >> 60 == 5, "an index that is not that of a name")
        return name &+ 1 &+ Int(truncatingIfNeeded: (word >> 59) & 1)
    }

    /// The index of the name of the member whose value is at `index`. Only for the value of a member.
    package func name(ofValue index: Int) -> Int {
        // In front of the value stands its name, or the second word of a long one, which has no kind.
        word(at: index &- 1) >> 60 == 5 ? index &- 1 : index &- 2
    }

    /// Number of elements of the array, or of members of the object, at `index`; 0 for any other value.
    @inlinable @inline(__always) package func count(at index: Int) -> Int {
        guard isContainer(index) else { return 0 }
        return Int(truncatingIfNeeded: secondWord(at: index) & 0xFFFF_FFFF)
    }

    /// The first element, or the first name, of the container at `index`; its end when it is empty.
    @inlinable @inline(__always) package func first(in index: Int) -> Int { index &+ 2 }

    /// The index behind the container at `index`; that of any other value itself, so that nothing lies before it.
    @inlinable @inline(__always) package func end(of index: Int) -> Int {
        guard isContainer(index) else { return index }
        return Int(truncatingIfNeeded: secondWord(at: index) >> 32)
    }

    /// Offset in bytes, from 0, of the value's first byte; for a string, of the first byte behind its quotation mark.
    @inlinable @inline(__always) package func offset(at index: Int) -> Int {
        Int(truncatingIfNeeded: firstWord(at: index) & 0xFFFF_FFFF)
    }

    /// Offset in bytes, from 0, of the value's first byte, a string's quotation mark included: the place to show to people.
    package func start(of index: Int) -> Int { isString(index) ? offset(at: index) - 1 : offset(at: index) }

    /// Length in bytes of a string between its quotation marks, as written, or of a number; 0 for any other value.
    @inlinable @inline(__always) package func length(at index: Int) -> Int { length(of: firstWord(at: index), at: index) }

    /// The same with the first word at hand.
    @inlinable @inline(__always) func length(of word: UInt64, at index: Int) -> Int {
        // The kinds of numbers and strings are 4 and 5.
        guard word >> 61 == 2 else { return 0 }
        if (word >> 59) & 1 == 0 { return Int(truncatingIfNeeded: (word >> 32) & 0xFF_FFFF) }
        return Int(truncatingIfNeeded: secondWord(at: index))
    }

    /// The greatest number that fits into a mark.
    @inlinable package static var maximumMark: Int { 0xFF_FFFF }

    /// The number left at a container, 0 if none was.
    @inlinable @inline(__always) package func mark(at index: Int) -> Int {
        Int(truncatingIfNeeded: firstWord(at: index) >> 32 & 0xFF_FFFF)
    }

    /// Leaves a number, up to `maximumMark`, at the object or array at `index`. Only while no other thread has the tape.
    @inlinable @inline(__always) package func leaveMark(_ mark: Int, at index: Int) {
        let word = firstWord(at: index)
        precondition(word >> 60 >= 6 && mark >= 0 && mark <= Self.maximumMark)
        // In bounds: checked with the word.
        unsafe words[index] = word & ~(0xFF_FFFF << 32) | UInt64(truncatingIfNeeded: mark) << 32
    }

    /// Whether the string at `index` holds an escape.
    @inlinable @inline(__always) package func isEscaped(_ index: Int) -> Bool { (firstWord(at: index) >> 56) & 1 != 0 }

    /// Whether the number at `index` has neither fraction nor exponent.
    @inlinable package func isInteger(_ index: Int) -> Bool { (firstWord(at: index) >> 57) & 1 != 0 }

    /// Whether some name is repeated in the object at `index`.
    @inlinable package func hasDuplicates(_ index: Int) -> Bool { (firstWord(at: index) >> 56) & 1 != 0 }
}

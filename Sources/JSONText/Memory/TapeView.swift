/// A view for reading a tape. A tape is an array of 8-byte words that point to the bytes of the text.
///
///     {"id":"7","tags":[1]}
///
///     word  kind    content                                    role
///      0    object  2 members, the next word is 8              two words, 0 and 1
///      2    string  "id", 2 bytes at byte 2                    name
///      3    string  "7", 1 byte at byte 7                      value
///      4    string  "tags", 4 bytes at byte 11                 name
///      5    array   1 element, the next word is 8              value, two words, 5 and 6
///      7    number  1 byte at byte 18                          element
///
/// A word consists of, from the highest bit: 4 bits for the kind, 4 bits for flags, 24 bits for the length, and 32 bits for the offset. A
/// longer length sets `Flag.long` and is stored in a second word. A container has two words. The low half of the second word holds the
/// number of its elements or members. The high half holds the index of the first word after the container, so that any value can be
/// skipped in one step. Memory is not nested, so freeing, walking and skipping never recurse.
///
/// In the first word of a container, the 24 bits of the length hold its mark. The mark is 0 until the session that uses the tape stores
/// a number there.
///
/// Bounds: indices from 0 up to, but not including, `wordCount`. Every index is checked before its word is read, in release builds, too.
/// Only the parser writes words. It checks every offset and length against the text first. After parsing, only marks change. If a word is
/// that of a string or number, which is checked as well, its bytes are therefore in bounds.
///
/// The kind of a first word is never 0. The four highest bits of a second word are always 0, because a tape has fewer than 2^28 words and
/// a text fewer than 2^32 bytes. A second word can therefore not be mistaken for a value. An index of a second word stops a build with
/// assertions. In other builds, it is a value of no kind with an empty text.
///
/// A view does not keep its `Tape` alive. Keep the tape as long as the view.
@safe
@usableFromInline package struct TapeView: @unchecked Sendable {
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let start: UnsafePointer<UInt8>
    /// 32 bits, so that a view takes only three words.
    @usableFromInline let storedWordCount: UInt32
    @usableFromInline let storedByteCount: UInt32

    /// - Parameters:
    ///   - words: The `wordCount` words that a parser wrote for the text.
    ///   - text: The `byteCount` bytes of the text. Words and bytes must stay in place as long as the view is used.
    @unsafe
    @inlinable init(words: UnsafeMutablePointer<UInt64>, wordCount: Int, text: UnsafePointer<UInt8>, byteCount: Int) {
        unsafe self.words = unsafe words
        unsafe start = unsafe text
        storedWordCount = UInt32(wordCount)
        storedByteCount = UInt32(byteCount)
    }

    /// The number of words of the tape.
    @inlinable var wordCount: Int { Int(truncatingIfNeeded: storedWordCount) }
    /// The number of bytes of the text.
    @inlinable var byteCount: Int { Int(truncatingIfNeeded: storedByteCount) }
}

// MARK: - Words

extension TapeView {
    /// The kind of a value. Arrays and objects have the two highest numbers, so that one comparison detects containers. 0 is not used.
    @usableFromInline package enum Kind: UInt8, Sendable {
        case null = 1
        case `false`, `true`, number, string, array, object
    }

    @usableFromInline enum Flag {
        @usableFromInline static let long: UInt64 = 1 << 59
        /// A string that contains a backslash, so that its escapes must be decoded.
        static let escaped: UInt64 = 1 << 56
        /// A number without a fraction or an exponent. It differs from `escaped`, because the text of a number can be read like a string.
        static let integer: UInt64 = 1 << 57
        /// An object that repeats a name.
        static let duplicates: UInt64 = 1 << 56
    }

    /// The largest length that fits in one word.
    @inlinable static var maximumShortLength: Int { 0xFF_FFFF }

    /// The maximum number of words of a tape. The four highest bits of an index in the upper half of a word must be 0. On 32-bit systems,
    /// the number of bytes must be in the range of `Int`.
    static let maximumWordCount = min(1 << 28 - 1, Int.max / 16)

    /// The maximum number of bytes of a text. Offsets have 32 bits.
    static let maximumByteCount = Int(clamping: UInt32.max)

    static func word(_ kind: Kind, flags: UInt64, offset: Int) -> UInt64 {
        UInt64(kind.rawValue) << 60 | flags | UInt64(truncatingIfNeeded: offset)
    }

    /// Returns the word at `index`.
    @inlinable @inline(__always) func word(at index: Int) -> UInt64 {
        precondition(UInt(bitPattern: index) < UInt(truncatingIfNeeded: storedWordCount), "an index outside the tape")
        // In bounds: checked.
        return unsafe words[index]
    }

    /// Returns the first word of the value or name at `index`.
    @inlinable @inline(__always) func firstWord(at index: Int) -> UInt64 {
        let word = word(at: index)
        assert(word >> 60 != 0, "an index that is not the index of a value or name")
        return word
    }

    /// Returns the second word of the container or long value at `index`. Other values have no second word.
    @inlinable @inline(__always) func secondWord(at index: Int) -> UInt64 {
        assert(index &+ 1 < wordCount)
        // In bounds: the caller has checked that the value has two words.
        return unsafe words[index &+ 1]
    }

    /// The index of the text's top-level value.
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

    /// Returns the index after the value or name at `index`: that of its next sibling, or the end of its container. O(1).
    @inlinable @inline(__always) package func next(after index: Int) -> Int {
        let word = firstWord(at: index)
        if word >> 60 >= 6 { return Int(truncatingIfNeeded: secondWord(at: index) >> 32) }
        return index &+ 1 &+ Int(truncatingIfNeeded: (word >> 59) & 1)
    }

    /// Returns the index of the value of the member whose name is at `name`.
    @inlinable @inline(__always) package func value(ofName name: Int) -> Int {
        let word = firstWord(at: name)
        assert(word >> 60 == 5, "an index that is not the index of a name")
        return name &+ 1 &+ Int(truncatingIfNeeded: (word >> 59) & 1)
    }

    /// Returns the index of the name of the member whose value is at `index`. The value must be that of a member.
    package func name(ofValue index: Int) -> Int {
        // The word before the value is its name, or the second word of a long name, which has no kind.
        word(at: index &- 1) >> 60 == 5 ? index &- 1 : index &- 2
    }

    /// Returns the number of elements or members of the container at `index`, or 0 for any other value.
    @inlinable @inline(__always) package func count(at index: Int) -> Int {
        guard isContainer(index) else { return 0 }
        return Int(truncatingIfNeeded: secondWord(at: index) & 0xFFFF_FFFF)
    }

    /// Returns the index of the first element or name of the container at `index`, or its end if it is empty.
    @inlinable @inline(__always) package func first(in index: Int) -> Int { index &+ 2 }

    /// Returns the index after the container at `index`. For any other value it returns `index`, so that a loop over its contents ends.
    @inlinable @inline(__always) package func end(of index: Int) -> Int {
        guard isContainer(index) else { return index }
        return Int(truncatingIfNeeded: secondWord(at: index) >> 32)
    }

    /// Returns the byte offset of the value, from 0. For a string, it is the offset of the first byte after its quotation mark.
    @inlinable @inline(__always) package func offset(at index: Int) -> Int {
        Int(truncatingIfNeeded: firstWord(at: index) & 0xFFFF_FFFF)
    }

    /// Returns the byte offset of the value, from 0, for messages. For a string, it is the offset of its quotation mark.
    package func start(of index: Int) -> Int { isString(index) ? offset(at: index) - 1 : offset(at: index) }

    /// Returns the length in bytes of a string or number in the text, without quotation marks. Returns 0 for any other value.
    @inlinable @inline(__always) package func length(at index: Int) -> Int { length(of: firstWord(at: index), at: index) }

    /// Does the same for a given first word.
    @inlinable @inline(__always) func length(of word: UInt64, at index: Int) -> Int {
        // Numbers have the kind 4, and strings 5.
        guard word >> 61 == 2 else { return 0 }
        if (word >> 59) & 1 == 0 { return Int(truncatingIfNeeded: (word >> 32) & 0xFF_FFFF) }
        return Int(truncatingIfNeeded: secondWord(at: index))
    }

    /// The largest number that a mark can store.
    @inlinable package static var maximumMark: Int { 0xFF_FFFF }

    /// Returns the mark of a container, or 0 if none was set.
    @inlinable @inline(__always) package func mark(at index: Int) -> Int {
        Int(truncatingIfNeeded: firstWord(at: index) >> 32 & 0xFF_FFFF)
    }

    /// Sets the mark of the object or array at `index` to a number up to `maximumMark`. No other thread may have access to the tape.
    @inlinable @inline(__always) package func leaveMark(_ mark: Int, at index: Int) {
        let word = firstWord(at: index)
        precondition(word >> 60 >= 6 && mark >= 0 && mark <= Self.maximumMark)
        // In bounds: reading the word has checked the index.
        unsafe words[index] = word & ~(0xFF_FFFF << 32) | UInt64(truncatingIfNeeded: mark) << 32
    }

    /// Returns whether the string at `index` contains an escape.
    @inlinable @inline(__always) package func isEscaped(_ index: Int) -> Bool { (firstWord(at: index) >> 56) & 1 != 0 }

    /// Returns whether the value at `index` is a number with neither a fraction nor an exponent.
    @inlinable package func isInteger(_ index: Int) -> Bool { (firstWord(at: index) >> 57) & 1 != 0 }

    /// Returns whether the object at `index` repeats a name.
    @inlinable package func hasDuplicates(_ index: Int) -> Bool { (firstWord(at: index) >> 56) & 1 != 0 }
}

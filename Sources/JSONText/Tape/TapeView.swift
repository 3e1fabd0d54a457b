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
/// The 24 bits of length mean nothing in a container's first word: they are its mark, 0 until somebody who has the tape to himself
/// leaves a number there.
///
/// This folder is the one place of the module that uses unsafe memory for reading. Its rules: words are written by the parser only and,
/// but for marks, never change afterwards; every offset and length was checked against the text when it was written; every index handed out
/// is `root` or comes from one of the methods here, and is therefore in bounds. A view is two pointers and owns nothing: who
/// keeps one keeps its `Tape` as well.
@usableFromInline package struct TapeView: @unchecked Sendable {
    @usableFromInline package let words: UnsafeMutablePointer<UInt64>
    @usableFromInline package let bytes: UnsafePointer<UInt8>

    @inlinable package init(words: UnsafeMutablePointer<UInt64>, bytes: UnsafePointer<UInt8>) {
        self.words = words
        self.bytes = bytes
    }
}

// MARK: - Words

extension TapeView {
    /// What a word stands for. Containers are the two highest, so that one comparison finds them.
    @usableFromInline package enum Kind: UInt8, Sendable {
        case null, `false`, `true`, number, string, array, object
    }

    enum Flag {
        static let long: UInt64 = 1 << 59
        /// A string with a backslash in it; its text has to be unescaped.
        static let escaped: UInt64 = 1 << 56
        /// A number without fraction and exponent. Not the bit of `escaped`: a number's text may be read as a string's.
        static let integer: UInt64 = 1 << 57
        /// An object in which some name stands twice.
        static let duplicates: UInt64 = 1 << 56
    }

    static let maximumShortLength = (1 << 24) - 1

    static func word(_ kind: Kind, flags: UInt64, offset: Int) -> UInt64 {
        UInt64(kind.rawValue) << 60 | flags | UInt64(truncatingIfNeeded: offset)
    }

    /// The word of the document's one value.
    @inlinable package var root: Int { 0 }

    @inlinable package func kind(at index: Int) -> Kind {
        switch words[index] >> 60 {
        case 0: .null
        case 1: .false
        case 2: .true
        case 3: .number
        case 4: .string
        case 5: .array
        default: .object
        }
    }

    @inlinable @inline(__always) package func isString(_ index: Int) -> Bool { words[index] >> 60 == 4 }
    @inlinable @inline(__always) package func isNull(_ index: Int) -> Bool { words[index] >> 60 == 0 }
    @inlinable @inline(__always) package func isObject(_ index: Int) -> Bool { words[index] >> 60 == 6 }
    @inlinable @inline(__always) package func isArray(_ index: Int) -> Bool { words[index] >> 60 == 5 }
    @inlinable @inline(__always) package func isContainer(_ index: Int) -> Bool { words[index] >> 60 >= 5 }

    /// The index behind the value (or name) at `index`: its next sibling, or its container's end. O(1).
    @inlinable @inline(__always) package func next(after index: Int) -> Int {
        let word = words[index]
        if word >> 60 >= 5 { return Int(truncatingIfNeeded: words[index &+ 1] >> 32) }
        return index &+ 1 &+ Int(truncatingIfNeeded: (word >> 59) & 1)
    }

    /// Number of elements of the array, or of members of the object, at `index`.
    @inlinable @inline(__always) package func count(at index: Int) -> Int { Int(truncatingIfNeeded: words[index + 1] & 0xFFFF_FFFF) }

    /// The first element, or the first name, of the container at `index`; its end when it is empty.
    @inlinable @inline(__always) package func first(in index: Int) -> Int { index + 2 }

    /// The index behind the container at `index`.
    @inlinable @inline(__always) package func end(of index: Int) -> Int { Int(truncatingIfNeeded: words[index + 1] >> 32) }

    /// Offset in bytes, from 0, of the value's first byte; for a string, of the first byte behind its quotation mark.
    @inlinable @inline(__always) package func offset(at index: Int) -> Int { Int(truncatingIfNeeded: words[index] & 0xFFFF_FFFF) }

    /// Offset in bytes, from 0, of the value's first byte, a string's quotation mark included: the place to show to people.
    package func start(of index: Int) -> Int { isString(index) ? offset(at: index) - 1 : offset(at: index) }

    /// Length in bytes of a string between its quotation marks, as written, or of a number.
    @inlinable @inline(__always) package func length(at index: Int) -> Int {
        let word = words[index]
        assert(word >> 60 < 5, "a container has a mark where others have their length")
        if (word >> 59) & 1 == 0 { return Int(truncatingIfNeeded: (word >> 32) & 0xFF_FFFF) }
        return Int(truncatingIfNeeded: words[index + 1])
    }

    /// The greatest number that fits into a mark.
    @inlinable package static var maximumMark: Int { 0xFF_FFFF }

    /// The number left at a container, 0 if none was.
    @inlinable @inline(__always) package func mark(at index: Int) -> Int { Int(truncatingIfNeeded: words[index] >> 32 & 0xFF_FFFF) }

    /// Leaves a number, up to `maximumMark`, at the object or array at `index`. Only for who shares the tape with nobody yet.
    @inlinable @inline(__always) package func leaveMark(_ mark: Int, at index: Int) {
        assert(isContainer(index) && mark >= 0 && mark <= Self.maximumMark)
        words[index] = words[index] & ~(0xFF_FFFF << 32) | UInt64(truncatingIfNeeded: mark & Self.maximumMark) << 32
    }

    /// Whether the string at `index` holds an escape.
    @inlinable @inline(__always) package func isEscaped(_ index: Int) -> Bool { (words[index] >> 56) & 1 != 0 }

    /// Whether the number at `index` has neither fraction nor exponent.
    @inlinable package func isInteger(_ index: Int) -> Bool { (words[index] >> 57) & 1 != 0 }

    /// Whether some name stands twice in the object at `index`.
    @inlinable package func hasDuplicates(_ index: Int) -> Bool { (words[index] >> 56) & 1 != 0 }

    /// The bytes of the string or number at `index`, as written. Valid while the tape lives.
    @inlinable @inline(__always) package func rawBytes(at index: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: bytes + offset(at: index), count: length(at: index))
    }
}

// Forms with pointers, for callers that have not moved to spans yet. They go when the last one has.

extension NumberParsing {
    /// The form with a pointer of `int64(_:)`.
    @unsafe
    @inlinable package static func int64(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? { int64(unsafe bytes.span) }

    /// The form with a pointer of `integer(_:as:)`.
    @unsafe
    @inlinable package static func integer<T: FixedWidthInteger>(
        _ bytes: UnsafeBufferPointer<UInt8>, as type: T.Type
    ) throws(Failure) -> T { try integer(unsafe bytes.span, as: type) }

    /// The form with a pointer of `double(_:)`.
    @unsafe
    package static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? { double(unsafe bytes.span) }

    /// The form with a pointer of `isNumber(_:)`.
    @unsafe
    package static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { isNumber(unsafe bytes.span) }
}

extension TapeView {
    /// Use `byte(atOffset:)`.
    @unsafe
    @inlinable package var bytes: UnsafePointer<UInt8> { unsafe start }

    /// Use `withBytes(at:_:)`.
    @unsafe
    @inlinable @inline(__always) package func rawBytes(at index: Int) -> UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: start + offset(at: index), count: length(at: index))
    }

    /// The form with a pointer of `member(_:of:)`.
    @unsafe
    package func member(_ name: UnsafeBufferPointer<UInt8>, of index: Int) -> Int? { member(unsafe name.span, of: index) }

    /// The form with a hint, which may be one that another object has left: it is believed only after the whole object was searched.
    @inlinable package func member(_ name: StaticString, of index: Int, hint: inout Int) -> Int? {
        unsafe member(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), of: index, hint: &hint)
    }

    /// Use `nameMatches(at:_:)` and a cursor that knows its object: here a hint from another object is believed.
    @unsafe
    @inlinable @inline(__always) package func member(
        _ name: UnsafeBufferPointer<UInt8>, of index: Int, hint: inout Int
    ) -> Int? {
        if hasDuplicates(index) { return unsafe lastMember(name, of: index) }
        let first = index &+ 2
        let end = self.end(of: index)
        let start = hint >= first && hint < end ? hint : first
        if let value = unsafe member(name, from: start, to: end, &hint) { return value }
        return start == first ? nil : unsafe member(name, from: first, to: start, &hint)
    }

    @unsafe
    @inlinable @inline(__always) package func member(
        _ name: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int, _ hint: inout Int
    ) -> Int? {
        var position = start
        while position < end {
            let isFound = unsafe string(at: position, equals: name)
            let value = position &+ 1 &+ Int(truncatingIfNeeded: (word(at: position) >> 59) & 1)
            position = next(after: value)
            if isFound {
                hint = position
                return value
            }
        }
        return nil
    }

    @unsafe
    @usableFromInline package func lastMember(_ name: UnsafeBufferPointer<UInt8>, of index: Int) -> Int? {
        member(unsafe name.span, of: index)
    }
}

extension Tape {
    /// The tape of `text`, which has to stay where it is until the tape is gone or `takeOwnership()` was called.
    ///
    /// - Parameter memory: what another tape has given up, instead of new memory. It is gone whether the text can be parsed or not.
    @unsafe
    package static func borrowing(
        _ text: UnsafeBufferPointer<UInt8>, options: JSONReadingOptions, reusing memory: TapeMemory? = nil
    ) throws(JSONSyntaxError) -> Tape {
        try TapeParser.parse(unsafe TextBytes(text), options: options, reusing: memory)
    }

    /// Use `withText(_:)`.
    @unsafe
    package var text: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: view.start, count: byteCount) }
}

extension UTF8Bytes {
    /// Use `withBytes(of:_:)`.
    @unsafe
    @inlinable
    @inline(__always)
    package static func with<Answer>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Answer) -> Answer {
        if let answer = unsafe text.utf8.withContiguousStorageIfAvailable(body) {
            return answer
        }
        var copy = text
        return copy.withUTF8(body)
    }

    /// The form with pointers of `areEqual(_:_:)`.
    @unsafe
    package static func areEqual(_ lhs: UnsafeBufferPointer<UInt8>, _ rhs: UnsafeBufferPointer<UInt8>) -> Bool {
        unsafe Bytes.areEqual(lhs.span, rhs.span)
    }
}

extension KeyedHash {
    /// The form with a pointer of `mix(_:into:)`.
    @unsafe
    @inlinable @inline(__always)
    package func mix(_ bytes: UnsafeBufferPointer<UInt8>, into state: UInt64) -> UInt64 { unsafe mix(bytes.span, into: state) }
}

extension TextPosition {
    /// The form with a pointer of `positions(of:in:)`.
    @unsafe
    package static func positions(of offsets: [Int?], in bytes: UnsafeBufferPointer<UInt8>) -> [TextPosition?] {
        unsafe positions(of: offsets, in: bytes.span)
    }
}

extension JSONOutput {
    /// Writes the number at `index` of a tape, digit for digit.
    func number(at index: Int, of view: TapeView) { unsafe raw(view.rawBytes(at: index)) }
}

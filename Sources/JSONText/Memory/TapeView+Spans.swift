// The tape's bytes as spans, and texts of the caller as spans: what the other modules use.

extension TapeView {
    /// Calls `body` with the bytes of the string or number at `index`, as written. The bytes of any other value are empty.
    @inlinable @inline(__always)
    package func withBytes<Result, Failure: Error>(
        at index: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(rawBytes(at: index).span)
    }

    /// Whether the name at `name` is exactly these bytes. Escapes are resolved first; nothing is normalized.
    @inlinable @inline(__always) package func name(at name: Int, equals bytes: Span<UInt8>) -> Bool { string(at: name, equals: bytes) }

    /// Whether the name at `name` is exactly these bytes. Escapes are resolved first; nothing is normalized.
    @inlinable @inline(__always) package func nameMatches(at name: Int, _ bytes: Span<UInt8>) -> Bool { string(at: name, equals: bytes) }

    /// The index of the value of the member whose name is at `name`.
    @inlinable @inline(__always) package func value(ofName name: Int) -> Int {
        name &+ 1 &+ Int(truncatingIfNeeded: (words[name] >> 59) & 1)
    }

    /// Whether the unescaped text at `index` is exactly these bytes.
    @inlinable @inline(__always) package func string(at index: Int, equals bytes: Span<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { string(at: index, equals: $0) }
    }

    /// The value of the last member of that name in the object at `index`; nil when there is none.
    ///
    /// - Complexity: O(members).
    package func member(_ name: Span<UInt8>, of index: Int) -> Int? {
        name.withUnsafeBufferPointer { member($0, of: index) }
    }

    /// The byte of the text at `offset`; 0 behind its end.
    @inlinable @inline(__always) package func byte(atOffset offset: Int) -> UInt8 { bytes[offset] }
}

extension Tape {
    /// Calls `body` with the whole text.
    package func withText<Result, Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(text.span)
    }

    /// Calls `body` with the tape of `text`.
    ///
    /// A tape that outlives `body` has a copy of the text from then on; views taken inside `body` are no longer valid.
    package static func with<Result>(
        _ text: Span<UInt8>, options: JSONReadingOptions, reusing memory: TapeMemory? = nil, _ body: (Tape) throws -> Result
    ) throws -> Result {
        try text.withUnsafeBufferPointer { bytes in
            var tape = try Tape.borrowing(bytes, options: options, reusing: memory)
            defer { if !isKnownUniquelyReferenced(&tape) { tape.takeOwnership() } }
            return try body(tape)
        }
    }
}

extension UTF8Bytes {
    /// Calls `body` with the bytes of `text`.
    ///
    /// - Complexity: O(1) before `body`; O(n) when the platform keeps the string in another encoding.
    @inlinable @inline(__always)
    package static func withBytes<Result, Failure: Error>(
        of text: String, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var text = text
        let result = text.withUTF8 { bytes in
            Swift.Result { () throws(Failure) in try body(bytes.span) }
        }
        return try result.get()
    }

    /// Whether both hold the same bytes.
    package static func areEqual(_ lhs: Span<UInt8>, _ rhs: Span<UInt8>) -> Bool {
        lhs.withUnsafeBufferPointer { left in rhs.withUnsafeBufferPointer { right in areEqual(left, right) } }
    }
}

extension KeyedHash {
    /// Mixes the bytes, and their number, into `state`.
    @inlinable @inline(__always)
    package func mix(_ bytes: Span<UInt8>, into state: UInt64) -> UInt64 { bytes.withUnsafeBufferPointer { mix($0, into: state) } }
}

import JSONText

/// The name of a property, as bytes where they lie: valid during the call it is passed to. Look-ups compare bytes, so a `String`
/// is made for messages only.
typealias FieldName = Span<UInt8>

extension Span<UInt8> {
    /// The bytes as text.
    var text: String { unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }

    @inline(__always)
    var isID: Bool { count == 2 && self[0] == UInt8(ascii: "i") && self[1] == UInt8(ascii: "d") }

    @inline(__always)
    var isType: Bool {
        count == 4 && self[0] == UInt8(ascii: "t") && self[1] == UInt8(ascii: "y") && self[2] == UInt8(ascii: "p")
            && self[3] == UInt8(ascii: "e")
    }

    /// Whether it is `id` or `type`.
    @inline(__always)
    var isIdentity: Bool { isID || isType }

    /// Whether there is a dot in it, so that it may be a path.
    var hasDot: Bool {
        for index in indices where self[index] == UInt8(ascii: ".") { return true }
        return false
    }
}

extension String {
    /// Lends the UTF-8 of the text.
    @inline(__always)
    func withName<Result>(_ body: (FieldName) throws -> Result) rethrows -> Result {
        var text = self
        // The bytes stay where they are until the closure returns; a span of them cannot leave it.
        return try text.withUTF8 { try unsafe body($0.span) }
    }
}

extension StaticString {
    /// Lends the UTF-8 of the text.
    @inline(__always)
    func withName<Result>(_ body: (FieldName) throws -> Result) rethrows -> Result {
        if hasPointerRepresentation {
            // A text of the program, which stays where it is.
            return try unsafe body(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).span)
        }
        return try description.withName(body)
    }
}

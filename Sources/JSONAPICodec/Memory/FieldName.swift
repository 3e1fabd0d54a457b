import JSONText

/// The name of a property, as bytes in place. It is valid only during the call that receives it. Look-ups compare bytes, so that a `String`
/// is made only for messages.
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

    /// Whether the name contains a dot, so that it may be a path.
    var hasDot: Bool { firstDot != nil }

    /// The position of the first dot.
    var firstDot: Int? {
        for index in indices where self[index] == UInt8(ascii: ".") { return index }
        return nil
    }
}

extension String {
    /// Calls `body` with the UTF-8 of the text.
    @inline(__always)
    func withName<Result>(_ body: (FieldName) throws -> Result) rethrows -> Result {
        var text = self
        // The bytes stay in place until the closure returns, and a span of them cannot leave it.
        return try text.withUTF8 { try unsafe body($0.span) }
    }
}

extension StaticString {
    /// Calls `body` with the UTF-8 of the text.
    @inline(__always)
    func withName<Result>(_ body: (FieldName) throws -> Result) rethrows -> Result {
        if hasPointerRepresentation {
            // A string literal, which stays in place.
            return try unsafe body(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).span)
        }
        return try description.withName(body)
    }
}

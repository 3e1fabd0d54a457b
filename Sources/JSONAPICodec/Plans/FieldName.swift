import JSONText

/// The name of a property, as bytes where they lie: valid during the call it is passed to. Look-ups compare bytes, so a `String`
/// is made for messages only.
struct FieldName: CustomStringConvertible {
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    @inline(__always)
    init(_ name: StaticString) { bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) }

    var description: String { String(decoding: bytes, as: UTF8.self) }

    @inline(__always)
    var isID: Bool { bytes.count == 2 && bytes[0] == UInt8(ascii: "i") && bytes[1] == UInt8(ascii: "d") }

    @inline(__always)
    var isType: Bool {
        bytes.count == 4 && bytes[0] == UInt8(ascii: "t") && bytes[1] == UInt8(ascii: "y") && bytes[2] == UInt8(ascii: "p")
            && bytes[3] == UInt8(ascii: "e")
    }

    /// Whether it is `id` or `type`.
    @inline(__always)
    var isIdentity: Bool { isID || isType }

    /// Whether there is a dot in it, so that it may be a path.
    var hasDot: Bool { bytes.contains(UInt8(ascii: ".")) }
}

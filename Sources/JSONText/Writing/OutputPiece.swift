/// Up to 32 bytes of JSON text that is known to be right and is written again and again: a member's name with its quotes and colon,
/// or what stands in front of an id.
///
/// It is moved as two blocks, whatever its length: a quarter of the cost of copying bytes whose number is looked at first.
@usableFromInline
package struct OutputPiece: BitwiseCopyable, Sendable {
    /// Bytes that have to be free where it is written.
    static let room = 32

    /// As they lie in memory.
    let first: SIMD2<UInt64>
    let second: SIMD2<UInt64>
    /// The number of bytes.
    package let count: Int

    /// That text, which is right as it stands; nothing when it is longer than 32 bytes.
    package init(unchecked text: StaticString) { self = Self("", text.description, "") ?? Self.empty }

    private static let empty = OutputPiece(first: SIMD2(0, 0), second: SIMD2(0, 0), count: 0)

    private init(first: SIMD2<UInt64>, second: SIMD2<UInt64>, count: Int) {
        self.first = first
        self.second = second
        self.count = count
    }

    /// A text that nothing has to be escaped in, between two others; nil for more than 32 bytes.
    package init?(_ prefix: StaticString, _ text: String, _ suffix: StaticString) {
        var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        var text = text
        let count = prefix.utf8CodeUnitCount + text.utf8.count + suffix.utf8CodeUnitCount
        guard count <= Self.room else { return nil }
        withUnsafeMutableBytes(of: &bytes) { target in
            // In bounds: together they are not longer than the target.
            let middle = UnsafeMutableRawBufferPointer(rebasing: target[prefix.utf8CodeUnitCount...])
            prefix.withUTF8Buffer { target.copyBytes(from: $0) }
            text.withUTF8 { middle.copyBytes(from: $0) }
            suffix.withUTF8Buffer { UnsafeMutableRawBufferPointer(rebasing: middle[text.utf8.count...]).copyBytes(from: $0) }
        }
        self.init(first: SIMD2(bytes.0, bytes.1), second: SIMD2(bytes.2, bytes.3), count: count)
    }
}

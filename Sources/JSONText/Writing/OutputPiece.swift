/// Up to 64 bytes of JSON text that is known to be right and is written again and again: a member's name with its quotes and colon,
/// or what stands in front of an id.
///
/// It is moved in whole blocks, whatever its length: a quarter of the cost of copying bytes whose number is looked at first. Pieces
/// are handed over by address, since passing one would copy all of it.
@usableFromInline
package struct OutputPiece: BitwiseCopyable, Sendable {
    /// Bytes that have to be free where it is written.
    static let room = 64

    typealias Half = (SIMD2<UInt64>, SIMD2<UInt64>)

    /// As they lie in memory.
    let start: Half
    /// Those behind the first 32.
    let rest: Half
    /// The number of bytes.
    let count: Int

    /// A text that nothing has to be escaped in, between two others; nil for more than 64 bytes.
    package init?(_ prefix: StaticString, _ text: String, _ suffix: StaticString) {
        let zeroes: Half = (SIMD2(0, 0), SIMD2(0, 0))
        var bytes = (zeroes, zeroes)
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
        (start, rest) = bytes
        self.count = count
    }
}

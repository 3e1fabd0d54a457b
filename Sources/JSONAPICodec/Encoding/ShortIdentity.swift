import JSONText

/// The identity of a related value that has a type which was met before and a short id, and nothing else. Most do: such an identity
/// is looked up and written without a string and without a `ResourceIdentifier`, which costs more than both.
struct ShortIdentity {
    let type: UnsafeMutablePointer<KnownTypes.Known>
    /// What stands in front of the id in an identifier object.
    let opening: OutputPiece
    /// Not empty.
    let id: ShortText

    @inline(__always)
    init?<Element: ResourceRepresentable>(of value: UnsafePointer<Element>, _ session: EncodingSession) {
        let bits = Element._identityBits(of: value)
        // The strings may be gone already. Those that the bits of a type lead to live: an entry keeps what has its bits. And a short
        // text is in its bits.
        guard let type = session.types.known(StringBits(first: bits.0, second: bits.1)), let opening = type.pointee.opening,
            let id = ShortText(bits: StringBits(first: bits.2, second: bits.3)), id.count > 0
        else { return nil }
        self.type = type
        self.opening = opening
        self.id = id
    }
}

import JSONText

extension JSONOutput {
    /// Appends bytes as they are.
    func raw(_ text: Span<UInt8>) {
        // SAFETY: the bytes are copied within the call.
        unsafe text.withUnsafeBufferPointer { unsafe raw($0) }
    }

    /// Hands the text to `sink`, and begins anew when that returns.
    func drain(into sink: (Span<UInt8>) throws -> Void) throws {
        // SAFETY: the bytes stay in place during the call of `sink`.
        try unsafe drain { bytes in try unsafe sink(Span(_unsafeElements: bytes)) }
    }
}

import JSONText

extension Sequence<UInt8> {
    /// Calls `body` with the bytes. They are copied unless they are contiguous.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // In bounds: the span covers the buffer, which is valid until the closure returns. The span cannot escape from the closure.
        if let result = withContiguousStorageIfAvailable({ bytes in body(unsafe bytes.span) }) { return result }
        return body(Array(self).span)
    }
}

import JSONText

extension Sequence<UInt8> {
    /// Calls `body` with the bytes: in place if they are contiguous, else copied.
    func withBytes<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // In bounds: the span covers the buffer, which is valid until the closure returns; a span cannot leave it.
        if let result = withContiguousStorageIfAvailable({ bytes in body(unsafe bytes.span) }) { return result }
        return body(Array(self).span)
    }
}

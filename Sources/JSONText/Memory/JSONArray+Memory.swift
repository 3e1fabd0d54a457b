extension JSONArray {
    /// Calls `body` with a buffer of all elements. The buffer is only valid inside `body`.
    ///
    /// The standard library uses this requirement of `Sequence` to copy many elements in one step.
    @unsafe
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<JSON>) throws -> Result
    ) rethrows -> Result? {
        try unsafe elements.withContiguousStorageIfAvailable(body)
    }
}

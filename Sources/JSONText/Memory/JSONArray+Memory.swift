extension JSONArray {
    /// Calls `body` with all elements at once. The buffer is valid only inside `body`.
    ///
    /// The requirement of `Sequence` by which the standard library copies many elements in one step.
    @unsafe
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<JSON>) throws -> Result
    ) rethrows -> Result? {
        try unsafe elements.withContiguousStorageIfAvailable(body)
    }
}

extension OutputSpan {
    /// Appends the values that `next` returns for their positions, until the span is full.
    ///
    /// With `append` in code that is not specialized for the element, the runtime looks up a type for each.
    @inline(__always)
    mutating func fill(_ next: (Int) throws -> Element) throws {
        try unsafe withUnsafeMutableBufferPointer { values, count in
            while count < values.count {
                let value = try next(count)
                // In bounds: count < values.count. If `next` throws, the values before it are released with the span.
                unsafe values.initializeElement(at: count, to: value)
                count += 1
            }
        }
    }
}

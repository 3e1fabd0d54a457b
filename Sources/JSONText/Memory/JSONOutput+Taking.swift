// Transfers the memory of the text to the caller.

extension JSONOutput {
    /// Returns the text and continues with an empty one. The caller releases the memory with `free` of the C library.
    package func take() -> UnsafeMutableBufferPointer<UInt8> {
        let text = unsafe memory.take()
        reset(to: .start)
        return unsafe text
    }
}

// Transfers the memory of the text to the caller.

extension JSONOutput {
    /// Returns the text and continues with an empty one, with memory for the given number of bytes. The caller releases the memory of the
    /// text with `free` of the C library.
    package func take(continuingWith capacity: Int) -> UnsafeMutableBufferPointer<UInt8> {
        let text = unsafe memory.take(continuingWith: capacity)
        reset(to: .start)
        return unsafe text
    }
}

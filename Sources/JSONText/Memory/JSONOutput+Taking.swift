// The memory of a text that is handed over.

extension JSONOutput {
    /// Hands the text over to the caller, who gives its memory back by `free` of the C library, and goes on with an empty text.
    package func take() -> UnsafeMutableBufferPointer<UInt8> {
        let text = unsafe memory.take()
        reset(to: .start)
        return unsafe text
    }
}

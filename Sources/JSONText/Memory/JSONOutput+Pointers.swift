// Forms with pointers: the memory that is handed over, and forms for callers that have not moved to spans yet.

extension JSONOutput {
    /// Hands the text over to the caller, who gives its memory back by `free` of the C library, and goes on with an empty text.
    package func take() -> UnsafeMutableBufferPointer<UInt8> {
        let text = unsafe memory.take()
        reset(to: .start)
        return unsafe text
    }

    /// The form with a pointer of `raw(_:)`.
    package func raw(_ text: UnsafeBufferPointer<UInt8>) { unsafe raw(text.span) }
}

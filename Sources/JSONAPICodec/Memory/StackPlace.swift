/// The current position of the stack.
enum StackPlace {
    /// An address in the frame of the caller.
    @inline(__always)
    static var current: UInt {
        var here: UInt8 = 0
        // The address is used as a number, and never dereferenced.
        return unsafe withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    }
}

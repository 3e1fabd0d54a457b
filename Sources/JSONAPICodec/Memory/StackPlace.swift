/// Where the stack has come to.
enum StackPlace {
    /// An address in the frame of the caller.
    @inline(__always)
    static var current: UInt {
        var here: UInt8 = 0
        // The address is looked at as a number, and never read through.
        return unsafe withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    }
}

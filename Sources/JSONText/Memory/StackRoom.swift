import CStackBounds

/// Checks whether the thread's stack has room for more nesting, for code that recurses through coders and closures of others.
///
/// A fixed number of levels cannot suit both the 512 KiB of a secondary thread and the 8 MiB of the main one.
package enum StackRoom {
    /// Whether the given number of bytes is left on the stack. True on platforms that do not report the bounds of the stack.
    package static func isLeft(_ bytes: UInt) -> Bool {
        let lowest = UInt(jsonapi_stack_floor())
        return lowest == 0 || UInt(jsonapi_stack_address()) > lowest &+ bytes
    }
}

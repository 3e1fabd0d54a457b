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

    /// Whether the given number of bytes, and a third of what is in use, are left on the stack. For code inside coders that recurse once more
    /// through all levels, such as Foundation's, which spell a coding path that way.
    package static func isLeftForAllLevels(_ bytes: UInt) -> Bool {
        let top = UInt(jsonapi_stack_top())
        return top == 0 || isLeft(bytes &+ (top &- UInt(jsonapi_stack_address())) / 3)
    }
}

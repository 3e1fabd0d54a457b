import CStackBounds

/// Checks whether the thread's stack has room for more nesting.
///
/// Embedded values nest as deeply as the links of the document, and a model's `init(from:)` recurses. A fixed number of levels cannot suit
/// both the 512 KiB of a secondary thread and the 8 MiB of the main one. The stack itself is therefore checked on each level.
enum StackGuard {
    /// The number of bytes that must remain for one level. Frames grow with the properties of the model: one with 200 optional strings
    /// takes 60 KB for each level in a debug build.
    static let reserve: UInt = 160 * 1024

    /// Whether more than the reserve remains above the stack's lowest address. True when the platform does not provide that address.
    @inline(__always)
    static func hasRoom(above lowest: UInt) -> Bool { UInt(jsonapi_stack_address()) > lowest &+ reserve || lowest == 0 }

    /// The lowest address of this thread's stack, which grows downward; 0 when the platform does not provide it.
    static var lowestAddress: UInt { UInt(jsonapi_stack_floor()) }
}

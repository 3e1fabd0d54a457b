import CStackBounds

/// Tells whether the thread's stack carries more nesting.
///
/// Embedded values nest as deep as the document links, and a model's `init(from:)` is somebody else's recursion; no count of
/// levels is right for the 512 KiB of a secondary thread and the 8 MiB of the main one alike, so the stack itself is asked, on each
/// level.
enum StackGuard {
    /// What has to be left, in bytes: for one level, whose frames grow with the properties of the model. A model of 200 optional
    /// strings takes 60 KB a level in a debug build.
    static let reserve: UInt = 160 * 1024

    /// Whether more than the reserve is left above the stack's lowest address. Where the platform does not tell, true.
    @inline(__always)
    static func hasRoom(above lowest: UInt) -> Bool { StackPlace.current > lowest &+ reserve || lowest == 0 }

    /// The lowest address of this thread's stack, which grows downwards; 0 where the platform does not tell.
    static var lowestAddress: UInt { UInt(jsonapi_stack_floor()) }
}

import CStackBounds

/// Tells whether the thread's stack carries more nesting.
///
/// Embedded values nest as deep as the document links, and a model's `init(from:)` is somebody else's recursion; no count of
/// levels is right for the 512 KiB of a secondary thread and the 8 MiB of the main one alike, so the stack itself is asked.
enum StackGuard {
    /// How many levels may pass between two looks. 16 levels take less than the reserve, even in debug builds.
    static let interval = 16
    /// What has to be left, in bytes.
    static let reserve: UInt = 160 * 1024

    /// Whether more than the reserve is left above the stack's lowest address. Where the platform does not tell, true.
    static func hasRoom(above lowest: UInt) -> Bool {
        guard lowest != 0 else { return true }
        var here: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
        return address > lowest &+ reserve
    }

    /// The lowest address of this thread's stack, which grows downwards; 0 where the platform does not tell.
    static var lowestAddress: UInt { UInt(jsonapi_stack_floor()) }
}

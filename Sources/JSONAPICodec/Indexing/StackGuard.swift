#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Tells whether the thread's stack carries more nesting. All platform code of this module is here.
///
/// Embedded values nest as deep as the document links, and a model's `init(from:)` is somebody else's recursion; no count of
/// levels is right for the 512 KiB of a secondary thread and the 8 MiB of the main one alike, so the stack itself is asked.
enum StackGuard {
    /// How many levels may pass between two looks. 16 levels take less than the reserve, even in debug builds.
    static let interval = 16
    /// What has to be left, in bytes.
    static let reserve = 160 * 1024

    /// Whether more than the reserve is left above the stack's lowest address. Where the platform does not tell, true.
    static func hasRoom(above lowest: UInt?) -> Bool {
        guard let lowest else { return true }
        var here: UInt8 = 0
        let address = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
        return address > lowest &+ UInt(reserve)
    }

    /// The lowest address of this thread's stack, which grows downwards.
    static var lowestAddress: UInt? {
        #if canImport(Darwin)
        let thread = pthread_self()
        return UInt(bitPattern: pthread_get_stackaddr_np(thread)) &- UInt(pthread_get_stacksize_np(thread))
        #elseif canImport(Glibc) || canImport(Musl)
        var attributes = pthread_attr_t()
        guard pthread_getattr_np(pthread_self(), &attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        var start: UnsafeMutableRawPointer?
        var size = 0
        guard pthread_attr_getstack(&attributes, &start, &size) == 0, let start else { return nil }
        return UInt(bitPattern: start)
        #else
        return nil
        #endif
    }
}

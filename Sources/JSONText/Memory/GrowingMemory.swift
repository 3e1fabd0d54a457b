// What differs between platforms: the C library.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif os(Windows)
    import ucrt
#endif

/// Memory of the C library, for text that grows and is returned to the caller at the end. The system can move large blocks page by page
/// instead of copying them.
enum GrowingMemory {
    /// Returns memory of at least `capacity` bytes that begins with the bytes of `old`. `old` is no longer valid. Pass nil for new memory.
    static func resize(_ old: UnsafeMutablePointer<UInt8>?, to capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe realloc(old, max(capacity, 1)) else { preconditionFailure("out of memory") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }

    /// Frees memory.
    static func release(_ memory: UnsafeMutablePointer<UInt8>) { unsafe free(memory) }
}

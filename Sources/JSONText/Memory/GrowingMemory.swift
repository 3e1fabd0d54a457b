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

/// Memory of the C library, for a text that grows and is handed out in the end: a long one is moved by the system, page by page,
/// instead of being copied.
enum GrowingMemory {
    /// Memory of at least `capacity` bytes that begins with those of `old`, which is no longer valid; nil for new memory.
    static func resize(_ old: UnsafeMutablePointer<UInt8>?, to capacity: Int) -> UnsafeMutablePointer<UInt8> {
        guard let memory = unsafe realloc(old, max(capacity, 1)) else { preconditionFailure("no memory is left") }
        return unsafe memory.assumingMemoryBound(to: UInt8.self)
    }

    /// Gives memory back.
    static func free(_ memory: UnsafeMutablePointer<UInt8>) {
        #if canImport(Darwin)
            unsafe Darwin.free(memory)
        #elseif canImport(Glibc)
            unsafe Glibc.free(memory)
        #elseif canImport(Musl)
            unsafe Musl.free(memory)
        #elseif canImport(Android)
            unsafe Android.free(memory)
        #elseif canImport(WASILibc)
            unsafe WASILibc.free(memory)
        #elseif os(Windows)
            unsafe ucrt.free(memory)
        #endif
    }
}

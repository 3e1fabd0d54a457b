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

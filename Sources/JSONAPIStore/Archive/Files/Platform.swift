// What differs between platforms: the C library, how a file reaches the disk, and what runs in the background.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

#if canImport(Dispatch)
    import Dispatch
#endif

enum Platform {
    /// Makes what was written to a descriptor last through a loss of power; -1 and `errno` when it fails.
    ///
    /// On Apple systems `fsync` leaves the data in the drive's cache. File systems that do not know `F_FULLFSYNC` get `fsync`.
    static func synchronize(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
            guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { return -1 }
        #endif
        return fsync(descriptor)
    }

    /// Runs `body` on another thread, soon.
    static func runLater(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Dispatch)
            DispatchQueue.global().async(execute: body)
        #else
            Task.detached { body() }
        #endif
    }

    /// Takes the lock of an open file, without waiting; -1 and `errno` when it fails.
    static func lock(_ descriptor: Int32) -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Gives up the lock of an open file, whoever else shares that.
    static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }
}

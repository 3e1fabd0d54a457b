// Differences between platforms: the C library, and syncing files.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#endif

enum Platform {
    /// Syncs a file to the disk, so that its contents survive a loss of power. Returns -1 and sets `errno` if it fails.
    ///
    /// On Apple systems, `fsync` leaves the data in the cache of the drive. `fsync` is only used there if the file system does not support
    /// `F_FULLFSYNC`.
    static func synchronize(_ descriptor: Int32) -> Int32 {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
            guard errno == ENOTSUP || errno == EINVAL || errno == ENOTTY else { return -1 }
        #endif
        return fsync(descriptor)
    }

    /// Locks an open file without waiting. Returns -1 and sets `errno` if it fails.
    static func lock(_ descriptor: Int32) -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Releases the lock of an open file, even if another process shares it.
    static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }
}

// What differs between platforms: the C library, and how a file reaches the disk.

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

    /// Takes the lock of an open file, without waiting; -1 and `errno` when it fails.
    static func lock(_ descriptor: Int32) -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Gives up the lock of an open file, whoever else shares that.
    static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }
}

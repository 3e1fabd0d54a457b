// Differences between platforms: the C library, syncing files, and keyed unarchivers.

import Foundation

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

    /// Returns the data that a coder has under a key, or nil if the key contains something else.
    ///
    /// An unarchiver can stop the process if it decodes a value as another kind. On Apple systems, that is data decoded as a number. On others,
    /// it is a number decoded as an object, so there this method checks for a number first. It cannot distinguish the number 0 from no number.
    static func data(forKey key: String, of coder: NSCoder) -> NSData? {
        #if !canImport(Darwin)
            guard coder.decodeDouble(forKey: key) == 0, coder.decodeInt64(forKey: key) == 0, !coder.decodeBool(forKey: key) else {
                return nil
            }
        #endif
        return coder.decodeObject(of: NSData.self, forKey: key)
    }

    /// Releases the lock of an open file, even if another process shares it.
    static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }
}

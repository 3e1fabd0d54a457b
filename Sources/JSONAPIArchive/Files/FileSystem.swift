package import Foundation

/// The system calls that archives use for files. Each has its own method, so that tests can make any of them fail.
///
/// These methods do not retry. `ArchiveStorage` does.
package protocol FileSystem: Sendable {
    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32
    /// Returns the status of an open file.
    func status(_ descriptor: Int32) throws(SystemFault) -> FileStatus
    /// Returns the status of the file at a path. Symbolic links are not followed.
    func status(ofPath path: String) throws(SystemFault) -> FileStatus
    /// Returns at most `count` bytes from an offset, up to the end of the file.
    func read(_ descriptor: Int32, count: Int, at offset: Int64) throws(SystemFault) -> [UInt8]
    /// Writes some of the bytes, and returns their number.
    func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemFault) -> Int
    func synchronize(_ descriptor: Int32) throws(SystemFault)
    func truncate(_ descriptor: Int32, to count: Int64) throws(SystemFault)
    func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault)
    /// Locks the file without waiting. Throws `EWOULDBLOCK` if another writer has the lock.
    func lock(_ descriptor: Int32) throws(SystemFault)
    func rename(_ path: String, to newPath: String) throws(SystemFault)
    func remove(_ path: String) throws(SystemFault)
    /// Closes the file and releases its lock.
    func close(_ descriptor: Int32) throws(SystemFault)
    /// Maps the first bytes of a file as read-only memory.
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> ArchiveBytes
}

/// A system call that failed.
package struct SystemFault: Error, Hashable {
    package let call: String
    package let code: Int32

    package init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }
}

/// The status of a file.
package struct FileStatus: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    package let isRegular: Bool
    /// The nine permission bits.
    package let rights: UInt32

    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        rights = UInt32(status.st_mode) & 0o777
    }

    /// Returns whether both describe the same file.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

package import Foundation

/// The calls through which archives reach the disk, one method for each, so that tests can make any of them fail.
///
/// Nothing is retried here: `ArchiveStorage` does that.
package protocol FileSystem: Sendable {
    func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32
    /// What an open file is.
    func status(_ descriptor: Int32) throws(SystemFault) -> FileStatus
    /// What stands at a path; a symbolic link is not followed.
    func status(ofPath path: String) throws(SystemFault) -> FileStatus
    /// Returns bytes from an offset on: at most `count`, and none behind the end.
    func read(_ descriptor: Int32, count: Int, at offset: Int64) throws(SystemFault) -> [UInt8]
    /// Writes some of the bytes and returns how many.
    func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemFault) -> Int
    func synchronize(_ descriptor: Int32) throws(SystemFault)
    func truncate(_ descriptor: Int32, to count: Int64) throws(SystemFault)
    func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault)
    /// Takes the lock of the file without waiting. `EWOULDBLOCK` when somebody else has it.
    func lock(_ descriptor: Int32) throws(SystemFault)
    func rename(_ path: String, to newPath: String) throws(SystemFault)
    func remove(_ path: String) throws(SystemFault)
    /// Gives up the lock too.
    func close(_ descriptor: Int32) throws(SystemFault)
    /// Shows the first bytes of a file as memory that can only be read.
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> MappedMemory
}

/// A call that failed.
package struct SystemFault: Error, Hashable {
    package let call: String
    package let code: Int32

    package init(_ call: String, _ code: Int32) {
        self.call = call
        self.code = code
    }
}

/// What is known about a file.
package struct FileStatus: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
    package let size: Int64
    package let isRegular: Bool
    /// The nine bits of who may read, write and execute.
    package let rights: UInt32

    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        rights = UInt32(status.st_mode) & 0o777
    }

    /// Whether both are one file.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

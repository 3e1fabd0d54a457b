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
    /// Writes some of the bytes and answers how many.
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFault) -> Int
    func synchronize(_ descriptor: Int32) throws(SystemFault)
    func truncate(_ descriptor: Int32, to count: Int) throws(SystemFault)
    func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault)
    /// Takes the lock of the file without waiting. `EWOULDBLOCK` when somebody else has it.
    func lock(_ descriptor: Int32) throws(SystemFault)
    func rename(_ path: String, to newPath: String) throws(SystemFault)
    func remove(_ path: String) throws(SystemFault)
    /// Gives up the lock too.
    func close(_ descriptor: Int32) throws(SystemFault)
    /// Shows the first bytes of a file as memory that can only be read.
    func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> UnsafeRawPointer
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
    package let size: Int
    package let isRegular: Bool
    /// The nine bits of who may read, write and execute.
    package let rights: UInt32

    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        rights = UInt32(status.st_mode) & 0o777
    }

    /// Whether both are one file.
    package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }
}

/// The operating system's own calls.
package struct SystemFiles: FileSystem {
    package init() {}

    private func check(_ result: Int32, _ call: String) throws(SystemFault) {
        guard result == 0 else { throw SystemFault(call, errno) }
    }

    package func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 {
        let descriptor = Foundation.open(path, flags | O_CLOEXEC, mode_t(truncatingIfNeeded: rights))
        guard descriptor >= 0 else { throw SystemFault("open", errno) }
        return descriptor
    }

    package func status(_ descriptor: Int32) throws(SystemFault) -> FileStatus {
        var status = stat()
        try check(fstat(descriptor, &status), "fstat")
        return FileStatus(status)
    }

    package func status(ofPath path: String) throws(SystemFault) -> FileStatus {
        var status = stat()
        try check(lstat(path, &status), "lstat")
        return FileStatus(status)
    }

    package func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFault) -> Int {
        let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        guard count >= 0 else { throw SystemFault("write", errno) }
        return count
    }

    package func synchronize(_ descriptor: Int32) throws(SystemFault) { try check(Platform.synchronize(descriptor), "fsync") }

    package func truncate(_ descriptor: Int32, to count: Int) throws(SystemFault) {
        try check(ftruncate(descriptor, off_t(count)), "ftruncate")
    }

    package func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault) {
        try check(fchmod(descriptor, mode_t(truncatingIfNeeded: rights)), "fchmod")
    }

    package func lock(_ descriptor: Int32) throws(SystemFault) { try check(Platform.lock(descriptor), "flock") }

    package func rename(_ path: String, to newPath: String) throws(SystemFault) {
        try check(Foundation.rename(path, newPath), "rename")
    }

    package func remove(_ path: String) throws(SystemFault) { try check(unlink(path), "unlink") }

    package func close(_ descriptor: Int32) throws(SystemFault) {
        // A process that was just started shares our open files for a moment, and with them the lock.
        Platform.unlock(descriptor)
        try check(Foundation.close(descriptor), "close")
    }

    package func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> UnsafeRawPointer {
        let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address, address != MAP_FAILED else { throw SystemFault("mmap", errno) }
        return UnsafeRawPointer(address)
    }
}

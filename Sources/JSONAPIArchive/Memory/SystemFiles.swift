import Foundation

/// The system calls of the operating system. Only C strings, and results that are valid during a call, are unsafe.
package struct SystemFiles: FileSystem {
    package init() {}

    private func check(_ result: Int32, _ call: String) throws(SystemFault) {
        guard result == 0 else { throw SystemFault(call, errno) }
    }

    package func open(_ path: String, _ flags: Int32, rights: UInt32) throws(SystemFault) -> Int32 {
        let descriptor = unsafe Foundation.open(path, flags | O_CLOEXEC, mode_t(truncatingIfNeeded: rights))
        guard descriptor >= 0 else { throw SystemFault("open", errno) }
        return descriptor
    }

    package func status(_ descriptor: Int32) throws(SystemFault) -> FileStatus {
        var status = stat()
        try unsafe check(fstat(descriptor, &status), "fstat")
        return FileStatus(status)
    }

    package func status(ofPath path: String) throws(SystemFault) -> FileStatus {
        var status = stat()
        try unsafe check(lstat(path, &status), "lstat")
        return FileStatus(status)
    }

    package func read(_ descriptor: Int32, count: Int, at offset: Int64) throws(SystemFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        // SAFETY: the system writes at most as many bytes as the array has.
        let found = unsafe bytes.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        guard found >= 0 else { throw SystemFault("read", errno) }
        return Array(bytes[..<found])
    }

    package func write(_ descriptor: Int32, _ bytes: Span<UInt8>, at offset: Int64) throws(SystemFault) -> Int {
        // SAFETY: the system reads at most the bytes of the span.
        let count = unsafe bytes.withUnsafeBufferPointer { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
        guard count >= 0 else { throw SystemFault("write", errno) }
        return count
    }

    package func synchronize(_ descriptor: Int32) throws(SystemFault) { try check(Platform.synchronize(descriptor), "fsync") }

    package func truncate(_ descriptor: Int32, to count: Int64) throws(SystemFault) {
        try check(ftruncate(descriptor, off_t(count)), "ftruncate")
    }

    package func setRights(_ descriptor: Int32, _ rights: UInt32) throws(SystemFault) {
        try check(fchmod(descriptor, mode_t(truncatingIfNeeded: rights)), "fchmod")
    }

    package func lock(_ descriptor: Int32) throws(SystemFault) { try check(Platform.lock(descriptor), "flock") }

    package func rename(_ path: String, to newPath: String) throws(SystemFault) {
        try unsafe check(Foundation.rename(path, newPath), "rename")
    }

    package func remove(_ path: String) throws(SystemFault) { try unsafe check(unlink(path), "unlink") }

    package func close(_ descriptor: Int32) throws(SystemFault) {
        // A child process shares open files and their locks for a moment after it starts, so the lock is released explicitly.
        Platform.unlock(descriptor)
        try check(Foundation.close(descriptor), "close")
    }

    package func map(_ descriptor: Int32, count: Int) throws(SystemFault) -> ArchiveBytes { try ArchiveBytes(descriptor, count: count) }
}

extension SystemFault {
    /// The system's description of the error.
    var explanation: String { unsafe String(cString: strerror(code)).lowercased() }
}

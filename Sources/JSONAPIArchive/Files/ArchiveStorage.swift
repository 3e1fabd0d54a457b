import Foundation

/// Reads and writes the files of archives. It repeats interrupted calls and continues short writes. All other failures are errors.
struct ArchiveStorage: Sendable {
    let files: any FileSystem
    /// The time until which to wait for a lock that another writer has.
    private let lockDeadline: ContinuousClock.Instant?

    init(_ files: any FileSystem = SystemFiles(), lockDeadline: ContinuousClock.Instant? = nil) {
        self.files = files
        self.lockDeadline = lockDeadline
    }

    /// Returns the path of a file URL. Throws for other URLs, and for paths that the system would truncate.
    static func path(of url: URL) throws(ArchiveError) -> String {
        let path = url.path
        guard url.isFileURL, !path.isEmpty, !path.utf8.contains(0) else {
            throw ArchiveError(.notARegularFile, "an archive is kept in a file, and this URL names none", advice: "use a file URL")
        }
        return path
    }

    /// Returns the state of a file, which does not have to be locked.
    func image(ofFile path: String) throws(ArchiveError) -> ArchiveImage {
        let descriptor = try open(path, O_RDONLY)
        defer { try? files.close(descriptor) }
        return try image(of: descriptor, path)
    }

    /// Returns a copy of the bytes of a file, unchecked. Another program can truncate the file in the meantime.
    ///
    /// If `isArchive` returns false for the start of the file, returns only the start. It can be another file of any size.
    func bytes(ofFile path: String, if isArchive: (ArchiveBytes) -> Bool) throws(ArchiveError) -> ArchiveBytes {
        let descriptor = try open(path, O_RDONLY)
        defer { try? files.close(descriptor) }
        let start = ArchiveBytes(try bytes(of: descriptor, upTo: ArchiveFormat.headerSize + ArchiveFormat.headSize, path))
        guard isArchive(start) else { return start }
        return ArchiveBytes(try bytes(of: descriptor, upTo: ArchiveFormat.maximumSize, path))
    }

    /// Returns the state of an open file. Parts that are also in `earlier`, another state of the file, are not checked again.
    ///
    /// The header is read before the size of the file. The file therefore contains everything to which the header refers, even if another
    /// process is writing.
    func image(of descriptor: Int32, _ path: String, since earlier: ArchiveImage? = nil) throws(ArchiveError) -> ArchiveImage {
        let start = try start(of: descriptor, path)
        let status = try status(descriptor, path)
        let bytes = try contents(of: descriptor, status.size, path)
        // The descriptor is only used during this call.
        let tail = ArchiveTail { offset, count throws(ArchiveError) in
            try attempt(path) { () throws(SystemFault) in try files.read(descriptor, count: count, at: Int64(offset)) }
        }
        return try ArchiveImage(bytes, start: start, tail: tail, since: earlier, file: status)
    }

    /// Returns the headers of an open file, or the part of them that exists. In a file of version 1 to 3, the first commit can follow.
    func start(of descriptor: Int32, _ path: String) throws(ArchiveError) -> [UInt8] {
        try bytes(of: descriptor, upTo: ArchiveFormat.headerSize, path)
    }

    /// Returns the first bytes of an open file, at most the given number.
    private func bytes(of descriptor: Int32, upTo count: Int, _ path: String) throws(ArchiveError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let position = bytes.count
            let piece = try attempt(path) { () throws(SystemFault) in
                try files.read(descriptor, count: min(1 << 20, count - position), at: Int64(position))
            }
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// Maps an open file.
    private func contents(of descriptor: Int32, _ size: Int64, _ path: String) throws(ArchiveError) -> ArchiveBytes {
        // An empty file cannot be mapped.
        guard size > 0 else { return ArchiveBytes([]) }
        guard let count = Int(exactly: size) else { throw ArchiveFormat.tooLarge.of(path) }
        return try attempt(path) { () throws(SystemFault) in try files.map(descriptor, count: count) }
    }

    /// Opens a regular file. It does not follow symbolic links, and does not wait for the other end of a pipe.
    func open(_ path: String, _ flags: Int32, rights: UInt32 = 0) throws(ArchiveError) -> Int32 {
        let descriptor: Int32
        do {
            descriptor = try attempt(path) { () throws(SystemFault) in
                try files.open(path, flags | O_NOFOLLOW | O_NONBLOCK, rights: rights)
            }
        } catch {
            var error = error
            if let advice = Self.advice(error.code, opening: flags) { error.advice = advice }
            throw error
        }
        do throws(ArchiveError) {
            guard try status(descriptor, path).isRegular else { throw Self.notRegular(path) }
            return descriptor
        } catch {
            try? files.close(descriptor)
            throw error
        }
    }

    func status(_ descriptor: Int32, _ path: String) throws(ArchiveError) -> FileStatus {
        try attempt(path) { () throws(SystemFault) in try files.status(descriptor) }
    }

    /// Returns whether a path still leads to an open file.
    func leads(_ path: String, to descriptor: Int32) throws(ArchiveError) -> Bool {
        let mine = try status(descriptor, path)
        do {
            let present = try files.status(ofPath: path)
            return present.isSameFile(as: mine)
        } catch {
            if error.code == ENOENT { return false }
            throw Self.io(error, path)
        }
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int, _ path: String) throws(ArchiveError) {
        var written = 0
        while written < bytes.count {
            let count = try attempt(path) { () throws(SystemFault) in
                try write(bytes, from: written, to: descriptor, at: Int64(offset) + Int64(written))
            }
            // A write of 0 bytes would otherwise be repeated forever.
            guard count > 0 else { throw Self.io(SystemFault("write", EIO), path) }
            written += count
        }
    }

    private func write(_ bytes: [UInt8], from start: Int, to descriptor: Int32, at offset: Int64) throws(SystemFault) -> Int {
        // Systems write less than 2 GiB in one call.
        let count = min(bytes.count - start, 1 << 30)
        return try files.write(descriptor, bytes.span.extracting(start..<start + count), at: offset)
    }

    func synchronize(_ descriptor: Int32, _ path: String) throws(ArchiveError) {
        try attempt(path) { () throws(SystemFault) in try files.synchronize(descriptor) }
    }

    func truncate(_ descriptor: Int32, to count: Int, _ path: String) throws(ArchiveError) {
        try attempt(path) { () throws(SystemFault) in try files.truncate(descriptor, to: Int64(count)) }
    }

    /// Locks an open file. Throws `locked` if another writer has the lock until the deadline.
    func lock(_ descriptor: Int32, _ path: String) throws(ArchiveError) {
        while true {
            do {
                return try repeated { () throws(SystemFault) in try files.lock(descriptor) }
            } catch {
                guard error.code == EWOULDBLOCK else { throw Self.io(error, path) }
            }
            guard mayWait else { throw Self.locked(path) }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    /// Whether the time to wait for other writers is not over.
    var mayWait: Bool { lockDeadline.map { $0 > .now } ?? false }

    /// Returns whether to try again after another writer was faster, possibly after a moment. Without a deadline, a few attempts are enough.
    func mayRepeat(afterAttempt number: Int) -> Bool {
        if number < 8 { return true }
        guard mayWait else { return false }
        Thread.sleep(forTimeInterval: 0.01)
        return true
    }

    // MARK: - Errors

    /// Returns the result of a system call, which is repeated while signals interrupt it.
    func attempt<Result>(_ path: String, _ call: () throws(SystemFault) -> Result) throws(ArchiveError) -> Result {
        do { return try repeated(call) } catch { throw Self.io(error, path) }
    }

    private func repeated<Result>(_ call: () throws(SystemFault) -> Result) throws(SystemFault) -> Result {
        while true {
            do { return try call() } catch { if error.code != EINTR { throw error } }
        }
    }

    static func io(_ fault: SystemFault, _ path: String) -> ArchiveError {
        // `open` fails with these codes for a symbolic link that must not be followed.
        if fault.call == "open", fault.code == ELOOP || fault.code == EISDIR { return notRegular(path) }
        var error = ArchiveError(
            .io, "\(fault.call) failed: \(fault.explanation)", advice: advice(fault.code))
        error.systemCall = fault.call
        error.code = fault.code
        return error.of(path)
    }

    static func locked(_ path: String) -> ArchiveError {
        ArchiveError(
            .locked, "the archive is open for writing elsewhere, in another process or in this one",
            advice: "write through what has it open, or wait until that is closed, with lockTimeout"
        ).of(path)
    }

    private static func advice(_ code: Int32) -> String? {
        switch code {
        case ENOSPC, EDQUOT: "make room and try again; what was saved before is still there"
        case EFBIG: "raise the limit for the size of a file and try again; what was saved before is still there"
        case EACCES, EPERM, EROFS: "choose a folder that this program may write to"
        default: nil
        }
    }

    /// Returns the advice for a file that cannot be opened, if that is better than the usual one.
    private static func advice(_ code: Int32?, opening flags: Int32) -> String? {
        let creates = flags & O_CREAT != 0
        return switch code {
        case ENOENT where creates: "create the folder first"
        case EACCES where !creates, EPERM where !creates:
            "give this program the right to \(flags & O_RDWR == 0 ? "read" : "write to") the file"
        default: nil
        }
    }

    private static func notRegular(_ path: String) -> ArchiveError {
        ArchiveError(
            .notARegularFile, "it is a folder, a device, a pipe or a symbolic link", advice: "name the file itself"
        ).of(path)
    }
}

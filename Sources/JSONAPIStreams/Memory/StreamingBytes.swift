import Foundation

extension Span<UInt8> {
    /// Returns the eight bytes at `offset`, with the first one lowest. All of them must exist.
    @inline(__always)
    func littleEndianWord(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset <= count - 8)
        // SAFETY: checked in the line above.
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension Data {
    /// Creates a copy of the bytes.
    init(copying bytes: Span<UInt8>) { self = unsafe bytes.withUnsafeBufferPointer { unsafe Data($0) } }
}

/// System calls for files. Interrupted reads and writes are repeated.
enum StreamingFile {
    /// The error of a call: the system's code; nil when the file ended too soon or a write accepted nothing.
    struct Fault: Error {
        let code: Int32?
    }

    // The system reads the text of a path only during the call, and structures that it fills in belong to this code.

    /// Opens a file. Returns -1 and sets `errno` when that fails.
    static func open(_ path: String, _ flags: Int32, _ rights: mode_t = 0) -> Int32 { unsafe Foundation.open(path, flags, rights) }

    /// Closes a file. Returns false when that fails.
    @discardableResult
    static func close(_ descriptor: Int32) -> Bool { Foundation.close(descriptor) == 0 }

    /// Returns the path of a file URL.
    static func path(of url: URL) throws(DocumentFileError) -> String {
        guard url.isFileURL else { throw DocumentFileError(url.absoluteString, "open as a file URL", EINVAL) }
        return url.path
    }

    /// Returns the folder of a file: the path up to the last slash, or an empty path.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the path of a name in a folder.
    static func path(of name: String, in folder: String) -> String {
        folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// Returns the path with all symbolic links resolved. When there is no file, follows only links in the place of the file itself.
    static func resolved(_ path: String) -> String {
        var path = path
        for _ in 0..<maximumLinks {
            if let resolved = unsafe realpath(path, nil) {
                defer { unsafe free(resolved) }
                return unsafe String(cString: resolved)
            }
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { return path }
            path = target.utf8.first == UInt8(ascii: "/") ? target : Self.path(of: target, in: folder(of: path))
        }
        return path
    }

    /// As many as Linux follows.
    private static let maximumLinks = 40

    /// Returns the status of an open file.
    static func status(_ descriptor: Int32) -> stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// Returns the status of the file at a path.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// Renames a file. Returns false when that fails.
    static func rename(_ path: String, _ name: String) -> Bool { unsafe Foundation.rename(path, name) == 0 }

    /// Removes a file's name.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Returns the system's text for an error code.
    static func explanation(of code: Int32) -> String { unsafe String(cString: strerror(code)) }

    /// Returns the bytes at an offset. There are fewer than requested only at the end of the file.
    static func read(_ descriptor: Int32, at offset: Int64, count: Int) throws(Fault) -> [UInt8] {
        var fault: Fault?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                // SAFETY: at most the rest of the buffer is written, which has room for `count` bytes.
                let start = unsafe buffer.baseAddress.map { unsafe $0 + filled }
                let read = unsafe pread(descriptor, start, count - filled, off_t(offset + Int64(filled)))
                if read == 0 { return }
                if read < 0, errno == EINTR { continue }
                guard read > 0 else {
                    fault = Fault(code: errno)
                    return
                }
                filled += read
            }
        }
        if let fault { throw fault }
        return bytes
    }

    /// Writes all bytes, with as many system calls as needed. A pipe without a reader is a fault with `EPIPE`, not a signal.
    static func write(_ bytes: Span<UInt8>, _ descriptor: Int32) throws(Fault) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let result = PipeSignal.avoiding(descriptor) {
                // SAFETY: the system reads at most the bytes of the span.
                let count = unsafe rest.withUnsafeBufferPointer { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
                return (count, errno)
            }
            if result.count < 0, result.code == EINTR { continue }
            guard result.count > 0 else { throw Fault(code: result.count < 0 ? result.code : nil) }
            written += result.count
        }
    }
}

import Foundation

extension Span<UInt8> {
    /// The eight bytes from `offset` on, the first one lowest. All of them have to be there.
    @inline(__always)
    func littleEndianWord(at offset: Int) -> UInt64 {
        precondition(offset >= 0 && offset <= count - 8)
        // SAFETY: checked in the line above.
        return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension Data {
    /// A copy of the bytes.
    init(copying bytes: Span<UInt8>) { self = unsafe bytes.withUnsafeBufferPointer { unsafe Data($0) } }
}

/// Calls of the operating system for files. Interrupted reads and writes are repeated.
enum StreamingFile {
    /// What a call failed with: a code of the system, or nil where the file ended too soon or took nothing.
    struct Fault: Error {
        let code: Int32?
    }

    // The system reads the text of a path until the call returns, and a structure that is filled in is our own.

    /// Opens a file; -1 and `errno` when that fails.
    static func open(_ path: String, _ flags: Int32, _ rights: mode_t = 0) -> Int32 { unsafe Foundation.open(path, flags, rights) }

    /// Closes a file; false when that fails.
    @discardableResult
    static func close(_ descriptor: Int32) -> Bool { Foundation.close(descriptor) == 0 }

    /// The path of a file's URL.
    static func path(of url: URL) throws(DocumentFileError) -> String {
        guard url.isFileURL else { throw DocumentFileError(url.absoluteString, "open as the URL of a file", EINVAL) }
        return url.path
    }

    /// The folder of a file: the path up to the last slash, or nothing.
    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The path of a name in a folder.
    static func path(of name: String, in folder: String) -> String {
        folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// The path of the file itself, whatever links lead to it; the same path where there is no file.
    static func resolved(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// What the system knows of an open file.
    static func status(_ descriptor: Int32) -> stat? {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? status : nil
    }

    /// What the system knows of the file with this name.
    static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }

    /// Gives a file another name; false when that fails.
    static func rename(_ path: String, _ name: String) -> Bool { unsafe Foundation.rename(path, name) == 0 }

    /// Removes a name of a file.
    static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// What the system says about an error.
    static func explanation(of code: Int32) -> String { unsafe String(cString: strerror(code)) }

    /// Returns the bytes from an offset on, fewer than asked for only at the end of the file.
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

    /// Writes all bytes, however many calls that takes.
    static func write(_ bytes: Span<UInt8>, _ descriptor: Int32) throws(Fault) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            // SAFETY: the system reads the bytes of the span at most.
            let count = unsafe rest.withUnsafeBufferPointer { unsafe Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Fault(code: count < 0 ? errno : nil) }
            written += count
        }
    }
}

import Foundation

/// A file that is written under another name and gets its own when it is finished.
///
/// A pipe, a device or a socket has no contents that could be kept until then: it is written to at once.
final class DocumentOutputFile {
    /// The file itself, whatever links lead to it.
    let path: String
    /// The name until it is finished; nil for what is written to at once.
    private let temporaryPath: String?
    private var descriptor: Int32

    init(_ path: String) throws(DocumentFileError) {
        let path = StreamingFile.resolved(path)
        self.path = path
        let status = StreamingFile.status(path)
        switch status.map({ $0.st_mode & S_IFMT }) {
        case nil, S_IFREG?:
            let name = ".document-" + String(UInt64.random(in: .min ... .max), radix: 36)
            let temporary = StreamingFile.path(of: name, in: StreamingFile.folder(of: path))
            descriptor = StreamingFile.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
            temporaryPath = temporary
        case S_IFDIR?: throw DocumentFileError(path, "open", EISDIR)
        default:
            descriptor = StreamingFile.open(path, O_WRONLY | O_CLOEXEC)
            temporaryPath = nil
        }
        guard descriptor >= 0 else { throw DocumentFileError(path, "open") }
        guard let temporaryPath else { return }
        UnfinishedFiles.add(temporaryPath)
        // The rights of the file that is replaced.
        if let status { _ = fchmod(descriptor, status.st_mode & 0o777) }
    }

    deinit { cancel() }

    func write(_ bytes: Span<UInt8>) throws { try Self.write(bytes, descriptor, path) }

    /// Gives the file its name.
    func finish() throws(DocumentFileError) {
        if let temporaryPath {
            guard fsync(descriptor) == 0 else { throw DocumentFileError(path, "fsync") }
            guard StreamingFile.rename(temporaryPath, path) else { throw DocumentFileError(path, "rename") }
            UnfinishedFiles.remove(temporaryPath)
        }
        let isClosed = StreamingFile.close(descriptor)
        descriptor = -1
        if !isClosed { throw DocumentFileError(path, "close") }
    }

    /// Removes what was written. Does nothing when it was finished.
    func cancel() {
        guard descriptor >= 0 else { return }
        StreamingFile.close(descriptor)
        descriptor = -1
        guard let temporaryPath else { return }
        StreamingFile.remove(temporaryPath)
        UnfinishedFiles.remove(temporaryPath)
    }

    /// All bytes, however many calls that takes.
    static func write(_ bytes: Span<UInt8>, _ descriptor: Int32, _ path: String) throws(DocumentFileError) {
        do throws(StreamingFile.Fault) {
            try StreamingFile.write(bytes, descriptor)
        } catch {
            throw DocumentFileError(path, "write", error.code ?? EIO)
        }
    }
}

/// The files of this process that have another name until they are finished: removed when it ends by `exit`.
private enum UnfinishedFiles {
    private static let paths = LockedPaths()

    static func add(_ path: String) {
        _ = removesAtExit
        paths.change { $0.insert(path) }
    }

    static func remove(_ path: String) { paths.change { $0.remove(path) } }

    private static let removesAtExit: Bool = {
        atexit { UnfinishedFiles.paths.change { paths in for path in paths { StreamingFile.remove(path) } } } == 0
    }()

    /// `@unchecked Sendable`: `paths` are read and written under the lock.
    private final class LockedPaths: @unchecked Sendable {
        private let lock = Lock()
        private var paths: Set<String> = []

        func change(_ body: (inout Set<String>) -> Void) {
            lock.lock()
            defer { lock.unlock() }
            body(&paths)
        }
    }
}

import Foundation
import JSONAPICodec
import JSONText

/// A file that has a temporary name until it is finished.
///
/// A pipe, a device or a socket has no earlier contents to keep. It is written to directly.
final class DocumentOutputFile {
    /// The path of the file itself, with all symbolic links resolved. The given path for a file that is written to directly.
    let path: String
    /// The temporary path; nil for a file that is written to directly.
    private let temporaryPath: String?
    private var descriptor: Int32

    init(_ given: String) throws(DocumentFileError) {
        let status = StreamingFile.status(given)
        let kind = status.map { $0.st_mode & S_IFMT }
        // A pipe behind a link such as `/dev/stdout` has no other path.
        let path = kind == nil || kind == S_IFREG ? StreamingFile.resolved(given) : given
        self.path = path
        switch kind {
        case nil, S_IFREG?:
            let name = ".document-" + String(UInt64.random(in: .min ... .max), radix: 36)
            let temporary = StreamingFile.path(of: name, in: StreamingFile.folder(of: path))
            let rights = status.map { $0.st_mode & 0o777 } ?? 0o666
            descriptor = StreamingFile.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, rights)
            temporaryPath = temporary
        case S_IFDIR?: throw DocumentFileError(path, "open", EISDIR)
        default:
            descriptor = StreamingFile.open(path, O_WRONLY | O_CLOEXEC)
            temporaryPath = nil
        }
        guard descriptor >= 0 else { throw DocumentFileError(path, "open") }
        guard let temporaryPath else { return }
        UnfinishedFiles.shared.change { $0.insert(temporaryPath) }
        // Keep the permissions of the file that is replaced, also those that new files of this process do not have.
        if let status, fchmod(descriptor, status.st_mode & 0o777) != 0 { throw DocumentFileError(path, "chmod") }
    }

    deinit { cancel() }

    /// Whether the text goes to a pipe, a device or a socket.
    var isWrittenDirectly: Bool { temporaryPath == nil }

    func write(_ bytes: Span<UInt8>) throws { try Self.write(bytes, descriptor, path) }

    /// Gives the file its final name.
    func finish() throws(DocumentFileError) {
        if let temporaryPath {
            guard fsync(descriptor) == 0 else { throw DocumentFileError(path, "fsync") }
            guard StreamingFile.rename(temporaryPath, path) else { throw DocumentFileError(path, "rename") }
            UnfinishedFiles.shared.change { $0.remove(temporaryPath) }
        }
        let isClosed = StreamingFile.close(descriptor)
        descriptor = -1
        if !isClosed { throw DocumentFileError(path, "close") }
    }

    /// Removes the unfinished file. Does nothing when the file is finished.
    func cancel() {
        guard descriptor >= 0 else { return }
        StreamingFile.close(descriptor)
        descriptor = -1
        guard let temporaryPath else { return }
        StreamingFile.remove(temporaryPath)
        UnfinishedFiles.shared.change { $0.remove(temporaryPath) }
    }

    /// Writes all bytes, with as many system calls as needed.
    static func write(_ bytes: Span<UInt8>, _ descriptor: Int32, _ path: String) throws(DocumentFileError) {
        do throws(StreamingFile.Fault) {
            try StreamingFile.write(bytes, descriptor)
        } catch {
            throw DocumentFileError(path, "write", error.code ?? EIO)
        }
    }
}

/// The unfinished files of this process. They are removed when it ends with `exit`.
///
/// `@unchecked Sendable`: `paths` is read and written under the lock.
private final class UnfinishedFiles: @unchecked Sendable {
    static let shared = UnfinishedFiles()

    private let lock = Lock()
    private var paths: Set<String> = []

    private init() {
        _ = atexit { UnfinishedFiles.shared.change { paths in for path in paths { StreamingFile.remove(path) } } }
    }

    func change(_ body: (inout Set<String>) -> Void) { lock.withLock { body(&paths) } }
}

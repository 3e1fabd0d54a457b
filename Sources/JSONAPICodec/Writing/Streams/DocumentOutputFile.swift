import Foundation

/// A file that is written under another name and gets its own when it is finished.
final class DocumentOutputFile {
    private let path: String
    private let temporaryPath: String
    private var descriptor: Int32

    init(_ path: String) throws(DocumentFileError) {
        self.path = path
        let name = ".document-" + String(UInt64.random(in: .min ... .max), radix: 36)
        temporaryPath = ((path as NSString).deletingLastPathComponent as NSString).appendingPathComponent(name)
        descriptor = StreamingFile.open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw DocumentFileError(path, "open") }
        // The rights of the file that is replaced.
        if let status = StreamingFile.status(path) { _ = fchmod(descriptor, status.st_mode & 0o777) }
    }

    deinit { cancel() }

    func write(_ bytes: Span<UInt8>) throws { try Self.write(bytes, descriptor, path) }

    /// Gives the file its name.
    func finish() throws(DocumentFileError) {
        guard fsync(descriptor) == 0 else { throw DocumentFileError(path, "fsync") }
        guard StreamingFile.rename(temporaryPath, path) else { throw DocumentFileError(path, "rename") }
        let isClosed = close(descriptor) == 0
        descriptor = -1
        if !isClosed { throw DocumentFileError(path, "close") }
    }

    /// Removes what was written. Does nothing when it was finished.
    func cancel() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        StreamingFile.remove(temporaryPath)
        descriptor = -1
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

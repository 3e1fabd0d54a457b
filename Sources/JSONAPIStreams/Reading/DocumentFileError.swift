import Foundation

/// A system call that failed while a document was read from a file or written to one.
public struct DocumentFileError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The name of the call, for example `open`.
    public let call: String
    /// The error number of the system, for example `ENOENT`.
    public let code: Int32

    init(_ path: String, _ call: String, _ code: Int32 = errno) {
        self.path = path
        self.call = call
        self.code = code
    }

    public var description: String { "\(path): \(call): \(StreamingFile.explanation(of: code))" }

    /// The same as `description`.
    public var errorDescription: String? { description }
}

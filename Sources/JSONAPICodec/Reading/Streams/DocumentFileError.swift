import Foundation

/// A call of the operating system that failed while a document was read from a file or written to one.
public struct DocumentFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file.
    public let path: String
    /// The call, as `open`.
    public let call: String
    /// The system's number for what went wrong, as `ENOENT`.
    public let code: Int32

    init(_ path: String, _ call: String, _ code: Int32 = errno) {
        self.path = path
        self.call = call
        self.code = code
    }

    public var description: String { "\(path): \(call): \(StreamingFile.explanation(of: code))" }
}

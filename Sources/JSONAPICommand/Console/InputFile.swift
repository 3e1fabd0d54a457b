import Foundation
import JSONText

/// Files that a user names.
enum InputFile {
    /// The longest input in bytes: what the reader takes by default. Keeps an endless device from filling the memory.
    static let maximumBytes = JSONReadingOptions().maximumBytes

    /// The contents of a file. Throws `Fault` with the reason.
    static func contents(of path: String) throws -> Data {
        guard let isFolder = FileManager.default.isFolder(atPath: path) else { throw Fault.unreadable(path, "no such file") }
        guard !isFolder else { throw Fault.unreadable(path, "it is a folder") }
        guard FileManager.default.isReadableFile(atPath: path) else { throw Fault.unreadable(path, "permission denied") }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw Fault.unreadable(path, "it cannot be opened") }
        defer { try? handle.close() }
        return try contents(of: handle, named: path)
    }

    /// Everything up to the end of an open file. Throws `Fault` when it fails or is too long.
    static func contents(of handle: FileHandle, named name: String = "-") throws -> Data {
        var contents = Data()
        do {
            while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
                contents.append(piece)
                guard contents.count <= maximumBytes else { break }
            }
        } catch {
            throw Fault.unreadable(name, SystemError(error).reason)
        }
        guard contents.count <= maximumBytes else {
            throw Fault(file: name, kind: "sizeLimit", message: "the text is longer than \(maximumBytes) bytes")
        }
        return contents
    }
}

import Foundation
import JSONText

/// Reads the files that a user names.
enum InputFile {
    /// The longest input in bytes, the default limit of the JSON reader. It stops an endless device from filling the memory.
    static let maximumBytes = JSONReadingOptions().maximumBytes

    /// Returns the contents of a file. Throws `Fault` with the reason.
    static func contents(of path: String) throws -> Data {
        guard let isFolder = FileManager.default.isFolder(atPath: path) else { throw Fault.unreadable(path, "no such file") }
        guard !isFolder else { throw Fault.unreadable(path, "it is a folder") }
        guard FileManager.default.isReadableFile(atPath: path) else { throw Fault.unreadable(path, "permission denied") }
        guard let handle = FileHandle(forReadingAtPath: path) else { throw Fault.unreadable(path, "it cannot be opened") }
        defer { try? handle.close() }
        return try contents(of: handle, named: path)
    }

    /// Returns the contents of a file whose name is not UTF-8. Throws `Fault` with the reason.
    static func contents(of path: [UInt8], named name: String) throws -> Data {
        do {
            let handle = try Platform.open(path)
            defer { try? handle.close() }
            return try contents(of: handle, named: name)
        } catch let error as POSIXError {
            throw Fault.unreadable(name, error.code == .ENOENT ? "no such file" : SystemError(error).reason)
        }
    }

    /// Reads an open file to its end. Throws `Fault` if reading fails or the file is too long.
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

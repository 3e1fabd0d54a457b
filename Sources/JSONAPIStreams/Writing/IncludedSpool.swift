import Foundation
import JSONAPICodec

/// Keeps included resources until the end of the primary data: in memory up to 1 MiB, then in a temporary file.
///
/// The file's name is removed as soon as the file is open, so that the file disappears with the process, whatever happens.
final class IncludedSpool {
    private static let memoryLimit = 1 << 20
    private let folder: String
    private var descriptor: Int32 = -1
    private var fileSize: Int64 = 0
    private var buffer: [UInt8] = []

    init(folder: String) { self.folder = folder }

    deinit { close() }

    /// Releases the resources and the file.
    func close() {
        if descriptor >= 0 { StreamingFile.close(descriptor) }
        descriptor = -1
        fileSize = 0
        buffer = []
        window = []
    }

    /// The number of bytes before each text: its identity, its version, and its length.
    private static let headSize = 25

    func append(_ key: WrittenIdentities.Key, _ text: ArraySlice<UInt8>, version: UInt8) throws {
        buffer += key.bytes
        buffer.append(version)
        buffer += UInt64(text.count).littleEndianBytes
        buffer += text
        if buffer.count > Self.memoryLimit { try spill() }
    }

    private func spill() throws(DocumentFileError) {
        if descriptor < 0 { try openFile() }
        try write(buffer)
        fileSize += Int64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
    }

    private func write(_ bytes: [UInt8]) throws(DocumentFileError) {
        try DocumentOutputFile.write(bytes.span, descriptor, folder)
    }

    private func openFile() throws(DocumentFileError) {
        let path = StreamingFile.path(of: ".included-" + String(UInt64.random(in: .min ... .max), radix: 36), in: folder)
        descriptor = StreamingFile.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw DocumentFileError(folder, "open a temporary file") }
        StreamingFile.remove(path)
    }

    /// Calls `body` with every resource, in order.
    func forEach(_ body: (_ key: WrittenIdentities.Key, _ version: UInt8, _ text: ArraySlice<UInt8>) throws -> Void) throws {
        var position: Int64 = 0
        let size = fileSize + Int64(buffer.count)
        while position < size {
            let head = try bytes(at: position, count: Self.headSize)
            let count = head.span.littleEndianWord(at: 17)
            position += Int64(Self.headSize)
            try body(WrittenIdentities.Key(bytes: head.span), head[16], try bytes(at: position, count: Int(count))[...])
            position += Int64(count)
        }
    }

    /// The part of the file that was read last.
    private var window: [UInt8] = []
    private var windowStart: Int64 = 0

    private func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        if offset >= fileSize {
            let start = Int(offset - fileSize)
            return Array(buffer[start..<start + count])
        }
        if offset < windowStart || offset + Int64(count) > windowStart + Int64(window.count) {
            try readWindow(at: offset, count: max(count, 1 << 16))
        }
        let start = Int(offset - windowStart)
        return Array(window[start..<start + count])
    }

    /// Reads a part of the file. A record is never divided between file and memory.
    private func readWindow(at offset: Int64, count: Int) throws(DocumentFileError) {
        let wanted = Int(min(Int64(count), fileSize - offset))
        do throws(StreamingFile.Fault) {
            window = try StreamingFile.read(descriptor, at: offset, count: wanted)
        } catch {
            throw DocumentFileError(folder, "read a temporary file", error.code ?? EIO)
        }
        windowStart = offset
        // The file was truncated.
        guard window.count == wanted else { throw DocumentFileError(folder, "read a temporary file", EIO) }
    }
}

extension UInt64 {
    /// The eight bytes, with the lowest one first.
    var littleEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> UInt64($0 * 8)) } }
}

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

/// Reads and writes open files. Interrupted calls are repeated.
enum StreamingFile {
    /// What a call failed with: a code of the system, or nil where the file ended too soon or took nothing.
    struct Fault: Error {
        let code: Int32?
    }

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

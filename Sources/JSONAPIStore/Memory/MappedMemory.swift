import Foundation

/// The first bytes of a file as read-only memory, which is unmapped when the object is released.
///
/// Bounds: `count` bytes from the start. The file must not be shortened in place: reading beyond its new end stops the process.
///
/// `@unchecked Sendable`: the memory is never written to, and lives as long as the object.
@safe
package final class MappedMemory: @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer

    /// Maps the first `count` bytes of an open file. Throws `mmap` with the system's code.
    init(_ descriptor: Int32, count: Int) throws(SystemFault) {
        let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address = unsafe address, unsafe address != MAP_FAILED else { throw SystemFault("mmap", errno) }
        unsafe bytes = UnsafeRawBufferPointer(start: address, count: count)
    }

    deinit {
        // SAFETY: the mapping was made in `init`, and nothing refers to it any more.
        unsafe munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }

    /// All bytes. Valid as long as this object lives.
    @unsafe var raw: UnsafeRawBufferPointer { unsafe bytes }
}
